//===- Passes.h - The passes of pmc -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_PASSES_H
#define PMC_PASSES_PASSES_H

#include "dialect/IR/PM.h"

#include "mlir/Pass/Pass.h"

namespace pmc::passes {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace pmc::passes

#endif // PMC_PASSES_PASSES_H
