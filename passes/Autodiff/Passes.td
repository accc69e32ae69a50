//===- Passes.td - Derivatives -----------------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_PASSES_TD
#define PMC_PASSES_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def Autodiff : Pass<"pm-autodiff", "::mlir::ModuleOp"> {
  let summary = "replace derivatives by functions that compute them";
  let description = [{
    Every `pm.jvp` and `pm.vjp` becomes a call of a private function, made once for
    a function, the arguments with respect to which it is differentiated, and the schedule. Ops say how
    they are differentiated (DifferentiableOpInterface). Derivatives in functions that are
    differentiated are replaced first.

    ```mlir
    %y, %xbar = pm.vjp @f(%x) wrt [0] of [0] (%one) schedule keep ...  // before

    %y, %xbar = call @f.vjp(%x, %one) ...                              // after
    ```
    In reverse mode calls of functions on fields are inlined first. Straight-line
    code needs no memory of its own: what the adjoint reads stays alive. Loops over
    fields keep states on a `pm.checkpoint_store`. Loops over numbers alone are differentiated with respect to
    each number that they read, in forward mode. A branch is computed again. The
    cotangent of a table is summed row by row (`pm.row_sums`).

    Remarks (category `pm-autodiff`): how loops are reversed.
  }];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

def DerivativeEntry : Pass<"pm-derivative-entry", "::mlir::ModuleOp"> {
  let summary = "make the program a derivative of itself";
  let description = [{
    `main` becomes a program that computes the derivative of the outputs `of` with
    respect to the params and inputs `wrt`, in reverse (`vjp`) or forward mode
    (`jvp`). What it computed is a function now, and writes nothing.

    ```mlir
    pm.input "f" : !F                              // before
    func.func @main() {
      %f = pm.input_value "f" -> !F
      %y = call @net(%f) : (!F) -> !F
      pm.output "y"(%y : !F)

    func.func private @pmc.forward(%f: !F) -> !F   // after, vjp of y by f
    pm.input "cotangent/y" : !F
    func.func @main() {
      %f = pm.input_value "f" -> !F
      %w = pm.input_value "cotangent/y" -> !F
      %y, %g = pm.vjp @pmc.forward(%f) wrt [0] of [0] (%w) schedule keep ...
      pm.output "gradient/f"(%g : !F)
    ```
    An output of several components has cotangents `cotangent/NAME/0`,
    `cotangent/NAME/1`, and so on. A cotangent or tangent of a number is a param.
    In forward mode there are inputs `tangent/NAME` and outputs `tangent/NAME`.

    The pass may run several times. Each run differentiates the derivative of the run before.
    If inputs or params `tangent/...` exist, the new ones are `tangent2/...`, then
    `tangent3/...`; the same holds for cotangents.

    Errors: a name that is not there; integers, tables and streams; an output in
    a loop or under a condition; a param that sets the length of a dim.
  }];
  let options = [
    Option<"kind", "kind", "std::string", "\"vjp\"", "vjp or jvp">,
    ListOption<"wrt", "wrt", "std::string", "Params and inputs">,
    ListOption<"of", "of", "std::string", "Outputs">,
    Option<"schedule", "schedule", "std::string", "\"keep\"",
           "How loops are reversed: keep, reverse or revolve">,
    Option<"snapshots", "snapshots", "int64_t", "0",
           "States that revolve keeps">,
  ];
  let dependentDialects = ["::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_AUTODIFF_PASSES_TD
