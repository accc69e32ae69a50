//===- Passes.td - Modes of half spectra -------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SPECTRA_PASSES_TD
#define PMC_PASSES_SPECTRA_PASSES_TD

include "mlir/Pass/PassBase.td"

def CountModes : Pass<"pm-count-modes", "::mlir::ModuleOp"> {
  let summary = "make reductions of half spectra include the modes that are not stored";
  let description = [{
    In the language, a reduction over a half dim includes every mode of the full
    spectrum. The ops of the dialect include what is stored: of two conjugate
    modes off the planes 0 and N/2 of a half dim, one. This pass writes the
    difference into the bodies of `pm.reduce` and `pm.bins`. A value that is the
    same at both modes counts twice. Any other value is computed at the mirrored
    mode, too; if that mode may be in another bin, a second `pm.bins` is made.

    ```mlir
    pm.yield %power : f64              // before

    %pairs = ...                       // after: 1 on the two planes, else 2
    %both = arith.mulf %power, %pairs : f64
    pm.yield %both : f64
    ```
    The front end runs it once, before all other passes: a second run would count
    the modes again. Ops with the attribute `stored` are left as they are.

    Errors: a value whose mirrored value is not known; a reduction that keeps a
    dim whose modes are stored at the opposite mode; a cotangent whose parity is
    not that of its field.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::pmc::pm::PMDialect"];
}

#endif // PMC_PASSES_SPECTRA_PASSES_TD
