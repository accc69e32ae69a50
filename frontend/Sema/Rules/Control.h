//===- Control.h - Statements, branches and loops ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_CONTROL_H
#define PMC_FRONTEND_SEMA_RULES_CONTROL_H

#include "frontend/Sema/Rules/Program/Options.h"
#include "frontend/Sema/Types/Shapes.h"

namespace pmc {

//===--- Statements -----------------------------------------------------===//

/// Declarations are at the top level.
bool requireTopLevel(const RuleContext &context, bool isTopLevel,
                     llvm::SMLoc loc);
/// A statement that does something: `what` is its keyword in quotes.
bool requireEffects(const RuleContext &context, llvm::StringRef what,
                    llvm::SMLoc loc);
/// A statement of a branch or loop that only the program decides about.
bool requireStatements(const RuleContext &context, llvm::SMLoc loc);
/// A value that is an expression alone, which changes nothing.
void reportUnused(const RuleContext &context, const ast::Expr &expr,
                  const Value &value);
/// An assertion that does not hold. `text` is its message.
void reportAssertion(const RuleContext &context, const ast::AssertStmt &stmt,
                     llvm::StringRef text, bool isInLibrary);
/// A tuple has so many values as the pattern has names.
bool requireNames(const RuleContext &context, size_t names, const Value &value,
                  llvm::SMLoc loc);

//===--- Branches -------------------------------------------------------===//

/// The condition of `what`: a bool, or a free value that may be one.
bool requireCondition(const RuleContext &context, const Value &value,
                      const ast::Expr &expr, llvm::StringRef what);
/// The least type that holds both values; poison after an error.
Value join(const RuleContext &context, const Value &a, const Value &b,
           llvm::SMLoc aLoc, llvm::SMLoc bLoc, llvm::StringRef what);
bool requireElse(const RuleContext &context, const ast::IfExpr &expr);
/// In a map both branches hold the same table.
bool requireNoTableChoice(const RuleContext &context, bool isSame,
                          llvm::SMLoc loc);

//===--- Loops ----------------------------------------------------------===//

/// The value as a loop carries it; poison after an error.
Value requireCarried(const RuleContext &context, const Value &value,
                     llvm::SMLoc loc);
/// A bound of a loop becomes an int.
bool requireBound(const RuleContext &context, Value &bound,
                  const ast::Expr &expr);
/// `for i in z`: what a loop goes over.
bool requireRange(const RuleContext &context, const Value &value,
                  llvm::SMLoc loc);
/// A loop in a map carries numbers. `loc` is its place.
bool requireNumbersInMap(const RuleContext &context, const Value &init,
                         llvm::SMLoc loc);
/// Files do not keep the tables that a loop with checkpoints carries.
bool requireNoTables(const RuleContext &context, const Value &init,
                     bool hasCheckpoints, llvm::SMLoc loc);
/// A loop that stacks goes over the cells of a dim.
bool requireStackDim(const RuleContext &context, const ast::StackExpr *stack,
                     bool hasDim);
bool requireLastInLoop(const RuleContext &context, const ast::StackExpr &stack,
                       bool isLast);
/// The types that the loop carries no longer change.
bool requireSettled(const RuleContext &context, bool isSettled,
                    llvm::SMLoc loc);
/// The loops of a map whose elements say which cells are read.
bool requireScalars(const RuleContext &context, bool areScalars,
                    llvm::SMLoc loc);

/// `checkpoint every k`, k > 0.
bool checkCheckpoints(const RuleContext &context, const Argument &every,
                      bool isInLoop);
/// The call of a function with such a loop.
bool requireNoLoopAround(const RuleContext &context, llvm::StringRef callee,
                         bool isInLoop, llvm::SMLoc loc);

//===--- for ------------------------------------------------------------===//

/// What a `for` that is written out runs over.
struct Items {
  std::vector<Value> values;
  std::vector<Dim> tags;
};
/// `for i in a .. b`: the bounds.
std::optional<std::pair<int64_t, int64_t>>
readItemBounds(const RuleContext &context, const Argument &begin,
               const Argument &end);
/// The same: the ints, which are `most` or fewer.
std::optional<Items> listItems(const RuleContext &context,
                               std::pair<int64_t, int64_t> bounds,
                               uint64_t most, llvm::SMLoc loc);
/// `for d in (x, y)`.
std::optional<Items> readItems(const RuleContext &context, const Value &domain,
                               llvm::SMLoc loc);
bool requireUnrolled(const RuleContext &context, uint64_t count, uint64_t most,
                     llvm::SMLoc loc);
bool requireItemValue(const RuleContext &context, const Value &value,
                      llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_CONTROL_H
