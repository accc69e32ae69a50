//===- Compile.cpp - From a .pm spec to the pm dialect --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Compile.h"

#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/SpecMessages.h"
#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace pmc;

/// In the language, reductions include the modes that are not stored.
static bool countModes(mlir::ModuleOp module, DiagnosticEngine &diags) {
  SpecMessages messages(*module.getContext(), diags);
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(passes::createCountModes());
  return succeeded(manager.run(module));
}

void pmc::loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect,
                      mlir::complex::ComplexDialect, mlir::func::FuncDialect,
                      mlir::scf::SCFDialect, pm::PMDialect>();
}

mlir::OwningOpRef<mlir::ModuleOp>
pmc::compileSource(llvm::SourceMgr &sources, unsigned mainBuffer,
                   llvm::StringRef programName, const FrontendOptions &options,
                   mlir::MLIRContext &context, DiagnosticEngine &diags,
                   std::vector<std::string> *files) {
  std::vector<std::string> more;
  if (options.alternative)
    more.push_back(options.alternative->module.str());
  Program program =
      loadProgram(sources, mainBuffer, programName, options.modulePaths, diags,
                  more, options.openFiles);
  if (files)
    for (const auto &module : program.getModules().drop_front())
      files->push_back(module->path);
  // What could not be parsed would only cause errors that follow from it.
  if (diags.hasErrors())
    return nullptr;
  Resolution resolution = resolveNames(program, diags);
  loadDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      Generator(program, resolution, options, context, diags).run(programName);
  if (!module || !countModes(*module, diags))
    return nullptr;
  if (!options.alternative && !diags.hasErrors())
    warnOfUnusedParams(program, resolution, diags);
  return module;
}
