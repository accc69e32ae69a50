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

#include "frontend/IRGen/Generator.h"

#include "dialect/IR/PMSchedules.h"

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

/// The names of the parameters of a function.
static llvm::SmallVector<std::string> parametersOf(const Value &function) {
  llvm::SmallVector<std::string> names;
  if (function.is(Value::Kind::Builtin)) {
    for (llvm::StringRef name : getBuiltinInfo(function.getBuiltin()).params)
      names.push_back(name.str());
  } else if (function.is(Value::Kind::Derivative)) {
    names = parametersOf(function.getElements()[0]);
    Mode mode = function.getDerivation().mode;
    if (mode == Mode::JVP)
      names.push_back("tangent");
    else if (mode == Mode::VJP)
      names.push_back("cotangent");
  } else if (const ast::LambdaExpr *lambda = function.getLambda()) {
    for (const ast::Name &param : lambda->params)
      names.push_back(param.text);
  } else {
    for (const ast::FnParam &param : function.getFunction()->params)
      names.push_back(param.name.text);
  }
  return names;
}

/// The declaration of a parameter, if it has one.
static const ast::FnParam *findParameter(const Value &function,
                                         llvm::StringRef name) {
  if (function.is(Value::Kind::Derivative))
    return findParameter(function.getElements()[0], name);
  if (!function.isClosure() || !function.getFunction())
    return nullptr;
  for (const ast::FnParam &param : function.getFunction()->params)
    if (param.name.text == name)
      return &param;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// grad(f, wrt = (a, b))
//===----------------------------------------------------------------------===//

/// `a` or `(a, b)`: names of parameters, which are not evaluated.
Argument Generator::parameterNames(const ast::Expr &expr) {
  std::vector<Value> names;
  auto add = [&](const ast::Expr *part) {
    if (auto *ref = llvm::dyn_cast_or_null<ast::RefExpr>(part)) {
      names.push_back(Value::string(ref->name));
      return;
    }
    names.push_back(Value::poison());
    if (part)
      error(part->loc, "'wrt' takes names of parameters of the function: "
                       "wrt = a, or wrt = (a, b)")
          .range(part->range);
  };
  if (auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr))
    for (const ast::ExprPtr &element : tuple->elements)
      add(element.get());
  else
    add(&expr);
  return {"", {}, Value::tuple(std::move(names)), expr.loc, expr.range};
}

/// False, with a message, for what is declared as something without
/// derivatives.
bool Generator::checkParameter(const Value &function, llvm::StringRef name,
                               const Argument &arg) {
  using Base = ast::TypeExpr::Base;
  const ast::FnParam *param = findParameter(function, name);
  if (!param || !param->type)
    return true;
  switch (param->type->base) {
  case Base::Int:
  case Base::U64:
  case Base::Bool:
  case Base::String:
    error(arg, "there is no derivative with respect to '" + name +
                   "', which is " + describe(*param->type) +
                   "; expected numbers, fields or tables")
        .note(param->name.loc, "the parameter is declared here");
    return false;
  default:
    return true;
  }
}

std::optional<Schedule> Generator::scheduleOf(const Argument &schedule) {
  if (!schedule.value.is(Value::Kind::String)) {
    error(schedule,
          "'schedule' is a string, not " + schedule.value.describeType());
    return std::nullopt;
  }
  auto known = pm::symbolizeSchedule(schedule.value.getString());
  if (!known)
    error(schedule, "the schedule is \"keep\", \"revolve\" or "
                    "\"reverse\", not \"" +
                        schedule.value.getString() + "\"");
  return known ? std::optional(pmc::scheduleOf(*known)) : std::nullopt;
}

