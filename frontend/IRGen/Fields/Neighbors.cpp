//===- Neighbors.cpp - Cells at constant offsets --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f[x + 1]` and `shift(f, x = 1)` are fields, also in a map, where they are
// made before it: fusion puts them back.
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// `x + 1`, `i - 1`, `2 + x - i`: a dim and numbers.
DimIndex Generator::evaluateIndex(const ast::Expr &expr) {
  SumIndex sum = evaluateSum(expr);
  DimIndex index{{}, sum.value, expr.loc, expr.range};
  if (sum.terms.empty() || sum.value.isPoison())
    return index;
  index.dim = sum.terms.front().first;
  llvm::SmallVector<int64_t> factors;
  for (auto [dim, factor] : sum.terms)
    factors.push_back(factor);
  if (!checkPlainIndex(rules(), expr.loc, factors))
    index.value = Value::poison();
  return index;
}

/// An offset that only the program knows is an index of cells.
static bool isOfProgram(const DimIndex &index) {
  const Value &value = index.value;
  return (value.isRealNumber() && !value.isConstNumber()) ||
         value.isFieldOf(Storage::I64);
}

bool Generator::appendOffset(const DimIndex &index, bool isMoved,
                             llvm::SmallVectorImpl<DimOffset> &offsets,
                             llvm::SmallVectorImpl<NamedIndex> &named) {
  if (index.value.isPoison())
    return false;
  if (isOfProgram(index)) {
    Value number = isMoved ? unary(ast::UnaryOp::Neg, index.value, index.loc)
                           : index.value;
    named.push_back({nullptr,
                     {{{index.dim, 1}}, number, index.loc, index.range},
                     pm::Edge::Periodic,
                     /*isGathered=*/true,
                     {},
                     index.dim});
    return !number.isPoison();
  }
  const auto cells =
      readOffset(rules(), {"", {}, index.value, index.loc, index.range});
  if (!cells)
    return false;
  offsets.push_back(
      {index.dim, isMoved ? -*cells : *cells, pm::Edge::Periodic, index.loc});
  return true;
}

