//===- Declarations.cpp - const, param, names of the top level ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Constants.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <limits>

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
      why = "the spec has no const '" + name + "'" + suggest(name, names);
    else if (other->second.kind == Symbol::Kind::Param)
      why = "'" + name + "' is a param: give it to the program, --" + name +
            "=" + text;
    else
      why = "'" + name + "' is not a const";
    diags.report(Severity::Error, "<command line>", 0, 0,
                 "-D " + name + "=" + text + ": " + why);
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
    if (value.isScalar() || value.isField() || value.is(Value::Kind::Table))
      value = error(expr.loc, "this must be known when the spec is compiled");
  });
  return value;
}

/// Of all ints of 64 bits and all f64, exactly.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64);

static bool inRange(Wide value, std::optional<double> min, bool minOpen,
                    std::optional<double> max, bool maxOpen) {
  if (min && (minOpen ? value <= *min : value < *min))
    return false;
  return !max || (maxOpen ? value < *max : value <= *max);
}

bool Generator::checkConstRange(const ast::ConstStmt &stmt,
                                const ModuleInfo &owner, const Value &value,
                                bool overridden) {
  const ast::RangeSyntax &range = *stmt.range;
  auto fail = [&](const llvm::Twine &text) {
    if (overridden) {
      diags
          .report(Severity::Error, "<command line>", 0, 0,
                  "-D " + stmt.name.text + ": " + text)
          .note(stmt.name.loc, "'" + stmt.name.text + "' is declared here");
      return false;
    }
    error(stmt.value->loc, text).note(range.loc, "the range is given here");
    return false;
  };
  if (!range.choices.empty()) {
    if (!value.is(Value::Kind::String))
      return fail("the value must be one of the strings in the list");
    if (llvm::is_contained(range.choices, value.getString().str()))
      return true;
    llvm::SmallVector<llvm::StringRef> names(range.choices.begin(),
                                             range.choices.end());
    return fail("\"" + value.getString() + "\" is none of \"" +
                llvm::join(range.choices, "\", \"") + "\"" +
                suggest(value.getString(), names));
  }
  if (!value.isConstNumber())
    return fail("only numbers have a range");
  mlir::FloatAttr min = rangeBound(range.min, value.getUnit(), 1, owner);
  mlir::FloatAttr max = rangeBound(range.max, value.getUnit(), 1, owner);
  auto bound = [](mlir::FloatAttr attr) {
    return attr ? std::optional<double>(attr.getValueAsDouble()) : std::nullopt;
  };
  Wide exact =
      value.is(Value::Kind::Int) ? Wide(value.getInt()) : Wide(value.getReal());
  if (inRange(exact, bound(min), range.minOpen, bound(max), range.maxOpen))
    return true;
  std::string text = range.minOpen ? "(" : "[";
  text += min ? formatNumber(min.getValueAsDouble()) : "-inf";
  text += ", ";
  text += max ? formatNumber(max.getValueAsDouble()) : "inf";
  text += range.maxOpen || !max ? ")" : "]";
  return fail("'" + stmt.name.text + "' = " +
              formatNumber(*value.getConstReal()) + " is not in " + text);
}

