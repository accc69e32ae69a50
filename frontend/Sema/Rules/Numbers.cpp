//===- Numbers.cpp - Arithmetic, tables and random numbers ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Numbers.h"

#include "frontend/Sema/Types/Constants.h"

using namespace pmc;

/// The name of a builtin in messages.
static std::string quoted(BuiltinId id) {
  return "'" + getBuiltinInfo(id).name.str() + "'";
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value pmc::requireResult(const RuleContext &context,
                         const std::optional<Value> &result,
                         const llvm::Twine &why, llvm::SMLoc loc) {
  return result ? *result : Value(context.error(loc, "[PM0309] " + why));
}

Value pmc::requireResultOf(const RuleContext &context, BuiltinId id,
                           const Value &x, const std::optional<Value> &result,
                           const std::string &why, llvm::SMLoc loc) {
  if (result)
    return *result;
  return context.error(loc, "[PM0309] " + quoted(id) + " of " +
                                formatNumber(*x.getConstReal()) + ": " + why);
}

Value pmc::requireFiniteResult(const RuleContext &context, BuiltinId id,
                               const std::optional<Value> &result,
                               llvm::SMLoc loc) {
  if (result)
    return *result;
  return context.error(loc,
                       "[PM0309] " + quoted(id) +
                           ": the result must be finite; use another argument");
}

Value pmc::requireFinitePower(const RuleContext &context,
                              const std::optional<Value> &result,
                              llvm::SMLoc loc) {
  if (result)
    return *result;
  return context.error(
      loc, "[PM0309] '^': the result must be finite; use another base "
           "or exponent");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool pmc::requireSigned(const RuleContext &context, const Value &value,
                        llvm::SMLoc loc) {
  return !value.isUnsigned() ||
         context.refuse(
             loc, "[PM0310] a u64 is never negative; for an f64, 0.0 - …");
}

bool pmc::requireSameSigns(const RuleContext &context, llvm::StringRef what,
                           const Value &a, const Value &b, llvm::SMLoc loc,
                           llvm::StringRef more) {
  if (!a.isUnsigned() && !b.isUnsigned())
    return true;
  auto fits = [](const Value &v) {
    return v.isUnsigned() || v.getConstInt().value_or(-1) >= 0;
  };
  return (fits(a) && fits(b)) ||
         context.refuse(loc, "[PM0310] " + what +
                                 " of a u64 and an int, which may be negative" +
                                 more);
}

bool pmc::requireDivisor(const RuleContext &context, const Argument &divisor,
                         std::optional<int64_t> known) {
  return known != 0 || context.refuse(divisor, "[PM0309] division by zero");
}

bool pmc::requireDivided(const RuleContext &context, llvm::StringRef what,
                         const Argument &arg, const Value &value, bool isInt) {
  return requireComputedInt(context, arg, value, isInt,
                            "[PM0303] " + what + " works on ints, not on ");
}

bool pmc::requireSeed(const RuleContext &context, const Argument &arg,
                      const Value &value, bool isInt) {
  return requireComputedInt(
      context, arg, value, isInt,
      "[PM0303] 'random': expected an int as the seed, found ");
}

bool pmc::requireSplit(const RuleContext &context, const Argument &arg,
                       const Value &value, bool isInt, bool isStream) {
  if (isInt || !isStream)
    return requireComputedInt(context, arg, value, isInt,
                              "[PM0303] 'split': expected an int, found ");
  return context.refuse(arg, "[PM0303] 'split': expected an int, found " +
                                 value.describeType() +
                                 "; the name of a stream is a string");
}

bool pmc::requireConvertible(const RuleContext &context, const Argument &arg,
                             const Value &x) {
  if (x.isUnsigned())
    return context.refuse(
        arg, "[PM0310] 'int' of a u64, of which not all fit an int");
  return x.isBoolLike() || x.isRealNumber() ||
         context.refuse(arg, "[PM0302] 'int' works on real numbers, not on " +
                                 x.describeType());
}

bool pmc::requireNorm(const RuleContext &context, const Value &value,
                      llvm::SMLoc loc) {
  return value.isNumber() ||
         context.refuse(loc, "[PM0302] 'norm2' works on numbers, not on " +
                                 value.describeType());
}

void pmc::reportNotComplex(const RuleContext &context, BuiltinId id,
                           llvm::SMLoc loc) {
  context.error(loc, "[PM0311] " + quoted(id) +
                         " is not defined for complex numbers");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

bool pmc::requireTableOutside(const RuleContext &context, llvm::SMLoc loc) {
  return !context.isInMap ||
         context.refuseInMap(loc,
                             "[PM0509] a table cannot be made inside of a map; "
                             "make it before the map");
}

std::optional<Value> pmc::readPoints(const RuleContext &context,
                                     const Argument &points) {
  Value count = points.value;
  if (const auto known = count.getConstInt()) {
    if (*known < 2) {
      context.error(points, "[PM0322] a table has at least 2 points");
      return std::nullopt;
    }
    count = Value::integer(*known);
  }
  if (count.isIntLike())
    return count;
  context.error(points, "[PM0322] the number of points is an int, not " +
                            count.describe());
  return std::nullopt;
}

bool pmc::requireTableValue(const RuleContext &context,
                            const Argument &function, const Value &y) {
  return y.isRealNumber() ||
         context.refuse(
             function, "[PM0322] the function of a table gives a number, not " +
                           y.describeType());
}

bool pmc::requireTableRow(const RuleContext &context, const Argument &function,
                          const Value &row, unsigned axes) {
  static constexpr const char *counts[] = {"two", "three", "four"};
  const bool fits = row.isTuple() && row.getElements().size() == axes + 1 &&
                    llvm::all_of(row.getElements(), [](const Value &number) {
                      return number.isRealNumber();
                    });
  return fits || context.refuse(function,
                                "[PM0322] the function of 'transform' gives " +
                                    std::string(counts[axes - 1]) +
                                    " numbers, not " + row.describeType());
}

bool pmc::requireOwnAxis(const RuleContext &context, const Argument &function,
                         unsigned axis, bool dependsOnOthers) {
  return !dependsOnOthers ||
         context.refuse(function,
                        "[PM0322] value " + std::to_string(axis + 1) +
                            " of the function of 'transform' is the new "
                            "position on axis " +
                            std::to_string(axis + 1) +
                            "; expected a function of argument " +
                            std::to_string(axis + 1) +
                            " alone, found one of other arguments, too");
}

bool pmc::checkLookup(const RuleContext &context, llvm::StringRef what,
                      const Argument &arg, const Value &x, const Value &table) {
  if (!x.isRealNumber())
    return context.refuse(arg, "[PM0302] " + what + " requires a number, not " +
                                   x.describeType());
  return x.hasAnyUnit() || x.getUnit().agrees(table.getXUnit()) ||
         context.refuse(arg, "[PM0404] the table's x is " +
                                 describeUnit(table.getXUnit()) + ", this is " +
                                 describeUnit(x.getUnit()));
}

//===----------------------------------------------------------------------===//
// Directions and inputs
//===----------------------------------------------------------------------===//

bool pmc::requireOneStatement(const RuleContext &context, DimList dims,
                              bool isOne, const Argument &arg) {
  return isOne ||
         context.refuse(arg, "[PM0523] which dims of " + describeDims(dims) +
                                 " are directions in space, and which count a "
                                 "batch? none has a length; declare those of "
                                 "space in one statement and with a length, "
                                 "dim x = 32, y = 32 over 1, or name them: "
                                 "over = (x, y)");
}

bool pmc::requireProgram(const RuleContext &context, bool isProgram,
                         llvm::SMLoc loc) {
  return isProgram ||
         context.refuse(loc,
                        "[PM0711] a declaration cannot use a piece of a dim");
}

const ast::RefExpr *pmc::readGivenName(const RuleContext &context,
                                       const ast::CallExpr &expr) {
  const ast::Expr *arg =
      expr.args.size() == 1 ? expr.args[0].value.get() : nullptr;
  auto *name = llvm::dyn_cast_or_null<ast::RefExpr>(arg);
  if (name && !expr.hasDims)
    return name;
  context.error(expr.loc,
                "[PM0903] 'given' takes the name of a param or an input, or a "
                "member of a record");
  return nullptr;
}

bool pmc::requireGivable(const RuleContext &context, const ast::RefExpr &name,
                         bool isGivable) {
  return isGivable ||
         context.refuse(name.loc, "[PM0903] '" + name.name +
                                      "' is not a param or input of the spec, "
                                      "and 'given' requires one");
}
