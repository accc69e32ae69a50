//===- Passes.td - The passes of pmc -----------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_PASSES_TD
#define PMC_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Optimize
//===----------------------------------------------------------------------===//

def InlineFields : Pass<"pm-inline", "::mlir::ModuleOp"> {
  let summary = "inline the functions that work on fields";
  let description = [{
    Inlines functions that take, return or compute fields or tables, and those
    that are called in the body of a domain op. Functions of scalars stay, and
    so does what only they call. Functions that nothing calls any more go.

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

def Expand : Pass<"pm-expand", "::mlir::ModuleOp"> {
  let summary = "turn particle ops, normalised transforms and lengths into loops";
  let description = [{
    `pm.readout` becomes a map with `pm.interpolate` in its body, `pm.paint` a
    `pm.scatter`, both in mesh cells; a normalised `pm.fft` a raw one and a map
    by 1/N; `pm.length` the value of the dim's region. What comes out fuses with
    its neighbours.

    ```mlir
    %k = pm.fft %f over ["x"] : !F -> !K          // before

    %raw = pm.fft %f over ["x"] raw : !F -> !K    // after
    %k = pm.map [kx=half(8)] ins(%raw : !K) { /* times 1/8 */ } -> !K
    ```
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
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def Demote : Pass<"pm-demote", "::mlir::func::FuncOp"> {
  let summary = "compute in the fields' precision what ends up in it";
  let description = [{
    In maps and scatters, f64 arithmetic on several coordinates or on fields,
    whose result is rounded to f32, is done in f32. Scalars and what depends on
    one coordinate are still computed in f64 and rounded then. Comparisons
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def PlanMemory : Pass<"pm-plan-memory", "::mlir::ModuleOp"> {
  let summary = "place fields into buffers";
  let description = [{
    Every field of `main` gets a buffer: `pm.alloc` names it, `pm.plan` holds
    the buffers' types and when they are live, and ops take their buffer form.
    Fields that a loop or a branch hands on are one buffer; an op that may writes
    over an operand that nothing reads later. Only ops with
    `PlaceableOpInterface` can have field operands or results.

    Where a value must survive being overwritten a `pm.copy` is inserted; its
    `reason` attribute and a remark (category `pm-plan-memory`) say why.

    ```mlir
    %b = pm.map [x=8] ins(%a : !F) { ... } -> !F  // before

    pm.map [x=8] ins(%0 : !B) outs(%0 : !B) { ... }   // after
    ```
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

//===----------------------------------------------------------------------===//
// Verify
//===----------------------------------------------------------------------===//

def VerifyStage : Pass<"pm-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that the IR is legal for a stage";
  let description = [{
    `global`: what the frontend emits, without buffers. `expanded`: particle ops,
    normalised transforms and lengths are gone, fields live in `main` alone, and
    bodies of domain ops call nothing. `buffers`: fields have become buffers of
    the plan. An op that does not belong is an error at its location.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"global\"",
           "global, expanded or buffers">
  ];
}

#endif // PMC_PASSES_PASSES_TD
