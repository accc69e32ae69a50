//===- PMUpdates.cpp - Fields that change in a part of a dim --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMUpdates.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// What is changed
//===----------------------------------------------------------------------===//

static bool isZero(Value value) {
  if (matchPattern(value, m_AnyZeroFloat()))
    return true;
  auto pair = value.getDefiningOp<complex::CreateOp>();
  return pair && isZero(pair.getReal()) && isZero(pair.getImaginary());
}

static bool isSum(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, complex::AddOp, complex::SubOp>(op);
}

std::optional<SmallVector<Value>> pmc::pm::getSupport(Value element) {
  if (isZero(element))
    return SmallVector<Value>();
  Operation *op = element.getDefiningOp();
  if (!op)
    return std::nullopt;
  SmallVector<Value> conditions;
  auto add = [&](Value part) {
    auto of = getSupport(part);
    if (of)
      conditions.append(*of);
    return of.has_value();
  };
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    if (!add(choice.getFalseValue()))
      return std::nullopt;
    conditions.push_back(choice.getCondition());
    return conditions;
  }
  if (!isSum(op) &&
      !isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp, complex::CreateOp,
           complex::ReOp, complex::ImOp, complex::NegOp>(op))
    return std::nullopt;
  for (Value part : op->getOperands())
    if (!add(part))
      return std::nullopt;
  return conditions;
}

namespace {

/// A value of a body that is `kept` where no condition holds.
struct Kept {
  Value kept;
  SmallVector<Value> conditions;
};

} // namespace

static std::optional<Kept> findKept(Value element);

/// Both parts of one complex number.
static std::optional<Kept> findKeptPair(complex::CreateOp pair) {
  auto re = findKept(pair.getReal()), im = findKept(pair.getImaginary());
  if (!re || !im)
    return std::nullopt;
  auto real = re->kept.getDefiningOp<complex::ReOp>();
  auto imaginary = im->kept.getDefiningOp<complex::ImOp>();
  if (!real || !imaginary || real.getComplex() != imaginary.getComplex())
    return std::nullopt;
  re->kept = real.getComplex();
  re->conditions.append(im->conditions);
  return re;
}

static std::optional<Kept> findKept(Value element) {
  Operation *op = element.getDefiningOp();
  if (!op || isa<complex::ReOp, complex::ImOp>(op))
    return Kept{element, {}};
  if (auto pair = dyn_cast<complex::CreateOp>(op))
    return findKeptPair(pair);
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto kept = findKept(choice.getFalseValue());
    if (kept)
      kept->conditions.push_back(choice.getCondition());
    return kept;
  }
  // What was computed in f64.
  if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
    auto kept = findKept(narrow.getIn());
    auto wide = kept ? kept->kept.getDefiningOp<arith::ExtFOp>() : nullptr;
    if (!wide || wide.getIn().getType() != element.getType())
      return std::nullopt;
    kept->kept = wide.getIn();
    return kept;
  }
  if (isa<arith::ExtFOp>(op))
    return Kept{element, {}};
  if (!isSum(op))
    return std::nullopt;
  bool isDifference = isa<arith::SubFOp, complex::SubOp>(op);
  for (unsigned side = 0; side < (isDifference ? 1 : 2); ++side) {
    auto support = getSupport(op->getOperand(1 - side));
    auto kept = support ? findKept(op->getOperand(side)) : std::nullopt;
    if (!kept)
      continue;
    kept->conditions.append(*support);
    return kept;
  }
  return std::nullopt;
}

std::optional<Update> pmc::pm::getUpdate(MapOp map, unsigned result) {
  Block *body = map.getDomainBody();
  auto kept = findKept(body->getTerminator()->getOperand(result));
  auto argument = kept ? dyn_cast<BlockArgument>(kept->kept) : BlockArgument();
  if (!argument || argument.getOwner() != body || kept->conditions.empty())
    return std::nullopt;
  Type input = map.getInputs()[argument.getArgNumber()].getType();
  if (cast<GridType>(input).getDims() != map.getDomainDims())
    return std::nullopt;
  return Update{argument.getArgNumber(), std::move(kept->conditions)};
}

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

namespace {

/// An integer: a number, or a value of the surrounding code plus one.
struct Bound {
  Value base;
  int64_t offset;
};

/// What a condition demands of the index along one dim.
struct Demand {
  std::optional<Bound> first, end;
};

using Demands = llvm::MapVector<StringRef, Demand>;

} // namespace

