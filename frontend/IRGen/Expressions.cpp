//===- Expressions.cpp - Names, members, tuples, blocks -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/DimMessages.h"

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
      "this is the first value that is not finite; numbers of f32 end at 3e38, "
      "which --precision=f64 or other units avoid",
      mlir::ValueRange())
      ->setAttr("failure", builder.getUnitAttr());
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
      ->setAttr("failure", builder.getUnitAttr());
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
    return reference(llvm::cast<ast::RefExpr>(expr));
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
    if (expr.integer > uint64_t(INT64_MAX))
      return error(expr.loc, "this is too large for an int");
    return Value::integer(int64_t(expr.integer));
  }
  return Value::real(value, unit);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Value Generator::lookUp(llvm::StringRef name, llvm::SMLoc loc) {
  if (frame->scope)
    if (const Value *local = frame->scope->find(name))
      return *local;
  Lookup found = program.find(*frame->module, name);
  if (found.rival)
    return Value::poison(); // the resolver has said so
  if (found.symbol)
    return symbolValue(found, name, loc);
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
    return error(loc, "undefined name '" + name + "'");
  return Value::poison();
}

Value Generator::reference(const ast::RefExpr &expr) {
  return lookUp(expr.name, expr.loc);
}

const ast::InputStmt *Generator::inputNamed(llvm::StringRef name) const {
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
      else if (auto *input = inputNamed(name))
        value = inputValue(name, *input, loc);
      else
        continue;
      names.push_back(name.str());
      values.push_back(std::move(value));
    }
  return checkSize(Value::closure(function, lambda, owner, std::move(names),
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
    return error(expr.loc, base.describeType() + " is not called here; write "
                                                 "its arguments in (…)");
  }
  if (base.isStream())
    return Streams(*this).read(base, expr);
  if (base.isClosure())
    return error(expr.loc, "a function is not called here; write its "
                           "arguments in (…) behind the dims");
  return neighbors(base, expr);
}

/// `c.omega_de`, where `omega_de` is a function, was to be `omega_de(c)`.
std::string Generator::suggestCall(const ast::MemberExpr &expr) const {
  llvm::StringRef name = expr.member.text;
  std::vector<llvm::StringRef> more; // arguments that it needs, too
  const Symbol *symbol = program.find(*frame->module, name).symbol;
  if (std::optional<BuiltinId> id = findBuiltin(name)) {
    const BuiltinInfo &info = getBuiltinInfo(*id);
    if (info.required > 1)
      more.assign(info.params.begin() + 1, info.params.begin() + info.required);
  } else if (symbol && symbol->kind == Symbol::Kind::Function) {
    const auto &function = llvm::cast<ast::FunctionStmt>(*symbol->stmt);
    if (function.params.empty())
      return "";
    for (const ast::FnParam &param : llvm::drop_begin(function.params))
      if (!param.defaultValue)
        more.push_back(param.name.text);
  } else {
    return "";
  }
  const llvm::SMRange &range = expr.base->range;
  llvm::StringRef base(range.Start.getPointer(),
                       range.End.getPointer() - range.Start.getPointer());
  if (base.size() > 60 || base.contains('\n'))
    base = "…";
  std::string call = ("; write " + name + "(" + base).str();
  for (llvm::StringRef param : more)
    call += (", " + param).str();
  return call + ")";
}

Value Generator::member(const ast::MemberExpr &expr) {
  Value base = evaluate(*expr.base);
  if (base.isPoison() && !(base.isFree() && base.getKnown().isKnown()))
    return base;
  if (!base.isRecord()) {
    llvm::StringRef name = expr.member.text;
    std::string more = name == "shape" || name == "size"
                           ? "; cells(x) is the number of cells of a dim x"
                           : suggestCall(expr);
    return error(expr.member.loc, base.describeType() +
                                      " has no members, so no '" + name + "'" +
                                      more)
        .range(expr.base->range);
  }
  if (const Value *value = base.findMember(expr.member.text))
    return *value;
  llvm::SmallVector<llvm::StringRef> names(base.getNames().begin(),
                                           base.getNames().end());
  std::string more = suggestCall(expr);
  if (more.empty())
    more = suggest(expr.member.text, names);
  return error(expr.member.loc, base.describeType() + " has no member '" +
                                    expr.member.text + "'" + more);
}

Value Generator::record(llvm::ArrayRef<ast::RecordField> fields,
                        llvm::SMLoc loc) {
  std::vector<std::string> names;
  std::vector<Value> values;
  llvm::StringMap<llvm::SMLoc> seen;
  bool ok = true;
  for (const ast::RecordField &field : fields) {
    Value value = field.value ? evaluate(*field.value) : Value::poison();
    auto [it, isNew] = seen.try_emplace(field.name.text, field.name.loc);
    if (!isNew) {
      error(field.name.loc, "the member '" + field.name.text +
                                "' is twice in "
                                "this record")
          .note(it->second, "the first one");
      ok = false;
    }
    if (value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, loc);
    if (value.is(Value::Kind::Nothing))
      value = error(field.name.loc, "'" + field.name.text + "' has no value");
    names.push_back(field.name.text);
    values.push_back(std::move(value));
  }
  if (!ok)
    return Value::poison();
  return checkSize(Value::record(std::move(names), std::move(values)), loc);
}

