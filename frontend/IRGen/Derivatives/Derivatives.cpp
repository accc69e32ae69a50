//===- Derivatives.cpp - grad, value_and_grad, vjp, jvp -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// grad(f) is a value of the compiler. Where it is applied, f becomes a function
// of what it captured and of the arguments (its primal), and pm.vjp or pm.jvp
// of that function stands for the call. Numbers that f is differentiated with
// respect to are run-time values, also those that the compiler knows.
//
// The unit of a gradient is that of the result over that of the argument; so it
// is for directions: a tangent in u times the unit of its argument gives one in
// u times the unit of the result.
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Derivatives.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/ValueKey.h"

#include "dialect/IR/Markers/PMSchedules.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using Mode = Derivation::Mode;

struct Generator::Primal {
  Instance *instance = nullptr;
  llvm::SmallVector<mlir::Value> operands;
  Value active;                        // the arguments, or a tuple of them
  llvm::SmallVector<int64_t> position; // of the run-time parts of `active`

  /// The order in which the ops want these parts.
  llvm::SmallVector<unsigned> getOrder() const {
    auto order = llvm::to_vector(llvm::seq(0U, unsigned(position.size())));
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return position[a] < position[b];
    });
    return order;
  }
  llvm::SmallVector<int64_t> getPositions() const {
    llvm::SmallVector<int64_t> sorted(position);
    llvm::sort(sorted);
    return sorted;
  }
};

//===----------------------------------------------------------------------===//
// grad(f, wrt = (a, b))
//===----------------------------------------------------------------------===//

/// `a` or `(a, b)`: names of parameters, which are not evaluated.
Argument Generator::parameterNames(const ast::Expr &expr) {
  return {"", {}, readParameterNames(rules(), expr), expr.loc, expr.range};
}

Value Generator::callDerivative(BuiltinCall &call) {
  const Argument &f = call[0];
  std::string name = ("'" + call.info.name + "'").str();
  for (const std::optional<Argument> &arg : call.args)
    if (arg && arg->value.isPoison())
      return Value::poison();
  if (!accepts(call))
    return Value::poison();
  auto wrt = readParameters(rules(), name, f, call.has(1) ? &call[1] : nullptr);
  if (!wrt)
    return Value::poison();
  Derivation derivation;
  derivation.mode = call.info.id == BuiltinId::Grad  ? Mode::Grad
                    : call.info.id == BuiltinId::VJP ? Mode::VJP
                    : call.info.id == BuiltinId::JVP ? Mode::JVP
                                                     : Mode::ValueAndGrad;
  if (derivation.mode == Mode::JVP)
    return Value::derivative(f.value, std::move(*wrt), derivation);
  derivation.schedule = pmc::scheduleOf(options.schedule);
  derivation.snapshots =
      options.schedule == pm::Schedule::Revolve ? options.snapshots : 0;
  const auto known =
      readSchedule(rules(), derivation, call.has(2) ? &call[2] : nullptr,
                   call.has(3) ? &call[3] : nullptr, call.loc);
  return known ? Value::derivative(f.value, std::move(*wrt), *known)
               : Value::poison();
}

//===----------------------------------------------------------------------===//
// The function that is differentiated
//===----------------------------------------------------------------------===//

