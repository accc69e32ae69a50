//===- Spec.h - A spec and what it is made of ----------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_SPEC_H
#define PMC_FRONTEND_TOOLS_SPEC_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/IRGen/Compile.h"
#include "frontend/Tools/Flags/Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/SourceMgr.h"

#include <string>

namespace pmc {

/// A spec's text on its way through the front end.
class Spec {
public:
  Spec() : diags(sources) {}
  /// Messages go to `os`.
  explicit Spec(llvm::raw_ostream &os) : diags(sources, os) {}

  /// False if it cannot be read, which has been said.
  bool load(const Options &options);

  /// "nbody" of "examples/nbody.pm".
  const std::string &getName() const { return name; }
  /// Its text.
  llvm::StringRef getSource() const {
    return sources.getMemoryBuffer(buffer)->getBuffer();
  }
  /// The source, the spec or a module that has been read, that is the file
  /// `path`, by whatever name or link; empty if none is.
  std::string findSource(llvm::StringRef path) const;
  /// Warns about a spec whose program, the module in the global view, would
  /// write and print nothing.
  void warnWithoutResults(mlir::ModuleOp module);
  /// Prints the syntax tree; false after errors.
  bool dump(llvm::raw_ostream &os);
  /// The pm dialect, global view; null after errors. `library`: the folder of
  /// the standard library. A .mlir file holds just that. `force`: the
  /// function that makes forces in place of the spec's; null: keep.
  mlir::OwningOpRef<mlir::ModuleOp>
  compile(const Options &options, llvm::StringRef library,
          mlir::MLIRContext &context, const LibraryFunction *force = nullptr);
  /// The forces that it makes, once it is compiled.
  llvm::ArrayRef<LibraryCall> getForces() const { return forces; }
  /// What to say about it, at places in its sources.
  DiagnosticEngine &getDiagnostics() { return diags; }
  /// Identifies a program: a hash of the sources, modules included, and of the
  /// flags that change results.
  std::string hash(const Options &options) const;
  /// What decides on what a program computes, "spec=0123... precision=f32":
  /// states of programs with equal texts fit each other. Once it is compiled.
  std::string describe(const Options &options) const;
  /// How it is built, which decides on rounding only.
  std::string describeBuild(const Options &options) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(const Options &options,
                                         llvm::StringRef library,
                                         mlir::MLIRContext &context,
                                         const LibraryFunction *force);

  llvm::SourceMgr sources;
  unsigned buffer = 0;
  std::string library; ///< folder of the standard library, when it is compiled
  std::string name;
  bool isIR = false;
  std::vector<LibraryCall> forces;
  DiagnosticEngine diags;
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_SPEC_H
