//===- Messages.cpp - What ranks send -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are what the runtime's functions of the same names send to other ranks,
// cell by cell: shards may be of different sizes.
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Models.h"

using namespace mlir;
using namespace pmc::pm;

namespace pmc::cost {

GridType withoutSingleAxes(GridType type, const Ranks &ranks) {
  SmallVector<DimAttr> dims;
  for (DimAttr dim : type.getDims()) {
    SmallVector<StringAttr> axes;
    for (StringAttr axis : dim.getAxes()) {
      auto known = ranks.find(axis.getValue());
      if (known == ranks.end() || known->second != 1)
        axes.push_back(axis);
    }
    dims.push_back(dim.withAxes(axes));
  }
  return cast<GridType>(
      Type(FieldType::get(type.getContext(), dims, type.getElementType())));
}

static SmallVector<StringAttr> withoutSingleAxes(ArrayAttr axes,
                                                 const Ranks &ranks) {
  SmallVector<StringAttr> left;
  for (auto axis : axes.getAsRange<StringAttr>()) {
    auto known = ranks.find(axis.getValue());
    if (known == ranks.end() || known->second != 1)
      left.push_back(axis);
  }
  return left;
}

static ExprAttr countRanks(MLIRContext *context, ArrayRef<StringAttr> axes) {
  ExprAttr ranks = getConstant(context, 1);
  for (StringAttr axis : axes)
    ranks = ranks * getSymbol(context, axis.getValue());
  return ranks;
}

/// What a rank sends of its part of `from` if every rank along the axes `among`
/// gets what it has in `to`: to each peer what that peer has of the part. Along
/// a dim these make the whole part, if all axes that split it there are among
/// them; along other axes a peer has the rank's own place.
static ExprAttr getSent(GridType from, GridType to,
                        ArrayRef<StringAttr> among) {
  MLIRContext *context = from.getContext();
  ExprAttr all = getConstant(context, 1), kept = all;
  SmallVector<StringAttr> copies(among);
  for (auto [before, after] : llvm::zip(from.getDims(), to.getDims())) {
    ExprAttr common = getCommon(getPart(before), getPart(after));
    bool goesOn = llvm::all_of(after.getAxes(), [&](StringAttr axis) {
      return llvm::is_contained(among, axis);
    });
    all = all * (goesOn ? getPart(before) : common);
    kept = kept * common;
  }
  // Along axes that split nothing any more, all get the same.
  for (DimAttr after : to.getDims())
    for (StringAttr axis : after.getAxes())
      if (auto *found = llvm::find(copies, axis); found != copies.end())
        copies.erase(found);
  return getElementBytes(from.getElementType()) *
         (all * countRanks(context, copies) - kept);
}

Message getReshard(GridType from, GridType to) {
  Message message;
  for (auto [before, after] : llvm::zip(from.getDims(), to.getDims()))
    for (auto [i, axis] : llvm::enumerate(before.getAxes()))
      if (i >= after.getAxes().size() || after.getAxes()[i] != axis)
        message.axes.push_back(axis);
  message.bytes = getSent(from, to, getAxes(from.getDims()));
  message.whole = getBytes(from);
  return message;
}

/// Every rank reduces its share of what the fields have together and sends it
/// to all others.
static ExprAttr getReducedInPlace(ExprAttr numbers, ArrayRef<StringAttr> axes,
                                  unsigned bytes) {
  MLIRContext *context = numbers.getContext();
  // All but its share before, and its share to all others after.
  return bytes *
         (numbers + getPart(numbers, axes) *
                        (countRanks(context, axes) - getConstant(context, 2)));
}

namespace {

template <class Op>
struct ReshardCost : CostOpInterface::ExternalModel<ReshardCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    OpCost cost(op->getContext());
    auto from = cast<GridType>(op->getOperand(0).getType());
    auto to = cast<GridType>(getUnderlying(
        (op->getNumOperands() > 1 ? op->getOperand(1) : op->getResult(0))
            .getType()));
    cost.messages.push_back(getReshard(withoutSingleAxes(from, ranks),
                                       withoutSingleAxes(to, ranks)));
    cost.read = getBytes(from);
    cost.written = getBytes(to);
    return cost;
  }
};

