//===- FreeCalls.cpp - Calls with free arguments --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Checks/FreeChecker.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Particles/Windows.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Program/Options.h"
#include "frontend/Sema/ValueKey.h"

using namespace pmc;

Value FreeChecker::call(const Value &callee, Actuals with, bool hasAllDims) {
  with.hasFreeDims = !hasAllDims;
  if (callee.isFree()) {
    const Type &type = callee.getKnown();
    if (type.isKnown() && !type.is(Type::Kind::Function) && !isInMap())
      reportNoFunction(g.rules(), callee, with.loc);
    return unknown();
  }
  if (callee.is(Value::Kind::Builtin))
    return callBuiltin(callee.getBuiltin(), with);
  if (callee.is(Value::Kind::Derivative)) {
    const Value &function = callee.getElements()[0];
    if (function.isClosure())
      applyToFree({"", {}, function, with.loc, {}}, 0, with.loc);
    return unknown();
  }
  if (callee.isClosure())
    return callClosure(callee, with);
  return g.apply(callee, with);
}

/// Whether all of the value is known to the compiler.
static bool hasNoSSA(const Value &value) {
  return !getSSA(value) && llvm::all_of(value.getElements(), hasNoSSA);
}

Value FreeChecker::callClosure(const Value &callee, const Actuals &with) {
  if (!mayNest())
    return unknown();
  // A library calls the same functions again and again.
  std::string key =
      std::to_string(int(isInMap()) + 2 * int(g.freeBranches > 0)) +
      (with.hasFreeDims ? "f" : "d");
  llvm::SmallVector<mlir::Value> leaves;
  auto append = [&](const Value &value) {
    appendKey(key, value);
    g.flatten(value, leaves);
  };
  append(callee);
  for (pm::DimAttr dim : with.dims)
    append(valueOf(dim));
  for (const Argument &arg : with.args) {
    key += arg.name.str() + "=";
    append(arg.value);
  }
  const bool isKept = leaves.empty();
  if (auto known = results.find(key); isKept && known != results.end())
    return known->second;
  Value result = callee.getLambda() ? g.applyLambda(callee, with)
                                    : g.applyFunction(callee, with);
  result = adopt(result);
  if (isKept && hasNoSSA(result))
    results[key] = result;
  return result;
}

/// Evaluates a function with free arguments, for the messages.
void FreeChecker::applyToFree(const Argument &function, unsigned count,
                              llvm::SMLoc loc) {
  if (!function.value.isClosure())
    return;
  const ast::FunctionStmt *named = function.value.getFunction();
  if (named)
    count = named->params.size();
  else if (count == 0)
    count = function.value.getLambda()->params.size();
  std::vector<Argument> args(count, {"", {}, unknown(), loc, {}});
  (void)callClosure(function.value, {args, loc, false, {}, true});
}

//===----------------------------------------------------------------------===//
// Builtins
//===----------------------------------------------------------------------===//

/// False, with a message, if what `over` holds is not a dim.
bool FreeChecker::checkOver(const BuiltinCall &call, unsigned index) {
  llvm::SmallVector<pm::DimAttr> list;
  const bool isGiven = index < call.args.size() && call.has(index);
  return !isGiven || call[index].value.holdsFree() ||
         g.appendDims(call[index].value, call[index].loc, list);
}

/// sum(f), mean(f), min(f), max(f), and min(a, b), max(a, b).
Value FreeChecker::callReduction(const BuiltinCall &call) {
  const std::string what = ("'" + call.info.name + "'").str();
  const bool isMinMax =
      call.info.id == BuiltinId::Min || call.info.id == BuiltinId::Max;
  if (isMinMax && call.has(1))
    return report(
        judgeMinMax(what, typeOf(call[0].value), typeOf(call[1].value)),
        {call.loc, call[0].range, call[1].range});
  const Type of = typeOf(call[0].value);
  const unsigned over = call.info.params.size() - 1;
  checkOver(call, over);
  const bool isWhole = of.is(Type::Kind::Field) && !call.has(over);
  return Value::free(isWhole ? Type(Type::Kind::Number, Type::Element::Unknown,
                                    of.getQuantity())
                             : Type::in(of.getQuantity()));
}

/// Arguments that do not depend on free values.
void FreeChecker::checkOptions(BuiltinCall &call, bool hasAllDims) {
  const BuiltinId id = call.info.id;
  const bool makesField = id == BuiltinId::Zeros || id == BuiltinId::Constant ||
                          id == BuiltinId::WhiteNoise;
  if (makesField && hasAllDims)
    (void)g.fieldType(call.dims, g.realType, call.loc);
  for (auto [i, name] : llvm::enumerate(call.info.params)) {
    if (!call.has(i) || call[i].value.holdsFree() || call[i].value.isPoison())
      continue;
    if (name == "window" && call[i].value.is(Value::Kind::String))
      (void)Windows(g).of(call, i);
    else if (name == "schedule")
      (void)readChoice<Schedule>(g.rules(), call[i], scheduleOption);
    else if (name == "factor")
      (void)readInt(g.rules(), call[i],
                    "the factor of '" + call.info.name.str() + "'", 1, 1 << 20);
    else if (name == "order")
      (void)readChoice<SortOrder>(g.rules(), call[i], orderOption);
    else if (name == "method")
      (void)readChoice<Interpolation>(g.rules(), call[i], methodOption);
    else if (name == "format")
      (void)readChoice<StoredFormat>(g.rules(), call[i], storedOption);
  }
}