Value Generator::callDerivative(BuiltinCall &call) {
  const Argument &f = call[0];
  std::string name = ("'" + call.info.name + "'").str();
  for (const std::optional<Argument> &arg : call.args)
    if (arg && arg->value.isPoison())
      return Value::poison();
  if (!accepts(call))
    return Value::poison();
  llvm::SmallVector<std::string> parameters = parametersOf(f.value);
  if (parameters.empty())
    return error(f, name + " requires a function with parameters");
  std::vector<std::string> wrt;
  if (!call.has(1)) {
    if (!checkParameter(f.value, parameters[0], f))
      return Value::poison();
    wrt.push_back(parameters[0]);
  } else if (call[1].name.empty()) {
    // By position it was evaluated, and is not a list of names.
    return error(call[1], name + " takes 'wrt' by name: wrt = a");
  } else {
    llvm::SmallVector<llvm::StringRef> known(parameters.begin(),
                                             parameters.end());
    for (const Value &value : call[1].value.getElements()) {
      llvm::StringRef parameter = value.getString();
      if (!llvm::is_contained(known, parameter))
        return error(call[1], "the function has no parameter '" + parameter +
                                  "'" + suggest(parameter, known));
      if (llvm::is_contained(wrt, parameter))
        return error(call[1],
                     "the parameter '" + parameter + "' is named twice");
      if (!checkParameter(f.value, parameter, call[1]))
        return Value::poison();
      wrt.push_back(parameter.str());
    }
  }

  Derivation derivation;
  derivation.mode = call.info.id == BuiltinId::Grad  ? Mode::Grad
                    : call.info.id == BuiltinId::VJP ? Mode::VJP
                    : call.info.id == BuiltinId::JVP ? Mode::JVP
                                                     : Mode::ValueAndGrad;
  if (derivation.mode == Mode::JVP)
    return Value::derivative(f.value, std::move(wrt), derivation);
  derivation.schedule = pmc::scheduleOf(options.schedule);
  derivation.snapshots =
      options.schedule == pm::Schedule::Revolve ? options.snapshots : 0;
  derivation.isOpen = !call.has(2);
  if (call.has(2)) {
    auto known = scheduleOf(call[2]);
    if (!known)
      return Value::poison();
    derivation.schedule = *known;
    derivation.snapshots = 0;
  }
  bool isRevolve = derivation.schedule == Schedule::Revolve;
  if (call.has(3)) {
    if (!isRevolve)
      return error(call[3], "'snapshots' belongs to schedule = \"revolve\"");
    auto count = constInt(call[3], "'snapshots'", 1, 1 << 20);
    if (!count)
      return Value::poison();
    derivation.snapshots = *count;
  }
  if (isRevolve && derivation.snapshots == 0)
    return error(call.loc, "schedule = \"revolve\" requires snapshots = …, the "
                           "number of states that are kept");
  return Value::derivative(f.value, std::move(wrt), derivation);
}

//===----------------------------------------------------------------------===//
// The function that is differentiated
//===----------------------------------------------------------------------===//

/// The run-time form of what a function is differentiated with respect to;
/// poison after an error.
Value Generator::activeShape(const Value &value, const Argument &arg,
                             llvm::StringRef name) {
  using Kind = Value::Kind;
  auto refuse = [&]() -> Value {
    return error(
        arg, "there is no derivative with respect to '" + name + "', which " +
                 (value.getKind() == arg.value.getKind() ? "is " : "holds ") +
                 value.describeType() + "; expected numbers, fields or tables");
  };
  switch (value.getKind()) {
  case Kind::Int:
  case Kind::Real:
    return Value::scalar(Storage::F64, value.getUnit());
  case Kind::Scalar:
    if (!isFloat(value.getStorage()))
      return refuse();
    return Value::scalar(value.getStorage(), value.getUnit());
  case Kind::Field:
    if (!hasTangent(value))
      return refuse();
    return value.withUnit(value.getUnit());
  case Kind::Complex:
  case Kind::Table:
    return value.is(Kind::Table) ? value : runtimeShape(value, arg.loc);
  case Kind::Tuple:
  case Kind::Record: {
    std::vector<Value> parts;
    for (const Value &part : value.getElements()) {
      parts.push_back(activeShape(part, arg, name));
      if (parts.back().isPoison())
        return parts.back();
    }
    return value.withElements(std::move(parts));
  }
  default:
    return refuse();
  }
}

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
    if (!arg) {
      error(loc, "the derivative with respect to '" + name +
                     "' requires an argument '" + name + "'");
      return false;
    }
    const ast::FnParam *param = findParameter(function, name);
    Value value = arg->value;
    if (param && param->type && param->type->unit && value.hasAnyUnit() &&
        value.isElementwise())
      value = value.withUnit(*param->type->unit);
    Value shape = activeShape(value, *arg, name);
    if (shape.isPoison())
      return false;
    llvm::SmallVector<mlir::Value> leaves;
    convertTo(value, shape, arg->loc, leaves);
    unsigned next = 0;
    arg->value = rebuild(shape, leaves, next);
    active.push_back(arg->value);
  }

  flatten(function, primal.operands, nullptr);
  llvm::DenseMap<const Argument *, unsigned> first;
  for (const Argument &arg : actual) {
    first[&arg] = primal.operands.size();
    flatten(arg.value, primal.operands, nullptr);
  }
  for (auto [name, value] : llvm::zip_equal(wrt, active)) {
    unsigned begin = first.lookup(byName.lookup(name));
    llvm::SmallVector<mlir::Value> leaves;
    flatten(value, leaves, nullptr);
    for (unsigned i = 0; i < leaves.size(); ++i)
      primal.position.push_back(begin + i);
  }
  primal.active =
      active.size() == 1 ? active[0] : Value::tuple(std::move(active));

  std::string key = frame->element ? "de" : frame->scalarsOnly ? "ds" : "df";
  llvm::SmallVector<mlir::Value> unused;
  flatten(function, unused, &key);
  for (const Argument &arg : actual) {
    key += arg.name.str() + "=";
    flatten(arg.value, unused, &key);
  }
  for (pm::DimAttr dim : list)
    key += dim.getLabel() + "[" + std::to_string(dim.getExtent()) + "]";
  if (gaveUp)
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
  if (primal.instance->keepsStates) {
    error(loc, "what is differentiated has a loop with checkpoints; leave "
               "'checkpoint every' out of it");
    return false;
  }
  if (const Value *part = findFunctionWithTangents(primal.instance->result)) {
    error(loc, "the value of the differentiated function holds " +
                   part->describe() +
                   ", which has no derivative; return the numbers and fields "
                   "that it uses instead");
    return false;
  }
  effectsSeen |= primal.instance->hasEffects;
  if (frame->element && primal.instance->hasEffects) {
    error(loc, "a function that is differentiated inside of a map can contain "
               "no assertions, prints or checked indexes; move them out of the "
               "function")
        .note(frame->element->loc, "the map begins here");
    return false;
  }
  return checkExpansion(primal.instance->op, /*differentiated=*/true,
                        "the derivative", loc);
}

