//===- FreeChecker.h - Checks functions that no call reaches ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is checked where it is called. Each function that no call reaches
// is evaluated once by itself, with parameters of free type. What depends on
// free values is free as well, and causes messages only if every call of the
// function has the mistake. The ops that this makes are erased.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_CHECKS_FREECHECKER_H
#define PMC_FRONTEND_IRGEN_CHECKS_FREECHECKER_H

#include "frontend/IRGen/Calls.h"
#include "frontend/Sema/Names/Resolver.h"
#include "frontend/Sema/Types/Type.h"

#include <set>

namespace pmc {

class Generator;

class FreeChecker : public MessageFilter {
public:
  explicit FreeChecker(Generator &generator) : g(generator) {}

  /// Checks every function of the spec, and of modules beside it, whose body
  /// has not been evaluated.
  void run();

  //===--- What the Generator asks while a function is checked ------------===//
  /// Counts work; false if the function takes too much, so that the rest of it
  /// stays unchecked.
  bool tick(uint64_t amount);
  /// Whether messages are left out: after too much work, and in called
  /// functions under a free condition, which no call may meet.
  bool isSilent() const override;
  /// Whether the message is new.
  bool isNew(llvm::SMLoc loc, const std::string &text) override;
  /// The value of an expression: after an error, any value.
  Value adopt(const Value &value) const;
  size_t countMessages() const { return reported.size(); }
  /// Whether a check follows one more call.
  bool mayNest() const;
  /// Whether every call of the function that is checked evaluates this place,
  /// which is in another function.
  bool isCertain() const;

  //===--- Operations on free values --------------------------------------===//
  static Value unknown() { return Value::free(Type()); }
  Value unary(ast::UnaryOp op, const Value &value, llvm::SMLoc loc);
  Value binary(ast::BinaryOp op, const Value &a, const Value &b,
               const OperatorSite &site);
  /// `hasAllDims`: the dims of the call are known.
  Value call(const Value &callee, Actuals with, bool hasAllDims);
  Value index(const Value &base, const ast::IndexExpr &expr);
  /// shift(base, x = 1, edge = "zero").
  Value shift(const Value &base, const ast::CallExpr &expr);
  Value match(const ast::TypeExpr &type, const Argument &arg,
              llvm::StringRef what);
  /// Binds the dims of a declared type that are not bound yet.
  static void bindDims(const ast::TypeExpr &type, Scope &scope,
                       const llvm::StringSet<> &variables);
  static void bindDims(const ast::FunctionStmt &function, Scope &scope);

  //===--- Branches, loops and maps ---------------------------------------===//
  /// Evaluates what depends on a free condition.
  void branch(llvm::function_ref<void()> evaluate);
  Value ifExpr(const ast::IfExpr &expr);
  Value forEach(const ast::ForExpr &expr, const Type &item);
  /// Bodies of a map over unknown dims.
  Value map(const ast::Name &variable, llvm::ArrayRef<const ast::Expr *> bodies,
            const ast::Expr *where = nullptr, llvm::StringRef what = "");
  Value loop(const ast::LoopExpr &expr, const Value &init,
             const ast::StackExpr *stack);

private:
  friend class Generator;

  void check(const FunctionBody &body);
  void checkBody(const FunctionBody &body);
  void bindParameters(const ast::FunctionStmt &function, Scope &scope);
  static Type typeOf(const Value &value);
  bool isInMap() const;
  Value widen(const Value &value) const;
  Value report(const Judgment &judgment, const OperatorSite &site);
  Value callClosure(const Value &callee, const Actuals &with);
  Value callBuiltin(BuiltinId id, const Actuals &with);
  Value callReduction(const BuiltinCall &call);
  bool checkOver(const BuiltinCall &call, unsigned index);
  void checkOptions(BuiltinCall &call, bool hasAllDims);
  void checkEdge(const ast::Expr *edge, size_t count);
  void checkOffset(const SumIndex &index);
  void applyToFree(const Argument &function, unsigned count, llvm::SMLoc loc);

  Generator &g;
  /// What has been reported, by place.
  std::set<std::pair<const char *, std::string>> reported;
  /// Results of calls whose arguments hold nothing of the program.
  llvm::StringMap<Value> results;
  uint64_t work = 0, allWork = 0;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_CHECKS_FREECHECKER_H
