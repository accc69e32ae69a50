//===- Calls.cpp - Arguments, functions, lambdas --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Calls.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Builtins.h"
#include "frontend/Sema/Rules/Limits.h"
#include "frontend/Sema/Rules/Values.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

Value Generator::call(const ast::CallExpr &expr) {
  Value callee = evaluate(*expr.callee);
  if (callee.is(Value::Kind::Builtin)) {
    if (callee.getBuiltin() == BuiltinId::Given)
      return given(expr);
    if (callee.getBuiltin() == BuiltinId::Slice)
      return slice(expr);
    if (callee.getBuiltin() == BuiltinId::Shift)
      return shift(expr);
  }
  llvm::SmallVector<pm::DimAttr> list;
  const bool hasAllDims = evaluateDims(expr.dims, list);
  bool ok = hasAllDims && !callee.isPoison();
  std::vector<Argument> args;
  for (const ast::Argument &arg : expr.args) {
    if (!arg.value)
      return Value::poison();
    bool isNames = arg.name.text == "wrt" && callee.is(Value::Kind::Builtin) &&
                   takesParameterNames(callee.getBuiltin());
    Argument made =
        isNames ? parameterNames(*arg.value) : evaluateArgument(*arg.value);
    made.name = arg.name.text;
    made.nameLoc = arg.name.loc;
    made.value = requireValue(rules(), made);
    ok &= !made.value.isPoison();
    args.push_back(std::move(made));
  }
  const Actuals with{args, expr.loc, expr.hasDims, list};
  if (checker &&
      (!ok || callee.isFree() || llvm::any_of(args, [](const Argument &arg) {
        return arg.value.holdsFree();
      })))
    return checker->call(callee, with, hasAllDims);
  if (ok)
    return apply(callee, with);
  // Names and numbers of arguments may be wrong, whatever they are.
  if (callee.isClosure() && callee.getFunction())
    (void)matchArguments(rules(), *callee.getFunction(), args, expr.loc);
  return Value::poison();
}

Value Generator::apply(const Value &callee, const Actuals &with) {
  if (callee.isPoison())
    return callee;
  if (callee.is(Value::Kind::Builtin))
    return applyBuiltin(callee.getBuiltin(), with);
  if (callee.is(Value::Kind::Derivative))
    return applyDerivative(callee, with);
  if (!callee.isClosure()) {
    reportNoFunction(rules(), callee, with.loc);
    return Value::poison();
  }
  if (callee.getLambda())
    return applyLambda(callee, with);
  if (std::optional<Value> other = replaceAlternative(callee, with.loc))
    return applyFunction(*other, {{}, with.loc});
  return applyFunction(callee, with);
}

//===----------------------------------------------------------------------===//
// Lambdas: always expanded
//===----------------------------------------------------------------------===//

