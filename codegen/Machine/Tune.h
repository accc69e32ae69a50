//===- Tune.h - Which layout is the fastest on a machine --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_TUNE_H
#define PMC_CODEGEN_MACHINE_TUNE_H

#include "codegen/Machine/Machine.h"
#include "codegen/Machine/Measured.h"
#include "passes/Cost/CostReport.h"

namespace pmc::machine {

struct LayoutChoice;

struct TuneQuestion {
  cost::CostQuestion costs; ///< of every mesh
  int64_t ranks = 1;
  double memory = 0;  ///< bytes that a rank may take; 0: what the machine has
  int64_t verify = 0; ///< how many of the fastest are run
};

/// The program, global view, with these consts.
struct TuneVariant {
  mlir::ModuleOp program;
  std::vector<std::pair<std::string, std::string>> consts;
};

/// What is tuned, and with what. Modules are the global view.
struct TuneTask {
  llvm::ArrayRef<TuneVariant> variants; ///< the spec's own comes first
  std::string spec;
  const Machine &machine;
  /// Bring a module to the form that no layout has changed, and from there to
  /// buffers. Threads call them, each with modules of a context of its own.
  llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> expand, place;
  /// Makes a program of a module, and runs it on the mesh.
  llvm::function_ref<llvm::Expected<Profile>(mlir::ModuleOp, llvm::StringRef)>
      run;
};

/// Prints the layouts over one and two axes, with every factorization, the
/// fastest first, and why others are out; of the fastest also what they take
/// here, if that is asked for. The seconds that the fastest is predicted to
/// take.
llvm::Expected<double> tune(const TuneTask &task, const TuneQuestion &question,
                            llvm::raw_ostream &os);

/// Prints what changes from a layout on a mesh to another ("x -> row @
/// row=4"), message by message.
llvm::Error compareLayouts(const TuneTask &task,
                           const cost::CostQuestion &costs,
                           llvm::StringRef before, llvm::StringRef after,
                           llvm::raw_ostream &os);

/// Runs passes on the module; the first error, if there is one.
llvm::Error
runQuietly(mlir::ModuleOp module,
           llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> passes);

/// The buffer form of the program in this layout; the first error, if there is
/// none.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
planLayout(const TuneTask &task, mlir::ModuleOp program,
           const LayoutChoice &layout);

/// "--mesh: axis ..." without the flag, which the user has not given.
std::string getReason(llvm::Error error);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_TUNE_H