Value Generator::withFields(const ast::WithExpr &expr) {
  if (!expr.updates.empty())
    return withCells(expr);
  Value base = evaluate(*expr.base);
  Value changes = record(expr.fields, expr.loc);
  if (base.isPoison() || changes.isPoison())
    return Value::poison();
  if (!base.isRecord())
    return error(
        expr.loc,
        "'with' changes members of a record, not of " + base.describeType() +
            (base.isField() ? "; cells are changed by [dim = cell]" : ""));
  std::vector<Value> values(base.getElements());
  llvm::SmallVector<llvm::StringRef> names(base.getNames().begin(),
                                           base.getNames().end());
  bool ok = true;
  for (auto [field, value] :
       llvm::zip_equal(expr.fields, changes.getElements())) {
    auto it = llvm::find(base.getNames(), field.name.text);
    if (it != base.getNames().end()) {
      values[it - base.getNames().begin()] = value;
      continue;
    }
    error(field.name.loc, base.describeType() + " has no member '" +
                              field.name.text + "'" +
                              suggest(field.name.text, names));
    ok = false;
  }
  if (!ok)
    return Value::poison();
  return checkSize(base.withElements(std::move(values)), expr.loc);
}

Value Generator::tuple(const ast::TupleExpr &expr) {
  std::vector<Value> values;
  for (const ast::ExprPtr &element : expr.elements) {
    Value value = element ? evaluate(*element) : Value::poison();
    if (value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, expr.loc);
    if (value.is(Value::Kind::Nothing))
      value = error(element->loc, "this has no value");
    if (value.isPoison() && !tick(expr.loc))
      return value;
    values.push_back(std::move(value));
  }
  return checkSize(Value::tuple(std::move(values)), expr.loc);
}

Value Generator::block(const ast::BlockExpr &expr) {
  Scope scope(frame->scope);
  llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
  for (const ast::StmtPtr &stmt : expr.statements)
    if (stmt && !gaveUp)
      statement(*stmt);
  if (expr.result && ast::isForStatement(*expr.result)) {
    expressionStmt(*expr.result);
    return Value::nothing();
  }
  return expr.result ? evaluate(*expr.result) : Value::nothing();
}

Value Generator::forEach(const ast::ForExpr &expr, bool isStatement) {
  std::vector<Value> items;
  std::vector<Dim> tags;
  if (auto *range = llvm::dyn_cast_or_null<ast::RangeExpr>(expr.domain.get())) {
    Argument begin = evaluateArgument(*range->begin);
    Argument end = evaluateArgument(*range->end);
    constexpr int64_t limit = int64_t(1) << 40;
    auto first =
        constInt(begin, "the bound of an unrolled 'for'", -limit, limit);
    auto last = constInt(end, "the bound of an unrolled 'for'", -limit, limit);
    if (checker && (!first || !last))
      return checker->forEach(expr, Type::integer());
    if (!first || !last)
      return Value::poison();
    if (*last - *first > int64_t(maxValueSize))
      return error(expr.loc, "this 'for' makes a vector of " +
                                 llvm::Twine(*last - *first) +
                                 " components; use a loop");
    for (int64_t i = *first; i < *last; ++i)
      items.push_back(Value::integer(i));
  } else if (expr.domain) {
    Value domain = evaluate(*expr.domain);
    if (domain.is(Value::Kind::Coordinate))
      domain = expandCoordinate(domain, expr.loc);
    if (checker && domain.isPoison())
      return checker->forEach(expr, Type());
    if (domain.isPoison())
      return domain;
    if (domain.isDim())
      domain = Value::tuple({domain});
    if (!domain.isTuple())
      return error(expr.domain->loc, "'for' runs over dims, a vector or a "
                                     "range, not over " +
                                         domain.describeType());
    items = domain.getElements();
    tags = domain.getTags().vec();
    if (!items.empty() &&
        llvm::all_of(items, [](const Value &v) { return v.isDim(); })) {
      tags.clear();
      for (const Value &item : items)
        tags.push_back(item.getDim().getSpaceDim());
    }
  }
  std::vector<Value> values;
  for (const Value &item : items) {
    if (++unrolled > maxUnrolled) {
      error(expr.loc, "the unrolled loops of this program have more than " +
                          llvm::Twine(maxUnrolled) + " iterations");
      gaveUp = true;
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
    if (gaveUp)
      return Value::poison();
    if (isStatement)
      continue;
    if (value.is(Value::Kind::Nothing))
      value = error(expr.body->loc, "the body of 'for' has no value");
    values.push_back(std::move(value));
  }
  if (isStatement)
    return Value::nothing();
  return checkSize(Value::tuple(std::move(values), std::move(tags)), expr.loc);
}
