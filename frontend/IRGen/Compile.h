//===- Compile.h - From a .pm spec to the pm dialect ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_COMPILE_H
#define PMC_FRONTEND_IRGEN_COMPILE_H

#include "dialect/IR/PM.h"
#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Names/Modules.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <utility>
#include <vector>

namespace pmc {

class EvaluationObserver;

/// A function of the library.
struct LibraryFunction {
  llvm::StringLiteral name, module;
};

/// A call of one of them in the spec, or in a module of its own.
struct LibraryCall {
  llvm::SMLoc loc;
  std::string function;
};

struct FrontendOptions {
  /// `-D n=256`.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Folders searched for `use`, after the spec's own.
  std::vector<std::string> modulePaths;
  /// `x->row, y->col` replaces the spec's layout; empty: keep.
  std::string layout;
  /// Precision of fields: f32 or f64.
  bool f64 = false;
  /// How loops are reversed where the spec does not say, and for
  /// Schedule::Revolve the states that are kept.
  pm::Schedule schedule = pm::Schedule::Keep;
  int64_t snapshots = 0;
  /// Programs check every value, and end at the first that is not finite.
  bool checksFinite = false;
  /// Marks gradients whose schedule the spec leaves open (`pm::openSchedule`).
  bool marksSchedules = false;
  /// Functions that may stand for each other.
  llvm::ArrayRef<LibraryFunction> alternatives;
  /// The one that is called, without arguments, where the spec calls any of
  /// them; null: keep.
  const LibraryFunction *alternative = nullptr;
  /// Receives, if given, the calls of alternatives that are evaluated.
  std::vector<LibraryCall> *calls = nullptr;
  /// Whether the module is verified. The verifier finds faults of pmc, not
  /// mistakes in specs.
  bool verifies = true;
  /// Texts that count in place of files; null: none.
  OpenFiles openFiles;
  /// Follows the evaluation; null: nothing does.
  EvaluationObserver *observer = nullptr;
};

/// Loads the dialects that compileSource emits.
void loadDialects(mlir::MLIRContext &context);

/// Compiles the spec in buffer `mainBuffer`, global view. Null after errors,
/// which are reported. `files`, if given, receives the paths of the modules
/// read, in the order read.
mlir::OwningOpRef<mlir::ModuleOp>
compileSource(llvm::SourceMgr &sources, unsigned mainBuffer,
              llvm::StringRef programName, const FrontendOptions &options,
              mlir::MLIRContext &context, DiagnosticEngine &diags,
              std::vector<std::string> *files = nullptr);

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_COMPILE_H
