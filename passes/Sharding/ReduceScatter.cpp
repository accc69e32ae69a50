//===- ReduceScatter.cpp - Ranks sum what they keep -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that a layout splits are read as whole ones under other names of
// dims, so their gradients are sums over ranks of whole fields, of which each
// rank uses its part (ZeRO, Rajbhandari et al. 2020).
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/IR/PM.h"

namespace pmc::passes {
#define GEN_PASS_DEF_REDUCESCATTER
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// The place in the domain of the dim whose cell the index is; -1 if it is
/// none.
static int findDimOf(Value index, DomainOpInterface domain) {
  auto cast = index.getDefiningOp<arith::FPToSIOp>();
  auto coordinate =
      cast ? cast.getIn().getDefiningOp<CoordinateOp>() : CoordinateOp();
  int place =
      coordinate ? findDim(domain.getDomainDims(), coordinate.getDim()) : -1;
  return place >= 0 && domain.getDomainDims()[place].isSpace() ? place : -1;
}

/// The dims of the domain in which the field is read at the element's own cell;
/// none if it is read elsewhere, or has them in another order than an input.
static std::optional<SmallVector<DimAttr>> getOwnDims(CellOp read) {
  auto domain = cast<DomainOpInterface>(read->getParentOp());
  SmallVector<DimAttr> dims;
  int last = -1;
  ArrayRef<DimAttr> fieldDims =
      cast<GridType>(read.getField().getType()).getDims();
  for (auto [dim, index] : llvm::zip(fieldDims, read.getIndices())) {
    int place = findDimOf(index, domain);
    if (place <= last || !dim.isSpace() ||
        domain.getDomainDims()[place].getExtent() != dim.getExtent())
      return std::nullopt;
    dims.push_back(domain.getDomainDims()[place]);
    last = place;
  }
  return dims;
}

/// The type of the sum if each rank has what it reads of it alone; null if not
/// all who read it do so, or in another way, or nothing is won.
static FieldType getScattered(ReduceFieldsOp op, Value sum) {
  std::optional<SmallVector<DimAttr>> dims;
  for (Operation *user : sum.getUsers()) {
    auto read = dyn_cast<CellOp>(user);
    std::optional<SmallVector<DimAttr>> own;
    if (read && !read.getHalo())
      own = getOwnDims(read);
    if (!own || (dims && *dims != *own))
      return {};
    dims = own;
  }
  auto type = cast<FieldType>(sum.getType());
  if (!dims)
    return {};
  bool isSplit = false;
  for (auto [whole, own] : llvm::zip(type.getDims(), *dims)) {
    SmallVector<StringAttr> others(own.getAxes());
    llvm::erase_if(others, [&](StringAttr axis) {
      return llvm::is_contained(op.getAxes(), Attribute(axis));
    });
    if (ArrayRef<StringAttr>(others) != whole.getAxes())
      return {};
    isSplit |= others.size() < own.getAxes().size();
  }
  return isSplit
             ? FieldType::get(type.getContext(), *dims, type.getElementType())
             : FieldType();
}

/// What is read at each element's own cell is an input of the loop.
static void readAsInput(CellOp read, Value field) {
  auto domain = cast<DomainOpInterface>(read->getParentOp());
  // An input that it is already, by another reading?
  OperandRange inputs = domain.getDomainInputs();
  auto place = llvm::find(inputs, field) - inputs.begin();
  Block *body = domain.getDomainBody();
  if (size_t(place) == inputs.size()) {
    domain.getDomainInputsMutable().append(field);
    body->addArgument(read.getElement().getType(), read.getLoc());
  }
  read.getElement().replaceAllUsesWith(body->getArgument(unsigned(place)));
  read.erase();
}

namespace {

class ReduceScatterPass
    : public pmc::passes::impl::ReduceScatterBase<ReduceScatterPass> {
public:
  void runOnOperation() override {
    SmallVector<ReduceFieldsOp> sums;
    getOperation()->walk([&](ReduceFieldsOp op) { sums.push_back(op); });
    for (ReduceFieldsOp op : sums)
      if (op.getResults().size() == 1)
        scatter(op);
  }

private:
  static void scatter(ReduceFieldsOp op) {
    FieldType type = getScattered(op, op.getResults().front());
    if (!type)
      return;
    OpBuilder builder(op);
    auto made = ReduceFieldsOp::create(builder, op.getLoc(), TypeRange(type),
                                       op.getKind(), op.getAxesAttr(),
                                       op.getInputs(), ValueRange());
    for (Operation *user :
         llvm::make_early_inc_range(op.getResults().front().getUsers()))
      readAsInput(cast<CellOp>(user), made.getResults().front());
    op.erase();
  }
};

} // namespace
