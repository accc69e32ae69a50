//===- Numbers.cpp - What ops on numbers and tables cost ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside fields, numbers are few: what is counted is what bodies do with every
// element.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "passes/Cost/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace pmc::cost {

/// Bisection in a table of thousands of rows, and the line through two.
static constexpr int64_t lookupOperations = 16;

namespace {

/// Of a table.
template <class Op>
struct Lookup : CostOpInterface::ExternalModel<Lookup<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost(op->getContext());
    cost.operations = getConstant(op->getContext(), lookupOperations);
    cost.lookups = getConstant(op->getContext(), 1);
    return cost;
  }
};

/// So many operations each time.
template <class Op, int64_t operations>
struct Numbers : CostOpInterface::ExternalModel<Numbers<Op, operations>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost(op->getContext());
    cost.operations = getConstant(op->getContext(), operations);
    return cost;
  }
};

template <class... Ops> void attachFree(MLIRContext *context) {
  (Ops::template attachInterface<Numbers<Ops, 0>>(*context), ...);
}

} // namespace

void registerNumberCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    LookupOp::attachInterface<Lookup<LookupOp>>(*context);
    FindRowOp::attachInterface<Lookup<FindRowOp>>(*context);
    AddToRowOp::attachInterface<Numbers<AddToRowOp, 1>>(*context);
    // Declarations, and names of what is there.
    attachFree<MeshOp, LayoutOp, DimOp, ParamOp, InputOp, PlanOp, AllocOp,
               MarginOp, WidenDisplacementBoundOp, YieldOp, CoordinateOp,
               LengthOp, ParamValueOp, GivenOp, SampleCountOp>(context);
    // Numbers and tables, once a program or a step.
    attachFree<TabulateOp, TransformOp, RowsOp, RowXOp, RowYOp, RowSumsOp,
               SumRowsOp, PrintOp, AssertOp, ProgressOp, CheckpointStoreOp,
               CheckpointStoreFreeOp, ReversalOp, RevolveOp, RevolveSlotOp>(
        context);
    // Ends of what was counted where it began.
    attachFree<HaloWaitOp, HaloCloseOp>(context);
    // Stand for functions, which passes put in their place.
    attachFree<JVPOp, VJPOp>(context);
  });
}

} // namespace pmc::cost
