//===- FreeChecker.cpp - Checks functions that no call reaches ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Checks/FreeChecker.h"

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Rules/Values.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// Bounds of the time that a check takes: of a function, and of all.
static constexpr uint64_t maxFreeWork = 50'000, maxAllFreeWork = 400'000;
/// Calls of functions that a check follows.
static constexpr size_t maxFreeCalls = 24;

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

void FreeChecker::run() {
  // The first evaluation reports the mistakes of a spec that is evaluated
  // again, with another function of the library.
  if (g.messages.areStopped() || g.options.alternative)
    return;
  llvm::DenseSet<mlir::Operation *> kept;
  for (mlir::Operation &op : g.module->getBodyRegion().front())
    kept.insert(&op);
  llvm::StringMap<DimInfo> dims = g.dims;
  // Calls between these functions are no reason to leave one out, but a local
  // function needs no check of its own once it has been called.
  const llvm::DenseSet<const void *> called = g.evaluatedBodies;
  g.checker = this;
  g.messages.setFilter(this);
  for (const FunctionBody &body : g.resolution.getBodies()) {
    if (body.module->isLibrary || !body.node())
      continue;
    const bool isDone = body.isLocal ? g.evaluatedBodies.contains(body.node())
                                     : called.contains(body.node());
    if (!isDone && allWork < maxAllFreeWork)
      check(body);
    if (g.diags.limitReached())
      break;
  }
  g.checker = nullptr;
  g.messages.setFilter(nullptr);
  g.dims = std::move(dims);
  llvm::SmallVector<mlir::Operation *> made;
  for (mlir::Operation &op : g.module->getBodyRegion().front())
    if (!kept.contains(&op))
      made.push_back(&op);
  for (mlir::Operation *op : made)
    op->erase();
}

void FreeChecker::check(const FunctionBody &body) {
  work = 0;
  g.freeBranches = 0;
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  g.builder.setInsertionPoint(g.mainFunction);
  // No spec can name it.
  auto function =
      mlir::func::FuncOp::create(g.builder, g.module->getLoc(), "pmc.check",
                                 g.builder.getFunctionType({}, {}));
  function.setPrivate();
  mlir::Block *block = function.addEntryBlock();
  g.builder.setInsertionPointToEnd(block);
  Prologue entry;
  entry.block = block;
  Frame frame;
  frame.module = body.module;
  frame.entry = &entry;
  static const llvm::StringMap<Value> none;
  frame.lets = body.module->isMain ? &g.topLevelLets : &none;
  Scope scope;
  frame.scope = &scope;
  llvm::SaveAndRestore<Frame *> savedFrame(g.frame, &frame);
  llvm::SaveAndRestore<bool> effects(g.effectsSeen, false);
  llvm::SaveAndRestore<bool> states(g.statesSeen, false);
  llvm::SaveAndRestore<unsigned> depth(g.loopDepth, 0u);
  llvm::SaveAndRestore<uint64_t> unrolled(g.unrolled, 0);
  llvm::SaveAndRestore<const ast::StackExpr *> stacking(g.stacking, nullptr);
  const void *node = body.node();
  for (llvm::StringRef name : g.resolution.getCaptures(node).locals)
    scope.names[name] = unknown();
  checkBody(body);
  // Values of the function that is erased.
  results.clear();
  function.erase();
  allWork += work;
  if (!g.diags.limitReached() &&
      !(g.options.observer && g.options.observer->isCancelled()))
    g.messages.resume();
}

void FreeChecker::checkBody(const FunctionBody &body) {
  g.evaluatedBodies.insert(body.node());
  Scope &scope = *g.frame->scope;
  if (body.lambda) {
    for (const ast::Name &param : body.lambda->params)
      scope.names[param.text] = unknown();
    if (body.lambda->body)
      g.evaluate(*body.lambda->body);
    return;
  }
  const ast::FunctionStmt &function = *body.function;
  bindDims(function, scope);
  bindParameters(function, scope);
  if (!function.body)
    return;
  Argument result = g.evaluateArgument(*function.body);
  if (!function.resultType || result.value.is(Value::Kind::Coordinate))
    return;
  if (auto *block = llvm::dyn_cast<ast::BlockExpr>(function.body.get()))
    if (block->result)
      result.loc = block->result->loc, result.range = block->result->range;
  g.matchType(*function.resultType, result,
              "the value of '" + function.name.text + "'", scope, {});
}

void FreeChecker::bindDims(const ast::FunctionStmt &function, Scope &scope) {
  for (const ast::Name &dim : function.dimParams)
    scope.names[dim.text] = isDimListName(dim.text)
                                ? unknown()
                                : Value::free(Type(Type::Kind::Dim));
}

void FreeChecker::bindDims(const ast::TypeExpr &type, Scope &scope,
                           const llvm::StringSet<> &variables) {
  for (const ast::ExprPtr &dim : type.dims) {
    llvm::StringRef name = dim ? getDimName(*dim) : "";
    if (!name.empty() && variables.contains(name) && !scope.names.count(name))
      scope.names[name] = unknown();
  }
}

void FreeChecker::bindParameters(const ast::FunctionStmt &function,
                                 Scope &scope) {
  for (const ast::FnParam &param : function.params)
    if (param.type)
      for (const ast::ExprPtr &dim : param.type->dims) {
        llvm::StringRef name = dim ? getDimName(*dim) : "";
        if (!name.empty() && !scope.names.count(name))
          scope.names[name] = unknown();
      }
  for (const ast::FnParam &param : function.params) {
    Value value = unknown();
    Argument given;
    if (param.defaultValue)
      given = g.evaluateArgument(*param.defaultValue);
    if (param.type) {
      if (param.defaultValue)
        g.matchType(*param.type, given,
                    "'" + param.name.text + "' of '" + function.name.text + "'",
                    scope, {});
      value = Value::free(Type::declared(*param.type, describe(*param.type)));
    }
    scope.names[param.name.text] = value;
    g.observe(param.name, value);
  }
}

