//===- ParseType.cpp - Types and units ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"
#include "frontend/Parser/Variables.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;
using llvm::SMLoc;
using llvm::StringRef;

using Base = TypeExpr::Base;

/// Nothing, or `: type`.
bool Parser::parseOptionalType(std::optional<TypeExpr> &type) {
  if (!accept(Kind::Colon))
    return true;
  type = parseType();
  return type.has_value();
}

static std::optional<Base> scalarType(StringRef word) {
  return llvm::StringSwitch<std::optional<Base>>(word)
      .Cases({"f64", "length", "list"}, Base::F64)
      .Case("int", Base::Int)
      .Case("u64", Base::U64)
      .Case("bool", Base::Bool)
      .Case("string", Base::String)
      .Case("complex", Base::Complex)
      .Case("field", Base::Field)
      .Case("table", Base::Table)
      .Default(std::nullopt);
}

/// What other languages call our types, or a word like the one given.
static StringRef similarType(StringRef word) {
  StringRef known =
      llvm::StringSwitch<StringRef>(word)
          .Cases({"float", "double", "real", "number", "float64"}, "f64")
          .Cases({"integer", "int32", "int64", "i64"}, "int")
          .Cases({"uint", "uint64", "unsigned"}, "u64")
          .Cases({"boolean", "logical"}, "bool")
          .Cases({"str", "text"}, "string")
          .Cases({"vec", "vec3"}, "vector")
          .Cases({"array", "mesh", "tensor"}, "field")
          .Default("");
  if (!known.empty())
    return known;
  static constexpr StringRef names[] = {"f64",    "int",     "u64",   "bool",
                                        "string", "complex", "field", "vector",
                                        "table",  "length",  "list"};
  return closestName(word, names).value_or("");
}

/// The parentheses behind `table` have one of three forms. Axes and a value:
/// `(k in h/Mpc, z -> P in (Mpc/h)^3)`. Two columns with units: `(k in h/Mpc, P
/// in (Mpc/h)^3)`. Axes: `(k, z)`.
bool Parser::parseColumns(TypeExpr &type) {
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  bool hasUnits = false;
  bool good = parseList(Kind::RParen, open, [&] {
    if (type.value)
      return error("[PM0901] a table has one value, and it follows all axes"),
             false;
    TypeExpr::Column &column = type.columns.emplace_back();
    if (!expectName(column.name, "the name of a column or an axis"))
      return false;
    if (!acceptAsked(column.unit))
      return false;
    hasUnits |= column.unit.loc.isValid();
    if (!accept(Kind::Arrow))
      return true;
    return expectName(type.value.emplace().name, "the name of the value") &&
           acceptAsked(type.value->unit);
  });
  if (!good)
    return false;
  const size_t count = type.columns.size();
  if (type.value && count == 1) {
    // A table over one axis has two columns: the axis and the value.
    type.columns.push_back(std::move(*type.value));
    type.value.reset();
    return true;
  }
  if (hasUnits && !type.value) {
    if (count != 2)
      return error(open.loc(),
                   "[PM0901] a table with units has two columns, x and y; "
                   "found " +
                       llvm::Twine(count))
                 .note(count > 2
                           ? "write a file and an input for each further "
                             "column: 'input e: table(k in h/Mpc, e in "
                             "(Mpc/h)^3)'; a table over several axes has '->' "
                             "before its value: 'table(k in h/Mpc, z -> P)'"
                           : "as in 'table(k in h/Mpc, P in (Mpc/h)^3)'"),
             false;
    return true;
  }
  type.axes = std::move(type.columns);
  type.columns.clear();
  if (count == 2 || count == 3)
    return true;
  error(open.loc(), "[PM0901] a table in parentheses has 2 or 3 axes, found " +
                        std::to_string(count))
      .note("write 'table' for a table over one axis, or "
            "'table(k in h/Mpc, P in (Mpc/h)^3)' for columns with units");
  return false;
}

/// Reports dims of a type that is not a field, as in `complex[x]`, and numbers
/// in place of dims, as in `field[16, 16]`. `base` is the token of the type.
/// Returns false after an error.
bool Parser::checkFieldType(const TypeExpr &type, const Token &base) {
  if (type.base != Base::Field) {
    const bool isElement = base.text == "f64" || type.base == Base::Int ||
                           type.base == Base::Complex;
    if (!isElement || type.isVector || !tok.is(Kind::LBracket) || atNewline())
      return true;
    const std::string kind =
        type.base == Base::F64 ? "field" : base.text.str() + " field";
    error("[PM0315] '" + base.text +
          "' is one number and has no dims; write '" + kind +
          "[…]' for a field");
    return false;
  }
  for (const ExprPtr &dim : type.dims) {
    const auto *number = llvm::dyn_cast<NumberExpr>(dim.get());
    if (!number)
      continue;
    const char *begin = number->range.Start.getPointer();
    const std::string cells(begin, number->range.End.getPointer() - begin);
    error(dim->loc, "[PM0315] the type of a field names its dims, found " +
                        cells + "; declare a dim, as in 'dim x = " + cells +
                        "', and write 'field[x]'")
        .range(number->range);
    return false;
  }
  return true;
}

