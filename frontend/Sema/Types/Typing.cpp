//===- Typing.cpp - Types of expressions ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/Operators.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace pmc;

/// Bounds of the time that a loop takes.
static constexpr unsigned maxTypingWork = 100000, maxTypingDepth = 100;

Value Typing::unknown() { return Value::free(Type()); }

RuleContext Typing::rules() const {
  RuleContext context;
  context.isInMap = place.isElement;
  context.real = real;
  return context;
}

static Value knownOr(const std::optional<Value> &value) {
  return value ? *value : Value::free(Type());
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value Typing::evaluate(const ast::Expr &expr, const Place &at) {
  llvm::SaveAndRestore<Place> saved(place, at);
  readsWide = at.readsWide;
  return evaluate(expr);
}

Value Typing::evaluate(const ast::Expr &expr) {
  if (++work > maxTypingWork || depth > maxTypingDepth)
    return unknown();
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  Value value = evaluateKind(expr);
  return value.isPoison() ? unknown() : value;
}

Value Typing::evaluateKind(const ast::Expr &expr) {
  using Kind = ast::Expr::Kind;
  switch (expr.kind) {
  case Kind::Number: {
    auto &number = llvm::cast<ast::NumberExpr>(expr);
    const Unit unit = number.unit.value_or(Unit());
    if (number.isImaginary)
      return Value::complex(Value::integer(0),
                            Value::real(number.value * unit.factor), unit);
    if (number.isInteger && number.integer > uint64_t(INT64_MAX))
      return unknown();
    return number.isInteger && !number.unit
               ? Value::integer(int64_t(number.integer))
               : Value::real(number.value * unit.factor, unit);
  }
  case Kind::String:
    return Value::string(llvm::cast<ast::StringExpr>(expr).value);
  case Kind::Bool:
    return Value::boolean(llvm::cast<ast::BoolExpr>(expr).value);
  case Kind::Ref:
    return lookUp(llvm::cast<ast::RefExpr>(expr).name);
  case Kind::Unary: {
    auto &e = llvm::cast<ast::UnaryExpr>(expr);
    return unary(e.op, evaluate(*e.operand));
  }
  case Kind::Binary: {
    auto &e = llvm::cast<ast::BinaryExpr>(expr);
    const bool isAnd = e.op == ast::BinaryOp::And;
    const Value lhs = evaluate(*e.lhs);
    if ((isAnd || e.op == ast::BinaryOp::Or) && lhs.is(Value::Kind::Bool))
      return lhs.getBool() == isAnd ? evaluate(*e.rhs) : lhs;
    return binary(e.op, lhs, evaluate(*e.rhs));
  }
  case Kind::If:
    return ifExpr(llvm::cast<ast::IfExpr>(expr));
  case Kind::Call:
    return callExpr(llvm::cast<ast::CallExpr>(expr));
  case Kind::Index:
    return index(llvm::cast<ast::IndexExpr>(expr));
  case Kind::Member:
    return member(llvm::cast<ast::MemberExpr>(expr));
  case Kind::With:
    return with(llvm::cast<ast::WithExpr>(expr));
  case Kind::Tuple: {
    std::vector<Value> parts;
    for (const ast::ExprPtr &part : llvm::cast<ast::TupleExpr>(expr).elements)
      parts.push_back(part ? expanded(evaluate(*part)) : unknown());
    return Value::tuple(std::move(parts));
  }
  case Kind::Record:
    return record(llvm::cast<ast::RecordExpr>(expr).fields);
  case Kind::Lambda:
    return closure(nullptr, &llvm::cast<ast::LambdaExpr>(expr), place.module);
  case Kind::Block:
    return block(llvm::cast<ast::BlockExpr>(expr));
  case Kind::For:
    return forEach(llvm::cast<ast::ForExpr>(expr));
  case Kind::Loop:
    return loop(llvm::cast<ast::LoopExpr>(expr));
  case Kind::Stack: {
    auto &stack = llvm::cast<ast::StackExpr>(expr);
    const Value next = evaluate(*stack.next);
    return Value::tuple({next, evaluate(*stack.stacked)});
  }
  case Kind::Map:
    return map(llvm::cast<ast::MapExpr>(expr));
  case Kind::Bins:
    return bins(llvm::cast<ast::BinsExpr>(expr));
  case Kind::Range: {
    auto &range = llvm::cast<ast::RangeExpr>(expr);
    const Value begin = evaluate(*range.begin);
    return Value::range(begin, evaluate(*range.end));
  }
  }
  return unknown();
}

/// The value with fields of `to` in place of fields of `from`.
static Value withStorage(const Value &value, Storage from, Storage to) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(withStorage(part, from, to));
    return value.withElements(std::move(parts));
  }
  const bool isComplexHere = value.isFieldOf(complexOf(from));
  if (!value.isFieldOf(from) && !isComplexHere)
    return value;
  const Value field =
      Value::field(value.getDims().vec(), isComplexHere ? complexOf(to) : to,
                   value.getUnit());
  return value.hasAnyUnit() ? field.withAnyUnit() : field;
}