//===----------------------------------------------------------------------===//
// What the Generator asks
//===----------------------------------------------------------------------===//

bool FreeChecker::tick(uint64_t amount) {
  work += amount;
  return work <= maxFreeWork;
}

bool FreeChecker::isSilent() const {
  return work > maxFreeWork ||
         (g.freeBranches > 0 && g.messages.countCalls() > 0);
}

bool FreeChecker::isNew(llvm::SMLoc loc, const std::string &text) {
  return reported.insert({loc.getPointer(), text}).second;
}

bool FreeChecker::isCertain() const {
  return g.freeBranches == 0 && g.messages.countCalls() > 0 &&
         !g.frame->element && g.frame->entry &&
         g.builder.getBlock() == g.frame->entry->block;
}

bool FreeChecker::mayNest() const {
  return g.messages.countCalls() < maxFreeCalls;
}

bool FreeChecker::isInMap() const {
  return g.frame->element || g.frame->inFreeMap;
}

Value FreeChecker::adopt(const Value &value) const {
  if (value.isFree())
    return isInMap() ? Value::free(value.getKnown().asElement()) : value;
  if (value.isPoison())
    return unknown();
  if (value.isField() && g.frame->inFreeMap)
    return Value::free(typeOf(value).asElement());
  return value;
}

Type FreeChecker::typeOf(const Value &value) {
  return pmc::typeOf(value, /*named=*/true);
}

/// As a loop carries it: a constant is only the first value.
Value FreeChecker::widen(const Value &value) const {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(widen(part));
    return value.withElements(std::move(parts));
  }
  Type type = typeOf(value);
  if (value.isFunction() || value.isDim() || value.is(Value::Kind::String))
    return value;
  // An int may become an f64, and a zero of any unit has one in the end.
  if (type.getElement() == Type::Element::Int || !type.getQuantity().isKnown())
    type = Type(type.getKind(),
                type.getElement() == Type::Element::Int ? Type::Element::Number
                                                        : type.getElement(),
                type.getQuantity().isKnown() ? type.getQuantity()
                                             : Quantity::unknown());
  return Value::free(type);
}

//===----------------------------------------------------------------------===//
// Operators and declared types
//===----------------------------------------------------------------------===//

Value FreeChecker::report(const Judgment &judgment, const OperatorSite &site) {
  (void)accept(g.rules(), judgment, site);
  return Value::free(judgment.type);
}

Value FreeChecker::unary(ast::UnaryOp op, const Value &value, llvm::SMLoc loc) {
  return report(judgeUnary(op, typeOf(value)), {loc, {}, {}});
}

Value FreeChecker::binary(ast::BinaryOp op, const Value &a, const Value &b,
                          const OperatorSite &site) {
  return report(
      judgeBinary(op, typeOf(a), typeOf(b), {b.getConstReal(), b.isFree()}),
      site);
}

Value FreeChecker::match(const ast::TypeExpr &type, const Argument &arg,
                         llvm::StringRef what) {
  return checkFree(g.rules(), type, arg, what, isInMap());
}

void FreeChecker::checkEdge(const ast::Expr *edge, size_t count) {
  if (!edge)
    return;
  Argument given = g.evaluateArgument(*edge);
  if (given.value.is(Value::Kind::String))
    (void)readEdges(g.rules(), given, count,
                    [](const Value &) { return true; });
}

/// Offsets of neighbors are ints that the compiler knows.
void FreeChecker::checkOffset(const SumIndex &index) {
  const bool isOfProgram =
      index.value.isField() ||
      (index.value.isRealNumber() && !index.value.isConstNumber());
  if (!index.value.isPoison() && !index.terms.empty() && !isOfProgram)
    (void)readOffset(g.rules(), {"", {}, index.value, index.loc, index.range});
}

Value FreeChecker::shift(const Value &base, const ast::CallExpr &expr) {
  const ast::Expr *edge = nullptr;
  for (const ast::Argument &arg : llvm::drop_begin(expr.args)) {
    if (!arg.value)
      continue;
    if (arg.name.text == "edge") {
      edge = arg.value.get();
      continue;
    }
    Argument offset = g.evaluateArgument(*arg.value);
    checkOffset({{{pm::DimAttr(), 1}}, offset.value, offset.loc, offset.range});
  }
  checkEdge(edge, std::max<size_t>(expr.args.size(), 3) - 2);
  return base.isFree() ? base : unknown();
}

Value FreeChecker::index(const Value &base, const ast::IndexExpr &expr) {
  for (const ast::ExprPtr &index : expr.indices)
    if (index)
      checkOffset(g.evaluateSum(*index));
  for (const ast::Argument &cell : expr.cells)
    if (cell.value)
      (void)g.evaluateSum(*cell.value);
  checkEdge(expr.edge.get(), expr.indices.size() + expr.cells.size());
  if (!base.isFree())
    return unknown();
  const Type &type = base.getKnown();
  if (!type.mayBeNumeric() || type.is(Type::Kind::Number))
    if (!type.is(Type::Kind::Function))
      return requireComponents(g.rules(), base, {}, expr.loc) ? base
                                                              : Value::poison();
  const bool isMoved = type.is(Type::Kind::Field) && expr.cells.empty();
  return Value::free(isMoved ? type : Type::in(type.getQuantity()));
}
