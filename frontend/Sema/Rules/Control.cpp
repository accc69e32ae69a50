//===- Control.cpp - Statements, branches and loops -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Control.h"

#include "frontend/Sema/Types/DimMessages.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool pmc::requireTopLevel(const RuleContext &context, bool isTopLevel,
                          llvm::SMLoc loc) {
  return isTopLevel ||
         context.refuse(loc, "[PM0113] declarations must be at the top level");
}

bool pmc::requireEffects(const RuleContext &context, llvm::StringRef what,
                         llvm::SMLoc loc) {
  if (context.isInMap)
    return context.refuseInMap(loc, "[PM0509] " + what +
                                        " cannot be inside of a map");
  return !context.isConstant ||
         context.refuse(loc, "[PM0711] " + what + " cannot be in a constant");
}

bool pmc::requireStatements(const RuleContext &context, llvm::SMLoc loc) {
  return !context.isInMap ||
         context.refuse(loc, "[PM0509] statements are not allowed in a map");
}

/// What the source says there, if it is short.
static std::string sourceOf(const ast::Expr &expr) {
  llvm::StringRef text(expr.range.Start.getPointer(),
                       expr.range.End.getPointer() -
                           expr.range.Start.getPointer());
  return text.size() <= 40 && !text.contains('\n') ? text.str() : "…";
}

/// What to write instead of a `for` that was meant to change something.
static std::string asLoop(const ast::ForExpr &expr,
                          const ast::RangeExpr &range) {
  std::string names = "s", next = sourceOf(*expr.body);
  if (auto *record = llvm::dyn_cast<ast::RecordExpr>(expr.body.get())) {
    // `for i in 0 .. 4 { s = s + i }` was read as a record.
    names = next = "";
    for (const ast::RecordField &field : record->fields) {
      names += (names.empty() ? "" : ", ") + field.name.text;
      next += (next.empty() ? "" : ", ") + sourceOf(*field.value);
    }
    if (record->fields.size() != 1) {
      names = "(" + names + ")";
      next = "(" + next + ")";
    }
  }
  return "let end = loop " + names + " = " + names + " for " +
         expr.variable.text + " in " + sourceOf(*range.begin) + " .. " +
         sourceOf(*range.end) + " => " + next;
}

void pmc::reportUnused(const RuleContext &context, const ast::Expr &expr,
                       const Value &value) {
  if (auto *each = llvm::dyn_cast<ast::ForExpr>(&expr)) {
    Report report = context.error(
        expr.loc,
        "[PM0705] the vector that this 'for' makes is not used, and nothing "
        "is changed in place; name it with 'let'");
    if (auto *range = llvm::dyn_cast<ast::RangeExpr>(each->domain.get()))
      report.note(expr.loc,
                  "a loop carries what changes: " + asLoop(*each, *range));
    return;
  }
  std::string instead = "name it with 'let'";
  if (value.isBoolLike())
    instead = "check it with 'assert'";
  else if (value.isFunction())
    instead = "call it with its arguments in (…)";
  context
      .error(
          expr.loc,
          "[PM0705] this value is not used, and nothing is changed in place; " +
              instead + ", or leave it out")
      .range(expr.range);
}

void pmc::reportAssertion(const RuleContext &context,
                          const ast::AssertStmt &stmt, llvm::StringRef text,
                          bool isInLibrary) {
  const llvm::StringRef own = stmt.format.empty() ? "condition is false" : text;
  context
      .error(
          stmt.loc,
          (isInLibrary ? "[PM0321] " : "[PM0320] assertion does not hold: ") +
              own,
          stmt.condition->range)
      .range(stmt.condition->range);
}

/// The remedy for too few names in `let (a, b) = …`: a `_` for each part that
/// is not used.
static std::string explainNames(size_t names, const Value &value) {
  constexpr size_t most = 6;
  if (!value.isTuple() || names >= value.getElements().size() ||
      value.getElements().size() > most)
    return "";
  std::string list;
  for (size_t i = 0; i < value.getElements().size(); ++i)
    list += std::string(i == 0 ? "" : ", ") +
            (i < names ? std::string(1, char('a' + i)) : "_");
  return "; write '_' for each value that is not used: let (" + list + ") = …";
}

