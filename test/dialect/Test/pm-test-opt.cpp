//===- pm-test-opt.cpp - pm-opt with the test dialect ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"
#include "passes/Pipelines.h"
#include "test/dialect/Test/TestDialect.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pmc::codegen::registerCodegen(registry);
  registry.insert<pmc::test::PMTestDialect>();
  pmc::test::registerLowering(registry);
  pmc::test::registerPasses();
  pmc::passes::registerPassesAndPipelines();
  pmc::codegen::registerCodegenPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "pm-test-opt: asks the interfaces of pm IR\n", registry));
}