bool Generator::buildPrimal(const Value &function,
                            llvm::ArrayRef<std::string> wrt,
                            llvm::ArrayRef<Argument> args, llvm::SMLoc loc,
                            llvm::ArrayRef<pm::DimAttr> list, Primal &primal) {
  llvm::SmallVector<std::string> names = parametersOf(function);
  std::vector<Argument> actual(args.begin(), args.end());
  // Which argument is whose; what is wrong with them is said where the function
  // is applied to them.
  llvm::StringMap<Argument *> byName;
  size_t position = 0;
  for (Argument &arg : actual) {
    if (!arg.name.empty())
      byName.try_emplace(arg.name, &arg);
    else if (position < names.size())
      byName.try_emplace(names[position++], &arg);
  }
  std::vector<Value> active;
  for (const std::string &name : wrt) {
    Argument *arg = byName.lookup(name);
    if (!requireActive(rules(), name, arg != nullptr, loc))
      return false;
    const ast::FnParam *param = findParameter(function, name);
    Value value = arg->value;
    if (param && param->type && param->type->unit && value.hasAnyUnit() &&
        value.isElementwise())
      value = value.withUnit(*param->type->unit);
    Value shape = activeShape(rules(), value, *arg, name);
    if (shape.isPoison())
      return false;
    llvm::SmallVector<mlir::Value> leaves;
    convertTo(value, shape, arg->loc, leaves);
    unsigned next = 0;
    arg->value = rebuild(shape, leaves, next);
    active.push_back(arg->value);
  }

  flatten(function, primal.operands);
  llvm::DenseMap<const Argument *, unsigned> first;
  for (const Argument &arg : actual) {
    first[&arg] = primal.operands.size();
    flatten(arg.value, primal.operands);
  }
  for (auto [name, value] : llvm::zip_equal(wrt, active)) {
    unsigned begin = first.lookup(byName.lookup(name));
    llvm::SmallVector<mlir::Value> leaves;
    flatten(value, leaves);
    for (unsigned i = 0; i < leaves.size(); ++i)
      primal.position.push_back(begin + i);
  }
  primal.active =
      active.size() == 1 ? active[0] : Value::tuple(std::move(active));

  std::string key = frame->element ? "de" : frame->scalarsOnly ? "ds" : "df";
  key += isPrecise() ? "p" : "";
  appendKey(key, function);
  for (const Argument &arg : actual) {
    key += arg.name.str() + "=";
    appendKey(key, arg.value);
  }
  for (pm::DimAttr dim : list)
    key += dim.getLabel() + "[" + std::to_string(dim.getExtent()) + "]";
  if (messages.areStopped())
    return false;
  auto [known, isNew] = instanceByKey.try_emplace(key, nullptr);
  if (isNew) {
    Instance *built = buildPrimalInstance(function, actual, loc, list);
    instanceByKey[key] = built;
    primal.instance = built;
  } else {
    primal.instance = known->second;
  }
  if (!primal.instance)
    return false;
  effectsSeen |= primal.instance->hasEffects;
  if (!checkDifferentiated(rules(), primal.instance->keepsStates,
                           findFunctionWithTangents(primal.instance->result),
                           primal.instance->hasEffects, loc))
    return false;
  return checkExpansion(primal.instance->op, /*differentiated=*/true,
                        "the derivative", loc);
}

Instance *Generator::buildPrimalInstance(const Value &function,
                                         llvm::ArrayRef<Argument> args,
                                         llvm::SMLoc loc,
                                         llvm::ArrayRef<pm::DimAttr> list) {
  llvm::SmallVector<mlir::Value> leaves;
  flatten(function, leaves);
  for (const Argument &arg : args)
    flatten(arg.value, leaves);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  mlir::LocationAttr noCallers;
  llvm::SaveAndRestore<mlir::LocationAttr> callers(frame->callers, noCallers);
  mlir::Location at = getLoc(loc);
  const ast::FunctionStmt *named =
      function.isClosure() ? function.getFunction() : nullptr;
  mlir::TypeRange types{mlir::ValueRange(leaves)};
  auto op = mlir::func::FuncOp::create(
      builder, at, uniqueName(named ? named->name.text : "primal"),
      builder.getFunctionType(types, {}));
  op.setPrivate();
  mlir::Block *body = op.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Prologue entry;
  entry.block = body;
  unsigned next = 0;
  Value callee = rebuild(function, body->getArguments(), next);
  std::vector<Argument> inner(args.begin(), args.end());
  for (Argument &arg : inner)
    arg.value = rebuild(arg.value, body->getArguments(), next);
  Scope scope;
  Frame own;
  own.module = frame->module;
  own.scope = &scope;
  own.entry = &entry;
  own.scalarsOnly = frame->element
                        ? "in a function that is differentiated inside of a map"
                        : frame->scalarsOnly;
  own.libraryCall = frame->libraryCall;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &own);
  llvm::SaveAndRestore<bool> savedEffects(effectsSeen, false);
  llvm::SaveAndRestore<bool> savedStates(statesSeen, false);
  llvm::SaveAndRestore<unsigned> savedDepth(loopDepth, 0u);
  // A function's own adjoint belongs to its instance.
  Value result;
  if (callee.isPoison()) {
    // It captured what has an error.
  } else if (named && !named->hasManualDerivative()) {
    Binding binding;
    result = bindFunction(callee, {inner, loc, !list.empty(), list}, binding)
                 ? expandInline(callee, binding, loc)
                 : Value::poison();
  } else {
    result = apply(callee, {inner, loc, !list.empty(), list});
  }
  if (result.isPoison() || messages.areStopped()) {
    op.erase();
    return nullptr;
  }
  Value shape = liveShape(result);
  llvm::SmallVector<mlir::Value> results;
  convertTo(result, shape, loc, results);
  next = 0;
  shape = rebuild(shape, results, next);
  mlir::func::ReturnOp::create(builder, at, results);
  op.setFunctionType(builder.getFunctionType(
      types, mlir::TypeRange(mlir::ValueRange(results))));
  measure(op);
  instances.push_back({op, std::move(shape), effectsSeen, statesSeen});
  return &instances.back();
}

//===----------------------------------------------------------------------===//
// grad(f)(a, b)
//===----------------------------------------------------------------------===//

