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

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <utility>
#include <vector>

namespace pmc {

/// A call in the spec, or in a module of its own, of a function of the library
/// that makes a force for nbody.
struct ForceUse {
  llvm::SMLoc loc;
  std::string function;
};

/// What there is for that, and in which module.
struct ForceMaker {
  llvm::StringLiteral function, module;
};
llvm::ArrayRef<ForceMaker> getForceMakers();
/// Null if none has that name.
const ForceMaker *findForceMaker(llvm::StringRef function);

/// On a pm.vjp: another schedule may be taken instead.
inline constexpr llvm::StringLiteral openSchedule = "pm.open_schedule";

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
  /// Marks gradients whose schedule the spec leaves open (`openSchedule`).
  bool marksSchedules = false;
  /// The function that makes all forces, without arguments, in place of those
  /// that the spec calls; empty: keep.
  std::string force;
  /// Where, if given, such calls go that are evaluated.
  std::vector<ForceUse> *forces = nullptr;
};

/// Loads the dialects that compileSource emits.
void loadDialects(mlir::MLIRContext &context);

/// Compiles the spec in buffer `mainBuffer`, global view, unverified only in
/// that no pass has run. Null after errors, which are reported. `files`, if
/// given, receives the paths of the modules read, in the order read.
mlir::OwningOpRef<mlir::ModuleOp>
compileSource(llvm::SourceMgr &sources, unsigned mainBuffer,
              llvm::StringRef programName, const FrontendOptions &options,
              mlir::MLIRContext &context, DiagnosticEngine &diags,
              std::vector<std::string> *files = nullptr);

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_COMPILE_H
