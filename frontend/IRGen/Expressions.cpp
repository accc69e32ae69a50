//===- Expressions.cpp - Names, members, tuples, blocks -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Precise.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Limits.h"
#include "frontend/Sema/Rules/Values.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using Kind = ast::Expr::Kind;

/// Whether the expression computes its value instead of naming another one.
static bool isComputed(const ast::Expr &expr) {
  return llvm::is_contained({Kind::Binary, Kind::Call, Kind::Map, Kind::Bins},
                            expr.kind);
}

/// Whether the value is made of numbers and fields that may be infinite.
static bool holdsFloats(const Value &value) {
  if (value.isTuple() || value.isRecord())
    return !value.getElements().empty() &&
           llvm::all_of(value.getElements(), holdsFloats);
  return value.isField() || value.isNumber();
}

Value Generator::evaluate(const ast::Expr &expr) {
  if (!tick(expr.loc) || stackIsShort(expr.loc))
    return Value::poison();
  Value value = evaluateKind(expr);
  if (checker)
    value = checker->adopt(value);
  if (options.observer && isShown(value))
    options.observer->evaluated(expr.range, value);
  if (!checksValues() || !isComputed(expr) || !holdsFloats(value))
    return value;
  // Parts of an expression are checked before the whole, so the first value
  // that fails comes from this expression.
  Value holds = finite(value, {"", {}, value, expr.loc, expr.range}, expr.loc);
  if (!holds.isScalar())
    return value;
  effectsSeen = true;
  pm::AssertOp::create(
      builder, getLoc(expr.loc), getSSA(holds),
      "this is the first value that is not finite: a division by 0, a function "
      "outside of its domain, or a number beyond 3e38, where f32 ends, which "
      "--precision=f64 or other units avoid",
      mlir::ValueRange())
      .setFailure(true);
  return value;
}

bool Generator::checksValues() const {
  return options.checksFinite && !frame->element && !frame->scalarsOnly &&
         !frame->constantsOnly && !frame->inlineCalls;
}

/// A product of numbers that are not 0 is 0 nowhere. Where it is 0 everywhere,
/// it has left the range of its type.
void Generator::checkUnderflow(const ast::BinaryExpr &expr, const Value &lhs,
                               const Value &rhs, const Value &value) {
  const bool multiplies = llvm::is_contained(
      {ast::BinaryOp::Mul, ast::BinaryOp::Div, ast::BinaryOp::Pow}, expr.op);
  if (!multiplies || !value.isField() || !isFloat(value.getStorage()))
    return;
  Value vanishes = hasOnly(/*zeros=*/true, value, expr.loc);
  for (const Value *operand : {&lhs, &rhs}) {
    Value counts = hasOnly(/*zeros=*/false, *operand, expr.loc);
    if (!counts.isBoolLike() || !vanishes.isBoolLike())
      return;
    vanishes =
        boolBinary(ast::BinaryOp::And, vanishes, counts, {expr.loc, {}, {}});
  }
  mlir::Location at = getLoc(expr.loc);
  mlir::Value holds = mlir::arith::XOrIOp::create(
      builder, at, materialize(vanishes, i1Type, at), boolConstant(true, at));
  effectsSeen = true;
  pm::AssertOp::create(
      builder, at, holds,
      "this is the first value that is 0 everywhere although its operands are "
      "0 nowhere; numbers of f32 end at 1e-45, which --precision=f64 or other "
      "units avoid",
      mlir::ValueRange())
      .setFailure(true);
}

Argument Generator::evaluateArgument(const ast::Expr &expr) {
  return {"", {}, evaluate(expr), expr.loc, expr.range};
}

Value Generator::evaluateKind(const ast::Expr &expr) {
  switch (expr.kind) {
  case Kind::Number:
    return numberValue(llvm::cast<ast::NumberExpr>(expr));
  case Kind::String:
    return Value::string(llvm::cast<ast::StringExpr>(expr).value);
  case Kind::Bool:
    return Value::boolean(llvm::cast<ast::BoolExpr>(expr).value);
  case Kind::Ref:
    return lookUp(llvm::cast<ast::RefExpr>(expr).name, expr.loc);
  case Kind::Unary: {
    auto &e = llvm::cast<ast::UnaryExpr>(expr);
    return unary(e.op, evaluate(*e.operand), e.loc);
  }
  case Kind::Binary: {
    auto &e = llvm::cast<ast::BinaryExpr>(expr);
    if (e.op == ast::BinaryOp::And || e.op == ast::BinaryOp::Or)
      return shortCircuit(e);
    Value lhs = evaluate(*e.lhs);
    Value rhs = evaluate(*e.rhs);
    Value value = binary(e.op, lhs, rhs, {e.loc, e.lhs->range, e.rhs->range});
    if (checksValues())
      checkUnderflow(e, lhs, rhs, value);
    return value;
  }
  case Kind::If:
    return ifExpr(llvm::cast<ast::IfExpr>(expr));
  case Kind::Call:
    return call(llvm::cast<ast::CallExpr>(expr));
  case Kind::Index:
    return indexed(llvm::cast<ast::IndexExpr>(expr));
  case Kind::Member:
    return member(llvm::cast<ast::MemberExpr>(expr));
  case Kind::With:
    return withFields(llvm::cast<ast::WithExpr>(expr));
  case Kind::Tuple:
    return tuple(llvm::cast<ast::TupleExpr>(expr));
  case Kind::Record:
    return record(llvm::cast<ast::RecordExpr>(expr).fields, expr.loc);
  case Kind::Lambda:
    return makeClosure(nullptr, &llvm::cast<ast::LambdaExpr>(expr),
                       frame->module, expr.loc);
  case Kind::Block:
    return block(llvm::cast<ast::BlockExpr>(expr));
  case Kind::For:
    return forEach(llvm::cast<ast::ForExpr>(expr));
  case Kind::Map:
    return mapExpr(llvm::cast<ast::MapExpr>(expr));
  case Kind::Bins:
    return bins(llvm::cast<ast::BinsExpr>(expr));
  case Kind::Loop:
    return loopExpr(llvm::cast<ast::LoopExpr>(expr));
  case Kind::Stack:
    return stackExpr(llvm::cast<ast::StackExpr>(expr));
  case Kind::Range: {
    auto &e = llvm::cast<ast::RangeExpr>(expr);
    Value begin = evaluate(*e.begin), end = evaluate(*e.end);
    if (begin.isPoison() || end.isPoison())
      return Value::poison();
    return Value::range(begin, end);
  }
  }
  return Value::poison();
}

