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

#endif // PMC_PASSES_VERIFY_PASSES_TD
