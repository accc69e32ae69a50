//===- Checks.h - Undefined behaviour of generated code ------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_CHECKS_H
#define PMC_CODEGEN_LLVM_CHECKS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace pmc::codegen {

/// Puts a check before every op of kernels and host code whose result is
/// undefined for some operands: conversions of a number to an integer that
/// cannot hold it, divisions by zero. A program stops there with the `.pm`
/// line. For `--sanitize=address`.
std::unique_ptr<mlir::Pass> createCheckUndefinedPass();

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_CHECKS_H
