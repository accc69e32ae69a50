//===- Control.cpp - if, and what two branches have in common -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Control.h"
#include "frontend/IRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace scf = mlir::scf;

Value Generator::condition(const ast::Expr &expr, llvm::StringRef what) {
  Value value = evaluate(expr);
  if (value.isPoison() && !(value.isFree() && value.getKnown().isNoCondition()))
    return value;
  if (frame->element && value.isField())
    value = element(value, expr.loc);
  if (value.isPoison() && !value.isFree())
    return value;
  return requireCondition(rules(), value, expr, what) ? value : Value::poison();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

Value Generator::join(const Value &a, const Value &b, llvm::SMLoc aLoc,
                      llvm::SMLoc bLoc, llvm::StringRef what) {
  if (!tick(aLoc, std::min(a.getSize(), b.getSize())))
    return Value::poison();
  return pmc::join(rules(), a, b, aLoc, bLoc, what);
}

void Generator::convertTo(const Value &value, const Value &shape,
                          llvm::SMLoc loc,
                          llvm::SmallVectorImpl<mlir::Value> &leaves) {
  switch (shape.getKind()) {
  case Value::Kind::Scalar:
    leaves.push_back(materialize(value, lowerType(shape), getLoc(loc)));
    return;
  case Value::Kind::Complex: {
    Value re = value.isComplex() ? value.getRe() : value;
    Value im = value.isComplex() ? value.getIm() : Value::integer(0);
    convertTo(re, shape.getRe(), loc, leaves);
    convertTo(im, shape.getIm(), loc, leaves);
    return;
  }
  case Value::Kind::Field: {
    mlir::Type element = lowerField(shape).getElementType();
    leaves.push_back(getSSA(inPrecision(value, element, loc)));
    return;
  }
  case Value::Kind::Table:
    leaves.push_back(getSSA(value));
    return;
  default:
    for (auto [from, to] :
         llvm::zip_equal(partsLike(value, shape), shape.getElements()))
      convertTo(from, to, loc, leaves);
  }
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

Value Generator::ifExpr(const ast::IfExpr &expr) {
  Value test = condition(*expr.condition, "'if'");
  if (test.is(Value::Kind::Bool)) {
    const ast::ExprPtr &taken = test.getBool() ? expr.thenExpr : expr.elseExpr;
    return taken ? evaluate(*taken) : Value::nothing();
  }
  if (checker && test.isPoison())
    return checker->ifExpr(expr);
  if (!requireElse(rules(), expr))
    return Value::poison();
  if (test.isPoison()) {
    // For their errors.
    evaluate(*expr.thenExpr);
    evaluate(*expr.elseExpr);
    return Value::poison();
  }
  return runtimeIf(
      expr.loc, test, "the branches of 'if'",
      {expr.thenExpr->loc, [&] { return evaluate(*expr.thenExpr); }},
      {expr.elseExpr->loc, [&] { return evaluate(*expr.elseExpr); }});
}

Value Generator::runtimeIf(llvm::SMLoc loc, const Value &test,
                           llvm::StringRef what, const Branch &then,
                           const Branch &otherwise) {
  return frame->element ? selectElement(loc, test, what, then, otherwise)
                        : branch(loc, test, what, then, otherwise);
}

Value Generator::selectElement(llvm::SMLoc loc, const Value &test,
                               llvm::StringRef what, const Branch &then,
                               const Branch &otherwise) {
  // What is checked for each element counts where the branch is taken.
  auto compile = [&](const Branch &taken, bool isThen) {
    frame->element->guards.push_back({getSSA(test), isThen});
    Value value = elements(taken.compile(), taken.loc);
    frame->element->guards.pop_back();
    return value;
  };
  Value a = compile(then, true), b = compile(otherwise, false);
  return choose(test, a, b, then.loc, otherwise.loc, loc, what);
}

Value Generator::choose(const Value &test, const Value &a, const Value &b,
                        llvm::SMLoc aLoc, llvm::SMLoc bLoc, llvm::SMLoc loc,
                        llvm::StringRef what) {
  Value shape = join(a, b, aLoc, bLoc, what);
  if (shape.isPoison())
    return shape;
  llvm::SmallVector<mlir::Value> x, y, selected;
  convertTo(a, shape, aLoc, x);
  convertTo(b, shape, bLoc, y);
  mlir::Location at = getLoc(loc);
  for (auto [p, q] : llvm::zip_equal(x, y))
    if (!requireNoTableChoice(
            rules(), p == q || !llvm::isa<pm::TableType>(p.getType()), loc))
      return Value::poison();
  for (auto [p, q] : llvm::zip_equal(x, y))
    selected.push_back(
        p == q ? p
               : mlir::arith::SelectOp::create(builder, at, getSSA(test), p, q)
                     .getResult());
  unsigned next = 0;
  return rebuild(shape, selected, next);
}

Value Generator::branch(llvm::SMLoc loc, const Value &test,
                        llvm::StringRef what, const Branch &then,
                        const Branch &otherwise) {
  mlir::Location at = getLoc(loc);
  // Both branches are compiled before the types of the results are known.
  mlir::Block blocks[2];
  Value values[2];
  const Branch *branches[2] = {&then, &otherwise};
  auto discard = [&]() -> Value {
    for (mlir::Block &block : blocks) {
      block.dropAllReferences();
      block.dropAllDefinedValueUses();
    }
    return Value::poison();
  };
  for (unsigned i : {0, 1}) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&blocks[i]);
    values[i] = branches[i]->compile();
  }
  Value shape = join(values[0], values[1], then.loc, otherwise.loc, what);
  if (shape.isPoison())
    return discard();
  for (unsigned i : {0, 1}) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&blocks[i]);
    llvm::SmallVector<mlir::Value> leaves;
    convertTo(values[i], shape, branches[i]->loc, leaves);
    scf::YieldOp::create(builder, at, leaves);
  }
  llvm::SmallVector<mlir::Type> types;
  shapeTypes(shape, types);
  auto op = scf::IfOp::create(builder, at, types, getSSA(test),
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (unsigned i : {0, 1}) {
    mlir::Block *target = i ? op.elseBlock() : op.thenBlock();
    target->clear();
    target->getOperations().splice(target->end(), blocks[i].getOperations());
  }
  unsigned next = 0;
  return rebuild(shape, op.getResults(), next);
}

