//===- Passes.td - From ops on fields to loops -------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_EXPAND_PASSES_TD
#define PMC_PASSES_EXPAND_PASSES_TD

include "mlir/Pass/PassBase.td"

def Expand : Pass<"pm-expand", "::mlir::ModuleOp"> {
  let summary = "turn particle ops, normalized transforms and lengths into loops";
  let description = [{
    `pm.readout` becomes a map with `pm.interpolate` in its body, `pm.paint` a
    `pm.scatter`, both in mesh cells; a normalized `pm.fft` a raw one and a map
    by 1/N; `pm.length` the value of the dim's region. What comes out fuses with
    its neighbors.

    ```mlir
    %k = pm.fft %f over ["x"] : !F -> !K          // before

    %raw = pm.fft %f over ["x"] raw : !F -> !K    // after
    %k = pm.map [kx=half(8)] ins(%raw : !K) { /* times 1/8 */ } -> !K
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def MergePaints : Pass<"pm-merge-paints", "::mlir::func::FuncOp"> {
  let summary = "paint particles at one position once";
  let description = [{
    `pm.paint`s of one block with the same positions, window and mesh become one,
    in the place of the last, unless something needs the mesh before.

    ```mlir
    %a = pm.paint cic %u weight %v : !F -> !F          // before
    %b = pm.paint cic %u weight %w : !F -> !F

    %m:2 = pm.paint cic %u weight %v, %w : !F -> !F    // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect"];
}

def FindContractions : Pass<"pm-contract", "::mlir::func::FuncOp"> {
  let summary = "recognize sums of products of two fields";
  let description = [{
    A sum over dims of a product becomes a `pm.contract` where its factors are of
    two fields and each of these lacks a dim that the sum keeps: matrices, and
    batches of them. What else is a factor goes into a map of one of the two, over
    its own dims; the product over all dims is not made. Sums of few products
    stay loops, which fuse with what is around them.

    ```mlir
    %p = pm.map [i=64, k=64, j=64] ins(%a, %b : !A, !B) { ... a * b }  // before
    %c = pm.reduce sum [i=64, k=64, j=64] ins(%p : !P) { ... } -> !C

    %c = pm.contract %a, %b : !A, !B -> !C                             // after
    ```
    Where one of the fields is a view or a moved field, it becomes a `pm.convolve` of
    the field that this one reads; then any numbers of rows and columns will do.

    It runs before derivatives are taken, since those of a contraction are two
    contractions, and again when fields are inlined.

    Remarks (category `pm-contract`): what was recognized.
  }];
  let options = [
    Option<"fewestProducts", "fewest-products", "int64_t", "512",
           "below which a fused loop is as fast as a call">,
  ];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def ExactSums : Pass<"pm-exact-sums", "::mlir::func::FuncOp"> {
  let summary = "sums that are the same in any order";
  let description = [{
    In a module with `pm.deterministic`: where many numbers are added, in reductions,
    bins and paints, each is cut into two that are multiples of powers of two, so
    coarse that no sum of them rounds. For this, the largest of all is found first.
    So it does not matter how threads and ranks divide the work; the two sums are
    added at the end, and what was rounded is far below a sum's own last bit.

    ```mlir
    %s = pm.reduce sum [x=64] ins(%f : !F) { ... pm.yield %v }  // before

    %m = pm.reduce max [x=64] ins(%f : !F) { ... pm.yield |%v| } // after
    ... %c = 3 2^6 (the power of two above %m), %d = 2^-46 %c
    %h:2 = pm.reduce sum [x=64] ins(%f : !F) {
      ... %h = (%v + %c) - %c, %r = %v - %h, %l = (%r + %d) - %d
      pm.yield %h, %l : f64, f64
    }
    %s = %h#0 + %h#1
    ```
    A paint cuts what cells get: it becomes one with `exact`, on meshes of f64, of
    one word where the mesh is of f32 and particles have weights that are numbers,
    and are not more than 2^27, else of two. Sums of whole numbers, such as counts, and slices stay as they are.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def MergeReadings : Pass<"pm-merge-readings", "::mlir::func::FuncOp"> {
  let summary = "read meshes at one position once";
  let description = [{
    `pm.interpolate`s of one body at the same position become one, which finds the
    cells and their weights for all; values that nothing uses are not read. So
    a force and its derivatives take one look at each cell of the force.

    ```mlir
    %v = pm.interpolate cic (%f : !F) at (%u : f32) -> f32        // before
    %d = pm.interpolate cic (%f : !F) at (%u : f32) {orders = array<i64: 1>} -> f32

    %w:2 = pm.interpolate cic (%f, %f : !F, !F) at (%u : f32)     // after
        {orders = array<i64: 0, 1>} -> f32, f32
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_EXPAND_PASSES_TD
