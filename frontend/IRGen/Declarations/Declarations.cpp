//===- Declarations.cpp - const, param, names of the top level ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Declarations.h"
#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/Constants.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void Generator::checkDefines() {
  llvm::SmallVector<llvm::StringRef> names;
  for (const auto &entry : program.getMain().symbols)
    if (entry.second.kind == Symbol::Kind::Const)
      names.push_back(entry.getKey());
  llvm::sort(names);
  for (const auto &[name, text] : options.defines) {
    if (llvm::is_contained(names, llvm::StringRef(name)))
      continue;
    auto other = program.getMain().symbols.find(name);
    std::string why;
    if (other == program.getMain().symbols.end())
      why = "the spec has no const '" + name + "'" +
            (suggest(name, names).empty() && !names.empty()
                 ? "; its consts are " + llvm::join(names, ", ")
                 : suggest(name, names));
    else if (other->second.kind == Symbol::Kind::Param)
      why = "'" + name + "' is a param: give it to the program, --" + name +
            "=" + text;
    else
      why = "'" + name + "' is not a const";
    messages.errorOfCommand("[PM1003] -D " + name + "=" + text + ": " + why);
  }
}

/// Evaluates where no program runs: ops go to a block that is thrown away.
void Generator::inScratch(const ModuleInfo &owner, const char *where,
                          bool constantsOnly, llvm::function_ref<void()> fn) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block scratch;
  Prologue entry;
  entry.block = &scratch;
  builder.setInsertionPointToEnd(&scratch);
  Frame inner;
  inner.module = &owner;
  inner.entry = &entry;
  inner.constantsOnly = constantsOnly;
  inner.inlineCalls = true;
  inner.scalarsOnly = where;
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  fn();
  scratch.dropAllReferences();
  scratch.dropAllDefinedValueUses();
}

Value Generator::evaluateConst(const ast::Expr &expr, const ModuleInfo &owner) {
  Value value;
  inScratch(owner, "in a constant", /*constantsOnly=*/true, [&] {
    value = evaluate(expr);
    const bool isKnown =
        !value.isScalar() && !value.isField() && !value.is(Value::Kind::Table);
    if (!requireKnown(rules(), isKnown, expr.loc))
      value = Value::poison();
  });
  return value;
}

bool Generator::checkConstRange(const ast::ConstStmt &stmt,
                                const ModuleInfo &owner, const Value &value,
                                bool overridden) {
  std::string why = findChoiceMistake(*stmt.range, value);
  if (why.empty() && stmt.range->choices.empty())
    why = findBoundMistake(stmt.name, value,
                           boundsOf(*stmt.range, value.getUnit(), 1, owner));
  if (!why.empty())
    reportConst(rules(), stmt, why, overridden);
  return why.empty();
}