Value Generator::applyLambda(const Value &callee, const Actuals &with) {
  const llvm::ArrayRef<Argument> args = with.args;
  const llvm::SMLoc loc = with.loc;
  const ast::LambdaExpr &lambda = *callee.getLambda();
  if (!checkLambdaCall(rules(), lambda, args, with.hasDims, loc))
    return Value::poison();
  Binding binding;
  binding.names.assign(callee.getNames().begin(),
                       callee.getNames().begin() + callee.getCapturedLocals());
  binding.values.assign(callee.getElements().begin(),
                        callee.getElements().begin() +
                            callee.getCapturedLocals());
  for (auto [param, arg] : llvm::zip_equal(lambda.params, args)) {
    binding.names.push_back(param.text);
    binding.values.push_back(arg.value);
  }
  binding.locals = binding.names.size();
  for (size_t i = callee.getCapturedLocals(); i < callee.getNames().size();
       ++i) {
    binding.names.push_back(callee.getNames()[i]);
    binding.values.push_back(callee.getElements()[i]);
  }
  return expandInline(callee, binding, loc);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Generator::bindArguments(const Value &callee, const Actuals &with,
                              Scope &scope) {
  const llvm::SMLoc loc = with.loc;
  const ast::FunctionStmt &fn = *callee.getFunction();
  std::string name = "'" + fn.name.text + "'";
  for (unsigned i = 0; i < callee.getCapturedLocals(); ++i)
    scope.names[callee.getNames()[i]] = callee.getElements()[i];
  if (with.hasFreeDims)
    FreeChecker::bindDims(fn, scope);
  else if (with.hasDims &&
           !pmc::bindDims(rules(), fn, dimsOf(with.dims), loc, scope))
    return false;
  const auto given = matchArguments(rules(), fn, with.args, loc);
  if (!given)
    return false;
  bool ok = true;

  // Types bind dims in any order of the parameters; defaults need values of
  // earlier ones.
  llvm::StringSet<> variables;
  for (const ast::Name &dim : fn.dimParams)
    variables.insert(dim.text);
  for (const ast::FnParam &param : fn.params)
    if (param.type)
      for (const ast::ExprPtr &dim : param.type->dims)
        if (dim && !getDimName(*dim).empty())
          variables.insert(getDimName(*dim));
  // Defaults may need the dims.
  for (const ast::Name &dim : fn.dimParams) {
    bool isInType = llvm::any_of(fn.params, [&](const ast::FnParam &param) {
      return param.type && llvm::any_of(param.type->dims, [&](auto &expr) {
               return expr && getDimName(*expr) == dim.text;
             });
    });
    if (!with.hasDims && !with.hasFreeDims && !isInType)
      return refuseOpenDim(rules(), fn, dim, loc);
  }
  Frame inner = *frame;
  inner.module = callee.getModule();
  inner.scope = &scope;
  llvm::StringMap<Value> lets;
  for (size_t i = callee.getCapturedLocals(); i < callee.getNames().size(); ++i)
    lets[callee.getNames()[i]] = callee.getElements()[i];
  inner.lets = &lets;
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  for (auto [param, arg] : llvm::zip_equal(fn.params, *given)) {
    Argument actual;
    if (arg) {
      actual = *arg;
    } else {
      messages.enter({loc, fn.name.text, &fn, with.args});
      actual = evaluateArgument(*param.defaultValue);
      messages.leave();
      actual.value = requireValue(rules(), actual);
    }
    if (checker)
      actual.value = checker->adopt(actual.value);
    if (param.type)
      actual.value =
          matchType(*param.type, actual, "'" + param.name.text + "' of " + name,
                    scope, variables);
    if (checker)
      actual.value = checker->adopt(actual.value);
    else if (actual.value.isPoison())
      ok = false;
    scope.names[param.name.text] = actual.value;
    observe(param.name, actual.value);
  }
  if (!ok)
    return false;
  if (checker)
    for (const ast::FnParam &param : fn.params)
      if (param.type)
        FreeChecker::bindDims(*param.type, scope, variables);
  for (const ast::Name &dim : fn.dimParams)
    if (!scope.names.count(dim.text))
      return refuseOpenDim(rules(), fn, dim, loc);
  return true;
}

/// What cannot be passed to a func.func.
static bool needsInline(const Value &value) {
  if (value.is(Value::Kind::Coordinate) || value.isFree())
    return true;
  return llvm::any_of(value.getElements(), needsInline);
}

bool Generator::bindFunction(const Value &callee, const Actuals &with,
                             Binding &binding) {
  Scope scope;
  binding.args = with.args;
  if (!bindArguments(callee, with, scope))
    return false;
  std::vector<llvm::StringRef> names;
  for (const auto &entry : scope.names)
    names.push_back(entry.getKey());
  // Parameters in order, then what was captured and bound, by name.
  const ast::FunctionStmt &fn = *callee.getFunction();
  llvm::StringSet<> seen;
  auto add = [&](llvm::StringRef name) {
    if (!seen.insert(name).second)
      return;
    binding.names.push_back(name.str());
    binding.values.push_back(scope.names[name]);
  };
  for (const ast::FnParam &param : fn.params)
    add(param.name.text);
  llvm::sort(names);
  for (llvm::StringRef name : names)
    add(name);
  binding.locals = binding.names.size();
  for (size_t i = callee.getCapturedLocals(); i < callee.getNames().size();
       ++i) {
    binding.names.push_back(callee.getNames()[i]);
    binding.values.push_back(callee.getElements()[i]);
  }
  return true;
}

Value Generator::applyFunction(const Value &callee, const Actuals &with) {
  const llvm::SMLoc loc = with.loc;
  Binding binding;
  if (!bindFunction(callee, with, binding))
    return Value::poison();
  const ast::FunctionStmt &fn = *callee.getFunction();
  if (!requireNoHandDerivative(rules(), fn, loc))
    return Value::poison();
  bool expand = frame->element || frame->inlineCalls ||
                llvm::any_of(binding.values, needsInline);
  return expand ? expandInline(callee, binding, loc)
                : callInstance(callee, binding, loc);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The body in `scope`, in the frame at hand, as the declared type.
Value Generator::evaluateBody(const Value &callee, const Binding &binding,
                              llvm::SMLoc loc, Scope &scope) {
  const ast::FunctionStmt *fn = callee.getFunction();
  std::string name = fn ? fn->name.text : "";
  if (!requireCallDepth(rules(), messages.countCalls(), loc))
    return Value::poison();
  if (checker && !checker->mayNest())
    return Value::poison();
  // A function that is checked calls this one whatever its own branches are.
  llvm::SaveAndRestore<unsigned> branches(
      freeBranches, messages.countCalls() == 0 ? 0 : freeBranches);
  messages.enter({loc, name, fn, binding.args});
  llvm::scope_exit pop([&] { messages.leave(); });
  evaluatedBodies.insert(fn ? static_cast<const void *>(fn)
                            : callee.getLambda());
  const ast::ExprPtr &body = fn ? fn->body : callee.getLambda()->body;
  if (!body)
    return Value::poison();
  Value result = evaluate(*body);
  if (result.is(Value::Kind::Coordinate))
    result = expandCoordinate(result, body->loc);
  if (!fn || !fn->resultType || result.isPoison())
    return result;
  if (frame->element)
    result = elements(result, body->loc);
  // In element mode a field's place is taken by its element.
  using Base = ast::TypeExpr::Base;
  if (frame->element && fn->resultType->base == Base::Field)
    return result;
  Argument arg{"", {}, result, body->loc, body->range};
  if (auto *block = llvm::dyn_cast<ast::BlockExpr>(body.get()))
    if (block->result)
      arg.loc = block->result->loc, arg.range = block->result->range;
  return matchType(*fn->resultType, arg, "the value of '" + name + "'", scope,
                   {});
}

Value Generator::expandInline(const Value &callee, const Binding &binding,
                              llvm::SMLoc loc) {
  Scope scope;
  for (unsigned i = 0; i < binding.locals; ++i)
    scope.names[binding.names[i]] = binding.values[i];
  llvm::StringMap<Value> lets;
  for (size_t i = binding.locals; i < binding.names.size(); ++i)
    lets[binding.names[i]] = binding.values[i];
  Frame inner = *frame;
  inner.module = callee.getModule();
  inner.scope = &scope;
  inner.lets = &lets;
  inner.callers = getLoc(loc);
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  return evaluateBody(callee, binding, loc, scope);
}

//===----------------------------------------------------------------------===//
// Builtins
//===----------------------------------------------------------------------===//

std::optional<BuiltinCall> Generator::bindBuiltin(BuiltinId id,
                                                  const Actuals &with) {
  const BuiltinInfo &info = getBuiltinInfo(id);
  auto args =
      pmc::bindBuiltin(rules(), info, with.args, with.hasDims, with.loc);
  if (!args)
    return std::nullopt;
  BuiltinCall call{info, with.loc, {}, std::move(*args)};
  call.dims.assign(with.dims.begin(), with.dims.end());
  return call;
}

bool Generator::accepts(const BuiltinCall &call) {
  return acceptCall(rules(), call.info.id, call.args,
                    frame->element || frame->inFreeMap, call.loc);
}

/// A builtin that is not called in this form: the message says how.
Value Generator::callElsewhere(BuiltinCall &call) {
  (void)accepts(call);
  return Value::poison();
}

Value Generator::applyBuiltin(BuiltinId id, const Actuals &with) {
  std::optional<BuiltinCall> bound = bindBuiltin(id, with);
  if (!bound)
    return Value::poison();
  BuiltinCall &call = *bound;
  // These work on real and complex fields in the program's precision.
  if (id == BuiltinId::FFT || id == BuiltinId::IFFT || id == BuiltinId::Paint ||
      id == BuiltinId::PaintAt || id == BuiltinId::Readout ||
      id == BuiltinId::ReadoutAt || id == BuiltinId::Lapack ||
      id == BuiltinId::Friends)
    for (std::optional<Argument> &arg : call.args)
      if (arg)
        arg->value = withReals(arg->value, arg->loc, /*narrow=*/true);
  switch (id) {
#define BUILTIN(ID, NAME, PARAMS, DIMS, HANDLER)                               \
  case BuiltinId::ID:                                                          \
    return HANDLER(call);
#include "frontend/Sema/Builtins.def"
  }
  return Value::poison();
}
