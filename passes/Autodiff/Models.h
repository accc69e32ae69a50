//===- Models.h - Which ops have derivatives --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_MODELS_H
#define PMC_PASSES_AUTODIFF_MODELS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Each attaches DifferentiableOpInterface to some ops, without naming others.
void registerScalarDerivatives(mlir::DialectRegistry &registry);
void registerDomainDerivatives(mlir::DialectRegistry &registry);
void registerTableDerivatives(mlir::DialectRegistry &registry);
void registerControlFlowDerivatives(mlir::DialectRegistry &registry);
void registerCheckpointStoreDerivatives(mlir::DialectRegistry &registry);
void registerRowSumDerivatives(mlir::DialectRegistry &registry);
void registerCallDerivatives(mlir::DialectRegistry &registry);
void registerFourierDerivatives(mlir::DialectRegistry &registry);
void registerShiftDerivatives(mlir::DialectRegistry &registry);
void registerStoredDerivatives(mlir::DialectRegistry &registry);
void registerViewDerivatives(mlir::DialectRegistry &registry);
void registerCellDerivatives(mlir::DialectRegistry &registry);
void registerContractDerivatives(mlir::DialectRegistry &registry);
void registerMatrixDerivatives(mlir::DialectRegistry &registry);
void registerSortDerivatives(mlir::DialectRegistry &registry);
void registerConvolveDerivatives(mlir::DialectRegistry &registry);
void registerParticleDerivatives(mlir::DialectRegistry &registry);

/// All of them.
void registerDerivativeModels(mlir::DialectRegistry &registry);

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_MODELS_H
