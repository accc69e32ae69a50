//===- TypingControl.cpp - Types of loops and branches --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "dialect/IR/Markers/Limits.h"
#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Derivatives.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The smallest type that holds both values. Unknown parts of `b` have the
/// types that they have in `a`.
Value Typing::merge(const Value &a, const Value &b) {
  if (b.isPoison())
    return a;
  const bool isAggregate = a.isTuple() || a.isRecord();
  if (isAggregate && b.getKind() == a.getKind() &&
      a.getElements().size() == b.getElements().size() &&
      (a.isTuple() || hasSameMembers(a, b))) {
    std::vector<Value> parts;
    for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a)))
      parts.push_back(merge(x, y));
    return a.withElements(std::move(parts));
  }
  Shaped joined = join(a, b, "", real);
  const bool hasField = joined.shape.isField();
  // A field that cannot be: IR generation reports the error at its place.
  if (joined.shape.isPoison() ||
      (hasField &&
       !findFieldProblem(joined.shape.getDims(), pm::mostFieldDims).empty()))
    return a;
  Shaped carried = carriedShape(joined.shape, real);
  return carried.shape.isPoison() ? a : carried.shape;
}

Value Typing::settle(const Value &init,
                     llvm::function_ref<Value(const Value &)> step) {
  Value shape = init;
  for (unsigned attempt = 0; attempt < 16; ++attempt) {
    Value next = merge(shape, step(shape));
    if (sameShape(next, shape))
      return shape;
    shape = std::move(next);
  }
  return init;
}

void Typing::bind(const ast::Pattern &pattern, const Value &value,
                  Scope &scope) {
  if (!pattern.isTuple) {
    if (!pattern.names.empty())
      scope.names[pattern.names[0].text] = value;
    return;
  }
  const bool fits =
      value.isTuple() && value.getElements().size() == pattern.parts.size();
  for (auto [i, part] : llvm::enumerate(pattern.parts))
    bind(part, fits ? value.getElements()[i] : unknown(), scope);
}

const ast::StackExpr *Typing::findStacking(const ast::Expr &body) {
  if (auto *block = llvm::dyn_cast<ast::BlockExpr>(&body))
    return block->result ? findStacking(*block->result) : nullptr;
  return llvm::dyn_cast<ast::StackExpr>(&body);
}

Value Typing::loop(const ast::LoopExpr &expr) {
  const ast::StackExpr *stack = findStacking(*expr.body);
  Value over;
  if (stack && expr.begin && !expr.end)
    over = evaluate(*expr.begin);
  if (stack && !over.isDim())
    return unknown();
  const Value init = evaluate(*expr.init);
  if (init.holdsFree() || init.isPoison())
    return unknown();
  const Value start =
      carriedShape(place.isElement ? element(init) : init, real).shape;
  if (start.isPoison())
    return unknown();
  Value last;
  const Value settled = settle(start, [&](const Value &carried) {
    Scope scope(place.scope);
    llvm::SaveAndRestore<const Scope *> saved(place.scope, &scope);
    bind(expr.carried, carried, scope);
    if (expr.counter)
      scope.names[expr.counter->text] = Value::scalar(Storage::I64);
    last = evaluate(*expr.body);
    if (place.isElement)
      last = element(last);
    return stack && last.isTuple() ? last.getElements()[0] : last;
  });
  if (last.isPoison() || last.holdsFree())
    return unknown();
  if (!stack)
    return settleUnits(settled);
  const Value stacked = stackShape(last.getElements()[1], over.getDim(), real);
  return Value::tuple({settleUnits(settled), settleUnits(stacked)});
}

//===----------------------------------------------------------------------===//
// Branches, and `for`
//===----------------------------------------------------------------------===//

Value Typing::ifExpr(const ast::IfExpr &expr) {
  Value test = evaluate(*expr.condition);
  if (place.isElement)
    test = element(test);
  if (test.is(Value::Kind::Bool)) {
    const ast::ExprPtr &taken = test.getBool() ? expr.thenExpr : expr.elseExpr;
    return taken ? evaluate(*taken) : unknown();
  }
  if (!test.isBoolLike() || !expr.thenExpr || !expr.elseExpr)
    return unknown();
  const Value then = evaluate(*expr.thenExpr);
  const Value otherwise = evaluate(*expr.elseExpr);
  return place.isElement ? either(element(then), element(otherwise))
                         : either(then, otherwise);
}

/// The type of a selected int if all choices are constants.
static Value chosen(const Value &shape, const Value &a, const Value &b) {
  auto isMadeOfConstants = [](const Value &x) {
    return x.isConstNumber() || x.isChoice();
  };
  return shape.isScalar() && shape.isIntLike() && isMadeOfConstants(a) &&
                 isMadeOfConstants(b)
             ? shape.asChoice()
             : shape;
}

