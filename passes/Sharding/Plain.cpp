//===- Plain.cpp - Ops that work on parts as on wholes --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps are elementwise. A transform's transposes follow from the types of its
// operand and its result. White noise, inputs, samples, outputs and plots know
// which part they make or are given. What is added to the rows of a table is
// whole.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

template <class Op>
struct Plain : ShardableOpInterface::ExternalModel<Plain<Op>, Op> {};

} // namespace

void pmc::passes::registerPlainSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MapOp::attachInterface<Plain<MapOp>>(*context);
    FFTOp::attachInterface<Plain<FFTOp>>(*context);
    IFFTOp::attachInterface<Plain<IFFTOp>>(*context);
    WhiteNoiseOp::attachInterface<Plain<WhiteNoiseOp>>(*context);
    InputValueOp::attachInterface<Plain<InputValueOp>>(*context);
    SamplesOp::attachInterface<Plain<SamplesOp>>(*context);
    SamplesAheadOp::attachInterface<Plain<SamplesAheadOp>>(*context);
    OutputOp::attachInterface<Plain<OutputOp>>(*context);
    PlotOp::attachInterface<Plain<PlotOp>>(*context);
    AddToRowsOp::attachInterface<Plain<AddToRowsOp>>(*context);
  });
}

void pmc::passes::registerShardingModels(DialectRegistry &registry) {
  registerBinsSharding(registry);
  registerContractSharding(registry);
  registerConvolveSharding(registry);
  registerInterpolateSharding(registry);
  registerNeighborSharding(registry);
  registerPlainSharding(registry);
  registerReduceSharding(registry);
  registerScatterSharding(registry);
  registerTapeSharding(registry);
}
