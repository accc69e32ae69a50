//===- Passes.td - Better loops over the whole fields ------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_PASSES_TD
#define PMC_PASSES_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlineFields : Pass<"pm-inline", "::mlir::ModuleOp"> {
  let summary = "inline the functions that work on fields";
  let description = [{
    Inlines functions that take, return or compute fields or tables, and those
    that are called in the body of a domain op. Functions of scalars stay, and
    so does what only they call. Calls of functions that only compute (no print,
    no assert) are marked `pm.pure`, and go if nothing uses their results.
    Functions that nothing calls any more go.

    ```mlir
    func.func private @twice(%a: !F) -> !F {      // before
      %r = pm.map ... ins(%a : !F) { ... } -> !F
      return %r : !F
    }
    %b = call @twice(%a) : (!F) -> !F

    %b = pm.map ... ins(%a : !F) { ... } -> !F    // after
    ```
    The inlined ops' locations are call sites: the library's line, called at the
    user's line.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def FuseDomains : Pass<"pm-fuse", "::mlir::func::FuncOp"> {
  let summary = "fuse loops over one domain";
  let description = [{
    A map goes into the first op that reads its results element by element; it
    keeps those of its results that are read elsewhere too. A cheap map of one
    field (the FFT's factor) goes into all of its readers. Two maps that read
    the same field become one. None of this makes more fields live across an op
    that needs memory: a map that turns several fields into one stays before
    the transform that follows it.

    Results, inputs and body ops that nothing reads are dropped.

    ```mlir
    %b = pm.map [x=8] ins(%a : !F) { ... } -> !F  // before
    %s = pm.reduce sum [x=8] ins(%b : !F) { ... } scalars f64

    %s = pm.reduce sum [x=8] ins(%a : !F) { ... } scalars f64   // after
    ```
    Remarks (category `pm-fuse`): what was fused, and what could not be.
  }];
  let options = [
    Option<"cheapOperations", "cheap-operations", "unsigned", "6",
           "of a map of one field that goes into all of its readers">,
    Option<"neighborOperations", "neighbor-operations", "unsigned", "32",
           "at all neighbors together of a field that is computed where it is "
           "read">,
    Option<"derivedOperations", "derived-operations", "unsigned", "4",
           "of a result that is computed from another one where both are read">,
  ];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Narrow : Pass<"pm-narrow", "::mlir::func::FuncOp"> {
  let summary = "look only at the cells that a condition on an index leaves";
  let description = [{
    Maps that change a field only where an index along a dim is in a range, and
    sums to fields of what is 0 elsewhere, say so (`within`): updates of slices,
    the sums that read them, and the adjoints of both.

    ```mlir
    %r = pm.map [z=8, x=64] ins(%f, %g : ...) {                       // before
      %z = pm.coordinate "z"
      %c = arith.cmpf oeq, %z, %i_f64 : f64       // %i_f64 = sitofp %i
      %v = arith.select %c, %g_, %f_ : f32

    %r = pm.map [z=8, x=64] within "z"(%i, %end) ins(%f, %g : ...) {  // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Demote : Pass<"pm-demote", "::mlir::func::FuncOp"> {
  let summary = "compute in the fields' precision what ends up in it";
  let description = [{
    In maps and scatters, f64 arithmetic on several coordinates or on f32
    fields, whose result is rounded to f32, is done in f32. Arithmetic on
    scalars, on one coordinate or on f64 fields is still done in f64, and its
    result is rounded. Comparisons
    stay in f64; that of a sum of squares with zero becomes one for each square,
    which is the same and depends on one coordinate each. Reductions and bins
    stay as they are.

    ```mlir
    %s = arith.addf %kx2, %ky2 : f64              // before
    %t = arith.truncf %s : f64 to f32

    %a = arith.truncf %kx2 : f64 to f32           // after
    %b = arith.truncf %ky2 : f64 to f32
    %t = arith.addf %a, %b : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AxisTables : Pass<"pm-axis-tables", "::mlir::func::FuncOp"> {
  let summary = "compute once an axis what depends on one coordinate";
  let description = [{
    In the bodies of ops over several dims, what depends on no element moves out
    of the body; an expression of one coordinate that costs more than reading
    its value becomes a map over that dim, which the op reads as a broadcast
    input.

    ```mlir
    pm.map [x=8, y=8] {                           // before
      %i = pm.coordinate "x"
      %s = math.sin %i : f64
      ...
    }

    %t = pm.map [x=8] { ... math.sin ... } -> !pm.field<[x=8], f64>   // after
    pm.map [x=8, y=8] ins(%t : !pm.field<[x=8], f64>) { ^bb0(%s: f64): ... }
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def HoistInvariants : Pass<"pm-hoist", "::mlir::func::FuncOp"> {
  let summary = "move what a loop repeats out of it, unless it is large";
  let description = [{
    Scalars and one-dimensional maps that do not depend on the loop move before
    it. Larger fields stay: they would take memory all through the loop.
  }];
}

def EliminateCommon : Pass<"pm-cse", "::mlir::func::FuncOp"> {
  let summary = "compute what several ops compute once";
  let description = [{
    As MLIR's `cse`, but for ops without effects only, and in linear time: the
    hash of an op contains its regions, in which maps of neighbors differ.
  }];
}

def WidenLate : Pass<"pm-widen-late", "::mlir::func::FuncOp"> {
  let summary = "make stored numbers longer only where they are read";
  let description = [{
    Only the field of bf16 or f16 (`pm.stored`) is kept in memory. Contractions
    and convolutions read it as it is. Other ops need f32: the map that converts
    the field is repeated in front of each of them.

    ```mlir
    %w = pm.map [x=8] ins(%n : !pm.field<[x=8], bf16>) { ... } -> !F  // before
    ...
    pm.output "w"(%w ...)

    ...                                                                // after
    %w = pm.map [x=8] ins(%n : !pm.field<[x=8], bf16>) { ... } -> !F
    pm.output "w"(%w ...)
    ```
  }];
}

def SinkIntoChoices : Pass<"pm-sink-into-choices", "::mlir::func::FuncOp"> {
  let summary = "compute what follows from a reading only where it is made";
  let description = [{
    An `scf.if` that reads a mesh where a particle was painted yields zeros in
    its other branch. Values that are computed from its results, and are 0 if
    these are 0, move into it: products with guards, sums of such products, and
    ops that only these use. An `scf.if` without readings, or with few such ops
    behind it, is not changed. The pass has no remarks.

    ```mlir
    %r = scf.if %met -> f32 { ... } else { scf.yield %zero }      // before
    %p = arith.mulf %r, %x
    %is = arith.cmpf oeq, %r, %zero
    %g = arith.select %is, %zero, %p
    %s = arith.addf %g, %g
    %sum = arith.addf %before, %s

    %r:2 = scf.if %met -> (f32, f32) {                            // after
      ...
      %s = arith.addf %g, %g
      scf.yield %read, %s
    } else { scf.yield %zero, %zero }
    %sum = arith.addf %before, %r#1
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def Prefetch : Pass<"pm-prefetch", "::mlir::func::FuncOp"> {
  let summary = "say which samples a loop needs next";
  let description = [{
    Behind each `pm.samples` of a loop stands a `pm.prefetch_samples` with the
    samples that will be read next: those of the next iteration behind the last
    one. Their numbers are computed as the loop will, from what is known by
    then. If that takes more than numbers, a remark (category `pm-prefetch`)
    says so.

    ```mlir
    %b = pm.samples "boxes"[%i : i64] -> !F             // before

    %b = pm.samples "boxes"[%i : i64] -> !F             // after
    %n = arith.addi %i, %step : i64
    pm.prefetch_samples "boxes"[%n : i64]
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect", "::mlir::arith::ArithDialect"];
}

def Recompute : Pass<"pm-recompute", "::mlir::func::FuncOp"> {
  let summary = "compute fields again after a loop that needs much memory";
  let description = [{
    The pass changes loops with the attribute `pm.recompute`. These compute
    derivatives for the schedules "reverse" and "revolve", which the user has
    chosen to save memory. A field that is computed before such a loop, and read
    only after it, is computed again after the loop. The condition is that
    transforms and maps compute it from fields that are live during the loop
    anyway, or from fields that take fewer bytes. A minimum cut determines the
    fields that stay in memory. The ops that are executed again must not move
    more bytes than one iteration of the loop. A remark (category
    `pm-recompute`) reports the number of fields and of bytes.

    ```mlir
    %g = pm.ifft %f ...                                   // before
    %h = pm.map ins(%g) ...
    %r = scf.for ... iter_args(%a = %h) { ... } {pm.recompute}
    %u = pm.map ins(%g, %r) ...

    %g = pm.ifft %f ...                                   // after
    %h = pm.map ins(%g) ...
    %r = scf.for ... iter_args(%a = %h) { ... } {pm.recompute}
    %again = pm.ifft %f ...
    %u = pm.map ins(%again, %r) ...
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_OPTIMIZE_PASSES_TD
