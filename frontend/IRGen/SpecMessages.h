//===- SpecMessages.h - Messages of passes about the spec -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_SPECMESSAGES_H
#define PMC_FRONTEND_IRGEN_SPECMESSAGES_H

#include "frontend/Basic/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"

namespace pmc {

/// While it lives, what passes report is shown as being about the spec: at its
/// place there, with the calls that lead to it, and without IR. Derivatives do
/// so: what has none is the user's mistake.
class SpecMessages {
public:
  SpecMessages(mlir::MLIRContext &context, DiagnosticEngine &diags);
  ~SpecMessages();

private:
  mlir::MLIRContext &context;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_SPECMESSAGES_H
