//===- PMCommOps.td - Messages between ranks ---------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of the SPMD view. All ranks execute them in the same order. Mesh axes
// of one rank cost nothing. `bytes`, where the sharding pipeline has noted it, is
// an expression of what one rank sends (see passes/Cost).
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMCOMMOPS_TD
#define PMC_DIALECT_PMCOMMOPS_TD

include "dialect/IR/PMOps.td"

//===----------------------------------------------------------------------===//
// Sums and layouts
//===----------------------------------------------------------------------===//

def PM_AllReduceOp : PM_Op<"all_reduce", [Pure]> {
  let summary = "combines numbers over ranks";
  let description = [{
    r_j = ⊕_p v_j(p), p the ranks along the axes; every rank gets the same bits.
    Several numbers travel in one message. The text has the types of results;
    the values are `!pm.partial` of these, of the op's kind and axes.

    ```mlir
    %s, %t = pm.all_reduce sum over ["row", "col"] (%a, %b) : f64, f64
    ```
    Constraints: 1. at least one axis, each once;
    2. one result a value, at least one.
  }];
  let arguments = (ins PM_ReductionAttr:$kind, StrArrayAttr:$axes,
                       Variadic<PM_PartialNumber>:$values);
  let results = (outs Variadic<F64>:$results);
  let assemblyFormat = [{
    $kind `over` $axes `(` $values `)` attr-dict
    `:` custom<PartsOf>(type($values), type($results), ref($kind), ref($axes))
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def PM_ReshardOp : PM_FieldOp<"reshard", [PM_PureOnFields, PM_PlaceableOpInterface]> {
  let summary = "brings a field to another layout";
  let description = [{
    The same field, with its dims split by other axes: an all-to-all, an
    all-gather, or (towards more axes) a slice without a message.

    ```mlir
    %g = pm.reshard %f : !pm.field<[x=8 on(row), y=8], f32>
                      -> !pm.field<[x=8, y=8 on(row)], f32>
    ```
    Constraint: input and result differ in nothing but axes.
  }];
  let arguments = (ins PM_Grid:$input, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $input (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($input)
    (`->` type($result)^)?
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def PM_ReshardStartOp : PM_FieldOp<"reshard_start", [PM_PureOnFields]> {
  let summary = "starts a pm.reshard";
  let description = [{
    The result arrives while other work is done; `pm.reshard_wait` ends it.

    ```mlir
    %a, %p = pm.reshard_start %f : !F -> !G pending
    %g = pm.reshard_wait %f, %a, %p : !F, !G -> !G
    ```
    Constraints: 1. of `pm.reshard`;
    2. nothing but one `pm.reshard_wait` uses the result.
  }];
  let arguments = (ins PM_Grid:$input, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_FieldInFlight>:$result, PM_PendingType:$pending);
  let assemblyFormat = [{
    $input (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($input)
    (`->` type($result)^)? `pending`
  }];
  let hasVerifier = 1;
}

def PM_ReshardWaitOp : PM_FieldOp<"reshard_wait", [PM_PureOnFields]> {
  let summary = "ends a pm.reshard_start";
  let description = [{
    The field that was arriving. Until here the input must stay as it is. In the
    buffer form the out is the buffer that the field arrived in, or else gets a
    copy of it.

    Constraint: the result has the type of what arrives.
  }];
  let arguments = (ins PM_Grid:$input,
                       AnyTypeOf<[PM_FieldInFlight, PM_Buffer]>:$arriving,
                       PM_PendingType:$pending, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $input `,` $arriving `,` $pending (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` type($input) `,` type($arriving) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def PM_ReduceFieldsOp : PM_FieldOp<"reduce_fields", [PM_PureOnFields,
    AttrSizedOperandSegments]> {
  let summary = "combines partial fields over ranks";
  let description = [{
    r_j = ⊕_p f_j(p), p the ranks along the axes, each of which holds a partial
    result: an all-reduce, or a reduce-scatter where axes split the result. The
    fields travel in one message.

    The inputs are `!pm.partial`, of the op's kind and axes; the text has the fields
    that they are parts of.

    ```mlir
    %r = pm.reduce_fields sum over ["row"] (%f) : !pm.field<[b=64], f64>
                                         -> !pm.field<[b=64 on(row)], f64>
    ```
    Constraints: 1. at least one axis, each once; none splits an input;
    2. one result (or out) an input, at least one; the two differ in nothing but
    the axes named and the names of dims;
    3. one element, real or complex for sums, real otherwise.
  }];
  let arguments = (ins PM_ReductionAttr:$kind, StrArrayAttr:$axes,
                       Variadic<AnyTypeOf<[PM_PartialField, PM_Buffer]>>:$inputs,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<PM_Field>:$results);
  let assemblyFormat = [{
    $kind `over` $axes `(` $inputs `)` (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` custom<Parts>(type($inputs), ref($kind), ref($axes))
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

def PM_ReduceFieldsStartOp : PM_FieldOp<"reduce_fields_start", [PM_PureOnFields,
    AttrSizedOperandSegments]> {
  let summary = "starts a pm.reduce_fields";
  let description = [{
    The results arrive while other work is done; `pm.reduce_fields_wait` ends it.

    ```mlir
    %a:2, %p = pm.reduce_fields_start sum over ["row"] (%f, %g) : !F, !G
        -> !pm.in_flight<!F>, !pm.in_flight<!S> pending
    %r:2 = pm.reduce_fields_wait %p(%a#0, %a#1) of (%g)
        : !pm.in_flight<!F>, !pm.in_flight<!S> of !pm.partial<!G, sum over [row]>
        -> !F, !S
    ```
    Constraint: those of `pm.reduce_fields`.
  }];
  let arguments = (ins PM_ReductionAttr:$kind, StrArrayAttr:$axes,
                       Variadic<AnyTypeOf<[PM_PartialField, PM_Buffer]>>:$inputs,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<PM_FieldInFlight>:$arriving, PM_PendingType:$pending);
  let assemblyFormat = [{
    $kind `over` $axes `(` $inputs `)` (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` custom<Parts>(type($inputs), ref($kind), ref($axes))
    (`->` type($arriving)^)? `pending`
  }];
  let hasVerifier = 1;
}

def PM_ReduceFieldsWaitOp : PM_FieldOp<"reduce_fields_wait", [PM_PureOnFields,
    AttrSizedOperandSegments]> {
  let summary = "ends a pm.reduce_fields_start";
  let description = [{
    The fields that were arriving. `sent`: the inputs of which a part arrives, which
    must stay as they are until here; all others are combined where they arrive. In
    the buffer form an out is the buffer that the field arrived in, or else gets a
    copy of it.

    Constraint: the results have the types of what arrives, at least one.
  }];
  let arguments = (ins Variadic<AnyTypeOf<[PM_FieldInFlight, PM_Buffer]>>:$arriving,
                       Variadic<AnyTypeOf<[PM_PartialField, PM_Buffer]>>:$sent,
                       PM_PendingType:$pending, Variadic<PM_Buffer>:$outs);
  let results = (outs Variadic<PM_Field>:$results);
  let assemblyFormat = [{
    $pending `(` $arriving `)` (`of` `(` $sent^ `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` type($arriving) (`of` type($sent)^)? (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

def PM_DisplacementBoundOp : PM_Op<"displacement_bound", [PM_PureOnFields, SingleBlock,
    DeclareOpInterfaceMethods<PM_DomainOpInterface>]> {
  let summary = "measures how far particles go beyond a rank's part of a mesh";
  let description = [{
    The body yields a particle's offsets as that of `pm.scatter`, without a
    weight, and maybe whether it counts. Along every split mesh dim d, with the cells [o, o + n) of the rank:
    below = max_i (o − c_d(i)), above = max_i (c_d(i) + support − o − n), c_d(i)
    the first cell that particle i touches, at least 0; the most over all ranks.
    Where nothing is split when the program runs, the body need not be evaluated.

    ```mlir
    %r = pm.displacement_bound cic [x=128 on(row), y=128] of [x*2=256 on(row), y*2=256]
        ins(%u, %v : !F, !F) {
    ^bb0(%p: f32, %q: f32):
      pm.yield %p, %q : f32, f32
    }
    ```
    Constraints: 1. and 2. of `pm.map`;
    3. yields one real value a mesh dim, and maybe a bool;
    4. unless `free`, mesh dims are refinements of the domain's dims, in order.
  }];
  let arguments = (ins PM_WindowAttr:$window, PM_DimsAttr:$domain,
                       PM_DimsAttr:$mesh, UnitAttr:$free,
                       Variadic<PM_Grid>:$inputs);
  let results = (outs PM_DisplacementBoundType:$bound);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    /// What is yielded: the offsets, and whether the particle counts, null if
    /// all do.
    ::mlir::OperandRange getYieldedOffsets();
    ::mlir::Value getSelection();
  }];
  let assemblyFormat = [{
    $window custom<Domain>($domain) `of` custom<Domain>($mesh)
    (`free` $free^)? (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def PM_MarginOp : PM_Op<"margin", [Pure]> {
  let summary = "a displacement bound that the compiler knows";
  let description = [{
    So many cells below and above a rank's part of a mesh. Along dims that no axis
    splits there are none to get, whatever it says.

    ```mlir
    %r = pm.margin [x=128 on(row), y=128] below [1, 0] above [2, 0]
    ```
    Where the parts of a dim and of a coarser one begin together, fewer cells may do:
    `of` has the cells of the coarser dim, 0 for none, and if the ranks that split
    the dim divide them, the second widths count.

    ```mlir
    %r = pm.margin [x=128 on(row)] below [39] above [8] of [4] below [8] above [8]
    ```
    Constraints: 1. one number a dim below and above, 0 or more;
    2. `of` and its widths, which are no larger, come together.
  }];
  let arguments = (ins PM_DimsAttr:$mesh, DenseI64ArrayAttr:$below,
                       DenseI64ArrayAttr:$above,
                       OptionalAttr<DenseI64ArrayAttr>:$blocks,
                       OptionalAttr<DenseI64ArrayAttr>:$meeting_below,
                       OptionalAttr<DenseI64ArrayAttr>:$meeting_above);
  let results = (outs PM_DisplacementBoundType:$bound);
  let assemblyFormat = [{
    custom<Domain>($mesh) `below` $below `above` $above
    (`of` $blocks^ `below` $meeting_below `above` $meeting_above)? attr-dict
  }];
  let hasVerifier = 1;
}

def PM_WidenDisplacementBoundOp : PM_Op<"widen_displacement_bound", [Pure]> {
  let summary = "a displacement bound and a fixed number of cells more";
  let description = [{
    For what reads a few cells around each cell that the particles touch.

    ```mlir
    %w = pm.widen_displacement_bound %r below [2, 2, 0] above [2, 2, 0]
    ```
    Constraints: 1. as many numbers below as above, none negative.
  }];
  let arguments = (ins PM_DisplacementBoundType:$input, DenseI64ArrayAttr:$below,
                       DenseI64ArrayAttr:$above);
  let results = (outs PM_DisplacementBoundType:$bound);
  let assemblyFormat = "$input `below` $below `above` $above attr-dict";
  let hasVerifier = 1;
}

def PM_HaloExchangeOp : PM_FieldOp<"halo_exchange", [PM_PureOnFields]> {
  let summary = "gets the cells around a rank's part of meshes";
  let description = [{
    Other ranks' cells as far as the displacement bound says, corners included, for
    `pm.interpolate` and `pm.neighbor`. The owned cells stay where they are, in the mesh, which must
    not change while the halo is used. With `start`, the cells arrive while other
    work is done, and the halos are `!pm.in_flight` until `pm.halo_wait`.

    ```mlir
    %h:2 = pm.halo_exchange %f, %g bound %r : !F, !F -> !H, !H
    ```
    Constraints: 1. one halo a mesh, of its dims and element, at least one;
    2. meshes have the same dims;
    3. halos are in flight with `start`, and only then.
  }];
  let arguments = (ins Variadic<PM_Grid>:$meshes, PM_DisplacementBoundType:$bound,
                       UnitAttr:$start);
  let results = (outs Variadic<AnyTypeOf<[PM_HaloType, PM_HaloInFlight]>>:$halos);
  let assemblyFormat = [{
    (`start` $start^)? $meshes `bound` $bound attr-dict
    `:` type($meshes) `->` type($halos)
  }];
  let hasVerifier = 1;
}

def PM_HaloWaitOp : PM_Op<"halo_wait", [Pure,
    TypesMatchWith<"the halo is the one that arrives", "halo", "result",
                   "::pmc::pm::getUnderlying($_self)">]> {
  let summary = "waits for the cells of a pm.halo_exchange that was started";
  let description = [{
    ```mlir
    %h = pm.halo_wait %s : !pm.in_flight<!pm.halo<[x=128 on(row), y=128], f32>>
    ```
  }];
  let arguments = (ins PM_HaloInFlight:$halo);
  let results = (outs PM_HaloType:$result);
  let assemblyFormat = "$halo attr-dict `:` type($halo)";
}

def PM_HaloReduceOp : PM_FieldOp<"halo_reduce", [PM_PureOnFields]> {
  let summary = "adds what was painted beyond a rank's part to the owners' cells";
  let description = [{
    The adjoint of the exchange: r = own + Σ of what other ranks hold for these
    cells, in an order that depends on the mesh of ranks only. In the buffer form
    it works in the input's buffer, and an out of another one gets a copy. The halo
    is closed.

    ```mlir
    %mesh = pm.halo_reduce %part, %halo : !pm.partial<!F, sum over [row]>,
                                          !pm.partial<!H, sum over [row]> -> !F
    ```
    Constraints: 1. input and halo are sums of one mesh over the same axes, of
    which some split the mesh;
    2. the result is that mesh, and partial over the axes that do not split it, if
    there are any.
  }];
  let arguments = (ins AnyTypeOf<[PM_PartialField, PM_Buffer]>:$input,
                       PM_PartialHalo:$halo, Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_MaybePartialField>:$result);
  let assemblyFormat = [{
    $input `,` $halo (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
    `:` type($input) `,` type($halo) (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def PM_HaloCloseOp : PM_Op<"halo_close", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a halo's memory back";
  let description = [{
    After the last use of an exchanged halo; inserted when messages have their
    places.
  }];
  let arguments = (ins Variadic<PM_HaloType>:$halos);
  let assemblyFormat = "$halos attr-dict `:` type($halos)";
}

#endif // PMC_DIALECT_PMCOMMOPS_TD