struct AllReduceCost
    : CostOpInterface::ExternalModel<AllReduceCost, AllReduceOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    OpCost cost(op->getContext());
    auto reduce = cast<AllReduceOp>(op);
    Message message;
    message.pattern = Pattern::AllReduce;
    llvm::append_range(message.axes, reduce.getAxes().getAsRange<StringAttr>());
    message.bytes = message.whole =
        getConstant(op->getContext(), 8 * int64_t(reduce.getValues().size()));
    cost.messages.push_back(message);
    return cost;
  }
};

/// Started or not.
template <class Op>
struct ReduceFieldsCost
    : CostOpInterface::ExternalModel<ReduceFieldsCost<Op>, Op> {
  OpCost getCost(Operation *op, const Ranks &ranks) const {
    OpCost cost(op->getContext());
    auto reduce = cast<Op>(op);
    SmallVector<StringAttr> axes = inMeshOrder(op, reduce.getAxes(), ranks);
    size_t count = reduce.getInputs().size();
    ValueRange outs = reduce.getOuts().empty()
                          ? ValueRange(op->getResults().take_front(count))
                          : ValueRange(reduce.getOuts());
    ExprAttr numbers = getConstant(op->getContext(), 0);
    Message message;
    message.pattern = Pattern::AllReduce;
    message.axes = axes;
    message.bytes = message.whole = numbers;
    unsigned bytes = 0;
    for (auto [input, out] : llvm::zip(reduce.getInputs(), outs)) {
      auto from = withoutSingleAxes(
          cast<GridType>(getUnderlying(input.getType())), ranks);
      auto to = withoutSingleAxes(cast<GridType>(getUnderlying(out.getType())),
                                  ranks);
      bytes = getElementBytes(from.getElementType());
      cost.read = cost.read + getBytes(from);
      cost.written = cost.written + getBytes(to);
      message.whole = message.whole + getBytes(from);
      if (from.getDims() == to.getDims()) {
        numbers = numbers + getCells(op->getContext(), from.getDims());
        continue;
      }
      SmallVector<StringAttr> among(axes);
      llvm::append_range(among, getAxes(from.getDims()));
      message.bytes = message.bytes + getSent(from, to, among);
    }
    if (!axes.empty() && !numbers.isConstant(0))
      message.bytes = message.bytes + getReducedInPlace(numbers, axes, bytes);
    cost.messages.push_back(message);
    return cost;
  }

private:
  /// Ranks are numbered so.
  static SmallVector<StringAttr> inMeshOrder(Operation *op, ArrayAttr axes,
                                             const Ranks &ranks) {
    SmallVector<StringAttr> left = pmc::cost::withoutSingleAxes(axes, ranks),
                            ordered;
    for (auto mesh : op->getParentOfType<ModuleOp>().getOps<MeshOp>())
      for (auto axis : mesh.getAxes().getAsRange<StringAttr>())
        if (llvm::is_contained(left, axis))
          ordered.push_back(axis);
    return ordered.size() == left.size() ? ordered : left;
  }
};

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

/// 0 if the ranks along these axes divide so many cells, else 1.
ExprAttr isOdd(MLIRContext *context, int64_t cells, ArrayRef<StringAttr> axes) {
  ExprAttr all = getConstant(context, cells), ranks = countRanks(context, axes);
  ExprAttr missing = all - getCeilDiv(all, ranks) * ranks;
  return -1 * getMax(getConstant(context, -1), missing);
}

