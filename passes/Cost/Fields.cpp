//===- Fields.cpp - What ops on whole fields cost -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMMatrixOps.h"
#include "passes/Cost/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace pmc::cost {

/// Of a normal number: a block cipher of ten rounds, a logarithm, a root, a
/// sine, shared by two.
static constexpr int64_t noiseOperations = 80;

namespace {

/// Reads its fields, writes its results (or outs, which come last).
OpCost getFieldCost(Operation *op, Part part, size_t outs) {
  OpCost cost(op->getContext());
  cost.part = part;
  SmallVector<Value> fields;
  for (Value operand : op->getOperands())
    if (isa<GridType>(getUnderlying(operand.getType())))
      fields.push_back(operand);
  for (auto [i, field] : llvm::enumerate(fields)) {
    ExprAttr bytes = getBytes(cast<GridType>(getUnderlying(field.getType())));
    ExprAttr &side = i + outs < fields.size() ? cost.read : cost.written;
    side = side + bytes;
  }
  for (Type type : op->getResultTypes())
    if (auto grid = dyn_cast<GridType>(getUnderlying(type)))
      cost.written = cost.written + getBytes(grid);
  return cost;
}

/// With outs in the buffer form.
template <class Op, Part part>
struct MakesFields : CostOpInterface::ExternalModel<MakesFields<Op, part>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    return getFieldCost(op, part, cast<Op>(op).getOuts().size());
  }
};

/// Reads fields alone.
template <class Op, Part part>
struct ReadsFields : CostOpInterface::ExternalModel<ReadsFields<Op, part>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost = getFieldCost(op, part, 0);
    if (part == Part::Kernels) // into memory that is not in the plan
      cost.written = cost.read;
    return cost;
  }
};

struct WhiteNoiseCost
    : CostOpInterface::ExternalModel<WhiteNoiseCost, WhiteNoiseOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto noise = cast<WhiteNoiseOp>(op);
    OpCost cost = getFieldCost(op, Part::Kernels, noise.getOuts().size());
    auto type = cast<GridType>(
        (noise.getResult() ? noise.getResult() : noise.getOuts().front())
            .getType());
    cost.isSingle = false; // computed in f64
    cost.operations =
        noiseOperations * getCells(op->getContext(), type.getDims());
    return cost;
  }
};

/// A multiplication and an addition of each product.
template <class Op>
struct ProductCost : CostOpInterface::ExternalModel<ProductCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto product = cast<Op>(op);
    OpCost cost = getFieldCost(op, Part::Kernels, product.getOuts().size());
    GridType target = product.getTargetType();
    cost.isSingle = isSingle(target.getElementType());
    cost.operations = 2 * getCells(op->getContext(), target.getDims()) *
                      getCells(op->getContext(), product.getContractedDims());
    return cost;
  }
  Sweeps getSweeps(Operation *op) const {
    if constexpr (std::is_same_v<Op, ContractOp>) {
      auto product = cast<ContractOp>(op);
      return {{product.getLhs(), product.getRhs()},
              SmallVector<Value>(product.getOuts())};
    }
    return {};
  }
};

/// A comparison of each element with the logarithm of their number.
struct SortCost : CostOpInterface::ExternalModel<SortCost, SortOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto sort = cast<SortOp>(op);
    OpCost cost = getFieldCost(op, Part::Kernels, sort.getOuts().size());
    auto type = cast<GridType>(sort.getInput().getType());
    int64_t cells = type.getDims()[size_t(sort.getDimNumber())].getExtent();
    cost.isSingle = false;
    cost.operations = int64_t(llvm::Log2_64_Ceil(uint64_t(cells))) *
                      getCells(op->getContext(), type.getDims());
    return cost;
  }
};

/// The sort by cells takes most of the time. Each rank sends its points to the
/// ranks of their slabs, and receives their labels. The cost of ghosts is
/// neglected, because they are few.
struct FriendsCost : CostOpInterface::ExternalModel<FriendsCost, FriendsOp> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    constexpr int64_t operations = 100, pointBytes = 32, labelBytes = 8;
    auto friends = cast<FriendsOp>(op);
    OpCost cost = getFieldCost(op, Part::Kernels, friends.getOuts().size());
    auto type = withoutSingleAxes(
        cast<GridType>(friends.getPositions()[0].getType()), ranks);
    ExprAttr points = getCells(op->getContext(), type.getDims());
    cost.isSingle = false;
    cost.operations = operations * points;
    Message message;
    message.axes = getAxes(type.getDims());
    message.bytes = message.whole = (pointBytes + labelBytes) * points;
    if (!message.axes.empty())
      cost.messages.push_back(message);
    return cost;
  }
};

