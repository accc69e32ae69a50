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
      // A reflected cell lies on the other side.
      bool isMirrored = read.getEdge(d) == Edge::Reflect;
      if (offset < 0 || isMirrored)
        below[d] = std::max(below[d], std::abs(offset));
      if (offset > 0 || isMirrored)
        above[d] = std::max(above[d], std::abs(offset));
    }
  }
};

bool reachesOthers(NeighborOp read) {
  return llvm::any_of(
      llvm::zip(cast<FieldType>(read.getField().getType()).getDims(),
                read.getOffsets()),
      [](auto pair) {
        auto [dim, offset] = pair;
        return offset != 0 && !dim.getAxes().empty();
      });
}

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
    SmallVector<DimAttr> &dims = form.operands[0];
    dims = select(domain.getDomainDims(), withoutAxes(dims));
  }

  /// For all of the body that read the field, when the first of them comes.
  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    auto neighbor = cast<NeighborOp>(op);
    if (neighbor.getHalo() || !reachesOthers(neighbor))
      return success();
    Value field = neighbor.getField();
    auto type = cast<FieldType>(field.getType());
    Margin margin(type.getRank());
    SmallVector<NeighborOp> readers;
    for (auto other : op->getBlock()->getOps<NeighborOp>())
      if (other.getField() == field && reachesOthers(other)) {
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
