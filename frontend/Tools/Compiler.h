//===- Compiler.h - From a spec to a program --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_COMPILER_H
#define PMC_FRONTEND_TOOLS_COMPILER_H

#include "codegen/Pipeline.h"
#include "frontend/Tools/Flags/Options.h"
#include "frontend/Tools/Spec.h"

#include "mlir/Support/Timing.h"

namespace pmc {

/// What the options ask to compile for.
codegen::AttachTargetOptions getTarget(const Options &options);

/// Takes a spec through the stages, which are libraries. Subcommands that study
/// a program in place of writing it use its steps.
class Compiler {
public:
  /// `library`: the folder of the runtime and of the standard library.
  Compiler(const Options &options, std::string library);

  /// What is done with the global view in place of a program.
  using Study = llvm::function_ref<int(mlir::ModuleOp)>;

  /// Makes what the options ask for, or calls `study`; the exit code.
  int run(Study study = nullptr);

  const Options &getOptions() const { return options; }
  const std::string &getLibrary() const { return library; }
  Spec &getSpec() { return spec; }

  /// Takes derivatives. What has no derivative is the user's mistake, not ours.
  mlir::LogicalResult differentiate(mlir::ModuleOp module);
  /// The global view of the spec with other consts; null after errors. Its
  /// derivatives have been tried.
  mlir::OwningOpRef<mlir::ModuleOp> compileWith(const Consts &consts,
                                                mlir::MLIRContext &context);
  /// The same with another force, or why there is none.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  compileWithForce(const LibraryFunction &force, mlir::MLIRContext &context);
  /// Makes the executable `program` of a module; false after errors.
  bool makeProgram(mlir::ModuleOp module, const std::string &program);

private:
  bool overwritesSource(const std::string &output);
  int compileTo(const std::string &output, Study study);
  mlir::LogicalResult differentiate(mlir::ModuleOp module,
                                    DiagnosticEngine &diags);
  mlir::LogicalResult runPasses(mlir::ModuleOp module);
  int print(mlir::ModuleOp module, const std::string &output);
  mlir::FailureOr<std::vector<codegen::Image>> takeImages(mlir::ModuleOp from);
  int writePTX(mlir::ModuleOp module, mlir::ModuleOp before,
               const std::string &output);
  mlir::LogicalResult embedImages(mlir::ModuleOp module);
  int writeCode(mlir::ModuleOp module, mlir::ModuleOp before,
                const std::string &output);
  int writeObjects(mlir::ModuleOp module, mlir::ModuleOp before,
                   const std::string &stem, std::vector<std::string> &objects);
  int emit(mlir::ModuleOp module, mlir::ModuleOp before,
           const std::string &output);

  const Options &options;
  std::string library;
  codegen::DeviceCode deviceCode;
  Spec spec;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope root;
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_COMPILER_H
