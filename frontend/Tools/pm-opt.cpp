//===- pm-opt.cpp - Reads, checks and transforms pm IR --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"
#include "frontend/Tools/Flags/DeprecatedNames.h"
#include "passes/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include <string>
#include <vector>

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  pmc::replaceDeprecatedNames("pm-opt", arguments);
  for (int i = 0; i < argc; ++i)
    argv[i] = arguments[size_t(i)].data();
  mlir::DialectRegistry registry;
  pmc::codegen::registerCodegen(registry);
  pmc::passes::registerPassesAndPipelines();
  pmc::codegen::registerCodegenPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "pm-opt: passes on pm IR\n", registry));
}
