//===- Lengths.h - The lengths of dims --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_TRANSFORMS_LENGTHS_H
#define PMC_CODEGEN_TRANSFORMS_LENGTHS_H

#include "codegen/Lowering/LoweringContext.h"

namespace pmc::codegen {

/// The name of the function that gives a dim's length.
std::string getLengthFunction(llvm::StringRef dim);

/// Calls, where the program starts, that tell the runtime the lengths of the
/// dims that it knows: files name the box that a field fills.
void tellLengths(LoweringContext &context, mlir::func::FuncOp main);

/// Calls, where the program starts, that check the lengths that the user has a
/// say in: a box of -100 Mpc/h is none.
void requireLengths(LoweringContext &context, mlir::func::FuncOp main);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_TRANSFORMS_LENGTHS_H
