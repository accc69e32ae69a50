//===- Passes.td - Checks between the passes ---------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_VERIFY_PASSES_TD
#define PMC_PASSES_VERIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyStage : Pass<"pm-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that the IR is legal for a stage";
  let description = [{
    Runs MLIR's verifier, and then checks the stage.
    `global`: what the frontend emits, without buffers, split fields and messages.
    `expanded`: particle ops, normalized transforms and lengths are gone, fields
    live in `main` alone, and bodies of domain ops call nothing. `sharded`: the
    same for one rank, with messages. `buffers`: fields have become buffers of
    the plan. An op that does not belong is an error at its location. So is a halo
    that was exchanged of another field than it is read with, and one of a paint that
    is not reduced once, with its mesh: types do not tell these apart.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"global\"",
           "global, expanded, sharded or buffers">
  ];
}

def CheckRanges : Pass<"pm-check-ranges", "::mlir::func::FuncOp"> {
  let summary = "make the program stop where f32 turns a known number into 0 or infinity";
  let description = [{
    Scalars are f64 and elements of fields may be f32. For every `arith.truncf` of a
    number that follows from params, constants and coordinates alone, `main` begins
    with a `pm.assert` that the rounded number is neither 0 nor infinite unless the
    number is. Expressions of coordinates are computed at two elements: those with the
    largest coordinates, and with the smallest ones other than 0. They must not be
    infinite at either, nor 0 at both.

    ```mlir
    %e = pm.param_value "e" : f64                   // before
    %r = pm.map ... { ... arith.truncf %e : f64 to f32 ... }

    %e0 = pm.param_value "e" : f64                  // after
    pm.assert %holds, "a number here, {} in working units, ..."(%size)
    ```
    A number that follows from a `pm.reduce` is checked in the same way behind it. Of a
    `pm.tabulate` whose rows are looked up and rounded, all rows are computed: none may become
    infinite, nor all of them 0. Numbers under a condition are not checked, because the
    condition may be there to avoid them. Numbers that depend on elements of fields, or that
    loops carry, are not checked either.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // PMC_PASSES_VERIFY_PASSES_TD
