//===- CountModes.h - Reductions of half spectra ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SPECTRA_COUNTMODES_H
#define PMC_FRONTEND_SPECTRA_COUNTMODES_H

#include "frontend/Basic/Diagnostics.h"

#include "mlir/IR/BuiltinOps.h"

namespace pmc {

/// In the language a reduction over a half dim sees every mode of the full
/// spectrum; the dialect's see what is stored. Writes the modes that are not
/// stored into the bodies of all reductions of a module. False after errors,
/// which are reported.
bool countModes(mlir::ModuleOp module, DiagnosticEngine &diags);

} // namespace pmc

#endif // PMC_FRONTEND_SPECTRA_COUNTMODES_H
