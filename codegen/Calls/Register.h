//===- Register.h - Lowerings of what the host does -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CALLS_REGISTER_H
#define PMC_CODEGEN_CALLS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pmc::codegen {

/// Attaches LowerableOpInterface to the ops that become runtime calls on every
/// target. One function a file.
void registerCollectiveLowerings(mlir::DialectRegistry &registry);
void registerHaloLowerings(mlir::DialectRegistry &registry);
void registerParameterLowerings(mlir::DialectRegistry &registry);
void registerFieldLowerings(mlir::DialectRegistry &registry);
void registerMatrixLowerings(mlir::DialectRegistry &registry);
void registerFourierLowerings(mlir::DialectRegistry &registry);
void registerTableLowerings(mlir::DialectRegistry &registry);
void registerCheckpointStoreLowerings(mlir::DialectRegistry &registry);
void registerOutputLowerings(mlir::DialectRegistry &registry);
void registerMessageLowerings(mlir::DialectRegistry &registry);

inline void registerCallLowerings(mlir::DialectRegistry &registry) {
  registerCollectiveLowerings(registry);
  registerHaloLowerings(registry);
  registerParameterLowerings(registry);
  registerFieldLowerings(registry);
  registerMatrixLowerings(registry);
  registerFourierLowerings(registry);
  registerTableLowerings(registry);
  registerCheckpointStoreLowerings(registry);
  registerOutputLowerings(registry);
  registerMessageLowerings(registry);
}

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CALLS_REGISTER_H
