//===- Declarations.cpp - const, param, dim, mesh, layout -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Declarations.h"

#include "frontend/Sema/Rules/Types.h"
#include "frontend/Sema/Types/Constants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

bool pmc::isPlainInteger(const ast::NumberExpr &number) {
  return number.isInteger && !number.unit && !number.isImaginary;
}

const ast::NumberExpr *pmc::numberIn(const ast::Expr *expr) {
  if (const auto *unary = llvm::dyn_cast_or_null<ast::UnaryExpr>(expr))
    return unary->op == ast::UnaryOp::Neg
               ? llvm::dyn_cast<ast::NumberExpr>(unary->operand.get())
               : nullptr;
  return llvm::dyn_cast_or_null<ast::NumberExpr>(expr);
}

const ast::NumberExpr *pmc::firstNumberIn(const ast::Expr *expr) {
  if (const auto *list = llvm::dyn_cast_or_null<ast::TupleExpr>(expr))
    return list->elements.empty() ? nullptr
                                  : numberIn(list->elements.front().get());
  return numberIn(expr);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static_assert(std::numeric_limits<Wide>::digits >= 64);

bool Bounds::contain(Wide value) const {
  if (min && (isMinOpen ? value <= *min : value < *min))
    return false;
  return !max || (isMaxOpen ? value < *max : value <= *max);
}

static std::optional<double> readExact(const RuleContext &context,
                                       const ast::Expr &bound, Wide number) {
  const auto nearest = double(number);
  if (Wide(nearest) == number)
    return nearest;
  context.error(bound.loc,
                "[PM0318] bounds are f64, which cannot hold this one "
                "exactly; the nearest is " +
                    llvm::formatv("{0:f0}", nearest).str());
  return std::nullopt;
}

bool pmc::isLargeBound(const ast::Expr &bound) {
  const auto *literal = llvm::dyn_cast<ast::NumberExpr>(&bound);
  return literal && isPlainInteger(*literal) &&
         literal->integer > uint64_t(INT64_MAX);
}

std::optional<double> pmc::readLargeBound(const RuleContext &context,
                                          const ast::Expr &bound) {
  return readExact(context, bound,
                   Wide(llvm::cast<ast::NumberExpr>(bound).integer));
}

std::optional<double> pmc::readBound(const RuleContext &context,
                                     const ast::Expr &bound, const Value &value,
                                     const Unit &unit, double scale) {
  if (value.isPoison())
    return std::nullopt;
  if (!value.isConstNumber()) {
    context.error(bound.loc,
                  "[PM0318] a bound is a number, not " + value.describeType());
    return std::nullopt;
  }
  if (!value.getUnit().isNumber() && !value.getUnit().agrees(unit)) {
    context.error(bound.loc, "[PM0404] the bound is " +
                                 describeUnit(value.getUnit()) +
                                 ", the value is " + describeUnit(unit));
    return std::nullopt;
  }
  if (value.is(Value::Kind::Int))
    return readExact(context, bound, Wide(value.getInt()));
  // Without a unit it is in that of the value. Angles and
  // ratios are numbers, too; for them the literal decides.
  const ast::NumberExpr *literal = numberIn(&bound);
  const bool isPlain =
      unit.isNumber() ? literal && !literal->unit : value.getUnit().isNumber();
  return *value.getConstReal() / (isPlain ? 1 : scale);
}

//===----------------------------------------------------------------------===//
// const
//===----------------------------------------------------------------------===//

bool pmc::requireNoCycle(const RuleContext &context, const ast::Name &name,
                         llvm::StringRef what, bool isCycle) {
  return !isCycle ||
         context.refuse(name.loc, "[PM0209] " + what + " of '" + name.text +
                                      "' depends on itself");
}

bool pmc::requireConst(const RuleContext &context, const Value &value,
                       llvm::SMLoc loc) {
  switch (value.getKind()) {
  case Value::Kind::Int:
  case Value::Kind::Real:
  case Value::Kind::Bool:
  case Value::Kind::String:
  case Value::Kind::Poison:
    return true;
  default:
    return context.refuse(
        loc, "[PM0317] a const is a number, a bool or a string, not " +
                 value.describeType());
  }
}

std::string pmc::findChoiceMistake(const ast::RangeSyntax &range,
                                   const Value &value) {
  if (range.choices.empty())
    return value.isConstNumber() ? "" : "[PM0318] only numbers have a range";
  if (!value.is(Value::Kind::String))
    return "[PM0318] the value must be one of the strings in the list";
  const llvm::StringRef text = value.getString();
  if (llvm::is_contained(range.choices, text.str()))
    return "";
  return "[PM0318] \"" + text.str() + "\" is none of \"" +
         llvm::join(range.choices, "\", \"") + "\"" +
         suggest(text, llvm::SmallVector<llvm::StringRef>(range.choices.begin(),
                                                          range.choices.end()));
}

std::string pmc::findBoundMistake(const ast::Name &name, const Value &value,
                                  const Bounds &bounds) {
  const Wide exact =
      value.is(Value::Kind::Int) ? Wide(value.getInt()) : Wide(value.getReal());
  if (bounds.contain(exact))
    return "";
  return "[PM0318] '" + name.text +
         "' = " + formatNumber(*value.getConstReal()) + " is not in " +
         (bounds.isMinOpen ? "(" : "[") +
         (bounds.min ? formatNumber(*bounds.min) : "-inf") + ", " +
         (bounds.max ? formatNumber(*bounds.max) : "inf") +
         (bounds.isMaxOpen || !bounds.max ? ")" : "]");
}

void pmc::reportConst(const RuleContext &context, const ast::ConstStmt &stmt,
                      const std::string &why, bool isGiven) {
  if (!isGiven) {
    context.error(stmt.value->loc, why)
        .note(stmt.range->loc, "the range is given here");
  } else if (context.messages) {
    const std::string &name = stmt.name.text;
    context.messages
        ->errorOfCommand("[PM1003] -D " + name + ": " + withoutCode(why))
        .note(stmt.name.loc, "'" + name + "' is declared here");
  }
}

void pmc::reportNeeded(const RuleContext &context, llvm::StringRef name,
                       const Symbol &symbol, llvm::SMLoc loc) {
  context
      .error(
          loc,
          "[PM0212] this must be known when the spec is compiled, but '" +
              name + "' is a " + describe(symbol.kind) +
              (symbol.kind == Symbol::Kind::Param
                   ? "; make it a const, which pmc -D " + name + "=VALUE sets"
                   : ""))
      .note(symbol.loc, "'" + name + "' is defined here");
}

bool pmc::requireFieldsHere(const RuleContext &context, llvm::SMLoc loc) {
  return !context.scalarsOnly ||
         context.refuse(loc, llvm::Twine("[PM0711] there can be no fields ") +
                                 context.scalarsOnly);
}

void pmc::reportEarly(const RuleContext &context, llvm::StringRef name,
                      const Symbol &symbol, llvm::SMLoc loc) {
  context.error(loc, "[PM0203] '" + name + "' is used before it is defined")
      .note(symbol.loc, "defined here");
}

//===----------------------------------------------------------------------===//
// param
//===----------------------------------------------------------------------===//

bool pmc::checkFlagName(const RuleContext &context, const ast::Name &name,
                        llvm::StringRef what) {
  static constexpr llvm::StringLiteral taken[] = {
#define PMRT_FLAG(NAME, FORM, TEXT) NAME,
#include "runtime/include/pmrt/flags.def"
  };
  std::string dashed = name.text;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  if (!llvm::is_contained(taken, dashed))
    return true;
  return context.refuse(name.loc, "[PM0210] " + what + " cannot be called '" +
                                      name.text + "', because --" + dashed +
                                      " is a flag of every program; choose "
                                      "another name");
}

bool pmc::checkDefaultUnit(const RuleContext &context,
                           const ast::ParamStmt &stmt, llvm::StringRef unit) {
  const auto check = [&](const ast::Expr *expr) {
    const ast::NumberExpr *number = numberIn(expr);
    if (!number || number->unit || number->value == 0)
      return true;
    return context.refuse(number->loc,
                          "[PM0408] the default has no unit, and '" +
                              stmt.name.text + "' is in " + unit + "; write " +
                              formatNumber(number->value) + " " + unit);
  };
  if (const auto *list =
          llvm::dyn_cast_or_null<ast::TupleExpr>(stmt.value.get()))
    return llvm::all_of(list->elements, [&](const ast::ExprPtr &one) {
      return check(one.get());
    });
  return check(stmt.value.get());
}

static bool fitsDefault(ast::TypeExpr::Base base, const Value &value,
                        const Unit &unit, bool isBits) {
  using Base = ast::TypeExpr::Base;
  switch (base) {
  case Base::F64:
    return value.isConstNumber() &&
           (value.isConstZero() || value.getUnit().agrees(unit));
  case Base::Int:
    return value.getConstInt().has_value();
  case Base::U64:
    return isBits || value.getConstInt().value_or(-1) >= 0;
  case Base::Bool:
    return value.is(Value::Kind::Bool);
  default:
    return true;
  }
}

bool pmc::checkDefault(const RuleContext &context, const ast::ParamStmt &stmt,
                       ast::TypeExpr::Base base, const Value &value,
                       const Unit &unit, bool isBits) {
  if (!stmt.value || fitsDefault(base, value, unit, isBits))
    return true;
  context
      .error(stmt.value->loc, "[PM0318] '" + stmt.name.text +
                                  "' is declared as " +
                                  (stmt.type ? describe(*stmt.type) : "f64") +
                                  ", its default is " + value.describe())
      .range(stmt.value->range);
  return false;
}

bool pmc::requireParamType(const RuleContext &context,
                           const ast::TypeExpr &type) {
  using Base = ast::TypeExpr::Base;
  return llvm::is_contained({Base::F64, Base::Int, Base::U64, Base::Bool},
                            type.base) ||
         context.refuse(
             type.loc,
             "[PM0317] a param is f64, int, u64, bool or a length; fields "
             "and tables are inputs, strings are consts");
}

void pmc::requireRangeOfNumber(const RuleContext &context,
                               const ast::ParamStmt &stmt, bool isBool) {
  if (!stmt.range->choices.empty() || isBool)
    context.error(stmt.range->loc, "[PM0318] only numbers have a range");
}

void pmc::requireInRange(const RuleContext &context, const ast::ParamStmt &stmt,
                         const Bounds &bounds, Wide value) {
  if (!bounds.contain(value))
    context.error(stmt.value->loc, "[PM0318] the default is not in the range")
        .note(stmt.range->loc, "the range is given here");
}

std::optional<Unit> pmc::checkList(const RuleContext &context,
                                   const ast::ParamStmt &stmt,
                                   const Value &value, Unit unit) {
  auto fail = [&](const llvm::Twine &why) {
    context.error(stmt.value ? stmt.value->loc : stmt.loc,
                  "[PM0319] '" + stmt.name.text + "' is a list, " + why);
    return std::nullopt;
  };
  if (stmt.type && stmt.type->base != ast::TypeExpr::Base::F64)
    return fail("and lists hold f64 numbers");
  if (!stmt.value)
    return fail("and requires a default, which defines its length");
  constexpr size_t most = 256;
  const llvm::ArrayRef<Value> numbers = value.getElements();
  if (!value.isTuple() || numbers.empty() || numbers.size() > most)
    return fail("and its default, of 1 to " + llvm::Twine(most) +
                " numbers (a, b, …), is " + value.describe());
  if (!stmt.type || !stmt.type->unit) {
    unit = numbers[0].getUnit();
    unit.factor = 1;
  }
  for (const Value &number : numbers)
    if (!number.isConstNumber() ||
        (!number.isConstZero() && !number.getUnit().agrees(unit)))
      return fail("expected " +
                  (unit.isNumber() ? std::string("pure numbers")
                                   : "numbers in " + unit.str()) +
                  " in its default, found " + number.describe());
  return unit;
}

//===----------------------------------------------------------------------===//
// dim
//===----------------------------------------------------------------------===//

Value pmc::checkLength(const RuleContext &context, const Value &length,
                       llvm::SMLoc loc) {
  if (length.isTuple()) {
    context.error(loc,
                  "[PM0519] the dims of one declaration have one length, each; "
                  "declare those of different lengths apart: dim x = 64 "
                  "over 1, then dim y = 64 over 2");
    // What follows from the wrong unit would hide that.
    return length.getElements().empty() ? length : length.getElements().front();
  }
  if (!length.isPoison() && !length.isRealNumber())
    context.error(loc, "[PM0519] the length of a dim is a number, not " +
                           length.describeType());
  else if (length.isConstNumber() && *length.getConstReal() <= 0)
    context.error(loc, "[PM0519] the length of a dim is positive");
  return length;
}

//===----------------------------------------------------------------------===//
// mesh
//===----------------------------------------------------------------------===//

static const char *const firstOne = "the first one";

bool pmc::requireOneMesh(const RuleContext &context, const ast::MeshStmt &mesh,
                         const ast::MeshStmt *first) {
  if (first)
    context.error(mesh.loc, "[PM0520] a program has one mesh")
        .note(first->loc, firstOne);
  return !first;
}

void pmc::checkMeshName(const RuleContext &context, const ast::Name &name) {
  if (name.text == "main")
    context.error(name.loc, "[PM0210] a mesh cannot be called 'main'");
}

bool pmc::requireNewAxis(const RuleContext &context, const ast::Name &axis,
                         std::optional<llvm::SMLoc> first) {
  if (first)
    context
        .error(axis.loc, "[PM0520] the mesh has two axes '" + axis.text + "'")
        .note(*first, firstOne);
  return !first;
}

bool pmc::requireFewRanks(const RuleContext &context, int64_t ranks,
                          llvm::SMLoc loc) {
  return ranks <= (1 << 20) ||
         context.refuse(loc, "[PM0520] the mesh has more than 2^20 ranks");
}

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

bool pmc::checkLayout(const RuleContext &context, const LayoutEntry &entry,
                      const LayoutNames &names) {
  // Of the spec, or of the command line.
  auto refuse = [&](llvm::SMLoc loc, const llvm::Twine &text,
                    std::optional<llvm::SMLoc> other = {},
                    const char *note = nullptr) {
    if (loc.isValid()) {
      Report report = context.error(loc, text);
      if (other && other->isValid())
        report.note(*other, note);
      else if (other)
        report.note("in --layout '" + names.option + "'");
    } else if (context.messages) {
      InFlight message = context.messages->errorOfCommand(
          "[PM1004] --layout: " + withoutCode(text.str()));
      if (other && other->isValid())
        message.note(*other, note);
      else if (other)
        message.note("in --layout '" + names.option + "'");
    }
    return false;
  };
  const llvm::StringRef dim = entry.dim;
  const bool isKnown = llvm::is_contained(names.dims, dim) ||
                       (dim.starts_with("k") &&
                        llvm::is_contained(names.dims, dim.drop_front()));
  if (!isKnown)
    return refuse(entry.dimLoc, "[PM0520] there is no dim '" + dim +
                                    "' to lay out" + suggest(dim, names.dims));
  if (names.previous)
    return refuse(entry.dimLoc, "[PM0520] '" + dim + "' has two layouts",
                  names.previous->dimLoc, firstOne);
  for (auto [i, axis] : llvm::enumerate(entry.axes)) {
    const llvm::SMLoc loc = entry.axisLocs[i];
    if (names.axes.empty())
      return refuse(loc, "[PM0520] there is no mesh; write 'mesh ranks(" +
                             axis + " = 1)'");
    if (!llvm::is_contained(names.axes, axis))
      return refuse(loc, "[PM0520] the mesh has no axis '" + axis + "'" +
                             suggest(axis, names.axes));
    for (size_t j = 0; j < i; ++j)
      if (entry.axes[j] == axis)
        return refuse(
            loc, "[PM0520] the axis '" + axis + "' splits '" + dim + "' twice",
            entry.axisLocs[j], "here and");
  }
  return true;
}

void pmc::reportConflict(const RuleContext &context, llvm::StringRef axis,
                         DimList field, const Dim &first, const Dim &second,
                         llvm::ArrayRef<const LayoutEntry *> claims,
                         llvm::StringRef option, llvm::SMLoc loc) {
  Report report = context.error(
      loc, "[PM0520] the mesh axis '" + axis + "' splits two dims of field" +
               describeDims(field) + ", '" + first.getLabel() + "' and '" +
               second.getLabel() + "'");
  for (const LayoutEntry *claim : claims)
    if (claim->dimLoc.isValid())
      report.note(claim->dimLoc, "'" + claim->dim + "' is laid out here");
    else
      report.note({}, "'" + claim->dim + "' is laid out by --layout '" +
                          option + "'");
}