/// Multiplications and additions for a matrix, in cubes of its size.
template <class Op>
struct MatrixCost : CostOpInterface::ExternalModel<MatrixCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto matrices = cast<Op>(op);
    OpCost cost = getFieldCost(op, Part::Kernels, matrices.getOuts().size());
    auto first = cast<GridType>(op->getOperand(0).getType());
    auto batch = size_t(matrices.getBatch());
    MatrixShape a(first, int64_t(batch)),
        b(cast<GridType>(matrices.getTargetType(0)), int64_t(batch));
    int64_t few = std::min(a.rows, a.columns);
    int64_t each = 0;
    if constexpr (std::is_same_v<Op, MatrixProductOp>)
      each = 2 * a.rows * a.columns * b.rows * b.columns /
             (matrices.getAdjointLhs() ? a.columns : a.rows);
    else if constexpr (std::is_same_v<Op, SolveOp>)
      each = (matrices.getLower() ? 0 : 2 * few * few * few / 3) +
             2 * few * few * b.columns;
    else if constexpr (std::is_same_v<Op, CholeskyOp>)
      each = few * few * few / 3;
    else if constexpr (std::is_same_v<Op, LogDetOp>)
      each = 2 * few * few * few / 3;
    else // Golub & Van Loan (2013), sections 8.3 and 8.6
      each = 9 * few * few * std::max(a.rows, a.columns);
    bool isComplex = isa<ComplexType>(first.getElementType());
    cost.isSingle = isSingle(first.getElementType());
    cost.operations =
        (isComplex ? 4 : 1) * each *
        getCells(op->getContext(), first.getDims().take_front(batch));
    return cost;
  }
};

struct RestoreCost : CostOpInterface::ExternalModel<RestoreCost, RestoreOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost =
        getFieldCost(op, Part::Kernels, cast<RestoreOp>(op).getOuts().size());
    cost.read = cost.written;
    return cost;
  }
};

template <class... Ops> void attachMatrixCosts(MLIRContext *context) {
  (Ops::template attachInterface<MatrixCost<Ops>>(*context), ...);
}

} // namespace

void registerFieldCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    WhiteNoiseOp::attachInterface<WhiteNoiseCost>(*context);
    ContractOp::attachInterface<ProductCost<ContractOp>>(*context);
    ConvolveOp::attachInterface<ProductCost<ConvolveOp>>(*context);
    SortOp::attachInterface<SortCost>(*context);
    FriendsOp::attachInterface<FriendsCost>(*context);
    attachMatrixCosts<MatrixProductOp, SolveOp, LeastSquaresOp, CholeskyOp,
                      LogDetOp, EighOp, SvdOp>(context);
    CopyOp::attachInterface<MakesFields<CopyOp, Part::Kernels>>(*context);
    // What arrives has been counted where it was sent.
    ReshardWaitOp::attachInterface<MakesFields<ReshardWaitOp, Part::Nothing>>(
        *context);
    ReduceFieldsWaitOp::attachInterface<
        MakesFields<ReduceFieldsWaitOp, Part::Nothing>>(*context);
    InputValueOp::attachInterface<MakesFields<InputValueOp, Part::Files>>(
        *context);
    SamplesOp::attachInterface<MakesFields<SamplesOp, Part::Files>>(*context);
    OutputOp::attachInterface<ReadsFields<OutputOp, Part::Files>>(*context);
    PlotOp::attachInterface<ReadsFields<PlotOp, Part::Files>>(*context);
    SaveOp::attachInterface<ReadsFields<SaveOp, Part::Kernels>>(*context);
    RestoreOp::attachInterface<RestoreCost>(*context);
    PrefetchSamplesOp::attachInterface<
        ReadsFields<PrefetchSamplesOp, Part::Nothing>>(*context);
    AddToRowsOp::attachInterface<ReadsFields<AddToRowsOp, Part::Nothing>>(
        *context);
    // Of the global view, before they are loops over domains.
    ShiftOp::attachInterface<ReadsFields<ShiftOp, Part::Kernels>>(*context);
    StoredOp::attachInterface<ReadsFields<StoredOp, Part::Kernels>>(*context);
    ViewOp::attachInterface<ReadsFields<ViewOp, Part::Kernels>>(*context);
    PaintOp::attachInterface<ReadsFields<PaintOp, Part::Paint>>(*context);
    ReadoutOp::attachInterface<ReadsFields<ReadoutOp, Part::Readout>>(*context);
  });
}

} // namespace pmc::cost