Value Generator::constValue(const ModuleInfo &owner,
                            const ast::ConstStmt &stmt) {
  auto known = constValues.find(&stmt);
  if (known != constValues.end())
    return known->second;
  if (llvm::is_contained(constsInProgress, &stmt))
    return error(stmt.name.loc,
                 "the value of '" + stmt.name.text + "' depends on itself");
  constsInProgress.push_back(&stmt); // for its range too
  llvm::scope_exit pop([&] { constsInProgress.pop_back(); });
  Value value =
      stmt.value ? evaluateConst(*stmt.value, owner) : Value::poison();
  switch (value.getKind()) {
  case Value::Kind::Int:
  case Value::Kind::Real:
  case Value::Kind::Bool:
  case Value::Kind::String:
  case Value::Kind::Poison:
    break;
  default:
    value =
        error(stmt.value->loc, "a const is a number, a bool or a string, not " +
                                   value.describeType());
  }
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
        diags
            .report(Severity::Error, "<command line>", 0, 0,
                    "-D " + name + "=" + text + ": " + why)
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

/// No unit, no i.
static bool isPlainInteger(const ast::NumberExpr &number) {
  return number.isInteger && !number.unit && !number.isImaginary;
}

/// The number that an expression is, perhaps with a minus; null if it is
/// another one.
static const ast::NumberExpr *numberIn(const ast::Expr *expr) {
  if (const auto *unary = llvm::dyn_cast_or_null<ast::UnaryExpr>(expr))
    return unary->op == ast::UnaryOp::Neg
               ? llvm::dyn_cast<ast::NumberExpr>(unary->operand.get())
               : nullptr;
  return llvm::dyn_cast_or_null<ast::NumberExpr>(expr);
}

/// The number whose unit is that of a default: of a list, the first one.
static const ast::NumberExpr *firstNumberIn(const ast::Expr *expr) {
  if (const auto *list = llvm::dyn_cast_or_null<ast::TupleExpr>(expr))
    return list->elements.empty() ? nullptr
                                  : numberIn(list->elements.front().get());
  return numberIn(expr);
}

/// Null if there is no bound, or after an error.
mlir::FloatAttr Generator::rangeBound(const ast::ExprPtr &bound, Unit unit,
                                      double scale, const ModuleInfo &owner) {
  if (!bound)
    return nullptr;
  auto exact = [&](Wide number) -> mlir::FloatAttr {
    auto nearest = double(number);
    if (Wide(nearest) == number)
      return builder.getF64FloatAttr(nearest);
    error(bound->loc, "bounds are f64, which cannot hold this one exactly; the "
                      "nearest is " +
                          llvm::formatv("{0:f0}", nearest).str());
    return nullptr;
  };
  // Of u64; as an int it would be too large.
  if (auto *literal = llvm::dyn_cast<ast::NumberExpr>(bound.get());
      literal && isPlainInteger(*literal) &&
      literal->integer > uint64_t(INT64_MAX))
    return exact(Wide(literal->integer));
  Value value = evaluateConst(*bound, owner);
  if (value.isPoison())
    return nullptr;
  if (!value.isConstNumber()) {
    error(bound->loc, "a bound is a number, not " + value.describeType());
    return nullptr;
  }
  if (!value.getUnit().isNumber() && !value.getUnit().agrees(unit)) {
    error(bound->loc, "the bound is " + describeUnit(value.getUnit()) +
                          ", the value is " + describeUnit(unit));
    return nullptr;
  }
  if (value.is(Value::Kind::Int))
    return exact(Wide(value.getInt()));
  // Without a unit it is in that of the value. Angles and
  // ratios are numbers, too; for them the literal decides.
  const ast::NumberExpr *literal = numberIn(bound.get());
  const bool isPlain =
      unit.isNumber() ? literal && !literal->unit : value.getUnit().isNumber();
  return builder.getF64FloatAttr(*value.getConstReal() / (isPlain ? 1 : scale));
}

/// A plain number could be meant in the declared unit of an angle or a ratio,
/// or as the ratio itself.
bool Generator::checkDefaultUnit(const ast::ParamStmt &stmt,
                                 const std::string &unitText) {
  const auto check = [&](const ast::Expr *expr) {
    const ast::NumberExpr *number = numberIn(expr);
    if (!number || number->unit || number->value == 0)
      return true;
    error(number->loc, "the default has no unit, and '" + stmt.name.text +
                           "' is in " + unitText + "; write " +
                           formatNumber(number->value) + " " + unitText);
    return false;
  };
  if (const auto *list =
          llvm::dyn_cast_or_null<ast::TupleExpr>(stmt.value.get()))
    return llvm::all_of(list->elements, [&](const ast::ExprPtr &one) {
      return check(one.get());
    });
  return check(stmt.value.get());
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
  if (unit.isNumber() && scale != 1 && !checkDefaultUnit(stmt, unitText))
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
  auto mismatch = [&] {
    error(stmt.value->loc, "'" + stmt.name.text + "' is declared as " +
                               (stmt.type ? describe(*stmt.type) : "f64") +
                               ", its default is " + value.describe())
        .range(stmt.value->range);
  };
  switch (base) {
  case Base::F64:
    info.type = f64Type;
    kind = "f64";
    if (!stmt.value)
      break;
    if (!value.isConstNumber() ||
        (!value.isConstZero() && !value.getUnit().agrees(unit)))
      return mismatch();
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
    if (!value.getConstInt() ||
        (info.isUnsigned && !bits && *value.getConstInt() < 0))
      return mismatch();
    initial = builder.getI64IntegerAttr(*value.getConstInt());
    break;
  case Base::Bool:
    info.type = i1Type;
    kind = "bool";
    if (!stmt.value)
      break;
    if (!value.is(Value::Kind::Bool))
      return mismatch();
    initial = builder.getBoolAttr(value.getBool());
    break;
  default:
    error(stmt.type->loc, "a param is f64, int, u64, bool or a length; fields "
                          "and tables are inputs, strings are consts");
    return;
  }
  info.unit = unit;
  info.scale = scale;
  info.unitText = unitText;
  checkFlagName(stmt.name, "a param");
  emitParam(stmt, stmt.name.text, info, kind, initial, value);
}

/// The op of a param that is a number, with its range.
void Generator::emitParam(const ast::ParamStmt &stmt, llvm::StringRef name,
                          const ParamInfo &info, llvm::StringRef kind,
                          mlir::Attribute initial, const Value &value) {
  const auto *literal =
      llvm::dyn_cast_or_null<ast::NumberExpr>(stmt.value.get());
  bool bits = kind == "u64" && literal && isPlainInteger(*literal);
  mlir::FloatAttr min, max;
  bool minOpen = false, maxOpen = false;
  if (stmt.range) {
    if (!stmt.range->choices.empty() || kind == "bool")
      error(stmt.range->loc, "only numbers have a range");
    min = rangeBound(stmt.range->min, info.unit, info.scale, program.getMain());
    max = rangeBound(stmt.range->max, info.unit, info.scale, program.getMain());
    minOpen = min && stmt.range->minOpen;
    maxOpen = max && stmt.range->maxOpen;
    Wide start = 0;
    if (bits)
      start = literal->integer;
    else if (auto real = llvm::dyn_cast_or_null<mlir::FloatAttr>(initial))
      start = real.getValueAsDouble();
    else if (auto whole = llvm::dyn_cast_or_null<mlir::IntegerAttr>(initial))
      start = whole.getInt();
    if (value.isConstNumber() && (min || max) &&
        !inRange(
            start, min ? std::optional(min.getValueAsDouble()) : std::nullopt,
            minOpen, max ? std::optional(max.getValueAsDouble()) : std::nullopt,
            maxOpen))
      error(stmt.value->loc, "the default is not in the range")
          .note(stmt.range->loc, "the range is given here");
  }
  auto text = [&](llvm::StringRef string) {
    return string.empty() ? mlir::StringAttr() : builder.getStringAttr(string);
  };
  auto flag = [&](bool on) {
    return on ? builder.getUnitAttr() : mlir::UnitAttr();
  };
  pm::ParamOp::create(builder, getLoc(stmt.loc), builder.getStringAttr(name),
                      mlir::TypeAttr::get(info.type),
                      builder.getStringAttr(kind), initial, min, max,
                      flag(minOpen), flag(maxOpen),
                      text(info.scale != 1        ? info.unitText
                           : info.unit.isNumber() ? ""
                                                  : info.unit.str()),
                      text(stmt.doc));
}

/// A flag of every program.
bool Generator::checkFlagName(const ast::Name &name, llvm::StringRef what) {
  static constexpr llvm::StringLiteral taken[] = {
#define PMRT_FLAG(NAME) NAME,
#include "runtime/include/pmrt/flags.def"
  };
  std::string dashed = name.text;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  if (!llvm::is_contained(taken, dashed))
    return true;
  error(name.loc, what + " cannot be called '" + name.text + "', because --" +
                      dashed +
                      " is a flag of every program; choose another "
                      "name");
  return false;
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
    bool isParam = symbol.kind == Symbol::Kind::Param;
    return error(loc, "this must be known when the spec is compiled, but '" +
                          name + "' is a " + pmc::describe(symbol.kind) +
                          (isParam ? "; make it a const, which pmc -D " + name +
                                         "=VALUE sets"
                                   : ""))
        .note(symbol.loc, "'" + name + "' is defined here");
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
    if (frame->scalarsOnly &&
        !llvm::isa_and_present<pm::TableType>(inputs.lookup(name)))
      return error(loc,
                   llvm::Twine("there can be no fields ") + frame->scalarsOnly);
    return inputValue(name, *llvm::cast<ast::InputStmt>(symbol.stmt), loc);
  }
  return error(loc, "'" + name + "' is used before it is defined")
      .note(symbol.loc, "defined here");
}