Value FreeChecker::callBuiltin(BuiltinId id, const Actuals &with) {
  std::optional<BuiltinCall> bound = g.bindBuiltin(id, with);
  if (!bound)
    return unknown();
  checkOptions(*bound, !with.hasFreeDims);
  const BuiltinCall &call = *bound;
  const std::string what = ("'" + call.info.name + "'").str();
  auto type = [&](unsigned i) { return typeOf(call[i].value); };
  if (!g.accepts(call))
    return unknown();
  switch (id) {
#define MATH(ID, NAME, UNITS, OP, FOLDED) case BuiltinId::ID:
#include "frontend/Sema/MathBuiltins.def"
  case BuiltinId::Real:
  case BuiltinId::Imag:
  case BuiltinId::Conj:
  case BuiltinId::Arg:
    return report(judgeMath(id, type(0)), {call.loc, {}, call[0].range});
  case BuiltinId::Pow:
    return binary(ast::BinaryOp::Pow, call[0].value, call[1].value,
                  {call.loc, call[0].range, call[1].range});
  case BuiltinId::Atan2: {
    Judgment judgment = judgeMinMax(what, type(0), type(1));
    judgment.type = judgment.type.withQuantity(Quantity());
    return report(judgment, {call.loc, call[0].range, call[1].range});
  }
  case BuiltinId::Sum:
  case BuiltinId::Mean:
  case BuiltinId::Min:
  case BuiltinId::Max:
    return callReduction(call);
  case BuiltinId::Norm2:
  case BuiltinId::Dot: {
    const unsigned last = id == BuiltinId::Dot ? 1 : 0;
    return Value::free(Type::in(
        unitOfProduct(type(0).getQuantity(), type(last).getQuantity())));
  }
  case BuiltinId::Total:
    return Value::free(Type::in(type(0).getQuantity()));
  case BuiltinId::Number:
    return report(judgeNumber(type(0), type(1)),
                  {call.loc, call[0].range, call[1].range});
  case BuiltinId::Epsilon:
    return Value::free(Type::in(Quantity()));
  case BuiltinId::UnitOf:
    return Value::free(Type::in(type(0).getQuantity()));
  case BuiltinId::Int:
    return Value::free(Type(type(0).getKind(), Type::Element::Int, Quantity()));
  case BuiltinId::Finite:
    return Value::free(
        Type(Type::Kind::Unknown, Type::Element::Bool, Quantity()));
  case BuiltinId::Spacing:
  case BuiltinId::Length:
  case BuiltinId::Cells: {
    llvm::SmallVector<pm::DimAttr> list;
    (void)g.appendDims(call[0].value, call[0].loc, list);
    return id == BuiltinId::Cells ? Value::free(Type::in(Quantity()))
                                  : unknown();
  }
  case BuiltinId::FFT:
  case BuiltinId::IFFT:
    checkOver(call, 1);
    return Value::free(Type::in(type(0).getQuantity()));
  case BuiltinId::Sort:
    checkOver(call, 1);
    return Value::free(type(0));
  case BuiltinId::Argsort:
  case BuiltinId::Ranks:
    checkOver(call, 1);
    return Value::free(Type(Type::Kind::Field, Type::Element::Int, Quantity()));
  case BuiltinId::Friends:
    return Value::free(Type(Type::Kind::Field, Type::Element::Int, Quantity()));
  case BuiltinId::Constant:
    return Value::free(
        Type(Type::Kind::Field, Type::Element::Unknown, type(0).getQuantity()));
  case BuiltinId::WhiteNoise:
    return Value::free(
        Type(Type::Kind::Field, Type::Element::Real, Quantity()));
  case BuiltinId::Zeros:
    return Value::free(Type(Type::Kind::Field));
  case BuiltinId::Elementwise:
    applyToFree(call[0], 1, call.loc);
    return unknown();
  case BuiltinId::Tabulate: {
    // A free value may be a number for each axis.
    const Value &from = call[1].value;
    const bool mayBeTuple = from.isFree() && !from.getKnown().isKnown();
    applyToFree(call[0],
                from.isTuple() ? from.getElements().size()
                : mayBeTuple   ? 0
                               : 1,
                call.loc);
    return unknown();
  }
  case BuiltinId::Transform: {
    const Value &table = call[0].value;
    applyToFree(call[1], table.isPoison() ? 0 : table.getAxisCount() + 1,
                call.loc);
    return unknown();
  }
  default:
    return unknown();
  }
}
