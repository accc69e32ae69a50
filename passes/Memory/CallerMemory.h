//===- CallerMemory.h - Buffers in memory of the caller ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program in a session reads its inputs from arrays of the caller, and may
// write its outputs to others. The runtime can use such an array in place of a
// buffer, without a copy. An input must not be overwritten. The buffer of an
// output must not change after the output.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_CALLERMEMORY_H
#define PMC_PASSES_MEMORY_CALLERMEMORY_H

#include "passes/Memory/Coalesce.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace pmc::passes {

/// Whether the program runs in sessions: the attribute `pm.embedded`.
bool isEmbedded(mlir::ModuleOp module);

/// The fields of inputs that no op overwrites. No result may be written over
/// them.
llvm::DenseSet<mlir::Value> findReadInputs(mlir::func::FuncOp main,
                                           const Coalescing &classes);

/// The input or output whose memory can hold a class, as "input NAME" or
/// "output NAME", by the leader of the class.
llvm::DenseMap<mlir::Value, std::string>
findCallerMemory(mlir::func::FuncOp main, const Liveness &liveness,
                 const Coalescing &classes,
                 const llvm::DenseSet<mlir::Value> &inputs);

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_CALLERMEMORY_H
