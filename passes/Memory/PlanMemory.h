//===- PlanMemory.h - Fields to buffers -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_PLANMEMORY_H
#define PMC_PASSES_MEMORY_PLANMEMORY_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace pmc::passes {

/// Places every field of the functions into buffers by liveness and rewrites
/// the ops to their buffer form. Expects fields in `main` only.
std::unique_ptr<mlir::Pass> createPlanMemoryPass();

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_PLANMEMORY_H
