//===- Derivatives.h - Derivatives of functions -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_DERIVATIVES_H
#define PMC_FRONTEND_SEMA_RULES_DERIVATIVES_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

/// Whether the value has a derivative: of numbers, fields and tables.
bool hasTangent(const Value &value);
/// The names of the parameters of a function.
llvm::SmallVector<std::string> parametersOf(const Value &function);
/// The declaration of a parameter, if it has one.
const ast::FnParam *findParameter(const Value &function, llvm::StringRef name);

//===--- grad(f, wrt = (a, b)) ------------------------------------------===//

/// `a` or `(a, b)`: a tuple of strings, with poison for what is not a name.
Value readParameterNames(const RuleContext &context, const ast::Expr &expr);
/// The parameters that the function is differentiated by. `wrt` is null for the
/// first one.
std::optional<std::vector<std::string>>
readParameters(const RuleContext &context, llvm::StringRef what,
               const Argument &function, const Argument *wrt);
/// How loops are reversed: `known`, or what the arguments say.
std::optional<Derivation> readSchedule(const RuleContext &context,
                                       Derivation known,
                                       const Argument *schedule,
                                       const Argument *snapshots,
                                       llvm::SMLoc loc);

//===--- grad(f)(a, b) --------------------------------------------------===//

/// `isAllowed`: derivatives may be taken here.
bool checkDerivativeCall(const RuleContext &context, bool isAllowed,
                         bool hasNoDims, llvm::SMLoc loc);
/// The arguments of the function, and the tangent or cotangent.
struct SplitArguments {
  std::vector<Argument> own;
  std::optional<Argument> direction;
};
std::optional<SplitArguments> splitDirection(const RuleContext &context,
                                             Derivation::Mode mode,
                                             const Value &function,
                                             llvm::ArrayRef<Argument> args,
                                             llvm::SMLoc loc);
/// An argument that the function is differentiated by is given.
bool requireActive(const RuleContext &context, llvm::StringRef name,
                   bool isGiven, llvm::SMLoc loc);
/// The type of such an argument when the program runs; poison after an error.
Value activeShape(const RuleContext &context, const Value &value,
                  const Argument &arg, llvm::StringRef name);
/// The type of a tangent of a value of this shape. Its unit is `unit` times
/// that of the value. If `isDual`, the type of a cotangent; its unit is `unit`
/// divided by that of the value.
Value derivativeShape(const Value &shape, const Unit &unit, bool isDual);
/// The value, where numbers of run time replace constants. A differentiated
/// function may return a constant.
Value liveShape(const Value &value);
/// The body of the function: `part` of its value is a function that uses
/// numbers with derivatives, or null.
bool checkDifferentiated(const RuleContext &context, bool keepsStates,
                         const Value *part, bool hasEffects, llvm::SMLoc loc);
/// A function that is differentiated without a cotangent.
bool requireRealValue(const RuleContext &context, Derivation::Mode mode,
                      const Value &shape, llvm::SMLoc loc);
bool requireTangents(const RuleContext &context, const Value &shape,
                     bool hasTangents, llvm::SMLoc loc);

//===--- Directions -----------------------------------------------------===//

/// A part of a tangent, or if `isDual` of a cotangent, of a value of the shape.
/// `unit` is what the units of all parts have in common. `holdsTangents`:
/// functions in the shape use numbers with derivatives.
struct DirectionRule {
  llvm::StringRef what; ///< the name of the direction in messages
  bool isDual = false;
  std::optional<Unit> unit = {};
};
bool checkDirection(const RuleContext &context, const Value &shape,
                    const Value &value, const Argument &arg,
                    DirectionRule &rule, bool holdsTangents);

//===--- By hand --------------------------------------------------------===//

/// The value of an adjoint: one part for each of so many parameters.
std::optional<std::vector<Value>>
splitCotangents(const RuleContext &context, const ast::FunctionStmt &function,
                const Value &value, size_t count);
/// The cotangent of a function is 0.
bool requireNoCotangent(const RuleContext &context, const Value &part,
                        const Argument &arg, llvm::StringRef what,
                        bool isFunction);
/// A function with a derivative by hand uses its parameters only. `used` is
/// another name that it uses.
void reportCaptured(const RuleContext &context,
                    const ast::FunctionStmt &function, bool isTangent,
                    llvm::StringRef used);
/// Requires that the function for second derivatives returns a value like that
/// of `function`. `given`: the value that it returns. `areSame`: whether both
/// have the same types.
bool requireSameResults(const RuleContext &context,
                        const ast::FunctionStmt &function,
                        const Argument &given, bool areSame);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_DERIVATIVES_H
