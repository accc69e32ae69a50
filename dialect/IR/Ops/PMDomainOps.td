//===- PMDomainOps.td - Loops over a domain ----------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMDOMAINOPS_TD
#define PMC_DIALECT_PMDOMAINOPS_TD

include "dialect/IR/PMOps.td"

def PM_YieldOp : PM_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a body with its values";
  let description = [{
    Constraint: its parent is a domain op, `pm.tabulate`, `pm.transform` or
    `pm.dim`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
  let hasVerifier = 1;
}

def PM_MapOp : PM_FieldOp<"map", [PM_PureOnFields, AttrSizedOperandSegments, SingleBlock,
    PM_ShardableOpInterface,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "an elementwise map";
  let description = [{
    r_j(i) = body_j(a_1(i), …, a_n(i), i) for every element i of the domain.
    An input over a subset of the domain's dims is broadcast. Coordinates come
    from `pm.coordinate`; scalars of the surrounding code are in scope.

    ```mlir
    %r = pm.map [x=128, y=128] ins(%a : !pm.field<[x=128, y=128], f32>) {
    ^bb0(%e: f32):
      %s = arith.mulf %e, %e : f32
      pm.yield %s : f32
    } -> !pm.field<[x=128, y=128], f32>
    ```

    `within` is a promise, and no part of the meaning: where the index along the
    dim with that label is not in [first, end), each result is the input that it
    updates (`PMUpdates.h`). A map that overwrites it need not look there.

    Constraints:
    1. inputs' dims are a subset of the domain's, in the domain's order;
    2. one block argument an input, of its element type;
    3. results (or outs) are over the whole domain, one a yielded value, of its
       type;
    4. `within` names a dim of the domain, and has two bounds.
  }];
  let arguments = (ins PM_DimsAttr:$domain, Variadic<PM_Grid>:$inputs,
                       Variadic<PM_Buffer>:$outs,
                       OptionalAttr<StrAttr>:$within, Variadic<I64>:$bounds);
  let results = (outs Variadic<PM_Field>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<Domain>($domain) (`within` $within^ `(` $bounds `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    (`->` type($results)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::pmc::pm::DimsAttr":$domain,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outs), [{
      build($_builder, $_state, results, domain, inputs, outs,
            ::mlir::StringAttr(), ::mlir::ValueRange());
    }]>];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def PM_ReduceOp : PM_FieldOp<"reduce", [PM_PureOnFields, AttrSizedOperandSegments,
    AttrSizedResultSegments, SingleBlock,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "a map whose values are reduced";
  let description = [{
    Scalar form (`-> f64` a value): s_j = ⊕_i body_j(a(i), i), accumulated in
    f64. With field results over a subset of the domain's dims: reduced over the
    dims that are missing there, accumulated in f64. Every stored element counts
    once, of half dims too (for the modes that are not stored: `frontend/Spectra`).

    Over dims that mesh axes split, every rank reduces its own part: the results
    are `!pm.partial`, for `pm.all_reduce` or `pm.reduce_fields`. With `pm.own` a rank
    requires what it finds in its own part, and they are not.

    `within` is a promise, and no part of the meaning: elements whose index along
    the dim with that label is not in [first, end) do not change the results, and
    need not be looked at.

    Constraints: 1. and 2. of `pm.map`;
    3. yields one real value a result; all results scalar, or all fields over
       the same dims;
    4. unless `pm.own`, results are partial over the axes that split what is reduced
       over, and of the op's kind;
    5. `within` names a dim that is reduced over, and has two bounds.
  }];
  let arguments = (ins PM_ReductionAttr:$kind, PM_DimsAttr:$domain,
                       Variadic<PM_Grid>:$inputs, Variadic<PM_Buffer>:$outs,
                       OptionalAttr<StrAttr>:$within, Variadic<I64>:$bounds);
  let results = (outs Variadic<PM_MaybePartialNumber>:$scalars,
                      Variadic<PM_MaybePartialField>:$fields);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind custom<Domain>($domain) (`within` $within^ `(` $bounds `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    (`scalars` type($scalars)^)? (`->` type($fields)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$scalars, "::mlir::TypeRange":$fields,
                   "::pmc::pm::Reduction":$kind, "::pmc::pm::DimsAttr":$domain,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outs), [{
      build($_builder, $_state, scalars, fields, kind, domain, inputs, outs,
            ::mlir::StringAttr(), ::mlir::ValueRange());
    }]>];
  let hasVerifier = 1;
}

def PM_BinsOp : PM_FieldOp<"bins", [PM_PureOnFields, AttrSizedOperandSegments, SingleBlock,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "sums values into bins";
  let description = [{
    The body yields an i64 bin and values; r_j[b] = Σ_{i: bin(i) = b} v_j(i), in
    f64, every stored element once, as in `pm.reduce`. Those whose bin is outside of
    [0, cells) are left out. Cells of several dims are counted row by row. If mesh
    axes split the domain, the results are partial sums, which go to
    `pm.reduce_fields`. Those of several dims, and many, become a `pm.scatter`
    (`PMBins.h`).

    Constraints: 1. and 2. of `pm.map`;
    3. yields an i64, then one real value a result;
    4. results are f64 fields over the same space dims;
    5. results are sums partial over the axes that split the domain.
  }];
  let arguments = (ins PM_DimsAttr:$domain, Variadic<PM_Grid>:$inputs,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<PM_MaybePartialField>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<Domain>($domain) (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    (`->` type($results)^)?
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def PM_ScatterOp : PM_FieldOp<"scatter", [PM_PureOnFields, AttrSizedOperandSegments,
    AttrSizedResultSegments, SingleBlock,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "a map whose values are painted on a mesh";
  let description = [{
    The low-level form of `pm.paint`. The body yields, for each particle of the
    domain, its offset u_d in mesh cells along every mesh dim, and weights; and
    last, if some particles are not painted, a bool that says whether it is. The
    particle is at lattice node + u (with `free`: at u), and of a weight w
    r(c) = Σ_i w(i) Π_d W(c_d − s_d(i)), periodic. n weights go to m meshes, n/m
    consecutive ones to each.

    With `exact w`, each w consecutive meshes are the words of one sum. What a cell
    gets is t; the first word gets (t + s) − s, s its step, the second one the same
    of what is left of t. Steps are such that no addition rounds (`pm-exact-sums`),
    so that sums are the same in any order.

    On a mesh that is split over ranks, a rank's particles also touch cells that
    others own. With the `bound` of the particles the results are what they
    contribute to the owned cells of each mesh, and what they contribute to the
    others': `pm.halo_reduce` makes the mesh of them.

    ```mlir
    %part, %halo = pm.scatter cic [x=128 on(row), y=128] bound(%r)
        ins(%u, %v : ...) { ... }
        -> !pm.partial<!pm.field<[x=128 on(row), y=128], f32>, sum over [row]>
        halo !pm.partial<!pm.halo<[x=128 on(row), y=128], f32>, sum over [row]>
    ```

    Constraints: 1. and 2. of `pm.map`;
    3. meshes have one type; yields one real value a mesh dim, and one a weight,
       the same number of weights, at least one, for every mesh, and maybe a bool;
    4. unless `free`, mesh dims are refinements of the domain's dims, in order;
    5. on a split mesh there is a displacement bound, and with it a halo a mesh, of its
       dims and element;
    6. meshes and halos are sums partial over the axes that split the domain;
    7. axes that split the mesh split the domain;
    8. `orders`, if given, has one order >= 0 a weight and mesh dim, in this
       order: W is then differentiated that often with respect to u_d
       (`pm.interpolate`);
    9. with `exact`, meshes are of f64, a multiple of the words, with a step each;
       weights are counted a sum, not a mesh;
    10. with `cell`, see below, `taps` has for each of its arguments the number of
       a weight and one offset a mesh dim, and it yields one number a mesh. There
       may be any number of weights, and the paint is not `exact`.

    With `cell`, the sum of each weight is a field f_k that is not in memory. The
    element c of a mesh is what `cell` yields of elements of these fields at c + an
    offset, periodic. It is a linear function of them: schedules add up what parts
    of the particles give (`pm-paint-stencils`).

    ```mlir
    %m = pm.scatter cic [x=128, y=128] ins(%u, %v, %w : ...) {
      ...
      pm.yield %a, %b, %c : f32, f32, f32
    } taps [0, -1, 0, 0, 1, 0] {
    ^bb0(%l: f32, %r: f32):
      %d = arith.subf %l, %r : f32
      pm.yield %d : f32
    } -> !F
    ```
  }];
  let arguments = (ins PM_WindowAttr:$window, PM_DimsAttr:$domain,
                       UnitAttr:$free, OptionalAttr<DenseI64ArrayAttr>:$orders,
                       Variadic<PM_Grid>:$inputs,
                       Variadic<PM_Buffer>:$outs,
                       Optional<PM_DisplacementBoundType>:$bound,
                       OptionalAttr<I64Attr>:$words, Variadic<F64>:$steps,
                       OptionalAttr<DenseI64ArrayAttr>:$taps);
  let results = (outs Variadic<PM_MaybePartialField>:$results,
                      Variadic<PM_PartialHalo>:$halos);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$cell);
  let assemblyFormat = [{
    $window custom<Domain>($domain) (`free` $free^)? (`bound` `(` $bound^ `)`)?
    (`exact` $words^ `(` $steps `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict-with-keyword $body
    (`taps` $taps^ $cell)? (`->` type($results)^)? (`halo` type($halos)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::pmc::pm::WindowAttr":$window,
                   "::pmc::pm::DimsAttr":$domain, "bool":$free,
                   "::mlir::DenseI64ArrayAttr":$orders,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outs), [{
      build($_builder, $_state, results, ::mlir::TypeRange(), window, domain,
            free, orders, inputs, outs, ::mlir::Value(), ::mlir::IntegerAttr(),
            ::mlir::ValueRange(), ::mlir::DenseI64ArrayAttr());
    }]>];
  let extraClassDeclaration = [{
    /// The meshes' type, in either form.
    GridType getMeshType();
    unsigned getNumMeshes() {
      return getResults().empty() ? getOuts().size() : getResults().size();
    }
    /// Whether `cell` computes the meshes from the weights' sums.
    bool isComputed() { return !getCell().empty(); }
    /// The sums' elements that `cell` reads.
    ::llvm::SmallVector<Tap> getCellTaps() {
      return ::pmc::pm::getTaps(*getTaps(), getMeshType().getDims().size());
    }
    ::mlir::OperandRange getCellYields() {
      return getCell().front().getTerminator()->getOperands();
    }
    /// Meshes, each of which has the words of one sum.
    unsigned getNumSums() { return getNumMeshes() / getWords().value_or(1); }
    /// What is yielded: the offsets, the weights, and whether the particle is
    /// painted, null if all are.
    ::mlir::OperandRange getYieldedOffsets();
    ::mlir::OperandRange getYieldedWeights();
    ::mlir::Value getSelection();
  }];
  let hasVerifier = 1;
}

def PM_CoordinateOp : PM_Op<"coordinate", [Pure]> {
  let summary = "an element's index along a dim of the domain";
  let description = [{
    In the body of a domain op: the global index of the element along the dim
    with this label, as f64. For dual dims the signed mode number m: i for
    i < (N+1)/2, else i − N; the Nyquist mode of even N is −N/2 (+N/2 on half
    dims).
  }];
  let arguments = (ins StrAttr:$dim);
  let results = (outs F64:$index);
  let assemblyFormat = "$dim attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PM_InterpolateOp : PM_Op<"interpolate", [Pure, AttrSizedOperandSegments]> {
  let summary = "reads meshes at an element's position";
  let description = [{
    In the body of a map: v_j = Σ_c f_j(c) Π_d W(c_d − s_d), where s is the
    domain element's lattice node + `offsets` (in mesh cells; with `free`: the
    offsets alone), periodic. The low-level form of `pm.readout`. Of split
    meshes, cells that other ranks own are read in `halos`
    (`pm.halo_exchange`).

    Constraints: 1. meshes have the same dims and real elements;
    2. one offset a mesh dim;
    3. split meshes have one halo each, exchanged of that mesh, and waited for;
    4. `orders`, if given, has one order >= 0 a value and mesh dim, in this
       order: value j is then Π_d (∂/∂u_d)^{o_jd} of what it is without, u the
       offset. At the kinks of a window it is the right-hand derivative;
    5. with `cell`, see below, `taps` has for each of its arguments the number of
       a mesh and one offset a mesh dim, and it yields one number a value.

    With `cell`, f_j is not a field in memory: its element c is what `cell` yields
    as value j, of the meshes' elements at c + an offset, periodic. The schedule
    computes these elements where it reads them (`pm-compute-at-readers`).

    ```mlir
    %g = pm.interpolate cic(%f : !F) taps [0, -1, 0, 0, 1, 0] {
    ^bb0(%a: f32, %b: f32):
      %d = arith.subf %b, %a : f32
      pm.yield %d : f32
    } at(%u, %v : f32, f32) -> f32
    ```
  }];
  let arguments = (ins PM_WindowAttr:$window, UnitAttr:$free,
                       OptionalAttr<DenseI64ArrayAttr>:$orders,
                       OptionalAttr<DenseI64ArrayAttr>:$taps,
                       Variadic<PM_Grid>:$meshes,
                       Variadic<AnyFloat>:$offsets,
                       Variadic<PM_HaloType>:$halos);
  let results = (outs Variadic<AnyFloat>:$values);
  let regions = (region MaxSizedRegion<1>:$cell);
  let assemblyFormat = [{
    $window (`free` $free^)? `(` $meshes `:` type($meshes) `)`
    (`halos` `(` $halos^ `:` type($halos) `)`)? (`taps` $taps^ $cell)? `at`
    `(` $offsets `:` type($offsets) `)` attr-dict `->` type($values)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$values, "::pmc::pm::WindowAttr":$window,
                   "bool":$free, "::mlir::DenseI64ArrayAttr":$orders,
                   "::mlir::ValueRange":$meshes,
                   "::mlir::ValueRange":$offsets), [{
      build($_builder, $_state, values, window, free, orders, nullptr, meshes,
            offsets, ::mlir::ValueRange());
    }]>];
  let extraClassDeclaration = [{
    /// Whether `cell` computes the values' fields from the meshes.
    bool isComputed() { return !getCell().empty(); }
    /// The meshes' elements that `cell` reads.
    ::llvm::SmallVector<Tap> getCellTaps() {
      return ::pmc::pm::getTaps(*getTaps(), getOffsets().size());
    }
    /// What `cell` yields.
    ::mlir::OperandRange getCellYields() {
      return getCell().front().getTerminator()->getOperands();
    }
  }];
  let hasVerifier = 1;
}

def PM_NeighborOp : PM_Op<"neighbor", [Pure]> {
  let summary = "reads a field at a neighbor of the element";
  let description = [{
    In the body of a domain op, and not inside of another op there: f(i + o), i the
    element, o constant; what lies beyond the ends of a dim its edge says. Along a
    dim of which the field has s cells for one of the domain, f(s i + o); where the
    domain has s for one, f(⌊(i + o)/s⌋): offsets and edges are those of the finer
    dim. The low-level form of `pm.shift`. Of a split field, cells that other ranks
    own are read in the `halo` (`pm.halo_exchange`).

    Constraints: 1. the field's dims are, in order, some of the domain's, or
    refinements or coarsenings of them;
    2. one offset and one edge a dim; no offset exceeds the finer dim's cells, and
    with `reflect` it is less;
    3. 0 along halved dims;
    4. gives the field's element;
    5. a halo where a split dim may be read beyond the owned cells, exchanged of that
    field, and waited for.
  }];
  let arguments = (ins PM_Grid:$field, DenseI64ArrayAttr:$offsets,
                       PM_EdgesAttr:$edges, Optional<PM_HaloType>:$halo);
  let results = (outs AnyType:$element);
  let assemblyFormat = [{
    $field `` custom<Offsets>($offsets, $edges)
    (`halo` `(` $halo^ `:` type($halo) `)`)? attr-dict `:` type($field) `->`
    type($element)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$field, "::llvm::ArrayRef<int64_t>":$offsets,
                   "::mlir::ArrayAttr":$edges), [{
      build($_builder, $_state,
            ::llvm::cast<GridType>(field.getType()).getElementType(), field,
            offsets, edges, ::mlir::Value());
    }]>];
  let extraClassDeclaration = [{
    Edge getEdge(size_t dim) {
      return ::llvm::cast<EdgeAttr>(getEdges()[dim]).getValue();
    }
    /// How elements of the domain read along a dim of the field (PMViews.h).
    View getView(size_t dim);
    /// Whether a rank may read cells that others own.
    bool readsOthers();
  }];
  let hasVerifier = 1;
}

def PM_CellOp : PM_Op<"cell", [Pure, AttrSizedOperandSegments]> {
  let summary = "reads a field at a cell that the body computes";
  let description = [{
    In the body of a domain op, and not inside of another op there: the field's
    element with these global indices, one a dim, each of an existing cell. The
    low-level form of `pm.view`, and what reads the cells that elements say; its
    adjoint are `pm.bins` of the field's dims.

    Along a dim that is `near` the cell is one that a `pm.neighbor` with an offset
    from `low` to `high` reads, so that the field may be split there as the domain is;
    along the others no axis splits it.

    Constraints: 1. an index, a low, a high and a near a dim;
    2. near dims are of the domain, or refinements or coarsenings of its dims, and
    split as these; no axis splits the others;
    3. gives the field's element;
    4. a halo where a split dim may be read beyond the owned cells, exchanged of that
    field, and waited for.
  }];
  let arguments = (ins PM_Grid:$field, Variadic<I64>:$indices,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseBoolArrayAttr:$near, Optional<PM_HaloType>:$halo);
  let results = (outs AnyType:$element);
  let assemblyFormat = [{
    $field `[` $indices `]` `low` $low `high` $high `near` $near
    (`halo` `(` $halo^ `:` type($halo) `)`)? attr-dict `:` type($field) `->`
    type($element)
  }];
  let extraClassDeclaration = [{
    /// Cells below and above a rank's part that it may read along a dim.
    std::pair<int64_t, int64_t> getMargin(size_t dim, bool meet = false);
    /// How the field's dim goes with one of the domain's.
    View getView(size_t dim);
    /// Whether a rank may read cells that others own.
    bool readsOthers();
  }];
  let hasVerifier = 1;
}

#endif // PMC_DIALECT_PMDOMAINOPS_TD
