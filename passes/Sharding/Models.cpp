//===- Models.cpp - How the dialect's ops are sharded ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of ops that work on parts as on wholes the interface's defaults hold.
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Models.h"

void pmc::passes::registerShardingModels(mlir::DialectRegistry &registry) {
  registerBinsSharding(registry);
  registerContractSharding(registry);
  registerConvolveSharding(registry);
  registerInterpolateSharding(registry);
  registerMatrixSharding(registry);
  registerNeighborSharding(registry);
  registerReduceSharding(registry);
  registerScatterSharding(registry);
  registerSortSharding(registry);
  registerCheckpointStoreSharding(registry);
}
