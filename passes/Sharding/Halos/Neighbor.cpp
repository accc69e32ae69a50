//===- Neighbor.cpp - Neighbors that other ranks own ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop reads of one field comes in one message to each neighbor: the
// widest offsets along each split dim, and none along the others. Of cells that
// are not near the element, every rank has the whole dim.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMViews.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Halos/Margins.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

std::pair<int64_t, int64_t> getWidths(NeighborOp read, size_t dim, bool meet) {
  View::Widths widths = read.getView(dim).getMargin(read.getOffsets()[dim],
                                                    read.getEdge(dim), meet);
  return {widths.below, widths.above};
}

std::pair<int64_t, int64_t> getWidths(CellOp read, size_t dim, bool meet) {
  return read.getMargin(dim, meet);
}

/// For all of the body that read the field so, when the first of them comes.
template <typename Op> void exchange(Op op, OpBuilder &builder) {
  if (op.getHalo() || !op.readsOthers())
    return;
  Value field = op.getField();
  auto type = cast<FieldType>(field.getType());
  Margin margin(type.getRank());
  SmallVector<Op> readers;
  for (auto other : op->getBlock()->template getOps<Op>())
    if (other.getField() == field && other.readsOthers()) {
      for (auto [d, dim] : llvm::enumerate(type.getDims()))
        if (!dim.getAxes().empty())
          margin.add(d, getWidths(other, d, false), getWidths(other, d, true),
                     other.getView(d).getBlocks());
      readers.push_back(other);
    }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(getExchangePlace(op->getParentOp(), field));
  Value bound = margin.build(builder, op->getLoc(),
                             DimsAttr::get(op->getContext(), type.getDims()));
  Type halo =
      HaloType::get(op->getContext(), type.getDims(), type.getElementType());
  auto exchange = HaloExchangeOp::create(builder, op->getLoc(), halo, field,
                                         bound, /*start=*/false);
  for (Op reader : readers)
    reader.getHaloMutable().assign(exchange.getHalos().front());
}

/// A dim of the field split as the one that it goes with in the domain.
DimAttr splitAsDomain(Operation *op, DimAttr dim) {
  auto domain = cast<DomainOpInterface>(op->getParentOp());
  return dim.withAxes(
      domain.getDomainDims()[View::find(domain.getDomainDims(), dim)]
          .getAxes());
}

struct NeighborModel
    : ShardableOpInterface::ExternalModel<NeighborModel, NeighborOp> {
  /// Split as the domain is.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    for (DimAttr &dim : form.operands[0])
      dim = splitAsDomain(op, dim);
  }

  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    exchange(cast<NeighborOp>(op), builder);
    return success();
  }
};

struct CellModel : ShardableOpInterface::ExternalModel<CellModel, CellOp> {
  /// Split where the cells are near, whole where they may be anywhere.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    for (auto [dim, near] :
         llvm::zip(form.operands[0], cast<CellOp>(op).getNear()))
      dim = near ? splitAsDomain(op, dim) : dim.withoutAxes();
  }

  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    exchange(cast<CellOp>(op), builder);
    return success();
  }
};

} // namespace

void pmc::passes::registerNeighborSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    NeighborOp::attachInterface<NeighborModel>(*context);
    CellOp::attachInterface<CellModel>(*context);
  });
}
