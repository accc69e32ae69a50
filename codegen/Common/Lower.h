//===- Lower.h - Buffer form to loops and runtime calls ------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_LOWER_H
#define PMC_CODEGEN_COMMON_LOWER_H

#include "codegen/Common/LoweringContext.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace pmc::codegen {

struct LowerOptions {
  ProgramInfo info;
  Target target = Target::CPU;
  bool deterministic = false;
  PaintMethod paint = PaintMethod::Atomics;
  /// Whether the object has a `main`; else `pmc_main` has its signature.
  bool executable = true;
};

/// Every op of the pm dialect becomes scf loops, functions and calls of the
/// runtime, by its LowerableOpInterface; declarations become the descriptor.
/// Expects the buffer form.
std::unique_ptr<mlir::Pass> createLowerPass(LowerOptions options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_LOWER_H