bool pmc::requireNames(const RuleContext &context, size_t names,
                       const Value &value, llvm::SMLoc loc) {
  if (value.isTuple() && value.getElements().size() == names)
    return true;
  if (value.isPoison())
    return false;
  const std::string found =
      value.isTuple() ? std::to_string(value.getElements().size()) + " values"
                      : value.describeType();
  return context.refuse(loc, "[PM0706] " + llvm::Twine(names) + " names for " +
                                 found + explainNames(names, value));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

bool pmc::requireCondition(const RuleContext &context, const Value &value,
                           const ast::Expr &expr, llvm::StringRef what) {
  if (value.isBoolLike())
    return true;
  context
      .error(expr.loc,
             "[PM0307] the condition of " + what + " is a bool, not " +
                 value.describeType() +
                 (value.isField() ? "; any(…) and all(…) make one bool of it, "
                                    "and a map chooses for each cell"
                  : value.isRealNumber()
                      ? "; compare it with a number, as in " + sourceOf(expr) +
                            " > 0"
                      : ""))
      .range(expr.range);
  return false;
}

Value pmc::join(const RuleContext &context, const Value &a, const Value &b,
                llvm::SMLoc aLoc, llvm::SMLoc bLoc, llvm::StringRef what) {
  const Shaped joined = join(a, b, what, context.real);
  if (joined.problem.empty())
    return joined.shape;
  return context.error(aLoc, joined.problem)
      .note(aLoc, joined.first)
      .note(bLoc, joined.second);
}

bool pmc::requireElse(const RuleContext &context, const ast::IfExpr &expr) {
  return expr.elseExpr ||
         context.refuse(expr.loc, "[PM0108] 'if' requires an 'else' here");
}

bool pmc::requireNoTableChoice(const RuleContext &context, bool isSame,
                               llvm::SMLoc loc) {
  return isSame ||
         context.refuseInMap(
             loc, "[PM0509] a table cannot be chosen inside of a map");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value pmc::requireCarried(const RuleContext &context, const Value &value,
                          llvm::SMLoc loc) {
  const Shaped shaped = carriedShape(value, context.real);
  return shaped.problem.empty() ? shaped.shape
                                : Value(context.error(loc, shaped.problem));
}

bool pmc::requireBound(const RuleContext &context, Value &bound,
                       const ast::Expr &expr) {
  if (becomesInt(bound))
    return true;
  if (!bound.isPoison())
    context
        .error(expr.loc, "[PM0704] the bounds of a loop are ints, not " +
                             bound.describe())
        .range(expr.range);
  return false;
}

bool pmc::requireRange(const RuleContext &context, const Value &value,
                       llvm::SMLoc loc) {
  return value.isDim() || value.isPoison() ||
         context.refuse(loc,
                        "[PM0704] a loop runs over the cells of a dim, or from "
                        "a .. b, not over " +
                            value.describe());
}

static bool holds(const Value &value, Value::Kind kind) {
  return value.is(kind) ||
         llvm::any_of(value.getElements(),
                      [&](const Value &part) { return holds(part, kind); });
}

bool pmc::requireNumbersInMap(const RuleContext &context, const Value &init,
                              llvm::SMLoc loc) {
  return !context.isInMap || !holds(init, Value::Kind::Field) ||
         context.refuseInMap(
             loc, "[PM0509] a loop inside of a map carries numbers only");
}

bool pmc::requireNoTables(const RuleContext &context, const Value &init,
                          bool hasCheckpoints, llvm::SMLoc loc) {
  return !hasCheckpoints || !holds(init, Value::Kind::Table) ||
         context.refuse(
             loc, "[PM0710] a loop with checkpoints carries no tables, which "
                  "files do not keep; carry what they are made of");
}

bool pmc::requireStackDim(const RuleContext &context,
                          const ast::StackExpr *stack, bool hasDim) {
  return !stack || hasDim ||
         context.refuse(stack->loc, "[PM0709] a loop that stacks runs over the "
                                    "cells of a dim: for i in z");
}

bool pmc::requireLastInLoop(const RuleContext &context,
                            const ast::StackExpr &stack, bool isLast) {
  return isLast ||
         context.refuse(stack.loc, "[PM0709] 'stacking' must be the last "
                                   "expression of a loop's body");
}

bool pmc::requireSettled(const RuleContext &context, bool isSettled,
                         llvm::SMLoc loc) {
  return isSettled ||
         context.refuse(
             loc, "[PM0708] the types of the values of this loop change in "
                  "each iteration; start with values of their final types");
}

bool pmc::requireScalars(const RuleContext &context, bool areScalars,
                         llvm::SMLoc loc) {
  return areScalars ||
         context.refuse(loc, "[PM0708] a loop that reads a field at cells that "
                             "elements compute carries numbers only");
}

bool pmc::checkCheckpoints(const RuleContext &context, const Argument &every,
                           bool isInLoop) {
  if (context.isInMap)
    return context.refuseInMap(
        every, "[PM0509] a loop inside of a map has no checkpoints");
  return !isInLoop ||
         context.refuse(
             every, "[PM0710] a loop with checkpoints cannot be inside of "
                    "another loop, because its iterations would overwrite each "
                    "other's states; give the outer one the checkpoints");
}

bool pmc::requireNoLoopAround(const RuleContext &context,
                              llvm::StringRef callee, bool isInLoop,
                              llvm::SMLoc loc) {
  return !isInLoop ||
         context.refuse(loc, "[PM0710] '" + callee +
                                 "' has a loop with checkpoints and is called "
                                 "inside of another loop, whose iterations "
                                 "would overwrite each other's states; give "
                                 "the outer one the checkpoints");
}

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

std::optional<std::pair<int64_t, int64_t>>
pmc::readItemBounds(const RuleContext &context, const Argument &begin,
                    const Argument &end) {
  constexpr int64_t limit = int64_t(1) << 40;
  const char *what = "the bound of an unrolled 'for'";
  const auto first = readInt(context, begin, what, -limit, limit);
  const auto last = readInt(context, end, what, -limit, limit);
  if (!first || !last)
    return std::nullopt;
  return std::pair(*first, *last);
}

std::optional<Items> pmc::listItems(const RuleContext &context,
                                    std::pair<int64_t, int64_t> bounds,
                                    uint64_t most, llvm::SMLoc loc) {
  const auto [first, last] = bounds;
  if (last - first > int64_t(most)) {
    context.error(loc, "[PM0716] this 'for' makes a vector of " +
                           llvm::Twine(last - first) +
                           " components; use a loop");
    return std::nullopt;
  }
  Items items;
  for (int64_t i = first; i < last; ++i)
    items.values.push_back(Value::integer(i));
  return items;
}

std::optional<Items> pmc::readItems(const RuleContext &context,
                                    const Value &domain, llvm::SMLoc loc) {
  const bool isDim = domain.isDim();
  if (!isDim && !domain.isTuple()) {
    context.error(
        loc, "[PM0704] 'for' runs over dims, a vector or a range, not over " +
                 domain.describeType() +
                 (domain.isIntLike()
                      ? "; for i in 0 .. n is a range, and (n,) a list of one"
                      : explainVector(domain, /*count=*/0)));
    return std::nullopt;
  }
  Items items;
  if (isDim)
    items.values = {domain};
  else
    items.values = domain.getElements();
  items.tags = domain.getTags().vec();
  if (!items.values.empty() &&
      llvm::all_of(items.values, [](const Value &v) { return v.isDim(); })) {
    items.tags.clear();
    for (const Value &item : items.values)
      items.tags.push_back(item.getDim().getSpaceDim());
  }
  return items;
}

bool pmc::requireUnrolled(const RuleContext &context, uint64_t count,
                          uint64_t most, llvm::SMLoc loc) {
  return count <= most ||
         context.refuse(loc,
                        "[PM0716] the unrolled loops of this program have more "
                        "than " +
                            llvm::Twine(most) + " iterations");
}

bool pmc::requireItemValue(const RuleContext &context, const Value &value,
                           llvm::SMLoc loc) {
  return !value.is(Value::Kind::Nothing) ||
         context.refuse(loc, "[PM0314] the body of 'for' has no value");
}