/// One for all, or a tuple with one each.
bool Generator::setEdges(const Argument &arg,
                         llvm::MutableArrayRef<DimOffset> offsets,
                         llvm::MutableArrayRef<NamedIndex> named) {
  const auto edges =
      readEdges(rules(), arg, offsets.size() + named.size(),
                [&](const Value &number) { return moveNumberOut(number); });
  if (!edges)
    return false;
  for (auto [i, given] : llvm::enumerate(*edges)) {
    const bool isOffset = i < offsets.size();
    if (isOffset)
      offsets[i].edge = pmc::lower(given.edge);
    else
      named[i - offsets.size()].edge = pmc::lower(given.edge);
    if (given.beyond)
      (isOffset ? offsets[i].beyond : named[i - offsets.size()].beyond) =
          given.beyond;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Neighbors
//===----------------------------------------------------------------------===//

static bool holdsField(const Value &value) {
  return value.isField() || ((value.isTuple() || value.isRecord()) &&
                             llvm::any_of(value.getElements(), holdsField));
}

pm::DimAttr Generator::indexedDim(const Value &field, const NamedIndex &index) {
  if (index.name)
    return namedDim(field, *index.name);
  pm::FieldType type = lowerField(field);
  const auto place =
      placeOf(rules(), field.getDims(), dimOf(index.dim), index.sum.loc);
  return place ? type.getDims()[*place] : pm::DimAttr();
}

Value Generator::neighbors(const Value &all, const ast::IndexExpr &expr) {
  llvm::SmallVector<NamedIndex> named;
  if (std::optional<Value> mode = oneMode(all, expr))
    return *mode;
  Value base = expr.cells.empty() ? all : pickCells(all, expr, named);
  if (base.isPoison() || (expr.indices.empty() && !expr.edge && named.empty()))
    return base;
  llvm::SmallVector<DimIndex> indices;
  for (const ast::ExprPtr &index : expr.indices) {
    if (!index)
      return Value::poison();
    indices.push_back(evaluateIndex(*index));
    if (indices.back().value.isPoison())
      return Value::poison();
  }
  bool isSum = !expr.indices.empty() &&
               llvm::isa<ast::BinaryExpr>(*expr.indices.front());
  bool isComponent =
      indices.size() == 1 && !expr.edge && !(indices[0].dim && isSum);
  if (isComponent) {
    const DimIndex &index = indices[0];
    Value value = index.dim ? valueOf(index.dim) : index.value;
    base = component(base, {"", {}, value, index.loc, index.range}, expr.loc);
    if (base.isPoison() || named.empty())
      return base;
    indices.clear();
  }
  const bool hasDim = llvm::any_of(
      indices, [](const DimIndex &index) { return bool(index.dim); });
  if (!requireNeighbors(rules(), expr.loc, base, hasDim))
    return Value::poison();
  llvm::SmallVector<DimOffset> offsets;
  llvm::SmallVector<NamedIndex> moved;
  for (const DimIndex &index : indices) {
    if (!requireIndexDim(rules(), index.loc, base, bool(index.dim)) ||
        !appendOffset(index, /*isMoved=*/false, offsets, moved))
      return Value::poison();
  }
  if (!requireCommonEdge(rules(), expr.loc, bool(expr.edge), !offsets.empty(),
                         !moved.empty()))
    return Value::poison();
  named.insert(named.begin(), moved.begin(), moved.end());
  if (expr.edge && !setEdges(evaluateArgument(*expr.edge), offsets, named))
    return Value::poison();
  return readCells(base, offsets, named, expr.loc);
}

int pmc::findDimOf(pm::FieldType type, pm::DimAttr dim) {
  return findDimOf(dimsOf(type.getDims()), dimOf(dim));
}

Value Generator::shifted(const Value &base, llvm::ArrayRef<DimOffset> offsets,
                         llvm::SMLoc loc) {
  pm::FieldType type = lowerField(base);
  llvm::SmallVector<int64_t> cells(type.getRank(), 0);
  llvm::SmallVector<pm::Edge> edges(type.getRank(), pm::Edge::Periodic);
  std::vector<Offset> along;
  for (const DimOffset &offset : offsets)
    along.push_back(
        {dimOf(offset.dim), offset.cells, edgeOf(offset.edge), offset.loc});
  const auto places = placeOffsets(rules(), base.getDims(), along);
  if (!places)
    return Value::poison();
  for (auto [offset, place] : llvm::zip_equal(offsets, *places)) {
    cells[place] = offset.cells;
    // Modes go on at the other end; beyond them is what fillBeyond says.
    const bool isSpace = type.getDims()[place].isSpace();
    edges[place] = isSpace ? offset.edge : pm::Edge::Periodic;
  }
  return movedField(base, lowerField(base), cells, edges, loc);
}

Value Generator::movedField(const Value &field, pm::FieldType target,
                            llvm::ArrayRef<int64_t> cells,
                            llvm::ArrayRef<pm::Edge> edges, llvm::SMLoc loc) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (frame->element)
    builder.restoreInsertionPoint(frame->element->outside);
  Value moved = fieldOf(
      pm::ShiftOp::create(builder, getLoc(loc), target, getSSA(field),
                          builder.getDenseI64ArrayAttr(cells),
                          pm::getEdges(&context, edges), mlir::UnitAttr()),
      field.getUnit());
  return field.hasAnyUnit() ? moved.withAnyUnit() : moved;
}

//===----------------------------------------------------------------------===//
// shift(f, x = 1)
//===----------------------------------------------------------------------===//

pm::DimAttr Generator::namedDim(const Value &field, const ast::Name &name) {
  pm::FieldType type = lowerField(field);
  const Value *local = frame->scope ? frame->scope->find(name.text) : nullptr;
  if (!local && frame->lets)
    if (auto it = frame->lets->find(name.text); it != frame->lets->end())
      local = &it->second;
  const auto place = placeOfName(rules(), field, name, local);
  return place ? type.getDims()[*place] : pm::DimAttr();
}

Value Generator::shift(const ast::CallExpr &expr) {
  if (!frame->element && !requireWholeFields(rules(), "'shift'", expr.loc))
    return Value::poison();
  if (!checkShiftForm(rules(), expr))
    return Value::poison();
  Value base = evaluate(*expr.args[0].value);
  if (checker && base.holdsFree())
    return checker->shift(base, expr);
  if (base.isPoison())
    return base;
  if (!requireShiftField(rules(), expr.args[0].value->loc, base,
                         holdsField(base)))
    return Value::poison();
  const Value *first = &base;
  while (!first->isField())
    first = &*llvm::find_if(first->getElements(), holdsField);
  llvm::SmallVector<DimOffset> offsets;
  llvm::SmallVector<NamedIndex> named;
  std::optional<Argument> edge;
  for (const ast::Argument &arg : llvm::drop_begin(expr.args)) {
    if (!requireShiftDim(rules(), expr, !arg.name.text.empty()))
      return Value::poison();
    Argument value = evaluateArgument(*arg.value);
    if (value.value.isPoison())
      return value.value;
    if (arg.name.text == "edge") {
      edge = value;
      continue;
    }
    pm::DimAttr dim = namedDim(*first, arg.name);
    if (!dim)
      return Value::poison();
    if (!appendOffset({dim, value.value, value.loc, value.range},
                      /*isMoved=*/true, offsets, named))
      return Value::poison();
  }
  if (!requireShiftDim(rules(), expr, !offsets.empty() || !named.empty()) ||
      !requireCommonEdge(rules(), expr.loc, edge.has_value(), !offsets.empty(),
                         !named.empty()))
    return Value::poison();
  if (edge && !setEdges(*edge, offsets, named))
    return Value::poison();
  return readCells(base, offsets, named, expr.loc);
}
