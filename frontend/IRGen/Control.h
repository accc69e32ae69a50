//===- Control.h - What branches and loops are made of ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_CONTROL_H
#define PMC_FRONTEND_IRGEN_CONTROL_H

#include "frontend/IRGen/Lowering.h"

namespace pmc {

/// What one branch of an `if` compiles, and where it stands.
struct Branch {
  llvm::SMLoc loc;
  llvm::function_ref<Value()> compile;
};

/// `checkpoint every k` of a loop.
struct Checkpointing {
  int64_t every = 0; // 0: none
  std::string name;  // of the states' files
  mlir::Value file;  // the checkpoint store
};

/// What a loop without a known end is made of. Its parts get what it carries
/// and, if it counts or carries fields, how many iterations are behind it.
struct WhileParts {
  llvm::SMLoc loc, initLoc, bodyLoc;
  bool counts = false;
  /// A bool, or poison.
  llvm::function_ref<Value(const Value &, mlir::Value)> condition;
  llvm::function_ref<Value(const Value &, mlir::Value)> body;
  Value guess = {}; ///< the expected loop value; poison if unknown
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_CONTROL_H