/// How wide a halo is along its dims: numbers if that is known, else names.
struct Widths {
  Widths(HaloType halo, Value bound) {
    MLIRContext *context = halo.getContext();
    auto widened = bound ? bound.getDefiningOp<WidenDisplacementBoundOp>()
                         : WidenDisplacementBoundOp();
    if (widened)
      bound = widened.getInput();
    auto margin = bound ? bound.getDefiningOp<MarginOp>() : MarginOp();
    for (auto [d, dim] : llvm::enumerate(halo.getDims())) {
      std::string name = dim.getName().str();
      lo.push_back(margin ? getWidth(margin, dim, d, margin.getBelow(),
                                     margin.getMeetingBelow())
                          : getSymbol(context, "lo_" + name));
      hi.push_back(margin ? getWidth(margin, dim, d, margin.getAbove(),
                                     margin.getMeetingAbove())
                          : getSymbol(context, "hi_" + name));
      if (!widened)
        continue;
      lo.back() = lo.back() + getConstant(context, widened.getBelow()[d]);
      hi.back() = hi.back() + getConstant(context, widened.getAbove()[d]);
    }
  }

  static ExprAttr getWidth(MarginOp margin, DimAttr dim, size_t d,
                           ArrayRef<int64_t> widths,
                           std::optional<ArrayRef<int64_t>> meeting) {
    MLIRContext *context = margin.getContext();
    if (!meeting || (*meeting)[d] == widths[d])
      return getConstant(context, widths[d]);
    return getConstant(context, (*meeting)[d]) +
           (widths[d] - (*meeting)[d]) *
               isOdd(context, (*margin.getBlocks())[d], dim.getAxes());
  }

  SmallVector<ExprAttr> lo, hi;
};

using Around = ExprAttr (*)(ExprAttr part, ExprAttr lo, ExprAttr hi);

OpCost getHaloCost(HaloType halo, Value bound, size_t count, Around around) {
  MLIRContext *context = halo.getContext();
  OpCost cost(context);
  Widths widths(halo, bound);
  ExprAttr with = getConstant(context, 1), own = with;
  for (auto [d, dim] : llvm::enumerate(halo.getDims())) {
    own = own * getPart(dim);
    with = with * around(getPart(dim), widths.lo[d], widths.hi[d]);
  }
  Message message;
  message.pattern = Pattern::Neighbors;
  message.axes = getAxes(halo.getDims());
  message.bytes =
      int64_t(count) * getElementBytes(halo.getElementType()) * (with - own);
  message.whole = message.bytes;
  cost.read = cost.written = message.bytes;
  cost.messages.push_back(message);
  return cost;
}

struct HaloExchangeCost
    : CostOpInterface::ExternalModel<HaloExchangeCost, HaloExchangeOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto exchange = cast<HaloExchangeOp>(op);
    return getHaloCost(
        cast<HaloType>(getUnderlying(exchange.getHalos()[0].getType())),
        exchange.getBound(), exchange.getHalos().size(), getSeen);
  }
};

struct HaloReduceCost
    : CostOpInterface::ExternalModel<HaloReduceCost, HaloReduceOp> {
  OpCost getCost(Operation *op, const Ranks &) const {
    auto reduce = cast<HaloReduceOp>(op);
    auto paint = reduce.getHalo().getDefiningOp<ScatterOp>();
    return getHaloCost(
        cast<HaloType>(getUnderlying(reduce.getHalo().getType())),
        paint ? paint.getBound() : Value(), 1, getView);
  }
};

} // namespace

void registerMessageCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReshardOp::attachInterface<ReshardCost<ReshardOp>>(*context);
    ReshardStartOp::attachInterface<ReshardCost<ReshardStartOp>>(*context);
    AllReduceOp::attachInterface<AllReduceCost>(*context);
    ReduceFieldsOp::attachInterface<ReduceFieldsCost<ReduceFieldsOp>>(*context);
    ReduceFieldsStartOp::attachInterface<ReduceFieldsCost<ReduceFieldsStartOp>>(
        *context);
    HaloExchangeOp::attachInterface<HaloExchangeCost>(*context);
    HaloReduceOp::attachInterface<HaloReduceCost>(*context);
  });
}

} // namespace pmc::cost