/// In a block `precise`, fields of the program have elements of f64.
Value Typing::lookUp(llvm::StringRef name) {
  const Value value = find(name);
  return isPrecise() && !place.isElement
             ? withStorage(value, programReal, Storage::F64)
             : value;
}

Value Typing::find(llvm::StringRef name) {
  if (place.scope)
    if (const Value *local = place.scope->find(name))
      return *local;
  const Lookup found = program.find(*place.module, name);
  if (found.rival)
    return unknown();
  if (found.symbol) {
    switch (found.symbol->kind) {
    case Symbol::Kind::Function:
      return closure(llvm::cast<ast::FunctionStmt>(found.symbol->stmt), nullptr,
                     found.module);
    case Symbol::Kind::Let:
    case Symbol::Kind::Input:
      if (place.lets)
        if (auto it = place.lets->find(name); it != place.lets->end())
          return it->second;
      return found.symbol->kind == Symbol::Kind::Input ? symbols(found, name)
                                                       : unknown();
    default:
      return symbols(found, name);
    }
  }
  if (auto builtin = findBuiltin(name))
    return *builtin == BuiltinId::Pi ? Value::real(3.14159265358979323846)
                                     : Value::builtin(*builtin);
  return unknown();
}

Value Typing::closure(const ast::FunctionStmt *function,
                      const ast::LambdaExpr *lambda, const ModuleInfo *module) {
  const void *node = function ? static_cast<const void *>(function) : lambda;
  const Captures &captures = resolution.getCaptures(node);
  std::vector<std::string> names;
  std::vector<Value> values;
  auto add = [&](llvm::StringRef name, const Value &value) {
    names.push_back(name.str());
    values.push_back(value);
  };
  for (llvm::StringRef name : captures.locals)
    if (const Value *value = place.scope ? place.scope->find(name) : nullptr)
      add(name, *value);
  const unsigned locals = names.size();
  if (place.lets)
    for (llvm::StringRef name : captures.lets)
      if (auto it = place.lets->find(name); it != place.lets->end())
        add(name, it->second);
  return Value::closure(function, lambda, module, std::move(names),
                        std::move(values), locals);
}

/// The type of the block as IRGen/Precise.cpp compiles it.
Value Typing::preciseBlock(const ast::BlockExpr &expr) {
  if (place.isElement)
    return unknown();
  Value value;
  {
    llvm::SaveAndRestore<Storage> wide(real, Storage::F64);
    value = block(expr);
  }
  return withStorage(value, Storage::F64, programReal);
}

Value Typing::block(const ast::BlockExpr &expr) {
  if (expr.isPrecise && real != Storage::F64)
    return preciseBlock(expr);
  Scope scope(place.scope);
  llvm::SaveAndRestore<const Scope *> saved(place.scope, &scope);
  for (const ast::StmtPtr &stmt : expr.statements) {
    if (auto *let = llvm::dyn_cast_or_null<ast::LetStmt>(stmt.get())) {
      Value value = let->value ? evaluate(*let->value) : unknown();
      if (let->pattern.isTuple)
        value = expanded(value);
      bind(let->pattern, value, scope);
    } else if (auto *fn =
                   llvm::dyn_cast_or_null<ast::FunctionStmt>(stmt.get())) {
      Value value = closure(fn, nullptr, place.module);
      scope.names[fn->name.text] = std::move(value);
    } else if (auto *optimize =
                   llvm::dyn_cast_or_null<ast::OptimizeStmt>(stmt.get())) {
      this->optimize(*optimize, scope);
    }
  }
  return expr.result ? evaluate(*expr.result) : unknown();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value Typing::member(const ast::MemberExpr &expr) {
  const Value base = evaluate(*expr.base);
  const Value *value =
      base.isRecord() ? base.findMember(expr.member.text) : nullptr;
  return value ? *value : unknown();
}

Value Typing::record(const std::vector<ast::RecordField> &fields) {
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const ast::RecordField &field : fields) {
    names.push_back(field.name.text);
    values.push_back(field.value ? expanded(evaluate(*field.value))
                                 : unknown());
  }
  return Value::record(std::move(names), std::move(values));
}

