//===- PMOrderOps.td - Sorted values and groups ------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that sort fields or group their elements. PMOps.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMORDEROPS_TD
#define PMC_DIALECT_PMORDEROPS_TD

def PM_SortOp : PM_FieldOp<"sort", [PM_PureOnFields, AttrSizedOperandSegments,
    PM_PlaceableOpInterface]> {
  let summary = "sorts the lines of a field along a dim";
  let description = [{
    Each line of f along the dim is sorted on its own. The order is ascending, or
    descending with `descending`. NaN is last. Of equal elements, the one with the
    lower index is first. The result of `values` is r(i) = f(o(i)). The result of
    `order` is the indices o(i), and that of `ranks` is the j with o(j) = i.

    `within` is a field by which lines are sorted first, in ascending order, before
    f. Then ranks count from 0 among the elements of a line with the same value of
    this field.

    ```mlir
    %r = pm.sort values %f along "x" : !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], f32>
    %o = pm.sort order %f along "x" descending within(%g : !pm.field<[x=8, y=8], i64>)
         : !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], i64>
    ```
    Constraints: 1. f has f32, f64 or i64, and space dims, one of which is the dim;
    no axis splits it;
    2. the result has the dims of f, and the elements of f (`values`) or i64;
    3. `within` has the dims of f, and f32, f64 or i64; a sort of `values` takes none.
  }];
  let arguments = (ins PM_SortKindAttr:$kind, PM_Grid:$input, StrAttr:$dim,
                       UnitAttr:$descending, Optional<PM_Grid>:$within,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $kind $input `along` $dim (`descending` $descending^)?
    (`within` `(` $within^ `:` type($within) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($input)
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// The position of the dim among those of the input.
    int64_t getDimNumber();
  }];
  let hasVerifier = 1;
}

def PM_FriendsOp : PM_FieldOp<"friends", [PM_PureOnFields, AttrSizedOperandSegments,
    PM_PlaceableOpInterface]> {
  let summary = "groups of elements whose positions are close";
  let description = [{
    Two elements are friends if the distance of their positions is at most `length`.
    A group contains all elements that a chain of friends connects. r(i) is the least
    row-major index of an element in the group of i. Along axis d, positions are
    periodic with the side box_d, unless box_d is 0.

    ```mlir
    %g = pm.friends %x, %y within %length box(%side, %side)
         : !pm.field<[p=100], f32>, !pm.field<[p=100], f32> -> !pm.field<[p=100], i64>
    ```
    Constraints: 1. one to three positions of one type, f32 or f64 over space dims;
    2. one side of the box for each position;
    3. the result has the dims of the positions, and the element type i64.
  }];
  let arguments = (ins Variadic<PM_Grid>:$positions, F64:$length, Variadic<F64>:$box,
                       Variadic<PM_Buffer>:$outs);
  let results = (outs Optional<PM_Field>:$result);
  let assemblyFormat = [{
    $positions `within` $length `box` `(` $box `)`
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($positions)
    (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

#endif // PMC_DIALECT_PMORDEROPS_TD
