//===- pm-opt.cpp - Reads, checks and transforms pm IR --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Register.h"
#include "dialect/IR/PM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<pmc::pm::PMDialect, mlir::arith::ArithDialect,
                  mlir::complex::ComplexDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  pmc::codegen::registerCPUDomainLowerings(registry);
  pmc::codegen::registerLowerDomainsPass();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "pm-opt: passes on pm IR\n", registry));
}
