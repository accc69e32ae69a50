//===- Components.cpp - Components of vectors -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `v[0]`, `v[x]` and `v[i]`, where i is an int that the program computes.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/DimMessages.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace pmc;
using ast::BinaryOp;

Value Generator::component(const Value &base, const Argument &index,
                           llvm::SMLoc loc) {
  if (index.value.isPoison())
    return index.value;
  Value at = index.value;
  if (at.isTuple() && at.getElements().size() == 1)
    at = at.getElements()[0];
  if (base.is(Value::Kind::Coordinate)) {
    if (at.isDim())
      return coordinateOf(base, lower(at.getDim()), index.loc,
                          /*indexOnly=*/false);
    Value vector = expandCoordinate(base, loc);
    return vector.isPoison() ? vector : component(vector, index, loc);
  }
  if (!requireComponents(rules(), base, index.with(at), loc))
    return Value::poison();
  llvm::ArrayRef<Value> elements = base.getElements();
  if (at.isDim()) {
    return componentOf(rules(), base, at.getDim(), index, loc)
        .value_or(Value::poison());
  }
  const bool isKnown = at.isConstNumber();
  if (!isKnown && (at.isRealNumber() || at.isFieldOf(Storage::I64)))
    return componentAt(base, {"", {}, at, index.loc, index.range}, loc);
  auto position = readInt(rules(), index, "the index of a component", 0,
                          int64_t(elements.size()) - 1);
  return position ? elements[size_t(*position)] : Value::poison();
}

//===----------------------------------------------------------------------===//
// Components at an index of run time
//===----------------------------------------------------------------------===//

static bool containsField(const Value &value) {
  return value.isField() || ((value.isTuple() || value.isRecord()) &&
                             llvm::any_of(value.getElements(), containsField));
}

static mlir::Value withoutCast(mlir::Value value) {
  auto cast = value.getDefiningOp<mlir::arith::IndexCastOp>();
  return cast ? cast.getIn() : value;
}

/// The first and the last value of the counter of a loop, if the compiler knows
/// them.
static std::optional<std::pair<int64_t, int64_t>>
findRange(mlir::Value counter) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(withoutCast(counter));
  if (!argument)
    return std::nullopt;
  auto loop = llvm::dyn_cast_or_null<mlir::scf::ForOp>(
      argument.getOwner()->getParentOp());
  mlir::APInt first, end;
  if (!loop || loop.getInductionVar() != argument ||
      !mlir::matchPattern(withoutCast(loop.getLowerBound()),
                          mlir::m_ConstantInt(&first)) ||
      !mlir::matchPattern(withoutCast(loop.getUpperBound()),
                          mlir::m_ConstantInt(&end)))
    return std::nullopt;
  return std::pair(first.getSExtValue(), end.getSExtValue() - 1);
}

/// The int is an index of the vector: an error of the program where it is not.
bool Generator::checkComponent(mlir::Value index, int64_t count,
                               const Argument &arg) {
  if (auto range = findRange(index);
      range && range->first >= 0 && range->second < count)
    return true;
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore<ElementState *> saved(frame->element);
  // One number for all elements is checked once.
  if (frame->element && moveOut(index, frame->element->outside)) {
    builder.restoreInsertionPoint(frame->element->outside);
    frame->element = nullptr;
  }
  mlir::Location at = getLoc(arg.loc);
  mlir::Value holds =
      mlir::arith::CmpIOp::create(builder, at, mlir::arith::CmpIPredicate::ult,
                                  index, intConstant(count, at));
  return checkEach(holds, index, arg,
                   "the index of a component must be from 0 to " +
                       std::to_string(count - 1) + ", not {:d}");
}

/// Whether all values are tuples or records with the same members.
static bool haveSameMembers(llvm::ArrayRef<Value> values) {
  const Value &first = values.front();
  return llvm::all_of(values, [&](const Value &value) {
    if (value.isRecord())
      return first.isRecord() && hasSameMembers(value, first);
    return value.isTuple() && first.isTuple() &&
           value.getElements().size() == first.getElements().size() &&
           explainOrder(value, first).empty();
  });
}

Value Generator::componentAt(const Value &base, const Argument &index,
                             llvm::SMLoc loc) {
  llvm::ArrayRef<Value> parts = base.getElements();
  if (!requireChoice(rules(), parts, index))
    return Value::poison();
  // Each member has its own dims.
  if (index.value.isField() && !frame->element && haveSameMembers(parts)) {
    std::vector<Value> results;
    for (size_t i = 0, n = parts.front().getElements().size(); i < n; ++i) {
      std::vector<Value> choices;
      for (const Value &part : parts)
        choices.push_back(partsLike(part, parts.front())[i]);
      results.push_back(
          componentAt(Value::tuple(std::move(choices)), index, loc));
      if (!tick(loc) || results.back().isPoison())
        return Value::poison();
    }
    return parts.front().withElements(std::move(results));
  }
  if (index.value.isField() && !frame->element) {
    std::vector<std::vector<Dim>> fields{index.value.getDims().vec()};
    for (const Value &part : parts)
      if (part.isField())
        fields.push_back(part.getDims().vec());
    const std::vector<Dim> domain = pmc::broadcast(fields, /*isUnion=*/true);
    return buildMap(lower(domain), loc,
                    [&] { return componentAt(base, index, loc); });
  }
  std::optional<Value> number =
      asInt(frame->element ? element(index.value, index.loc) : index.value,
            index.loc);
  if (!requireComponentInt(rules(), index, number.has_value()))
    return Value::poison();
  mlir::Value ssa = materialize(*number, i64Type, getLoc(index.loc));
  if (!checkComponent(ssa, int64_t(parts.size()), index))
    return Value::poison();
  const Value at = scalarOf(ssa);
  const bool isBranch = !frame->element && llvm::any_of(parts, containsField);
  llvm::StringRef what = "the components of this vector";
  std::function<Value(size_t, size_t)> pick = [&](size_t begin, size_t end) {
    if (end - begin == 1)
      return frame->element ? elements(parts[begin], loc) : parts[begin];
    const size_t middle = (begin + end) / 2;
    const Value isBelow = compare(
        BinaryOp::Lt, at, Value::integer(int64_t(middle)), {loc, {}, {}});
    if (isBranch)
      return branch(loc, isBelow, what,
                    {loc, [&] { return pick(begin, middle); }},
                    {loc, [&] { return pick(middle, end); }});
    const Value low = pick(begin, middle), high = pick(middle, end);
    return choose(isBelow, low, high, loc, loc, loc, what);
  };
  return pick(0, parts.size());
}
