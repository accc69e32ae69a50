//===- PMOps.td - The ops of the pm dialect ----------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMOPS_TD
#define PMC_DIALECT_PMOPS_TD

include "dialect/IR/PMFieldOp.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

/// Not in programs beyond the stage 'global': a pass expands it.
def PM_IsExpanded : PM_NativeTrait<"IsExpanded">;

/// Along Fourier dims each element of the result is of the same mode's elements
/// of its one field, with their sign.
def PM_KeepsModes : PM_NativeTrait<"KeepsModes">;

include "dialect/IR/Ops/PMOrderOps.td"
include "dialect/IR/Ops/PMProgramOps.td"

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

def PM_PaintOp : PM_Op<"paint", [Pure, PM_IsExpanded, AttrSizedOperandSegments]> {
  let summary = "paints particles on a mesh";
  let description = [{
    Adds `weight` (default 1) times the window around every particle:
    r(c) = Σ_q w(q) Π_d W(c_d − (q_d + ψ_d(q))/h_d), periodic, h the mesh's
    cell. ψ are displacements in the dims' length unit from the lattice that
    their type's dims span; with `free` they are positions. n weights go to m
    meshes in one pass over the particles, n/m consecutive ones to each. Only
    particles where `where` holds are painted; the others' positions and weights
    may be anything.

    Constraints: 1. one displacement field a mesh dim, all of one type, which
       weights have too; `where` has bools over its dims;
    2. unless `free`, the mesh's dims are refinements of theirs, in order;
    3. meshes have one type; the number of weights is a multiple of theirs (none
       is one of 1);
    4. `orders`, if given, has one order >= 0 a weight and mesh dim, in this
       order: Π_d (∂/∂ψ_d)^{o_d} of what that weight gives without, the adjoint
       of such a `pm.readout`.
  }];
  let arguments = (ins PM_WindowAttr:$window, UnitAttr:$free,
                       OptionalAttr<DenseI64ArrayAttr>:$orders,
                       Variadic<PM_Field>:$displacements,
                       Variadic<PM_Field>:$weights,
                       Optional<PM_Field>:$where);
  let results = (outs Variadic<PM_Field>:$meshes);
  let assemblyFormat = [{
    $window (`free` $free^)? $displacements (`weight` $weights^ `:` type($weights))?
    (`where` $where^ `:` type($where))?
    attr-dict `:` type($displacements) `->` type($meshes)
  }];
  let hasVerifier = 1;
}

