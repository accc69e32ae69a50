//===- Exchanges.h - Messages of a program, in order ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_EXCHANGES_H
#define PMC_CODEGEN_PROGRAM_EXCHANGES_H

#include "codegen/Program/ProgramTables.h"

namespace pmc::codegen {

/// `exchanges` of the descriptor (runtime/doc/descriptor.md): the halos that
/// the program opens and closes and the fields that it reshards, in the order
/// of the program. The step of a loop counts once. The ops still have handles.
llvm::json::Array describeExchanges(mlir::func::FuncOp main,
                                    ProgramTables &tables);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_EXCHANGES_H
