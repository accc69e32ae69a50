//===- Numbers.h - Arithmetic, tables and random numbers --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for the numbers that an operation works on. Units and types of
// operators are in `Type.h`.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_NUMBERS_H
#define PMC_FRONTEND_SEMA_RULES_NUMBERS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Constants ------------------------------------------------------===//

/// The result of an operation on constants; poison, with the message `why`, if
/// there is none.
Value requireResult(const RuleContext &context,
                    const std::optional<Value> &result, const llvm::Twine &why,
                    llvm::SMLoc loc);
/// The result of a function of the real number x; `why` says what is wrong.
Value requireResultOf(const RuleContext &context, BuiltinId id, const Value &x,
                      const std::optional<Value> &result,
                      const std::string &why, llvm::SMLoc loc);
/// The result of a function of a complex number is finite.
Value requireFiniteResult(const RuleContext &context, BuiltinId id,
                          const std::optional<Value> &result, llvm::SMLoc loc);
Value requireFinitePower(const RuleContext &context,
                         const std::optional<Value> &result, llvm::SMLoc loc);
/// An operation on ints whose result fits an int.
template <typename Place>
bool requireIntResult(const RuleContext &context, bool fits,
                      const Place &place) {
  return fits || context.refuse(place, "the result is too large for an int");
}

//===--- Operands -------------------------------------------------------===//

/// A number that may be negative.
bool requireSigned(const RuleContext &context, const Value &value,
                   llvm::SMLoc loc);
/// A u64 meets a u64, or an int that is not negative. `more` follows.
bool requireSameSigns(const RuleContext &context, llvm::StringRef what,
                      const Value &a, const Value &b, llvm::SMLoc loc,
                      llvm::StringRef more = "");
bool requireDivisor(const RuleContext &context, const Argument &divisor,
                    std::optional<int64_t> known);
/// Operands of div and mod. `isInt`: whether the number `value` is an int.
bool requireDivided(const RuleContext &context, llvm::StringRef what,
                    const Argument &arg, const Value &value, bool isInt);
bool requireSeed(const RuleContext &context, const Argument &arg,
                 const Value &value, bool isInt);
/// An argument of split. `isStream`: it may be a string, too.
bool requireSplit(const RuleContext &context, const Argument &arg,
                  const Value &value, bool isInt, bool isStream);
/// int(x).
bool requireConvertible(const RuleContext &context, const Argument &arg,
                        const Value &x);
bool requireNorm(const RuleContext &context, const Value &value,
                 llvm::SMLoc loc);
/// A function of complex numbers that does not exist.
void reportNotComplex(const RuleContext &context, BuiltinId id,
                      llvm::SMLoc loc);

//===--- Tables ---------------------------------------------------------===//

/// Tables are made outside of maps.
bool requireTableOutside(const RuleContext &context, llvm::SMLoc loc);
/// The number of points of a table.
std::optional<Value> readPoints(const RuleContext &context,
                                const Argument &points);
/// The value of the function of tabulate, and of transform.
bool requireTableValue(const RuleContext &context, const Argument &function,
                       const Value &y);
bool requireTableRow(const RuleContext &context, const Argument &function,
                     const Value &row, unsigned axes = 1);
/// The new position on an axis of a table is a function of the old one.
bool requireOwnAxis(const RuleContext &context, const Argument &function,
                    unsigned axis, bool dependsOnOthers);
/// interpolate(t, x) and derivative(t, x) of one number x.
bool checkLookup(const RuleContext &context, llvm::StringRef what,
                 const Argument &arg, const Value &x, const Value &table);

//===--- Directions and inputs ------------------------------------------===//

/// directions(f) of dims without lengths, which one statement declares.
bool requireOneStatement(const RuleContext &context, DimList dims, bool isOne,
                         const Argument &arg);
/// A piece of a dim is used where the program runs.
bool requireProgram(const RuleContext &context, bool isProgram,
                    llvm::SMLoc loc);
/// given(name): the form of the call, and what the name stands for.
const ast::RefExpr *readGivenName(const RuleContext &context,
                                  const ast::CallExpr &expr);
bool requireGivable(const RuleContext &context, const ast::RefExpr &name,
                    bool isGivable);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_NUMBERS_H