/// A `for` whose body has no value, or calls a function. If the compiler knows
/// the bounds, the iterations are unrolled. Otherwise they become a loop.
/// Returns the value of the body in the last iteration.
Value Generator::forStatement(const ast::ForExpr &expr) {
  auto *range = llvm::dyn_cast_or_null<ast::RangeExpr>(expr.domain.get());
  if (!range || checker)
    return forEach(expr, /*isStatement=*/true);
  Value bounds[2];
  const ast::Expr *const syntax[] = {range->begin.get(), range->end.get()};
  bool isKnown = true;
  for (unsigned i : {0, 1}) {
    bounds[i] = evaluate(*syntax[i]);
    if (bounds[i].isPoison())
      return Value::poison();
    if (!requireBound(rules(), bounds[i], *syntax[i]))
      return Value::poison();
    isKnown &= bounds[i].is(Value::Kind::Int);
  }
  if (isKnown)
    return forEach(expr, /*isStatement=*/true);
  if (!requireStatements(rules(), expr.loc))
    return Value::poison();
  Value last = Value::nothing();
  auto body = [&](const Value &carried, const Value &iteration) {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    scope.names[expr.variable.text] = iteration;
    AroundStatements around(iterations, iteration);
    last = evaluate(*expr.body);
    return messages.areStopped() ? Value::poison() : carried;
  };
  (void)countedLoop(Value::tuple({}), bounds[0], bounds[1], expr.loc, expr.loc,
                    expr.body->loc, {}, body);
  return last;
}

void Generator::ifStatement(const ast::IfStmt &stmt) {
  Value test = condition(*stmt.condition, "'if'");
  auto body = [&](const std::vector<ast::StmtPtr> &statements) {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    for (const ast::StmtPtr &inner : statements)
      if (inner && !messages.areStopped())
        statement(*inner);
  };
  if (test.is(Value::Kind::Bool))
    return body(test.getBool() ? stmt.thenBody : stmt.elseBody);
  if (checker && test.isPoison())
    return checker->branch([&] {
      body(stmt.thenBody);
      body(stmt.elseBody);
    });
  if (test.isPoison()) {
    body(stmt.thenBody);
    return body(stmt.elseBody);
  }
  if (!requireStatements(rules(), stmt.loc))
    return;
  auto op = scf::IfOp::create(builder, getLoc(stmt.loc), mlir::TypeRange(),
                              getSSA(test), /*addThenBlock=*/true,
                              /*addElseBlock=*/!stmt.elseBody.empty());
  mlir::OpBuilder::InsertionGuard guard(builder);
  for (bool otherwise : {false, true}) {
    mlir::Block *block = otherwise ? op.elseBlock() : op.thenBlock();
    if (!block)
      continue;
    block->clear();
    builder.setInsertionPointToEnd(block);
    body(otherwise ? stmt.elseBody : stmt.thenBody);
    scf::YieldOp::create(builder, getLoc(stmt.loc));
  }
}