Value Generator::constValue(const ModuleInfo &owner,
                            const ast::ConstStmt &stmt) {
  auto known = constValues.find(&stmt);
  if (known != constValues.end())
    return known->second;
  if (!requireNoCycle(rules(), stmt.name, "the value",
                      llvm::is_contained(constsInProgress, &stmt)))
    return Value::poison();
  constsInProgress.push_back(&stmt); // for its range too
  llvm::scope_exit pop([&] { constsInProgress.pop_back(); });
  Value value =
      stmt.value ? evaluateConst(*stmt.value, owner) : Value::poison();
  if (stmt.value && !requireConst(rules(), value, stmt.value->loc))
    value = Value::poison();
  if (stmt.type && !value.isPoison()) {
    Scope none;
    Argument arg{"", {}, value, stmt.value->loc, stmt.value->range};
    value = matchType(*stmt.type, arg, "'" + stmt.name.text + "'", none, {});
    if (value.isScalar()) // was converted at run time
      value = Value::poison();
  }
  bool overridden = false;
  if (owner.isMain && !value.isPoison())
    for (const auto &[name, text] : options.defines) {
      if (name != stmt.name.text)
        continue;
      std::string why;
      if (auto given = parseConstant(text, value, why)) {
        value = *given;
        overridden = true;
      } else {
        messages.errorOfCommand("[PM1003] -D " + name + "=" + text + ": " + why)
            .note(stmt.name.loc, "'" + name + "' is declared here");
      }
    }
  if (stmt.range && !value.isPoison() &&
      !checkConstRange(stmt, owner, value, overridden))
    value = Value::poison();
  constValues[&stmt] = value;
  return value;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Absent if there is no bound, or after an error.
std::optional<double> Generator::rangeBound(const ast::ExprPtr &bound,
                                            const Unit &unit, double scale,
                                            const ModuleInfo &owner) {
  if (!bound)
    return std::nullopt;
  // Of u64; as an int it would be too large.
  if (isLargeBound(*bound))
    return readLargeBound(rules(), *bound);
  return readBound(rules(), *bound, evaluateConst(*bound, owner), unit, scale);
}

Bounds Generator::boundsOf(const ast::RangeSyntax &range, const Unit &unit,
                           double scale, const ModuleInfo &owner) {
  const auto min = rangeBound(range.min, unit, scale, owner);
  const auto max = rangeBound(range.max, unit, scale, owner);
  return {min, max, range.minOpen, range.maxOpen};
}

void Generator::declareParam(const ast::ParamStmt &stmt) {
  using Base = ast::TypeExpr::Base;
  Base base = Base::F64;
  Unit unit;
  std::string unitText;
  Value value;
  // A u64 literal may exceed the range of int.
  const auto *literal =
      llvm::dyn_cast_or_null<ast::NumberExpr>(stmt.value.get());
  if (stmt.type) {
    base = stmt.type->base;
    if (stmt.type->unit)
      unit = *stmt.type->unit;
    unitText = stmt.type->unitText;
  }
  if (const ast::NumberExpr *number = firstNumberIn(stmt.value.get());
      number && number->unit &&
      (!stmt.type || (stmt.type->isVector && !stmt.type->unit))) {
    unit = *number->unit;
    unitText = number->unitText;
  }
  // What the user gives is in this unit, and so are the default and the range.
  double scale = unit.factor;
  unit.factor = 1;
  ParamInfo &info = params[stmt.name.text];
  info.loc = stmt.name.loc;
  info.type = f64Type; // after errors
  bool bits = base == Base::U64 && literal && isPlainInteger(*literal);
  if (bits)
    value = Value::integer(int64_t(literal->integer));
  else if (stmt.value)
    value = evaluateConst(*stmt.value, program.getMain());
  if (stmt.value && value.isPoison())
    return;
  if (unit.isNumber() && scale != 1 &&
      !checkDefaultUnit(rules(), stmt, unitText))
    return;
  if (stmt.type ? stmt.type->isVector : value.isTuple())
    return declareList(stmt, value, unit, unitText, scale);
  if (!stmt.type && stmt.value) {
    if (value.isBoolLike())
      base = Base::Bool;
    else
      unit = value.getUnit();
  }

  llvm::StringRef kind;
  mlir::Attribute initial;
  if (stmt.type && !requireParamType(rules(), *stmt.type))
    return;
  if (!checkDefault(rules(), stmt, base, value, unit, bits))
    return;
  switch (base) {
  case Base::F64:
    info.type = f64Type;
    kind = "f64";
    if (!stmt.value)
      break;
    // 240 mm are 240, whatever rounding makes of it in kilometers.
    initial = builder.getF64FloatAttr(literal && literal->unit &&
                                              literal->unit->factor == scale
                                          ? literal->value
                                          : *value.getConstReal() / scale);
    break;
  case Base::Int:
  case Base::U64:
    info.type = i64Type;
    info.isUnsigned = base == Base::U64;
    kind = info.isUnsigned ? "u64" : "int";
    if (!stmt.value)
      break;
    initial = builder.getI64IntegerAttr(*value.getConstInt());
    break;
  case Base::Bool:
    info.type = i1Type;
    kind = "bool";
    if (!stmt.value)
      break;
    initial = builder.getBoolAttr(value.getBool());
    break;
  default:
    return;
  }
  info.unit = unit;
  info.scale = scale;
  info.unitText = unitText;
  (void)checkFlagName(rules(), stmt.name, "a param");
  emitParam(stmt, stmt.name.text, info, kind, initial, value);
}

/// The op of a param that is a number, with its range.
void Generator::emitParam(const ast::ParamStmt &stmt, llvm::StringRef name,
                          const ParamInfo &info, llvm::StringRef kind,
                          mlir::Attribute initial, const Value &value) {
  const auto *literal =
      llvm::dyn_cast_or_null<ast::NumberExpr>(stmt.value.get());
  bool bits = kind == "u64" && literal && isPlainInteger(*literal);
  Bounds bounds;
  if (stmt.range) {
    requireRangeOfNumber(rules(), stmt, kind == "bool");
    bounds = boundsOf(*stmt.range, info.unit, info.scale, program.getMain());
    Wide start = 0;
    if (bits)
      start = literal->integer;
    else if (auto real = llvm::dyn_cast_or_null<mlir::FloatAttr>(initial))
      start = real.getValueAsDouble();
    else if (auto whole = llvm::dyn_cast_or_null<mlir::IntegerAttr>(initial))
      start = whole.getInt();
    if (value.isConstNumber())
      requireInRange(rules(), stmt, bounds, start);
  }
  auto text = [&](llvm::StringRef string) {
    return string.empty() ? mlir::StringAttr() : builder.getStringAttr(string);
  };
  auto number = [&](const std::optional<double> &bound) {
    return bound ? builder.getF64FloatAttr(*bound) : mlir::FloatAttr();
  };
  auto flag = [&](bool on) {
    return on ? builder.getUnitAttr() : mlir::UnitAttr();
  };
  pm::ParamOp::create(builder, getLoc(stmt.loc), builder.getStringAttr(name),
                      mlir::TypeAttr::get(info.type),
                      builder.getStringAttr(kind), initial, number(bounds.min),
                      number(bounds.max), flag(bounds.min && bounds.isMinOpen),
                      flag(bounds.max && bounds.isMaxOpen),
                      text(info.scale != 1        ? info.unitText
                           : info.unit.isNumber() ? ""
                                                  : info.unit.str()),
                      text(stmt.doc));
}

void Generator::declareParams() {
  for (const auto &stmt : program.getMain().tree->statements)
    if (auto *param = llvm::dyn_cast_or_null<ast::ParamStmt>(stmt.get()))
      declareParam(*param);
}

Value Generator::paramValue(llvm::StringRef name, llvm::SMLoc loc) {
  const ParamInfo &info = params[name];
  if (!info.type || !frame->entry)
    return Value::poison();
  if (info.count) {
    std::vector<Value> numbers;
    for (int64_t i = 0; i < info.count; ++i)
      numbers.push_back(paramValue((name + "." + llvm::Twine(i)).str(), loc));
    return Value::tuple(std::move(numbers));
  }
  return atPrologue(*frame->entry, ("param:" + name).str(), [&] {
    mlir::Value given =
        pm::ParamValueOp::create(builder, getLoc(loc), info.type, name);
    if (info.scale != 1)
      given = mlir::arith::MulFOp::create(
          builder, getLoc(loc), given,
          floatConstant(info.scale, f64Type, getLoc(loc)));
    Value value = scalarOf(given, info.unit);
    return info.isUnsigned ? value.asUnsigned() : value;
  });
}

//===----------------------------------------------------------------------===//
// Names of the top level
//===----------------------------------------------------------------------===//

Value Generator::symbolValue(const Lookup &found, llvm::StringRef name,
                             llvm::SMLoc loc) {
  const Symbol &symbol = *found.symbol;
  switch (symbol.kind) {
  case Symbol::Kind::Const:
    return constValue(*found.module, *llvm::cast<ast::ConstStmt>(symbol.stmt));
  case Symbol::Kind::Dim: {
    pm::DimAttr dim =
        dimInfo(*llvm::cast<ast::DimStmt>(symbol.stmt), symbol.index).dim;
    return dim ? valueOf(dim) : Value::poison();
  }
  case Symbol::Kind::Function:
    return makeClosure(llvm::cast<ast::FunctionStmt>(symbol.stmt), nullptr,
                       found.module, loc);
  case Symbol::Kind::Param:
  case Symbol::Kind::Input:
  case Symbol::Kind::Let:
    break;
  }
  if (frame->constantsOnly) {
    // One message for all places that need it.
    if (!neededConstants.insert(symbol.loc.getPointer()).second)
      return Value::poison();
    reportNeeded(rules(), name, symbol, loc);
    return Value::poison();
  }
  if (symbol.kind == Symbol::Kind::Param)
    return paramValue(name, loc);
  // A let, or an input that was read by the caller.
  if (frame->lets) {
    auto it = frame->lets->find(name);
    if (it != frame->lets->end())
      return it->second;
  }
  if (symbol.kind == Symbol::Kind::Input) {
    if (const auto &stmt = *llvm::cast<ast::InputStmt>(symbol.stmt);
        stmt.streamed)
      return Streams(*this).get(name, stmt);
    if (!llvm::isa_and_present<pm::TableType>(inputs.lookup(name)) &&
        !requireFieldsHere(rules(), loc))
      return Value::poison();
    return inputValue(name, *llvm::cast<ast::InputStmt>(symbol.stmt), loc);
  }
  reportEarly(rules(), name, symbol, loc);
  return Value::poison();
}
