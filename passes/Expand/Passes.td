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
    `pm.readout` becomes a map with `pm.interpolate` in its body, and `pm.paint`
    becomes a `pm.scatter`. Both are in units of mesh cells. A normalized `pm.fft`
    becomes a raw one and a map that multiplies by 1/N. `pm.length` becomes the
    value of the dim's region. Later passes fuse the resulting loops.

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
    `pm.paint`s of one block with the same positions, window and mesh become one
    op in the place of the last one, unless an op in between uses a painted mesh.

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
    A sum of a product over dims becomes a `pm.contract` if the factors belong to
    two fields, and each field lacks a dim that the sum keeps. Examples are products
    of matrices, and of batches of matrices. Other factors become part of a map of
    one of the two fields, over its own dims. The product over all dims is not
    computed. Sums of few products stay loops, which fuse with other loops.

    ```mlir
    %p = pm.map [i=64, k=64, j=64] ins(%a, %b : !A, !B) { ... a * b }  // before
    %c = pm.reduce sum [i=64, k=64, j=64] ins(%p : !P) { ... } -> !C

    %c = pm.contract %a, %b : !A, !B -> !C                             // after
    ```
    If one of the fields is a view or a shifted field, the sum becomes a
    `pm.convolve` of the field that the view reads. In this case, there is no
    condition on the numbers of rows and columns.

    The pass runs before derivatives are taken, because the derivatives of a
    contraction are two contractions. It runs again after fields are inlined.

    Remarks (category `pm-contract`) name the recognized sums.
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
    In a module with `pm.deterministic`, reductions, bins and paints divide each
    number into two words. These are multiples of powers of two that are so large
    that no sum of words rounds. The powers follow from the largest number, which is
    found first. Therefore the result does not depend on how threads and ranks
    divide the work. The sums of the two words are added at the end. The remainder
    is far below the last bit of a sum, and is dropped.

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
    A paint becomes one with `exact`, on meshes of f64, which divides the number
    that is added to a cell. One word suffices if the mesh is f32, the weights are
    constants, and there are at most 2^27 particles. Otherwise it takes two words.
    Sums of whole numbers, such as counts, and slices do not change.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def MergeReadings : Pass<"pm-merge-readings", "::mlir::func::FuncOp"> {
  let summary = "read meshes at one position once";
  let description = [{
    `pm.interpolate`s of one body at the same position become one op, which finds
    the cells and their weights once. Unused values are not read. For example, a
    force and its derivatives read each cell of the force once.

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
