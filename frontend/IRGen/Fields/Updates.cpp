//===- Updates.cpp - Cells of fields, and fields made cell by cell --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f with {[z = i] = g}` is a map that is f but for one cell of z, and so is
// what a loop does to its stack: `next stacking g` adds g to a cell that is 0,
// which a gradient can take back. Passes find out that nothing else changes.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"

using namespace pmc;
using ast::BinaryOp;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// What a slice takes is there: now, if its bounds are known, else when the
/// program comes to it.
bool Generator::checkSlice(const Argument &range, const Value &begin,
                           const Value &end, pm::DimAttr dim, bool isCell) {
  auto number = [](const Value &bound) {
    return bound.is(Value::Kind::Int) ? std::to_string(bound.getInt())
                                      : std::string("{:d}");
  };
  auto [least, most] = getIndexes(dim);
  std::string why = "the slice " + number(begin) + " .. " + number(end) +
                    " is empty or leaves the " +
                    std::to_string(dim.getExtent()) + " cells of '" +
                    dim.getLabel() + "'";
  if (isCell)
    why = std::string("there is no ") + (dim.isSpace() ? "cell " : "mode ") +
          number(begin) + " of '" + dim.getLabel() + "', which has " +
          std::to_string(least) + " to " + std::to_string(most);
  OperatorSite site{range.loc, {}, {}};
  llvm::SmallVector<const Value *> bounds{&begin};
  if (!isCell)
    bounds.push_back(&end);
  return checkCells(
      range, bounds,
      {compare(BinaryOp::Ge, begin, Value::integer(least), site),
       compare(BinaryOp::Lt, begin, end, site),
       compare(BinaryOp::Le, end, Value::integer(most + 1), site)},
      why);
}

bool Generator::checkCell(const Argument &cell, pm::DimAttr dim) {
  OperatorSite site{cell.loc, {}, {}};
  Value cells = Value::integer(dim.getExtent());
  std::string number = cell.value.is(Value::Kind::Int)
                           ? std::to_string(cell.value.getInt())
                           : "{:d}";
  return checkCells(cell, {&cell.value},
                    {compare(BinaryOp::Ge, cell.value, Value::integer(0), site),
                     compare(BinaryOp::Lt, cell.value, cells, site)},
                    "there is no cell " + number + " of '" + dim.getLabel() +
                        "', which has " + std::to_string(dim.getExtent()));
}

/// An error, now or when the program runs, unless all conditions hold; `why`
/// has a hole for each bound that only the program knows.
bool Generator::checkCells(const Argument &range,
                           llvm::ArrayRef<const Value *> bounds,
                           llvm::ArrayRef<Value> conditions, std::string why) {
  if (!requireCells(rules(), range, conditions, why))
    return false;
  mlir::Location at = getLoc(range.loc);
  mlir::Value fits;
  llvm::SmallVector<mlir::Value> numbers;
  for (const Value *bound : bounds)
    if (!bound->is(Value::Kind::Int))
      numbers.push_back(intBits(*bound, at));
  for (const Value &holds : conditions) {
    if (holds.is(Value::Kind::Bool))
      continue;
    fits = fits ? mlir::arith::AndIOp::create(builder, at, fits, getSSA(holds))
                      .getResult()
                : getSSA(holds);
  }
  if (!fits)
    return true;
  effectsSeen = true;
  pm::AssertOp::create(builder, at, fits, why, numbers).setFailure(true);
  return true;
}

/// In a map: whether the element is in these cells; counted in f64, as indices
/// are.
Value Generator::atCells(llvm::ArrayRef<std::pair<pm::DimAttr, Value>> cells,
                         llvm::SMLoc loc) {
  Value all;
  for (const auto &[dim, cell] : cells) {
    Value index =
        coordinateOf(Value::coordinate(frame->element->id), dim, loc, true);
    Value here = compare(BinaryOp::Eq, index, cell, {loc, {}, {}});
    all = all.isPoison() ? here
                         : boolBinary(BinaryOp::And, all, here, {loc, {}, {}});
  }
  return all;
}

//===----------------------------------------------------------------------===//
// with
//===----------------------------------------------------------------------===//

/// `f with {[z = i] = g, [z = j] += h}`, one after the other.
Value Generator::withCells(const ast::WithExpr &expr) {
  Value field = evaluate(*expr.base);
  if (!requireWholeFields(rules(), "an update of cells", expr.loc))
    return Value::poison();
  for (const ast::CellUpdate &update : expr.updates) {
    llvm::SmallVector<Argument> cells;
    bool isFree = false;
    for (const ast::Argument &cell : update.cells) {
      cells.push_back(evaluateArgument(*cell.value));
      Value &at = cells.back().value;
      if (at.isPoison() && !checker)
        return at;
      isFree |= at.isPoison();
      if (!at.isPoison() && !requireInt(rules(), cells.back(),
                                        "[PM0303] a cell is named by an int"))
        return Value::poison();
    }
    Argument value = evaluateArgument(*update.value);
    if (checker && field.isField())
      for (auto [cell, name] : llvm::zip_equal(cells, update.cells))
        if (pm::DimAttr dim = namedDim(field, name.name);
            dim && dim.isSpace() && !cell.value.isPoison())
          checkCell(cell, dim);
    if (isFree || field.isPoison() || value.value.holdsFree() ||
        value.value.isPoison())
      return Value::poison();
    field = updated(field, update, cells, value);
  }
  return field;
}

