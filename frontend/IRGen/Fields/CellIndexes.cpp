//===- CellIndexes.cpp - Cells of a dim, by their index -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f[z = i]` is a cell, and z is gone. `f[x = 8 * X + u]` has the dims X and u
// in the place of x.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using ast::BinaryOp;

//===----------------------------------------------------------------------===//
// Sums of dims
//===----------------------------------------------------------------------===//

/// `x + 1`, `8 * X + u - 2`, `7 - x`, and what has no dims.
SumIndex Generator::evaluateSum(const ast::Expr &expr) {
  SumIndex index{{}, {}, expr.loc, expr.range};
  if (auto *negated = llvm::dyn_cast<ast::UnaryExpr>(&expr);
      negated && negated->op == ast::UnaryOp::Neg) {
    index = evaluateSum(*negated->operand);
    for (auto &[dim, number] : index.terms)
      number = -number;
    index.value = unary(negated->op, index.value, expr.loc);
    index.loc = expr.loc;
    index.range = expr.range;
    return index;
  }
  auto *sum = llvm::dyn_cast<ast::BinaryExpr>(&expr);
  if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub &&
               sum->op != BinaryOp::Mul)) {
    index.value = evaluate(expr);
    if (index.value.isDim()) {
      index.terms.push_back({lower(index.value.getDim()), 1});
      index.value = Value::integer(0);
    }
    return index;
  }
  SumIndex lhs = evaluateSum(*sum->lhs), rhs = evaluateSum(*sum->rhs);
  if (lhs.value.isFree() || rhs.value.isFree()) {
    index.value = FreeChecker::unknown();
    return index;
  }
  if (sum->op == BinaryOp::Sub)
    for (auto &[dim, times] : rhs.terms)
      times = -times;
  int64_t number = 1;
  if (sum->op == BinaryOp::Mul && !(lhs.terms.empty() && rhs.terms.empty())) {
    const SumIndex &by = lhs.terms.empty() ? lhs : rhs;
    const auto known =
        readFactor(rules(), sum->loc, !lhs.terms.empty() && !rhs.terms.empty(),
                   {"", {}, by.value, by.loc, by.range});
    if (!known) {
      index.value = Value::poison();
      return index;
    }
    number = *known;
  }
  for (const SumIndex *part : {&lhs, &rhs})
    for (auto [dim, times] : part->terms)
      index.terms.push_back({dim, times * number});
  index.value = binary(sum->op, lhs.value, rhs.value,
                       {sum->loc, sum->lhs->range, sum->rhs->range});
  return index;
}

//===----------------------------------------------------------------------===//
// f[z = i]
//===----------------------------------------------------------------------===//

/// Whether the value is computed in a map that is being built.
static bool isInBody(mlir::Value value) {
  mlir::Block *block = value.getParentBlock();
  while (block && block->getParentOp())
    block = block->getParentOp()->getBlock();
  return block && !block->getParent();
}

bool pmc::moveOut(mlir::Value value, mlir::OpBuilder::InsertPoint outside) {
  if (!isInBody(value))
    return true;
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0 ||
      !llvm::isa<mlir::arith::ArithDialect, mlir::math::MathDialect>(
          op->getDialect()))
    return false;
  for (mlir::Value operand : op->getOperands())
    if (!moveOut(operand, outside))
      return false;
  op->moveBefore(outside.getBlock(), outside.getPoint());
  return true;
}

static bool holdsInts(const Value &value) {
  if (value.isField())
    return value.isFieldOf(Storage::I64);
  return (value.isTuple() || value.isRecord()) &&
         llvm::any_of(value.getElements(), holdsInts);
}

/// Whether elements say which cells are read: a field does, or what a map
/// computes. One cell of a field of ints is read in the same way, exactly.
bool Generator::isGathered(const Value &field, const Value &index) {
  if (index.isField())
    return true;
  bool isNumber = index.isRealNumber() && !index.isUnsigned();
  if (isNumber && holdsInts(field))
    return true;
  return isNumber && frame->element && index.isScalar() && getSSA(index) &&
         !moveOut(getSSA(index), frame->element->outside);
}

Value Generator::pickCells(const Value &base, const ast::IndexExpr &expr,
                           llvm::SmallVectorImpl<NamedIndex> &named) {
  Value field = base;
  for (const ast::Argument &cell : expr.cells) {
    if (!cell.value)
      return Value::poison();
    SumIndex sum = evaluateSum(*cell.value);
    if (sum.value.isPoison())
      return sum.value;
    if (auto known = sum.value.getConstInt())
      sum.value = Value::integer(*known);
    const bool isReversed = llvm::any_of(
        sum.terms, [](const auto &term) { return term.second < 0; });
    // With an edge, an offset that only the program knows is checked in a map.
    const bool isChecked =
        expr.edge && !sum.terms.empty() && !sum.value.is(Value::Kind::Int);
    if (isReversed || isChecked || isGathered(field, sum.value)) {
      named.push_back({&cell.name, std::move(sum), std::nullopt, true});
      continue;
    }
    Argument at{"", {}, sum.value, sum.loc, sum.range};
    if (!requireCellInt(rules(), at, cell.name.text))
      return Value::poison();
    if (!sum.terms.empty()) {
      named.push_back({&cell.name, std::move(sum), std::nullopt});
      continue;
    }
    mlir::OpBuilder::InsertionGuard guard(builder);
    llvm::SaveAndRestore<ElementState *> saved(frame->element);
    if (frame->element) {
      builder.restoreInsertionPoint(frame->element->outside);
      frame->element = nullptr;
    }
    Argument from{"", {}, field, expr.loc, expr.base->range};
    field = sliced(from, cell.name, at, expr.loc);
  }
  return field;
}

