//===- Tune.h - Which layout is the fastest on a machine --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNE_H
#define PMC_FRONTEND_TOOLS_TUNE_H

#include "codegen/Machine/Machine.h"
#include "frontend/Tools/CostReport.h"

namespace pmc {

struct TuneQuestion {
  CostQuestion costs; ///< of every mesh
  int64_t ranks = 1;
  double memory = 0; ///< bytes that a rank may take; 0: what the machine has
};

/// Prints the layouts over one and two axes, with every factorisation, the
/// fastest first, and why others are out. `program`: the global view without
/// derivatives to compute; `toBuffers` brings a module to the buffer form.
llvm::Error
tune(mlir::ModuleOp program,
     llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> toBuffers,
     const machine::Machine &machine, const TuneQuestion &question,
     llvm::StringRef spec, llvm::raw_ostream &os);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNE_H
