//===- Models.h - How the dialect's ops are sharded -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_MODELS_H
#define PMC_PASSES_SHARDING_MODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pmc::passes {

/// Attach ShardableOpInterface, one function a file.
void registerBinsSharding(mlir::DialectRegistry &registry);
void registerContractSharding(mlir::DialectRegistry &registry);
void registerConvolveSharding(mlir::DialectRegistry &registry);
void registerInterpolateSharding(mlir::DialectRegistry &registry);
void registerMatrixSharding(mlir::DialectRegistry &registry);
void registerNeighborSharding(mlir::DialectRegistry &registry);
void registerReduceSharding(mlir::DialectRegistry &registry);
void registerScatterSharding(mlir::DialectRegistry &registry);
void registerSortSharding(mlir::DialectRegistry &registry);
void registerCheckpointStoreSharding(mlir::DialectRegistry &registry);

/// All of them.
void registerShardingModels(mlir::DialectRegistry &registry);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_MODELS_H