//===----------------------------------------------------------------------===//
// f[x = 8 * X + u]
//===----------------------------------------------------------------------===//

/// Checks that the index is a cell of `dim`: during compilation if the range is
/// known, otherwise in the program, which ends at an index outside of it.
bool Generator::checkIndex(const NamedIndex &index, pm::DimAttr dim) {
  const SumIndex &sum = index.sum;
  const Argument at{"", {}, sum.value, sum.loc, sum.range};
  llvm::SmallVector<IndexTerm> terms;
  for (auto [own, number] : sum.terms)
    terms.push_back({dimOf(own), number});
  const auto edge =
      index.edge ? std::optional(edgeOf(*index.edge)) : std::nullopt;
  const auto range = pmc::checkIndex(rules(), terms, at, dimOf(dim), edge);
  if (!range || !range->isChecked)
    return range.has_value();
  const OperatorSite site{sum.loc, {}, {}};
  return checkCells(
      at, {&sum.value},
      {compare(BinaryOp::Ge, sum.value, Value::integer(range->least), site),
       compare(BinaryOp::Le, sum.value, Value::integer(range->most), site)},
      range->why);
}

Value Generator::readAt(const Value &base, llvm::ArrayRef<NamedIndex> named,
                        llvm::SMLoc loc) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore<ElementState *> saved(frame->element);
  if (frame->element) {
    builder.restoreInsertionPoint(frame->element->outside);
    frame->element = nullptr;
  }
  pm::FieldType type = lowerField(base);
  llvm::SmallVector<const NamedIndex *> indexes(type.getRank(), nullptr);
  for (const NamedIndex &index : named) {
    pm::DimAttr dim = indexedDim(base, index);
    if (!dim)
      return Value::poison();
    indexes[llvm::find(type.getDims(), dim) - type.getDims().begin()] = &index;
    if (!checkModes(rules(), base.getDims(), dimOf(dim),
                    edgeOf(index.edge.value_or(pm::Edge::Periodic)),
                    index.sum.loc) ||
        !checkIndex(index, dim))
      return Value::poison();
  }
  llvm::SmallVector<pm::DimAttr> dims;
  llvm::SmallVector<int64_t> offsets;
  llvm::SmallVector<pm::Edge> edges;
  llvm::SmallVector<mlir::Attribute> terms;
  llvm::SmallVector<mlir::Value> starts;
  bool isConstant = true;
  mlir::Location at = getLoc(loc);
  for (auto [dim, index] : llvm::zip_equal(type.getDims(), indexes)) {
    llvm::SmallVector<int64_t> list;
    auto append = [&](pm::DimAttr own, int64_t number) {
      list.append({int64_t(dims.size()), number});
      dims.push_back(own);
    };
    if (index)
      for (auto [own, number] : index->sum.terms)
        append(own, number);
    else
      append(dim, 1);
    Value offset = index ? index->sum.value : Value::integer(0);
    bool isKnown = offset.is(Value::Kind::Int);
    isConstant &= isKnown;
    offsets.push_back(isKnown ? offset.getInt() : 0);
    // Beyond the modes is what fillBeyond says.
    edges.push_back(index && index->edge && dim.isSpace() ? *index->edge
                                                          : pm::Edge::Periodic);
    terms.push_back(builder.getDenseI64ArrayAttr(list));
    starts.push_back(
        materialize(isKnown ? Value::integer(0) : offset, i64Type, at));
  }
  pm::FieldType target =
      fieldType(dims, type.getElementType(), loc, pm::mostProductDims);
  if (!target)
    return Value::poison();
  if (isConstant)
    starts.clear();
  const bool hasEdge = llvm::any_of(
      named, [](const NamedIndex &index) { return index.edge.has_value(); });
  if (!requireKnownEdges(rules(), loc, isConstant, hasEdge))
    return Value::poison();
  Value read =
      fieldOf(pm::ViewOp::create(builder, at, target, getSSA(base), starts,
                                 builder.getDenseI64ArrayAttr(offsets),
                                 pm::getEdges(&context, edges),
                                 builder.getArrayAttr(terms), mlir::UnitAttr()),
              base.getUnit());
  return base.hasAnyUnit() ? read.withAnyUnit() : read;
}