/// Numbers that the compiler knows as numbers at run time: a result may be
/// one.
static Value liveShape(const Value &value) {
  if (value.isConstNumber()) {
    Value live = Value::scalar(Storage::F64, value.getUnit());
    return value.hasAnyUnit() ? live.withAnyUnit() : live;
  }
  if (!value.isTuple() && !value.isRecord() && !value.isComplex())
    return value;
  std::vector<Value> parts;
  for (const Value &part : value.getElements())
    parts.push_back(liveShape(part));
  return value.withElements(std::move(parts));
}

Instance *Generator::buildPrimalInstance(const Value &function,
                                         llvm::ArrayRef<Argument> args,
                                         llvm::SMLoc loc,
                                         llvm::ArrayRef<pm::DimAttr> list) {
  llvm::SmallVector<mlir::Value> leaves;
  flatten(function, leaves, nullptr);
  for (const Argument &arg : args)
    flatten(arg.value, leaves, nullptr);
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
  if (result.isPoison() || gaveUp) {
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
  flatten(shape, results, nullptr);
  Unit unit = shape.getUnit();
  if (!direction) {
    if (!shape.isScalar() || !hasTangent(shape))
      return error(
          loc, llvm::Twine("'") +
                   (derivation.mode == Mode::Grad ? "grad" : "value_and_grad") +
                   "' requires a function whose value is a real number, "
                   "not " +
                   shape.describeType() +
                   (shape.isScalar() ? "" : "; see 'vjp' for others"));
    cotangents.push_back(materialize(Value::real(1), lowerType(shape), at));
  } else {
    std::optional<Unit> common;
    if (!appendDirection(shape, direction->value, *direction, "'cotangent'",
                         /*dual=*/true, common, cotangents))
      return Value::poison();
    unit = common.value_or(Unit());
  }
  llvm::SmallVector<int64_t> of;
  for (auto [index, result] : llvm::enumerate(results))
    if (pm::hasTangent(result.getType()))
      of.push_back(int64_t(index));
  if (of.empty())
    return error(loc, "the value of the function, " + shape.describeType() +
                          ", has no derivative");

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
  std::optional<Unit> unit;
  llvm::SmallVector<mlir::Value> parts, tangents, results;
  if (!appendDirection(primal.active, direction.value, direction, "'tangent'",
                       /*dual=*/false, unit, parts))
    return Value::poison();
  for (unsigned part : primal.getOrder())
    tangents.push_back(parts[part]);
  const Value &shape = primal.instance->result;
  flatten(shape, results, nullptr);
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
      {value, derivativeLike(shape, unit.value_or(Unit()),
                             /*dual=*/false, op.getResults(), next)});
}

Value Generator::applyDerivative(const Value &callee, const Actuals &with) {
  const llvm::SMLoc loc = with.loc;
  if (frame->inlineCalls)
    return error(loc, llvm::Twine("a derivative cannot be taken ") +
                          frame->scalarsOnly);
  if (with.hasDims && with.dims.empty())
    return error(loc, "the list of dims is empty");
  const Derivation &derivation = callee.getDerivation();
  bool forward = derivation.mode == Mode::JVP;
  std::optional<Argument> direction;
  std::vector<Argument> own;
  // In a map, the function is one of the numbers of this element.
  const Value function = frame->element
                             ? capturedElements(callee.getElements()[0], loc)
                             : callee.getElements()[0];
  if (function.isPoison())
    return Value::poison();
  if (forward || derivation.mode == Mode::VJP) {
    llvm::StringRef name = forward ? "tangent" : "cotangent";
    for (const Argument &arg : with.args) {
      if (arg.name != name)
        own.push_back(arg);
      else if (direction)
        return error(arg, "the parameter '" + name + "' is given twice")
            .note(direction->loc, "the first time");
      else
        direction = arg;
    }
    // Behind the function's own parameters.
    size_t count = parametersOf(function).size();
    if (!direction && own.size() == count + 1 && own.back().name.empty()) {
      direction = own.back();
      own.pop_back();
    }
    if (!direction)
      return error(loc, llvm::Twine("'") + (forward ? "jvp" : "vjp") +
                            "' requires an argument '" + name +
                            "' behind those of the function");
  } else {
    own.assign(with.args.begin(), with.args.end());
  }
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