static Bound toBound(Value integer) {
  APInt number;
  if (matchPattern(integer, m_ConstantInt(&number)))
    return {Value(), number.getSExtValue()};
  if (auto sum = integer.getDefiningOp<arith::AddIOp>()) {
    Bound lhs = toBound(sum.getLhs()), rhs = toBound(sum.getRhs());
    if (!lhs.base || !rhs.base)
      return {lhs.base ? lhs.base : rhs.base, lhs.offset + rhs.offset};
  }
  if (auto difference = integer.getDefiningOp<arith::SubIOp>()) {
    Bound rhs = toBound(difference.getRhs());
    if (!rhs.base) {
      Bound lhs = toBound(difference.getLhs());
      return {lhs.base, lhs.offset - rhs.offset};
    }
  }
  return {integer, 0};
}

/// The number that an index is compared with.
static std::optional<Bound> findBound(DomainOpInterface op, Value number) {
  FloatAttr constant;
  if (matchPattern(number, m_Constant(&constant))) {
    double value = constant.getValueAsDouble();
    if (value != std::floor(value) || std::abs(value) > 1e15)
      return std::nullopt;
    return Bound{Value(), int64_t(value)};
  }
  auto converted = number.getDefiningOp<arith::SIToFPOp>();
  if (!converted || !converted.getIn().getType().isInteger(64))
    return std::nullopt;
  Bound bound = toBound(converted.getIn());
  if (bound.base && op->isAncestor(bound.base.getParentBlock()->getParentOp()))
    return std::nullopt;
  return bound;
}

static void addDemands(DomainOpInterface op, Value condition,
                       Demands &demands) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    addDemands(op, both.getLhs(), demands);
    addDemands(op, both.getRhs(), demands);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  auto index =
      compare ? compare.getLhs().getDefiningOp<CoordinateOp>() : nullptr;
  if (!index)
    return;
  ArrayRef<DimAttr> dims = op.getDomainDims();
  int d = findDim(dims, index.getDim());
  auto bound = d < 0 || !dims[d].isSpace() ? std::nullopt
                                           : findBound(op, compare.getRhs());
  if (!bound)
    return;
  Bound next{bound->base, bound->offset + 1};
  Demand &demand = demands[index.getDim()];
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::OEQ:
    demand.first = bound;
    demand.end = next;
    return;
  case arith::CmpFPredicate::OGE:
    demand.first = bound;
    return;
  case arith::CmpFPredicate::OGT:
    demand.first = next;
    return;
  case arith::CmpFPredicate::OLT:
    demand.end = bound;
    return;
  case arith::CmpFPredicate::OLE:
    demand.end = next;
    return;
  default:
    return;
  }
}

std::optional<IndexRange> IndexRange::join(const IndexRange &other) const {
  if (dim != other.dim || base != other.base)
    return std::nullopt;
  return IndexRange{dim, base, std::min(first, other.first),
                    std::max(end, other.end)};
}

/// Of one condition, along the first dim of which two bounds are known.
static std::optional<IndexRange> getRange(DomainOpInterface op,
                                          Value condition) {
  Demands demands;
  addDemands(op, condition, demands);
  for (DimAttr dim : op.getDomainDims()) {
    const auto *found = demands.find(StringRef(dim.getLabel()));
    if (found == demands.end())
      continue;
    const auto &[first, end] = found->second;
    if (first && end && first->base == end->base)
      return IndexRange{dim.getLabel(), first->base, first->offset,
                        end->offset};
  }
  return std::nullopt;
}

std::optional<IndexRange> pmc::pm::getRange(DomainOpInterface op,
                                            ArrayRef<Value> conditions) {
  std::optional<IndexRange> all;
  for (Value condition : conditions) {
    auto range = ::getRange(op, condition);
    if (range && all)
      range = all->join(*range);
    if (!range)
      return std::nullopt;
    all = range;
  }
  return all;
}

std::optional<IndexRange> pmc::pm::getUpdatedRange(MapOp map) {
  SmallVector<Value> conditions;
  for (OpResult result : map->getResults()) {
    auto update = getUpdate(map, result.getResultNumber());
    if (!update)
      return std::nullopt;
    conditions.append(update->conditions);
  }
  return getRange(map, conditions);
}
