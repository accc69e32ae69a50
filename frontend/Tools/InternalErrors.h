//===- InternalErrors.h - Errors of pmc itself ---------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_INTERNALERRORS_H
#define PMC_FRONTEND_TOOLS_INTERNALERRORS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace pmc {

/// Passes report only what is our own fault: the message, what was being
/// compiled, and that it is ours.
class InternalErrors {
public:
  explicit InternalErrors(mlir::MLIRContext &context);

  /// Keeps the module for whoever mends it; 1, the exit code.
  static int writeReproducer(mlir::ModuleOp before);

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_INTERNALERRORS_H