Value Generator::numberValue(const ast::NumberExpr &expr) {
  Unit unit = expr.unit.value_or(Unit());
  double value = expr.value * unit.factor;
  if (expr.isImaginary)
    return Value::complex(Value::integer(0), Value::real(value), unit);
  if (expr.isInteger && !expr.unit) {
    if (!requireIntLiteral(rules(), expr))
      return Value::poison();
    return Value::integer(int64_t(expr.integer));
  }
  return Value::real(value, unit);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Value Generator::lookUp(llvm::StringRef name, llvm::SMLoc loc) {
  const auto precise = [&](const Value &value) {
    return isPrecise() && !frame->element ? Precise(*this).widened(value, loc)
                                          : value;
  };
  if (frame->scope)
    if (const Value *local = frame->scope->find(name))
      return precise(*local);
  Lookup found = program.find(*frame->module, name);
  if (found.rival)
    return Value::poison(); // the resolver has said so
  if (found.symbol)
    return precise(symbolValue(found, name, loc));
  if (auto builtin = findBuiltin(name)) {
    if (*builtin == BuiltinId::Pi)
      return Value::real(3.14159265358979323846);
    return Value::builtin(*builtin);
  }
  if (checker)
    return Value::poison(); // a dim of a type that is not known, say
  // Undefined: the resolver has said so, unless a local name it saw was not
  // bound because of another error.
  if (!diags.hasErrors())
    reportUndefined(rules(), name, loc);
  return Value::poison();
}

static const ast::InputStmt *findInput(const Program &program,
                                       llvm::StringRef name) {
  auto it = program.getMain().symbols.find(name);
  if (it == program.getMain().symbols.end() ||
      it->second.kind != Symbol::Kind::Input)
    return nullptr;
  return llvm::cast<ast::InputStmt>(it->second.stmt);
}

Value Generator::makeClosure(const ast::FunctionStmt *function,
                             const ast::LambdaExpr *lambda,
                             const ModuleInfo *owner, llvm::SMLoc loc) {
  const void *node = function ? static_cast<const void *>(function) : lambda;
  const Captures &captures = resolution.getCaptures(node);
  std::vector<std::string> names;
  std::vector<Value> values;
  for (llvm::StringRef name : captures.locals)
    if (const Value *value =
            frame->scope ? frame->scope->find(name) : nullptr) {
      names.push_back(name.str());
      values.push_back(*value);
    }
  unsigned locals = names.size();
  if (frame->lets && !frame->constantsOnly)
    for (llvm::StringRef name : captures.lets) {
      auto it = frame->lets->find(name);
      Value value;
      if (it != frame->lets->end())
        value = it->second;
      else if (auto *input = findInput(program, name))
        value = inputValue(name, *input, loc);
      else
        continue;
      names.push_back(name.str());
      values.push_back(std::move(value));
    }
  return requireSize(rules(),
                     Value::closure(function, lambda, owner, std::move(names),
                                    std::move(values), locals),
                     loc);
}

//===----------------------------------------------------------------------===//
// Components and members
//===----------------------------------------------------------------------===//

Value Generator::indexed(const ast::IndexExpr &expr) {
  Value base = evaluate(*expr.base);
  if (checker && (base.isPoison() || (base.holdsFree() && base.isFunction())))
    return checker->index(base, expr);
  // Components are found, also those that are free.
  const bool isComponent =
      expr.indices.size() == 1 && expr.cells.empty() && !expr.edge;
  if (checker && base.holdsFree() && !isComponent)
    return checker->index(base, expr);
  if (base.isPoison())
    return base;
  if (base.is(Value::Kind::Builtin)) {
    llvm::SmallVector<pm::DimAttr> list;
    if (!evaluateDims(expr.indices, list))
      return Value::poison();
    if (base.getBuiltin() == BuiltinId::Zeros)
      return applyBuiltin(BuiltinId::Zeros, {{}, expr.loc, true, list});
    reportMissingCall(rules(), base, expr.loc);
    return Value::poison();
  }
  if (base.isStream())
    return Streams(*this).read(base, expr);
  if (base.isClosure()) {
    reportMissingCall(rules(), base, expr.loc);
    return Value::poison();
  }
  return neighbors(base, expr);
}

Value Generator::member(const ast::MemberExpr &expr) {
  Value base = evaluate(*expr.base);
  if (base.isPoison() && !(base.isFree() && base.getKnown().isKnown()))
    return base;
  return readMember(rules(), expr, base, program, *frame->module)
      .value_or(Value::poison());
}

Value Generator::record(llvm::ArrayRef<ast::RecordField> fields,
                        llvm::SMLoc loc) {
  std::vector<std::string> names;
  std::vector<Value> values;
  bool ok = true;
  for (auto [i, field] : llvm::enumerate(fields)) {
    Value value = field.value ? evaluate(*field.value) : Value::poison();
    ok &= requireNewName(rules(), fields.take_front(i), field);
    if (value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, loc);
    if (!requireMemberValue(rules(), field, value))
      value = Value::poison();
    names.push_back(field.name.text);
    values.push_back(std::move(value));
  }
  if (!ok)
    return Value::poison();
  return requireSize(rules(),
                     Value::record(std::move(names), std::move(values)), loc);
}

Value Generator::withFields(const ast::WithExpr &expr) {
  if (!expr.updates.empty())
    return withCells(expr);
  Value base = evaluate(*expr.base);
  Value changes = record(expr.fields, expr.loc);
  if (base.isPoison() || changes.isPoison())
    return Value::poison();
  auto values = changeMembers(rules(), expr, base, changes);
  if (!values)
    return Value::poison();
  return requireSize(rules(), base.withElements(std::move(*values)), expr.loc);
}

Value Generator::tuple(const ast::TupleExpr &expr) {
  std::vector<Value> values;
  for (const ast::ExprPtr &element : expr.elements) {
    Value value = element ? evaluate(*element) : Value::poison();
    if (value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, expr.loc);
    if (element)
      value = requireValue(rules(), value, element->loc);
    if (value.isPoison() && !tick(expr.loc))
      return value;
    values.push_back(std::move(value));
  }
  return requireSize(rules(), Value::tuple(std::move(values)), expr.loc);
}

Value Generator::block(const ast::BlockExpr &expr) {
  if (expr.isPrecise && programType != f64Type && !isPrecise())
    return Precise(*this).block(expr);
  Scope scope(frame->scope);
  llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
  for (const ast::StmtPtr &stmt : expr.statements)
    if (stmt && !messages.areStopped())
      statement(*stmt);
  if (expr.result && ast::isForStatement(*expr.result)) {
    expressionStmt(*expr.result);
    return Value::nothing();
  }
  return expr.result ? evaluate(*expr.result) : Value::nothing();
}

Value Generator::forEach(const ast::ForExpr &expr, bool isStatement) {
  Items items;
  if (auto *range = llvm::dyn_cast_or_null<ast::RangeExpr>(expr.domain.get())) {
    Argument begin = evaluateArgument(*range->begin);
    Argument end = evaluateArgument(*range->end);
    const auto bounds = readItemBounds(rules(), begin, end);
    if (checker && !bounds)
      return checker->forEach(expr, Type::integer());
    if (!bounds)
      return Value::poison();
    auto listed = listItems(rules(), *bounds, maxValueSize, expr.loc);
    if (!listed)
      return Value::poison();
    items = std::move(*listed);
  } else if (expr.domain) {
    Value domain = evaluate(*expr.domain);
    if (domain.is(Value::Kind::Coordinate))
      domain = expandCoordinate(domain, expr.loc);
    if (checker && domain.isPoison())
      return checker->forEach(expr, Type());
    if (domain.isPoison())
      return domain;
    auto listed = readItems(rules(), domain, expr.domain->loc);
    if (!listed)
      return Value::poison();
    items = std::move(*listed);
  }
  std::vector<Value> values;
  Value last = Value::nothing(); // of a statement
  for (const Value &item : items.values) {
    if (!requireUnrolled(rules(), ++unrolled, maxUnrolled, expr.loc)) {
      messages.stop();
      return Value::poison();
    }
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    scope.names[expr.variable.text] = item;
    AroundStatements around(iterations,
                            item.is(Value::Kind::Int)
                                ? item
                                : Value::integer(int64_t(values.size())));
    Value value = evaluate(*expr.body);
    if (value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, expr.loc);
    if (messages.areStopped())
      return Value::poison();
    if (isStatement) {
      last = std::move(value);
      continue;
    }
    if (!requireItemValue(rules(), value, expr.body->loc))
      value = Value::poison();
    values.push_back(std::move(value));
  }
  if (isStatement)
    return last;
  return requireSize(rules(),
                     Value::tuple(std::move(values), std::move(items.tags)),
                     expr.loc);
}
