//===- Neighbor.cpp - Neighbours that other ranks own ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop reads of one field comes in one message to each neighbour: the
// widest offsets along each split dim, and none along the others.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMViews.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Models.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

/// How far the neighbours of a field reach along each of its dims.
struct Margin {
  SmallVector<int64_t> below, above;

  explicit Margin(size_t rank) : below(rank, 0), above(rank, 0) {}

  void add(NeighborOp read, ArrayRef<DimAttr> dims) {
    for (auto [d, offset] : llvm::enumerate(read.getOffsets())) {
      if (dims[d].getAxes().empty())
        continue;
      View::Widths widths = read.getView(d).getMargin(offset, read.getEdge(d));
      below[d] = std::max(below[d], widths.below);
      above[d] = std::max(above[d], widths.above);
    }
  }
};

/// Where the field's cells come: before the loops that do not change it.
Operation *getPlace(Operation *reader, Value field) {
  Operation *place = reader;
  for (Operation *outer = reader->getParentOp();
       isa<LoopLikeOpInterface>(outer) &&
       !outer->isAncestor(field.getParentBlock()->getParentOp());
       outer = outer->getParentOp())
    place = outer;
  return place;
}

struct NeighborModel
    : ShardableOpInterface::ExternalModel<NeighborModel, NeighborOp> {
  /// Split as the domain is.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    auto domain = cast<DomainOpInterface>(op->getParentOp());
    for (DimAttr &dim : form.operands[0])
      dim = dim.withAxes(
          domain.getDomainDims()[View::find(domain.getDomainDims(), dim)]
              .getAxes());
  }

  /// For all of the body that read the field, when the first of them comes.
  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    auto neighbor = cast<NeighborOp>(op);
    if (neighbor.getHalo() || !neighbor.readsOthers())
      return success();
    Value field = neighbor.getField();
    auto type = cast<FieldType>(field.getType());
    Margin margin(type.getRank());
    SmallVector<NeighborOp> readers;
    for (auto other : op->getBlock()->getOps<NeighborOp>())
      if (other.getField() == field && other.readsOthers()) {
        margin.add(other, type.getDims());
        readers.push_back(other);
      }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(getPlace(op->getParentOp(), field));
    Value reach = MarginOp::create(
        builder, op->getLoc(), DimsAttr::get(op->getContext(), type.getDims()),
        margin.below, margin.above);
    Type halo =
        HaloType::get(op->getContext(), type.getDims(), type.getElementType());
    auto exchange = HaloExchangeOp::create(builder, op->getLoc(), halo, field,
                                           reach, /*start=*/false);
    for (NeighborOp reader : readers)
      reader.getHaloMutable().assign(exchange.getHalos().front());
    return success();
  }
};

} // namespace

void pmc::passes::registerNeighborSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    NeighborOp::attachInterface<NeighborModel>(*context);
  });
}
