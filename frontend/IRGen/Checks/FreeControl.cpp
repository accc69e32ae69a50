//===- FreeControl.cpp - Branches, loops and maps on free values ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Checks/FreeChecker.h"
#include "frontend/IRGen/Fields/ElementLoop.h"
#include "frontend/IRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

void FreeChecker::branch(llvm::function_ref<void()> evaluate) {
  ++g.freeBranches;
  evaluate();
  --g.freeBranches;
}

Value FreeChecker::ifExpr(const ast::IfExpr &expr) {
  Value then, otherwise;
  branch([&] {
    if (expr.thenExpr)
      then = g.evaluate(*expr.thenExpr);
    if (expr.elseExpr)
      otherwise = g.evaluate(*expr.elseExpr);
  });
  // The branches of a constant condition need not agree.
  if (!expr.elseExpr)
    return unknown();
  return Value::free(commonType(typeOf(then), typeOf(otherwise)));
}

Value FreeChecker::forEach(const ast::ForExpr &expr, const Type &item) {
  Scope scope(g.frame->scope);
  llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
  scope.names[expr.variable.text] = Value::free(item);
  AroundStatements around(g.iterations, Value::free(Type::integer()));
  (void)g.evaluate(*expr.body);
  return unknown();
}

Value FreeChecker::map(const ast::Name &variable,
                       llvm::ArrayRef<const ast::Expr *> bodies,
                       const ast::Expr *where, llvm::StringRef what) {
  Frame inner = *g.frame;
  Scope scope(inner.scope);
  inner.scope = &scope;
  inner.inFreeMap = true;
  llvm::SaveAndRestore<Frame *> saved(g.frame, &inner);
  scope.names[variable.text] = unknown();
  if (where)
    (void)g.condition(*where, what);
  Type element;
  for (const ast::Expr *body : bodies)
    if (body)
      element = typeOf(g.evaluate(*body));
  return Value::free(Type::in(element.getQuantity()));
}

Value FreeChecker::loop(const ast::LoopExpr &expr, const Value &init,
                        const ast::StackExpr *stack) {
  const Value carried = widen(init);
  Scope scope(g.frame->scope);
  llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
  llvm::SaveAndRestore<const ast::StackExpr *> end(g.stacking, stack);
  const Value iteration = Value::free(Type::integer());
  AroundStatements around(g.iterations, iteration);
  g.bindPattern(expr.carried, carried, expr.loc, scope);
  if (expr.counter) {
    scope.names[expr.counter->text] = iteration;
    g.observe(*expr.counter, iteration);
  }
  if (expr.condition)
    (void)g.condition(*expr.condition, "'while'");
  (void)g.evaluate(*expr.body);
  return stack ? Value::tuple({carried, unknown()}) : carried;
}