Value Generator::updated(const Value &base, const ast::CellUpdate &update,
                         llvm::ArrayRef<Argument> cells,
                         const Argument &value) {
  if (base.isPoison())
    return base;
  if (base.isTuple() || base.isRecord()) {
    const auto given = partsOfUpdate(rules(), base, value);
    if (!given)
      return Value::poison();
    std::vector<Value> parts;
    for (auto [i, part] : llvm::enumerate(base.getElements())) {
      parts.push_back(updated(part, update, cells, value.with((*given)[i])));
    }
    return base.withElements(std::move(parts));
  }
  if (!requireField(rules(), update.loc, base, /*areCells=*/true))
    return Value::poison();
  pm::FieldType type = lowerField(base);
  llvm::SmallVector<std::pair<pm::DimAttr, Value>> places;
  llvm::SmallVector<pm::DimAttr> others(type.getDims());
  for (auto [cell, name] : llvm::zip_equal(cells, update.cells)) {
    pm::DimAttr dim = namedDim(base, name.name);
    if (!dim)
      return Value::poison();
    if (!requireSpaceCell(rules(), name.name.loc, dimOf(dim)) ||
        !checkCell(cell, dim))
      return Value::poison();
    places.push_back(
        {dim, scalarOf(materialize(cell.value, f64Type, getLoc(cell.loc)))});
    llvm::erase(others, dim);
  }
  if (!checkUpdate(rules(), base, dimsOf(others), value))
    return Value::poison();
  return buildMap(type.getDims(), update.loc, [&]() -> Value {
    Value before = element(base, update.loc);
    Value after = elements(value.value, value.loc);
    if (before.isPoison() || after.isPoison())
      return Value::poison();
    Value here = atCells(places, update.loc);
    if (!update.adds)
      return choose(here, after, before, value.loc, update.loc, update.loc,
                    "the cells and what they become");
    Value none = Value::integer(0).withUnit(after.getUnit());
    return binary(BinaryOp::Add, before,
                  choose(here, after, none, value.loc, update.loc, update.loc,
                         "what is added"),
                  {update.loc, {}, value.range});
  });
}

//===----------------------------------------------------------------------===//
// stacking
//===----------------------------------------------------------------------===//

Value Generator::stackExpr(const ast::StackExpr &expr) {
  if (!requireLastInLoop(rules(), expr, &expr == stacking))
    return Value::poison();
  Value next = evaluate(*expr.next), stacked = evaluate(*expr.stacked);
  if (next.isPoison() || stacked.isPoison())
    return Value::poison();
  return Value::tuple({next, stacked});
}

/// Zeros for what is like `one` in every cell of the dim. Numbers are f64.
Value Generator::emptyStack(const Value &one, pm::DimAttr dim,
                            llvm::SMLoc loc) {
  if (one.isTuple() || one.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : one.getElements()) {
      parts.push_back(emptyStack(part, dim, loc));
      if (parts.back().isPoison())
        return Value::poison();
    }
    return one.withElements(std::move(parts));
  }
  if (!requireStackable(rules(), loc, one))
    return Value::poison();
  const Value stack = stackShape(one, dimOf(dim), realStorage());
  const pm::FieldType type =
      fieldType(lower(stack.getDims()), lower(stack.getStorage()), loc);
  if (!type)
    return Value::poison();
  Value zeros = fieldOf(zeroLike(type, getLoc(loc)), stack.getUnit());
  return stack.hasAnyUnit() ? zeros.withAnyUnit() : zeros;
}

Value Generator::putOnStack(const Value &stack, const Value &one,
                            pm::DimAttr dim, const Value &cell,
                            llvm::SMLoc loc) {
  if (stack.isTuple() || stack.isRecord()) {
    std::vector<Value> parts;
    for (auto [below, part] :
         llvm::zip_equal(stack.getElements(), one.getElements()))
      parts.push_back(putOnStack(below, part, dim, cell, loc));
    return stack.withElements(std::move(parts));
  }
  Value place = scalarOf(materialize(cell, f64Type, getLoc(loc)));
  return buildMap(lowerField(stack).getDims(), loc, [&]() -> Value {
    Value before = element(stack, loc), added = elements(one, loc);
    Value none = Value::integer(0).withUnit(added.getUnit());
    return binary(BinaryOp::Add, before,
                  choose(atCells({{dim, place}}, loc), added, none, loc, loc,
                         loc, "what is stacked"),
                  {loc, {}, {}});
  });
}
