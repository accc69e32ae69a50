//===- Narrow.cpp - Only the cells that a condition leaves ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMUpdates.h"
#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_NARROW
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// Where what is summed is not 0.
static std::optional<IndexRange> getSummedRange(ReduceOp reduce) {
  if (reduce.getKind() != Reduction::Sum || reduce.getFields().empty())
    return std::nullopt;
  auto domain = cast<DomainOpInterface>(reduce.getOperation());
  SmallVector<Value> conditions;
  for (Value element : domain.getDomainBody()->getTerminator()->getOperands()) {
    auto support = getSupport(element);
    if (!support)
      return std::nullopt;
    conditions.append(*support);
  }
  auto range = getRange(domain, conditions);
  auto kept = cast<FieldType>(reduce.getFields().front().getType()).getDims();
  if (range && findDim(kept, range->dim) >= 0)
    return std::nullopt;
  return range;
}

/// The two bounds, as values before the op.
static SmallVector<Value> makeBounds(Operation *op, const IndexRange &range) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto make = [&](int64_t offset) -> Value {
    Value number = arith::ConstantOp::create(builder, loc,
                                             builder.getI64IntegerAttr(offset));
    if (!range.base)
      return number;
    return arith::AddIOp::create(builder, loc, range.base, number);
  };
  return {range.base && range.first == 0 ? range.base : make(range.first),
          make(range.end)};
}

namespace {

class NarrowPass : public pmc::passes::impl::NarrowBase<NarrowPass> {
public:
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto map = dyn_cast<MapOp>(op); map && !map.getWithin())
        narrow(map, getUpdatedRange(map));
      if (auto reduce = dyn_cast<ReduceOp>(op); reduce && !reduce.getWithin())
        narrow(reduce, getSummedRange(reduce));
    });
  }

private:
  template <class Op>
  static void narrow(Op op, const std::optional<IndexRange> &range) {
    if (!range)
      return;
    op.setWithin(range->dim);
    op.getBoundsMutable().assign(makeBounds(op, *range));
  }
};

} // namespace