Value Typing::either(const Value &a, const Value &b) {
  if (a.isPoison() || b.isPoison())
    return unknown();
  // In tuples that are partly unknown, the known parts are used.
  if ((a.isTuple() || a.isRecord()) && a.getKind() == b.getKind() &&
      a.getElements().size() == b.getElements().size() &&
      (a.isTuple() || hasSameMembers(a, b)) &&
      (place.isElement || a.holdsFree() || b.holdsFree())) {
    std::vector<Value> parts;
    for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a)))
      parts.push_back(either(x, y));
    const bool takesTags = a.isTuple() && a.getTags().empty();
    return (takesTags ? b : a).withElements(std::move(parts));
  }
  const Value shape = join(a, b, "", real).shape;
  if (shape.isPoison())
    return unknown();
  return place.isElement ? chosen(shape, a, b) : shape;
}

Value Typing::forEach(const ast::ForExpr &expr) {
  constexpr uint64_t most = 64;
  std::optional<Items> items;
  if (auto *range = llvm::dyn_cast_or_null<ast::RangeExpr>(expr.domain.get())) {
    const auto bounds = readItemBounds(
        rules(), {"", {}, evaluate(*range->begin), range->begin->loc, {}},
        {"", {}, evaluate(*range->end), range->end->loc, {}});
    if (bounds)
      items = listItems(rules(), *bounds, most, expr.loc);
  } else if (expr.domain) {
    items = readItems(rules(), evaluate(*expr.domain), expr.loc);
  }
  if (!items)
    return unknown();
  std::vector<Value> values;
  for (const Value &item : items->values) {
    Scope scope(place.scope);
    llvm::SaveAndRestore<const Scope *> saved(place.scope, &scope);
    scope.names[expr.variable.text] = item;
    values.push_back(evaluate(*expr.body));
  }
  return Value::tuple(std::move(values), std::move(items->tags));
}

/// An `optimize` statement defines values with the types of its initial values.
void Typing::optimize(const ast::OptimizeStmt &stmt, Scope &scope) {
  const Argument start{"", {}, evaluate(*stmt.start), stmt.start->loc, {}};
  Value shape = unknown();
  if (!start.value.holdsFree())
    shape = activeShape(rules(), start.value, start, "");
  bind(stmt.pattern, shape.isPoison() ? unknown() : shape, scope);
  if (!stmt.history.text.empty())
    scope.names[stmt.history.text] = unknown();
  if (stmt.checked.text.empty())
    return;
  scope.names[stmt.checked.text] = checkedValue();
}

Value Typing::checkedValue() {
  const Value number = Value::scalar(Storage::F64),
              step = Value::scalar(Storage::I64);
  std::vector<std::string> names{"value", "best", "step", "stale"};
  return Value::record(std::move(names), {number, number, step, step});
}

Value Typing::optimizedStep(const ast::OptimizeStmt &stmt, const Value &method,
                            const Value &carried, const Place &at) {
  llvm::SaveAndRestore<Place> saved(place, at);
  const Value *step = method.isRecord() ? method.findMember("step") : nullptr;
  const llvm::ArrayRef<Value> parts = carried.getElements();
  auto argument = [&](Value value) {
    return Argument{"", {}, std::move(value), stmt.method->loc, {}};
  };
  const Value objective = closure(
      nullptr, llvm::cast<ast::LambdaExpr>(stmt.objective.get()), place.module);
  const Value stepped =
      step ? apply(*step,
                   {argument(objective), argument(parts[0]), argument(parts[1]),
                    argument(Value::scalar(Storage::I1))},
                   std::nullopt, stmt.method->loc)
           : unknown();
  if (!stepped.isTuple() || stepped.getElements().size() != 3)
    return unknown();
  const Value &loss = stepped.getElements()[2];
  if (!loss.isScalar())
    return unknown();
  std::vector<Value> next = parts.vec();
  next[0] = stepped.getElements()[0];
  next[1] = stepped.getElements()[1];
  if (next[2].isField())
    next[2] = next[2].withUnit(loss.getUnit());
  next[3] = Value::scalar(Storage::F64, loss.getUnit());
  for (Value &part : llvm::drop_begin(next, 4))
    if (part.isRecord()) // of `every n: checks = …`
      part = checkedValue();
  if (next.back().isTuple() && next.size() > 4)
    next.back() = Value::tuple({Value::scalar(Storage::I64), loss});
  return Value::tuple(std::move(next));
}