/// Reports the current token, which is not a type.
void Parser::unknownType() {
  const Token word = tok;
  if (Unit::atom(word.text) || ownUnits.count(word.text)) {
    std::string unit;
    const char *start = word.text.begin();
    UnitNames names;
    names.own = &ownUnits;
    names.isAsked = true;
    const size_t length =
        readUnit(StringRef(start, textEnd - start), names).length;
    unit.assign(start, length ? length : word.text.size());
    error("[PM0315] '" + unit + "' is a unit, not a type; write 'f64 in " +
          unit + "' for a number with this unit");
    return;
  }
  InFlight diag =
      error("[PM0315] unknown type '" + tok.text.take_front(80) + "'");
  if (StringRef similar = similarType(tok.text); !similar.empty())
    diag.note("did you mean '" + similar + "'?");
}

std::optional<TypeExpr> Parser::parseType() {
  TypeExpr type;
  type.loc = tok.loc();
  if (atNewline()) {
    expected("a type");
    return std::nullopt;
  }
  type.isVector = acceptWord("vector");
  auto base = tok.is(Kind::Identifier) ? scalarType(tok.text) : std::nullopt;
  if (!base) {
    if (!isName(tok) || atNewline()) {
      InFlight diag = expected("a type");
      if (tok.isAny(Kind::LParen, Kind::LBrace) && !foundEnd())
        diag.note("tuples and records have no type to write; leave it out");
      return std::nullopt;
    }
    unknownType();
    return std::nullopt;
  }
  const Token word = tok;
  type.base = *base;
  bool isLength = tok.text == "length";
  type.isVector |= tok.text == "list";
  advance();
  if ((type.base == Base::Complex || type.base == Base::Int) &&
      isWord("field") && !atNewline()) {
    advance();
    type.isComplexField = type.base == Base::Complex;
    type.isIntField = type.base == Base::Int;
    type.base = Base::Field;
  }
  if (type.base == Base::Field) {
    if (!tok.is(Kind::LBracket) || atNewline()) {
      expected("'['").note("a field names its dims: 'field[x, y, z]'");
      return std::nullopt;
    }
    Inside inside(*this, /*newlinesCount=*/false);
    Token open = advance();
    if (!parseExprList(Kind::RBracket, open, type.dims))
      return std::nullopt;
  }
  if (!checkFieldType(type, word))
    return std::nullopt;
  if (type.base == Base::Table && tok.is(Kind::LParen) && !atNewline() &&
      !parseColumns(type))
    return std::nullopt;
  if (isLength) {
    type.unit = units.apply(Unit::length());
    type.unitText = "Mpc/h";
    return type;
  }
  if (type.base != Base::F64 && type.base != Base::Complex &&
      (type.base != Base::Field || type.isIntField))
    return type;
  // `in` also begins a range, which has brackets: `(0, 1]` and not `(mm/s)`.
  const bool isAsked = tok.is(Kind::KwIn) && !atNewline() &&
                       (peek().is(Kind::Identifier) || startsUnit(peek()));
  if (isAsked)
    advance();
  const SMLoc unitStart = tok.loc();
  type.unit = acceptUnit(type.unitText, isAsked);
  if (type.unit)
    type.unitRange = {unitStart, previous.endLoc()};
  if (!type.unit && tok.is(Kind::Identifier) && !atNewline() &&
      !tok.startsLine && !atStopWord()) {
    InFlight diag =
        error("[PM0401] unknown unit '" + tok.text.take_front(80) + "'");
    llvm::SmallVector<StringRef> names(Unit::atomNames());
    for (const auto &own : ownUnits)
      names.push_back(own.getKey());
    llvm::sort(names);
    if (auto near = closestName(tok.text, names))
      diag.note("did you mean '" + *near + "'?");
    return std::nullopt;
  }
  return type;
}

/// `unit inch =`. `unit` is a name elsewhere.
bool Parser::atUnit() {
  return isWord("unit") && isName(peek()) && !peek().startsLine &&
         peek(2).is(Kind::Assign);
}

