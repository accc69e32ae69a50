//===- Calls.h - What calls are made of -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_CALLS_H
#define PMC_FRONTEND_IRGEN_CALLS_H

#include "frontend/IRGen/Environment.h"
#include "frontend/Sema/Builtins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pmc {

/// What follows the function of a call: `[dims](args)`.
struct Actuals {
  llvm::ArrayRef<Argument> args;
  llvm::SMLoc loc;
  bool hasDims = false;
  llvm::ArrayRef<pm::DimAttr> dims = {};
  bool hasFreeDims = false; ///< a check does not know the dims
};

/// A call of a builtin with its arguments by parameter; absent ones are
/// empty.
struct BuiltinCall {
  const BuiltinInfo &info;
  llvm::SMLoc loc;
  llvm::SmallVector<pm::DimAttr> dims;
  std::vector<std::optional<Argument>> args;

  bool has(unsigned i) const { return args[i].has_value(); }
  const Argument &operator[](unsigned i) const { return *args[i]; }
};

/// What a function is called with.
struct Binding {
  std::vector<std::string> names;
  std::vector<Value> values;
  unsigned locals = 0;           // the others are lets of the top level
  llvm::ArrayRef<Argument> args; // as they were written
};

/// A function of the spec as a function of the module.
struct Instance {
  mlir::func::FuncOp op;
  Value result; // its shape; leaves are replaced at calls
  bool hasEffects = false;
  bool keepsStates = false; // has a loop with checkpoints
  /// The call of the spec that its assertions name; null if they have no need.
  mlir::LocationAttr libraryCall = {};
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_CALLS_H