Value Generator::pullBack(const Derivation &derivation, Primal &primal,
                          const Argument *direction, llvm::SMLoc loc) {
  mlir::Location at = getLoc(loc);
  const Value &shape = primal.instance->result;
  llvm::SmallVector<mlir::Value> results, cotangents;
  flatten(shape, results);
  Unit unit = shape.getUnit();
  if (!direction) {
    if (!requireRealValue(rules(), derivation.mode, shape, loc))
      return Value::poison();
    cotangents.push_back(materialize(Value::real(1), lowerType(shape), at));
  } else {
    DirectionRule rule{"'cotangent'", /*isDual=*/true};
    if (!appendDirection(shape, direction->value, *direction, rule, cotangents))
      return Value::poison();
    unit = rule.unit.value_or(Unit());
  }
  llvm::SmallVector<int64_t> of;
  for (auto [index, result] : llvm::enumerate(results))
    if (pm::hasTangent(result.getType()))
      of.push_back(int64_t(index));
  if (!requireTangents(rules(), shape, !of.empty(), loc))
    return Value::poison();

  llvm::SmallVector<unsigned> order = primal.getOrder();
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value result : results)
    types.push_back(result.getType());
  llvm::SmallVector<int64_t> wrt = primal.getPositions();
  for (int64_t position : wrt)
    types.push_back(primal.operands[position].getType());
  bool isRevolve = derivation.schedule == Schedule::Revolve;
  auto op = pm::VJPOp::create(
      builder, at, types,
      mlir::FlatSymbolRefAttr::get(primal.instance->op.getNameAttr()),
      primal.operands, builder.getDenseI64ArrayAttr(wrt),
      builder.getDenseI64ArrayAttr(of), cotangents,
      pm::ScheduleAttr::get(&context, pmc::lower(derivation.schedule)),
      isRevolve ? builder.getI64IntegerAttr(derivation.snapshots)
                : mlir::IntegerAttr());
  if (options.marksSchedules && derivation.isOpen)
    op->setAttr(pm::openSchedule, builder.getUnitAttr());
  unsigned next = 0;
  Value value = rebuild(shape, op.getResults(), next);
  llvm::SmallVector<mlir::Value> gradients(order.size());
  for (auto [index, part] : llvm::enumerate(order))
    gradients[part] = op.getResult(results.size() + index);
  next = 0;
  Value gradient =
      derivativeLike(primal.active, unit, /*dual=*/true, gradients, next);
  return derivation.mode == Mode::Grad ? gradient
                                       : Value::tuple({value, gradient});
}

Value Generator::pushForward(Primal &primal, const Argument &direction,
                             llvm::SMLoc loc) {
  DirectionRule rule{"'tangent'"};
  llvm::SmallVector<mlir::Value> parts, tangents, results;
  if (!appendDirection(primal.active, direction.value, direction, rule, parts))
    return Value::poison();
  for (unsigned part : primal.getOrder())
    tangents.push_back(parts[part]);
  const Value &shape = primal.instance->result;
  flatten(shape, results);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value result : results)
    types.push_back(result.getType());
  llvm::append_range(
      types, llvm::make_filter_range(llvm::SmallVector<mlir::Type>(types),
                                     pm::hasTangent));
  auto op = pm::JVPOp::create(
      builder, getLoc(loc), types,
      mlir::FlatSymbolRefAttr::get(primal.instance->op.getNameAttr()),
      primal.operands, builder.getDenseI64ArrayAttr(primal.getPositions()),
      tangents);
  unsigned next = 0;
  Value value = rebuild(shape, op.getResults(), next);
  return Value::tuple(
      {value, derivativeLike(shape, rule.unit.value_or(Unit()),
                             /*dual=*/false, op.getResults(), next)});
}

Value Generator::applyDerivative(const Value &callee, const Actuals &with) {
  const llvm::SMLoc loc = with.loc;
  if (!checkDerivativeCall(rules(), !frame->inlineCalls,
                           with.hasDims && with.dims.empty(), loc))
    return Value::poison();
  const Derivation &derivation = callee.getDerivation();
  bool forward = derivation.mode == Mode::JVP;
  // In a map, the function is one of the numbers of this element.
  const Value function = frame->element
                             ? capturedElements(callee.getElements()[0], loc)
                             : callee.getElements()[0];
  if (function.isPoison())
    return Value::poison();
  auto split =
      splitDirection(rules(), derivation.mode, function, with.args, loc);
  if (!split)
    return Value::poison();
  auto &[own, direction] = *split;
  if (frame->element) {
    for (Argument &arg : own)
      arg.value = capturedElements(arg.value, arg.loc);
    if (direction)
      direction->value = elements(direction->value, direction->loc);
  }
  Primal primal;
  if (!buildPrimal(function, callee.getNames(), own, loc, with.dims, primal))
    return Value::poison();
  if (forward)
    return pushForward(primal, *direction, loc);
  return pullBack(derivation, primal, direction ? &*direction : nullptr, loc);
}