StmtPtr Parser::parseUnit(Scope scope) {
  if (scope != Scope::Top)
    error("[PM0113] 'unit' is allowed only at the top level");
  auto stmt = std::make_unique<UnitStmt>(tok.loc());
  advance();
  if (!expectName(stmt->name, "the name of the unit") || !expect(Kind::Assign))
    return nullptr;
  StringRef name = stmt->name.text;
  if (!tok.is(Kind::Number)) {
    expected("a number")
        .note("a unit is a number of others: 'unit inch = "
              "25.4 mm'");
    return nullptr;
  }
  const SMLoc loc = tok.loc();
  ExprPtr value = parseNumber(/*mayHaveUnit=*/true);
  if (!value)
    return nullptr;
  const auto &number = *llvm::cast<NumberExpr>(value.get());
  stmt->unit = number.unit.value_or(Unit());
  stmt->unit.factor *= number.value;
  if (number.isImaginary || !(stmt->unit.factor > 0) ||
      !std::isfinite(stmt->unit.factor))
    error(loc, "[PM0406] a unit is a positive number of other units");
  else if ((Unit::atom(name) && !isWeakUnit(name)) || ownUnits.count(name))
    error(stmt->name.loc, "[PM0406] there is a unit '" + name + "' already");
  else
    ownUnits[name] = stmt->unit;
  return finish(std::move(stmt), 0);
}

/// `units um, s`. `units` is a name elsewhere.
bool Parser::atUnits() {
  return isWord("units") && peek().is(Kind::Identifier) && !peek().startsLine;
}

StmtPtr Parser::parseUnits(Scope scope) {
  if (scope != Scope::Top)
    error("[PM0113] 'units' is allowed only at the top level");
  auto stmt = std::make_unique<UnitsStmt>(tok.loc());
  do {
    advance();
    WrittenUnit written;
    if (!parseWrittenUnit(written))
      return nullptr;
    auto base = WorkingUnits().use(written.text);
    if (!base)
      error(written.loc, "[PM0406] numbers cannot be stored in " + written.text)
          .note("'units' lists units of length, time, temperature, mass and "
                "current: 'units um, ms'");
    else if (llvm::is_contained(workingBases, *base))
      error(written.loc, "[PM0406] 'units' has two units of one kind");
    else
      workingBases.push_back(*base);
    stmt->units.push_back(std::move(written));
  } while (tok.is(Kind::Comma));
  return finish(std::move(stmt), 0);
}

bool Parser::isVariable(StringRef name) {
  if (!variables)
    variables = findVariables(StringRef(textBegin, textEnd - textBegin));
  return variables->contains(name);
}

/// `in mm`; true without it, too.
bool Parser::acceptAsked(WrittenUnit &asked) {
  if (!tok.is(Kind::KwIn) || atNewline())
    return true;
  advance();
  return parseWrittenUnit(asked);
}

bool Parser::parseWrittenUnit(WrittenUnit &written) {
  const SMLoc loc = tok.loc();
  auto unit = acceptUnit(written.text, /*isAsked=*/true);
  if (!unit) {
    InFlight diag = expected("a unit");
    diag.note("units are on the manual's page of units: mm, km/s, h/Mpc");
    return false;
  }
  written.loc = loc;
  written.unit = *unit;
  written.range = {loc, previous.endLoc()};
  return true;
}

/// Whether the parentheses are part of a unit.
bool Parser::startsUnit(const Token &token) {
  if (!token.is(Kind::LParen))
    return false;
  const char *start = token.text.begin();
  UnitNames names;
  names.own = &ownUnits;
  names.isAsked = true;
  return readUnit(StringRef(start, textEnd - start), names).length > 0;
}

/// `isAsked`: the unit is behind `in`, where it cannot be a variable and can be
/// `1/mm`.
std::optional<Unit> Parser::acceptUnit(std::string &text, bool isAsked) {
  const bool isInverse = isAsked && tok.is(Kind::Number) && tok.text == "1" &&
                         peek().is(Kind::Slash);
  if ((!isInverse && !tok.isAny(Kind::Identifier, Kind::LParen)) ||
      tok.startsLine)
    return std::nullopt;
  const char *start = tok.text.begin();
  UnitNames names;
  names.own = &ownUnits;
  names.working = units;
  auto hides = [&](StringRef name) { return isVariable(name); };
  names.isVariable = hides;
  names.isAsked = isAsked;
  UnitPrefix prefix = readUnit(StringRef(start, textEnd - start), names);
  if (prefix.length == 0)
    return std::nullopt;
  SMLoc problem = SMLoc::getFromPointer(start + prefix.problemAt);
  llvm::SMRange range(tok.loc(), problem);
  switch (prefix.problem) {
  case UnitPrefix::None:
    break;
  case UnitPrefix::BadExponent:
    error(problem,
          "[PM0405] the exponent of a unit is a whole number from -99 to 99")
        .range(range)
        .note("to raise the number too, put it in parentheses: '(2 K)^x'");
    break;
  case UnitPrefix::UnclearExponent:
    error(problem,
          "[PM0405] this exponent could belong to a part of the unit or to all")
        .range(range)
        .note("put what it belongs to in parentheses: '(Mpc/h)^3'");
    break;
  }
  while (tok.text.begin() < start + prefix.length && !tok.is(Kind::Eof))
    advance();
  text.assign(start, prefix.length);
  return prefix.unit;
}