Value Typing::with(const ast::WithExpr &expr) {
  if (!expr.updates.empty())
    return updated(expr);
  const Value base = evaluate(*expr.base);
  const Value changes = record(expr.fields);
  if (base.isPoison() || changes.isPoison())
    return unknown();
  auto values = changeMembers(rules(), expr, base, changes);
  return values ? base.withElements(std::move(*values)) : unknown();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Typing::unary(ast::UnaryOp op, const Value &operand) {
  return lift(operand, [&](Elements v) { return shapeOfUnary(op, v[0]); });
}

Value Typing::binary(ast::BinaryOp op, const Value &a, const Value &b) {
  const bool isEquality = op == ast::BinaryOp::Eq || op == ast::BinaryOp::Ne;
  if (isEquality && a.is(Value::Kind::String) && b.is(Value::Kind::String))
    return Value::boolean((a.getString() == b.getString()) ==
                          (op == ast::BinaryOp::Eq));
  if (isEquality && a.isDim() && b.isDim())
    return Value::boolean((a.getDim() == b.getDim()) ==
                          (op == ast::BinaryOp::Eq));
  return lift(
      {a, b}, [&](Elements v) { return shapeOfBinary(op, v[0], v[1], real); },
      unitesDims(op));
}

Value Typing::lift(Elements args, ElementFn fn, bool isUnion) {
  const Value *like = nullptr;
  auto isCoordinate = [](const Value &arg) {
    return arg.is(Value::Kind::Coordinate);
  };
  if (llvm::any_of(args, isCoordinate)) {
    std::vector<Value> vectors;
    for (const Value &arg : args)
      vectors.push_back(expanded(arg));
    return lift(vectors, fn, isUnion);
  }
  for (const Value &arg : args) {
    if (arg.isPoison())
      return unknown();
    if (!arg.isTuple() && !arg.isRecord())
      continue;
    if (like && (like->getKind() != arg.getKind() ||
                 like->getElements().size() != arg.getElements().size() ||
                 (arg.isRecord() && !hasSameMembers(*like, arg))))
      return unknown();
    if (!like || (like->isTuple() && like->getTags().empty()))
      like = &arg;
  }
  if (!like)
    return liftFields(args, fn, isUnion);
  std::vector<Value> results;
  for (size_t i = 0, n = like->getElements().size(); i < n; ++i) {
    if (++work > maxTypingWork)
      return unknown();
    llvm::SmallVector<Value, 2> parts;
    for (const Value &arg : args)
      parts.push_back(arg.isTuple()    ? partsLike(arg, *like)[i]
                      : arg.isRecord() ? *arg.findMember(like->getNames()[i])
                                       : arg);
    results.push_back(lift(parts, fn, isUnion));
  }
  return like->isTuple()
             ? Value::tuple(std::move(results), like->getTags().vec())
             : like->withElements(std::move(results));
}

/// As a map reads it; in records and tuples, too.
Value Typing::element(const Value &value) {
  if (value.is(Value::Kind::Coordinate))
    return expanded(value);
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(element(part));
    return value.withElements(std::move(parts));
  }
  if (!value.isField())
    return value;
  readsWide |= place.isElement && value.isFieldOf(Storage::F64);
  const bool isWidened = isPrecise() && value.isFieldOf(programReal);
  const Value result =
      isComplex(value.getStorage())
          ? Value::complex(Value::scalar(real), Value::scalar(real),
                           value.getUnit())
          : Value::scalar(isWidened ? real : value.getStorage(),
                          value.getUnit());
  return value.hasAnyUnit() ? result.withAnyUnit() : result;
}

Value Typing::liftFields(Elements args, ElementFn fn, bool isUnion) {
  std::vector<std::vector<Dim>> fields;
  bool isWide = false;
  llvm::SmallVector<Value, 2> values;
  for (const Value &arg : args) {
    if (!arg.isElementwise())
      return unknown();
    values.push_back(element(arg));
    if (!arg.isField())
      continue;
    fields.push_back(arg.getDims().vec());
    isWide |= arg.isFieldOf(Storage::F64) && real != Storage::F64;
  }
  if (fields.empty() || place.isElement)
    return knownOr(fn(values));
  const std::vector<Dim> dims = broadcast(fields, isUnion);
  const std::optional<Value> one = fn(values);
  if (dims.empty() || !one)
    return unknown();
  Storage storage = real;
  if (one->isBoolLike())
    storage = Storage::I1;
  else if (one->isComplex())
    storage = complexOf(real);
  else if (one->isIntLike() && (one->isScalar() || one->isElement()))
    storage = Storage::I64;
  else if (one->isScalar() && isWide)
    storage = one->getStorage();
  const Value field = Value::field(dims, storage, one->getUnit());
  return one->hasAnyUnit() ? field.withAnyUnit() : field;
}