def PM_ReadoutOp : PM_Op<"readout", [Pure, PM_IsExpanded, AttrSizedOperandSegments]> {
  let summary = "reads meshes at particles";
  let description = [{
    v_j(q) = Σ_c f_j(c) Π_d W(c_d − (q_d + ψ_d(q))/h_d): the adjoint of
    `pm.paint` with respect to the weight. Where `where` does not hold nothing is
    read, and v_j is 0.

    Constraints: as `pm.paint`; meshes have the same dims; one result a mesh,
    over the displacements' dims; `orders`, if given, has one order >= 0 a mesh
    and mesh dim, in this order: value j is then Π_d (∂/∂ψ_d)^{o_jd} of what it
    is without. At the kinks of a window it is the right-hand derivative.
  }];
  let arguments = (ins PM_WindowAttr:$window, UnitAttr:$free,
                       OptionalAttr<DenseI64ArrayAttr>:$orders,
                       Variadic<PM_Field>:$meshes,
                       Variadic<PM_Field>:$displacements,
                       Optional<PM_Field>:$where);
  let results = (outs Variadic<PM_Field>:$values);
  let assemblyFormat = [{
    $window (`free` $free^)? $meshes `at` $displacements
    (`where` $where^ `:` type($where))? attr-dict
    `:` type($meshes) `at` type($displacements) `->` type($values)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

def PM_ShiftOp : PM_Op<"shift", [Pure, PM_IsExpanded, PM_KeepsModes,
    DeclareOpInterfaceMethods<PM_MovedFieldOpInterface>]> {
  let summary = "every cell gets what a neighbor has";
  let description = [{
    r(i) = f(i + o), where beyond the ends of a dim f is what its edge says;
    `transposed`, r(j) = Σ_i f(i) over the cells i that read cell j: the adjoint.
    Along a dim of which the result has one cell for s of f, r(i) = f(s i); where
    it has s for one, r(i) = f(⌊i/s⌋).

    ```mlir
    %r = pm.shift %f[1, 0, -2 clamp] : !pm.field<[x=8, y=8, z=8], f32>
    %c = pm.shift %f[0, 0, 0] : !pm.field<[x=8, y=8, z=8], f32>
         -> !pm.field<[x/2=4, y/2=4, z=8], f32>
    ```
    Constraints: 1. one offset and one edge a dim; an edge that is not named is
    periodic;
    2. 0 along halved dims;
    3. `reflect` with less than the dim's cells;
    4. `transposed` of real or complex elements;
    5. the result has the input's elements, and its dims or, with the offset 0,
    refinements or coarsenings of them.
  }];
  let arguments = (ins PM_Field:$input, DenseI64ArrayAttr:$offsets,
                       PM_EdgesAttr:$edges, UnitAttr:$transposed);
  let results = (outs PM_Field:$result);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $input `` custom<Offsets>($offsets, $edges)
    attr-dict `:` custom<InputAndResult>(type($input), type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::DenseI64ArrayAttr":$offsets,
                   "::mlir::ArrayAttr":$edges, "::mlir::UnitAttr":$transposed), [{
      build($_builder, $_state, input.getType(), input, offsets, edges, transposed);
    }]>];
  let hasVerifier = 1;
}

def PM_StoredOp : PM_Op<"stored", [Pure, PM_IsExpanded, PM_KeepsModes,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "numbers as a shorter format has them";
  let description = [{
    r(i) = f(i), rounded to the nearest number of the format, ties to even; f64 is
    rounded to f32 before. In memory it takes the format's two bytes: it becomes a
    map to a field of them, and one back, which goes into what reads it
    (`pm-widen-late`). The derivative is that of r = f: neither tangents nor
    cotangents are rounded.

    ```mlir
    %r = pm.stored %f as bf16 : !pm.field<[x=8], f32>
    ```
    Constraints: 1. the elements are real; 2. the format is bf16 or f16.
  }];
  let arguments = (ins PM_Field:$input, TypeAttr:$format);
  let results = (outs PM_Field:$result);
  let assemblyFormat = "$input `as` $format attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def PM_ViewOp : PM_Op<"view", [Pure, PM_IsExpanded,
    DeclareOpInterfaceMethods<PM_MovedFieldOpInterface>]> {
  let summary = "reads a field at indices that are sums of those of other dims";
  let description = [{
    r(j) = f(i(j)): along each dim of f the index is Σ c j_p + o, for one or two dims
    p of the result with their numbers c, all named once in `terms`, as p, c, … What
    lies beyond the ends of the dim its edge says. `starts`, one a dim, are added to
    the offsets; then all indices are cells of f.

    `transposed`, the adjoint: r(i) = Σ_j f(j) over the cells j that read cell i.

    ```mlir
    %blocks = pm.view %f[-2, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} :
        !pm.field<[x=64, y=8], f32> -> !pm.field<[x/8=8, u=12, y=8], f32>
    ```
    Constraints: 1. one offset, one edge and one list of terms a dim of f;
    2. no halved dims, and along space dims; but any dim along itself. Along Fourier dims
    cells are counted as they are stored. Each dim of the other field once in the terms,
    with a number of 1 or more, of two terms at least one with 1;
    3. `reflect` where no index lies further beyond an end than the dim has cells
    inside;
    4. `transposed` of real or complex elements;
    5. no starts, or one a dim, and then nothing but periodic edges;
    6. the same elements on both sides.
  }];
  let arguments = (ins PM_Field:$input, Variadic<I64>:$starts,
                       DenseI64ArrayAttr:$offsets, PM_EdgesAttr:$edges,
                       ArrayAttr:$terms, UnitAttr:$transposed);
  let results = (outs PM_Field:$result);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $input `` custom<Offsets>($offsets, $edges)
    (`from` $starts^)? attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The dims that are read at an index, and those that make it.
    ::llvm::ArrayRef<DimAttr> getReadDims();
    ::llvm::ArrayRef<DimAttr> getReadingDims();
    Edge getEdge(size_t dim) {
      return ::llvm::cast<EdgeAttr>(getEdges()[dim]).getValue();
    }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Fourier transforms and random fields
//===----------------------------------------------------------------------===//

class PM_FourierOp<string mnemonic, list<Trait> traits = []>
    : PM_FieldOp<mnemonic, [PM_PureOnFields, PM_ShardableOpInterface] # traits> {
  let arguments = (ins PM_Grid:$input, StrArrayAttr:$over, UnitAttr:$raw,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $input `over` $over (`raw` $raw^)? (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` type($input) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the transform of `input` over dims with these labels (null
    /// with a message in `error` if there is none).
    static FieldType inferType(FieldType input, ::llvm::ArrayRef<::llvm::StringRef> over,
                               std::string &error);
  }];
}

def PM_FFTOp : PM_FourierOp<"fft", [PM_PlaceableOpInterface]> {
  let summary = "forward Fourier transform";
  let description = [{
    F(k) = N⁻¹ Σ_x f(x) e^{−ikx} over the named space dims (`raw`: without N⁻¹).
    Each becomes its dual; of a real field the last one (in the field's order)
    is halved.

    Constraints: 1. the labels are space dims of the input;
    2. the input is real, or complex;
    3. the result's type is the inferred one, but for the axes: the dims of input
       and result may be split in different ways, and the transposes that lead
       from the one to the other are part of the transform.
  }];
}

def PM_IFFTOp : PM_FourierOp<"ifft"> {
  let summary = "inverse Fourier transform";
  let description = [{
    f(x) = Σ_k F(k) e^{ikx} over the duals of the named space dims, without
    factor. The result is real if one of them is halved. `over` holds the
    space dims' labels.

    Constraints: 1. the input has their duals, and is complex;
    2. a half dim is transformed with its partners, last;
    3. the result's type is the inferred one, but for the axes, as in `pm.fft`.
  }];
}

def PM_WhiteNoiseOp : PM_FieldOp<"white_noise", [PM_PureOnFields,
    PM_PlaceableOpInterface, PM_ShardableOpInterface]> {
  let summary = "unit Gaussian noise";
  let description = [{
    Independent N(0, 1) values, a function of the seed and the global row-major
    index alone. Constraint: a real element.
  }];
  let arguments = (ins I64:$seed, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $seed (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

def PM_ContractOp : PM_FieldOp<"contract", [PM_PureOnFields, PM_PlaceableOpInterface]> {
  let summary = "the sum of products of two fields over dims";
  let description = [{
    c(i) = Σ a(i) b(i) over the dims that the result does not have: a product of
    matrices where a has the dims [i, k], b [k, j] and the result [i, j], one for
    each element of the dims that all three have. Nothing as large as the dims of
    both together is made.

    f64 is added in f64. Of f32, at most 512 products are added in f32, with FMA,
    and these sums in f64: |error| ≤ 513 u Σ |a b|, u = 2⁻²⁴, however many there
    are.

    Constraints: 1. a, b and the result have the same real element, but that bf16
    and f16 may be read (as of `pm.stored`);
    2. their dims are space dims; each of the result's is one of a or b;
    3. what the result does not have is in both: it is summed over. If mesh axes
       split it, the result is partial, as in `pm.reduce`.
  }];
  let arguments = (ins PM_Grid:$lhs, PM_Grid:$rhs, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_MaybePartialField>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
    `:` type($lhs) `,` type($rhs) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// The dims that are summed over, in the order of `lhs`.
    ::llvm::SmallVector<DimAttr> getContractedDims();
    /// The result's type, in either form.
    GridType getTargetType();
  }];
  let hasVerifier = 1;
}

def PM_ConvolveOp : PM_FieldOp<"convolve", [PM_PureOnFields, AttrSizedOperandSegments,
    PM_PlaceableOpInterface]> {
  let summary = "a contraction of which one field is read at indices";
  let description = [{
    c(j) = Σ a(i(j)) b(j) over the dims j of `weights` that the result does not have:
    the domain has the dims of `weights`, and then those of the result that are not
    among them. Along each dim of `field` the index i is where q i = Σ n j_p + o, for
    one or two dims p of the domain with their numbers n, in `terms` as p, n, …, and
    the offset o. Where no whole i is one, the product is 0; what lies beyond the
    ends of the dim its edge says. So the convolution of a field with weights, its
    adjoint in either, and those with strides are one op, and nothing as large as
    the domain is made.

    ```mlir
    // c(o, x) = Σ f(c, x + t − 1) w(t, c, o), nothing beyond the ends
    %r = pm.convolve %f[0, -1 zero], %w {divisors = array<i64: 1, 1>,
        terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} :
        !pm.field<[c=4, x=64], f32>, !pm.field<[t=3, c=4, o=16], f32> -> !pm.field<[o=16, x=64], f32>
    ```
    Sums are added up as those of `pm.contract` are.

    Constraints: 1. elements as those of `pm.contract`;
    2. space dims; one offset, edge, divisor of 1 or more, and list of terms a dim of
    `field`, of one or two dims of the domain that no other list has, their numbers
    not 0;
    3. each dim of the result is in `weights` or in a list of terms, and each dim that
    is summed over in a list;
    4. `zero` or `periodic` where the divisor is not 1; `reflect` where no index lies
    further beyond an end than the dim has cells inside;
    5. a halo where a split dim may be read beyond the owned cells, exchanged of that
    field, and waited for; along a dim that is split the index goes with a dim of the
    domain that is split in the same way;
    6. if mesh axes split what is summed over, the result is partial, as in
    `pm.reduce`.
  }];
  let arguments = (ins PM_Grid:$field, PM_Grid:$weights,
                       Optional<PM_HaloType>:$halo, DenseI64ArrayAttr:$offsets,
                       PM_EdgesAttr:$edges, DenseI64ArrayAttr:$divisors,
                       ArrayAttr:$terms, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_MaybePartialField>:$result);
  let assemblyFormat = [{
    $field `` custom<Offsets>($offsets, $edges) `,` $weights
    (`halo` `(` $halo^ `:` type($halo) `)`)? (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` type($field) `,` type($weights) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// The result's type, in either form.
    GridType getTargetType();
    /// Those of the weights, then what else the result has.
    ::llvm::SmallVector<DimAttr> getDomain();
    /// Dims of the domain that the result does not have.
    ::llvm::SmallVector<DimAttr> getContractedDims();
    Edge getEdge(size_t dim) {
      return ::llvm::cast<EdgeAttr>(getEdges()[dim]).getValue();
    }
    /// Of a split dim: the dim of the domain that it goes with, or -1.
    int findNear(size_t dim);
    /// Cells below and above a rank's part that it may read along a dim.
    std::pair<int64_t, int64_t> getMargin(size_t dim, bool meet = false);
    /// Whether a rank may read cells that others own.
    bool readsOthers();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

def PM_TabulateOp : PM_Op<"tabulate", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "tabulates a function";
  let description = [{
    Rows x_i = from + i (to − from)/(points − 1), y_i = body(x_i), i < points.
    Constraint: the body maps f64 to f64.
  }];
  let arguments = (ins F64:$from, F64:$to, I64:$points);
  let results = (outs PM_TableType:$table);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$from `to` $to `points` $points attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def PM_TransformOp : PM_Op<"transform", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "maps a table row by row";
  let description = [{
    (x_i, y_i) → body(x_i, y_i); the new x must increase (checked when run).
    Constraint: the body maps two f64 to two f64.
  }];
  let arguments = (ins PM_TableType:$table);
  let results = (outs PM_TableType:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$table attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def PM_LookupOp : PM_Op<"lookup", [Pure]> {
  let summary = "interpolates in a table";
  let description = [{
    Piecewise linear; the end pieces continue. With `slope`, the derivative.
  }];
  let arguments = (ins PM_TableType:$table, F64:$x, UnitAttr:$slope);
  let results = (outs F64:$y);
  let assemblyFormat = "(`slope` $slope^)? $table `at` $x attr-dict";
}

//===----------------------------------------------------------------------===//
// Outputs, messages, progress
//===----------------------------------------------------------------------===//

/// Ops that act on the outside world keep their order.
class PM_EffectOp<string mnemonic, list<Trait> traits = []>
    : PM_Op<mnemonic, !listconcat(traits, [MemoryEffects<[MemWrite]>])>;

/// As PM_EffectOp, with fields among the operands.
class PM_FieldEffectOp<string mnemonic, list<Trait> traits = []>
    : PM_EffectOp<mnemonic, traits>;

def PM_OutputOp : PM_FieldEffectOp<"output", [PM_ShardableOpInterface]> {
  let summary = "writes a dataset";
  let description = [{
    Writes NAME.h5 (or .npy): fields of equal type, several interleaved as a
    last dim (named by `columns`), or f64 scalars. `flatten` joins the dims.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyTypeOf<[PM_Grid, F64]>>:$values,
                       OptionalAttr<StrArrayAttr>:$columns, UnitAttr:$flatten,
                       OptionalAttr<StrAttr>:$unit);
  let assemblyFormat = "$name `(` $values `:` type($values) `)` attr-dict";
  let hasVerifier = 1;
}

def PM_PlotOp : PM_FieldEffectOp<"plot", [PM_ShardableOpInterface]> {
  let summary = "draws a picture";
  let description = [{
    A 2-D real field as an image, or 1-D fields (x, then curves) as a graph.
    What the figure says is in the attribute `figure`: texts, in `styles` what
    each value is (x, line, points, low, high, map, contours) and in `rows`, if
    the op draws one of several panels, how many each row has. The panels of a
    figure `a` are `a.1`, `a.2`, and so on, in this order.
  }];
  let arguments = (ins StrAttr:$name, Variadic<PM_Grid>:$values, UnitAttr:$log);
  let assemblyFormat = "$name (`log` $log^)? `(` $values `:` type($values) `)` attr-dict";
  let hasVerifier = 1;
}

def PM_PrintOp : PM_EffectOp<"print"> {
  let summary = "prints a message: a {fmt} string and its f64 values";
  let arguments = (ins StrAttr:$format, Variadic<F64>:$values);
  let assemblyFormat = "$format (`(` $values^ `)`)? attr-dict";
}

def PM_AssertOp : PM_EffectOp<"assert"> {
  let summary = "ends the program with a message unless the condition holds";
  let description = [{
    `warning`: the program prints the message and continues.

    `failure`: an unmet condition is a failure of the run, even if the condition
    depends on params only. Without this attribute, such a condition is an error in
    the arguments of the program.

    `range`: the condition is about the range of a number. One rank alone may make
    this check. If the check fails, it ends the other ranks. `own`: a rank makes the
    check for its owned cells only.

    `checked_input`: the name of the input that is checked. The message begins with
    the flag and the file of this input.

    ```mlir
    pm.assert %low, "v = {}"(%v) {warning}
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$format, Variadic<F64>:$values,
    UnitAttr:$warning, UnitAttr:$failure, UnitAttr:$range, UnitAttr:$own,
    OptionalAttr<StrAttr>:$checked_input);
  let assemblyFormat = "$condition `,` $format (`(` $values^ `)`)? attr-dict";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "mlir::Value":$condition,
    "const llvm::Twine &":$format, "mlir::ValueRange":$values), [{
    $_state.addOperands(condition);
    $_state.addOperands(values);
    $_state.getOrAddProperties<Properties>().format =
        $_builder.getStringAttr(format);
  }]>];
}

def PM_ProgressOp : PM_EffectOp<"progress"> {
  let summary = "reports the progress of a loop over fields to the runtime";
  let description = [{
    `begin` with the number of iterations, `step` with the index, which is -1
    in an iteration that is not counted, `skip` in an iteration that does
    nothing because the loop has ended, `end`.
  }];
  let arguments = (ins PM_LoopEventAttr:$event, I64:$value);
  let assemblyFormat = "$event $value attr-dict";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def PM_AllocOp : PM_Op<"alloc", [Pure]> {
  let summary = "a buffer of the memory plan";
  let description = [{
    The memory of buffer `id` of the plan. Two allocs of one id are the same
    memory, possibly seen as different types (a real field and its transform).
  }];
  let arguments = (ins I64Attr:$id);
  let results = (outs PM_Buffer:$buffer);
  let assemblyFormat = "$id attr-dict `:` type($buffer)";
}

def PM_CopyOp : PM_FieldOp<"copy", [PM_PureOnFields, PM_PlaceableOpInterface]> {
  let summary = "a copy of a field";
  let description = [{
    The memory-planning pass inserts it where a value must survive being
    overwritten; a remark says why.

    Constraint: the copy has the dims and the element of the input.
  }];
  let arguments = (ins PM_Grid:$input, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $input (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($input)
    (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def PM_PlanOp : PM_Op<"plan", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "the memory plan";
  let description = [{
    One entry a buffer: its type, and the first and last program point at which
    it is live. The runtime places the buffers when the program starts.

    Constraint: one start and one end a type, no end before its start; types are
    buffers.
  }];
  let arguments = (ins TypeArrayAttr:$types, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$ends);
  let assemblyFormat = "$types `starts` $starts `ends` $ends attr-dict";
  let hasVerifier = 1;
}

#endif // PMC_DIALECT_PMOPS_TD
