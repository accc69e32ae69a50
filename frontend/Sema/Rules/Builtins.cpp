//===- Builtins.cpp - Arguments that builtins take ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Builtins.h"

#include "frontend/Sema/Types/DimMessages.h"
#include "frontend/Sema/Types/Type.h"

using namespace pmc;

using MaybeMistake = std::optional<Mistake>;

static MaybeMistake mistakeIn(unsigned argument, std::string text) {
  return Mistake{argument, std::move(text)};
}

/// Whether no value of this type is a field, or a tuple or record of fields.
static bool isSurelyNoField(const Value &value, bool isElement) {
  const Type &type = value.getKnown();
  return !type.mayBeNumeric() || (type.is(Type::Kind::Number) && !isElement);
}

/// A message's "…, not int".
static std::string notThis(const std::string &text, const Value &value) {
  const bool areParticles = value.isRecord() && value.findMember("disp");
  return text + ", not " + value.describeType() +
         (areParticles
              ? "; these are particles: paint them on a mesh first, as "
                "in overdensity(particles)"
              : "");
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static MaybeMistake checkReduced(const std::string &what, bool isExtreme,
                                 const Value &value, bool hasOver) {
  if (value.isFree())
    return value.getKnown().mayBeNumeric()
               ? std::nullopt
               : mistakeIn(0, notThis("[PM0302] " + what + " requires a field",
                                      value));
  if (value.isPoison())
    return std::nullopt;
  if (value.isTuple() || value.isRecord()) {
    for (const Value &part : value.getElements())
      // A number beside fields is its own reduction.
      if (!part.isRealNumber() || hasOver)
        if (auto mistake = checkReduced(what, isExtreme, part, hasOver))
          return mistake;
    return std::nullopt;
  }
  if (!value.isField())
    return mistakeIn(0,
                     notThis("[PM0302] " + what + " requires a field", value));
  if (isExtreme && !isFloat(value.getStorage()) &&
      !value.isFieldOf(Storage::I64))
    return mistakeIn(0, "[PM0302] " + what + " of " + value.describeType() +
                            " does not exist");
  return std::nullopt;
}

static MaybeMistake checkInner(const Value &a, const Value &b) {
  if (a.isPoison() || b.isPoison())
    return std::nullopt;
  auto wrong = [](std::string text) { return Mistake{{}, std::move(text)}; };
  const bool sameParts = a.getKind() == b.getKind() &&
                         a.getElements().size() == b.getElements().size() &&
                         (!a.isRecord() || hasSameMembers(a, b));
  if ((a.isTuple() || a.isRecord()) && sameParts) {
    if (std::string why = explainOrder(a, b); !why.empty())
      return wrong("[PM0524] 'inner' of vectors with " + why);
    for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a)))
      if (auto mistake = checkInner(x, y))
        return mistake;
    return std::nullopt;
  }
  if (a.is(Value::Kind::Table) && b.is(Value::Kind::Table)) {
    if (a.getXUnit().agrees(b.getXUnit()))
      return std::nullopt;
    return wrong("[PM0524] 'inner' of tables whose x is " +
                 describeUnit(a.getXUnit()) + " and " +
                 describeUnit(b.getXUnit()));
  }
  const bool areFields =
      a.isField() && b.isField() && a.getDims() == b.getDims();
  if (areFields || (a.isNumber() && b.isNumber()))
    return std::nullopt;
  return wrong("[PM0524] 'inner' requires two numbers, fields of the same "
               "dims, tables, or "
               "tuples or records of them, not " +
               a.describeType() + " and " + b.describeType() +
               explainDims(a, b));
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static MaybeMistake checkTotal(const Value &v) {
  if (v.isFree()) {
    const Type &type = v.getKnown();
    if (type.mayBeNumeric() && !type.is(Type::Kind::Number))
      return std::nullopt;
  } else if (v.isPoison() || (v.isTuple() && !v.getElements().empty()) ||
             v.is(Value::Kind::Coordinate)) {
    return std::nullopt;
  }
  return mistakeIn(
      0, "[PM0524] 'total' adds the components of a vector, not of " +
             v.describeType() + (v.isField() ? "; 'sum' adds elements" : ""));
}

static MaybeMistake checkDot(const Value &a, const Value &b) {
  if (a.isPoison() || b.isPoison() || a.is(Value::Kind::Coordinate) ||
      b.is(Value::Kind::Coordinate))
    return std::nullopt;
  if (!a.isTuple() || !b.isTuple() || a.getElements().empty() ||
      a.getElements().size() != b.getElements().size())
    return Mistake{
        {},
        "[PM0524] 'dot' works on two vectors of equal size, not on " +
            a.describeType() + " and " + b.describeType()};
  if (std::string why = explainOrder(a, b); !why.empty())
    return Mistake{{}, "[PM0524] 'dot' of vectors with " + why};
  return std::nullopt;
}

static MaybeMistake checkNorm2(const Value &v) {
  if (v.isRecord())
    return Mistake{{},
                   "[PM0524] 'norm2' does not work on " + v.describeType() +
                       "; the sum over all of it is inner(r, r)"};
  if (v.isTuple() && v.getElements().empty())
    return mistakeIn(0, "[PM0313] there is nothing in this vector");
  return std::nullopt;
}

static MaybeMistake checkUnitOf(const Value &x) {
  if (x.isPoison() || x.isElementwise())
    return std::nullopt;
  if (!x.isTuple() && !x.isRecord())
    return mistakeIn(0,
                     "[PM0302] 'unit_of' works on numbers and fields, not on " +
                         x.describeType());
  for (const Value &part : x.getElements())
    if (auto mistake = checkUnitOf(part))
      return mistake;
  return std::nullopt;
}

static MaybeMistake checkEpsilon(const Value &x) {
  if (x.isPoison() || x.isConstNumber() || isFloat(x.getStorage()) ||
      isComplex(x.getStorage()) || x.isComplex())
    return std::nullopt;
  if (!x.isTuple() && !x.isRecord())
    return mistakeIn(0,
                     "[PM0302] 'epsilon' works on real and complex numbers and "
                     "fields, not on " +
                         x.describeType());
  if (x.getElements().empty())
    return mistakeIn(0, "[PM0313] there is nothing in this vector");
  for (const Value &part : x.getElements())
    if (auto mistake = checkEpsilon(part))
      return mistake;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static MaybeMistake checkFourier(const std::string &what, bool isForward,
                                 const Value &field, bool isElement) {
  if (field.isFree())
    return isSurelyNoField(field, isElement)
               ? mistakeIn(0, notThis("[PM0302] " + what + " requires a field",
                                      field))
               : std::nullopt;
  if (field.isPoison())
    return std::nullopt;
  if (field.isTuple()) {
    for (const Value &part : field.getElements())
      if (auto mistake = checkFourier(what, isForward, part, isElement))
        return mistake;
    return std::nullopt;
  }
  if (!field.isField())
    return mistakeIn(0,
                     notThis("[PM0302] " + what + " requires a field", field));
  if (field.isFieldOf(Storage::I1))
    return mistakeIn(0,
                     notThis("[PM0302] " + what + " requires numbers", field));
  if (isForward && isFloat(field.getStorage()) &&
      llvm::any_of(field.getDims(),
                   [](const Dim &dim) { return dim.isHalf(); }))
    return mistakeIn(0, "[PM0506] the transform of " + field.describeType() +
                            " would have two halved dims; make it complex");
  return std::nullopt;
}

static MaybeMistake checkSorted(unsigned argument, const std::string &what,
                                const Value &field) {
  const Type &type = field.getKnown();
  if (field.isFree() ? type.mayBeNumeric() && !type.is(Type::Kind::Number)
                     : field.isPoison() || field.isFieldOf(Storage::I64) ||
                           (field.isField() && isFloat(field.getStorage())))
    return std::nullopt;
  return mistakeIn(
      argument,
      notThis("[PM0302] " + what + " requires a field of real numbers or ints",
              field));
}

static MaybeMistake checkMatrices(unsigned argument, const Value &field) {
  const Type &type = field.getKnown();
  if (field.isFree() ? type.mayBeNumeric() && !type.is(Type::Kind::Number)
                     : field.isPoison() ||
                           (field.isField() && !field.isFieldOf(Storage::I1)))
    return std::nullopt;
  return mistakeIn(argument,
                   notThis("[PM0302] a matrix requires a field", field));
}

static MaybeMistake checkDims(const std::string &what, const Value &value,
                              bool isElement) {
  if (value.isFree())
    return !value.getKnown().is(Type::Kind::Dim) &&
                   isSurelyNoField(value, isElement)
               ? mistakeIn(0, notThis("[PM0302] " + what + " requires a field",
                                      value))
               : std::nullopt;
  const Value &first = value.isTuple() && !value.getElements().empty()
                           ? value.getElements()[0]
                           : value;
  if (value.isPoison() || first.isPoison() || first.isField() ||
      first.isDim() || first.is(Value::Kind::Coordinate))
    return std::nullopt;
  return mistakeIn(0, notThis("[PM0302] " + what + " requires a field", value));
}

/// The first part of tuples and records that is none.
static const Value &firstPart(const Value &value) {
  const Value *first = &value;
  while ((first->isTuple() || first->isRecord()) &&
         !first->getElements().empty())
    first = &first->getElements()[0];
  return *first;
}

static MaybeMistake checkViewed(const std::string &what, const Value &value) {
  if (value.isPoison() || value.isField())
    return std::nullopt;
  if (!value.isTuple() && !value.isRecord())
    return mistakeIn(
        0, notThis("[PM0302] " + what + " requires a dim or a field", value));
  for (const Value &part : value.getElements())
    if (auto mistake = checkViewed(what, part))
      return mistake;
  return std::nullopt;
}

static MaybeMistake checkView(const std::string &what, const Value &value,
                              bool hasOver) {
  if (!firstPart(value).isDim())
    return checkViewed(what, value);
  return hasOver
             ? mistakeIn(2, "[PM0523] 'over' goes with a field, not with dims")
             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static MaybeMistake checkTable(const std::string &what, const Value &table) {
  const bool isTable =
      table.isFree()
          ? !table.getKnown().isKnown() ||
                table.getKnown().is(Type::Kind::Table)
          : table.isPoison() || table.is(Value::Kind::Table) || table.isGrid();
  return isTable
             ? std::nullopt
             : mistakeIn(
                   0, notThis("[PM0322] " + what + " requires a table", table));
}

static MaybeMistake checkSlope(const std::string &what, const Value &table) {
  return table.isGrid()
             ? mistakeIn(0, notThis("[PM0322] " + what +
                                        " requires a table over one axis",
                                    table) +
                                "; for a partial derivative write grad(a => "
                                "interpolate(t, a, b))(a)")
             : checkTable(what, table);
}

/// A table has as many positions as axes.
static MaybeMistake checkPositions(llvm::ArrayRef<const Value *> args) {
  const Value &table = *args[0];
  if (auto mistake = checkTable("'interpolate'", table))
    return mistake;
  if (table.isPoison())
    return std::nullopt;
  unsigned count = 1;
  for (unsigned i : {2, 3})
    count += i < args.size() && args[i];
  const unsigned axes = table.getAxisCount();
  if (count == axes)
    return std::nullopt;
  const char *hint = axes == 1   ? "interpolate(t, x)"
                     : axes == 2 ? "interpolate(t, x, y)"
                                 : "interpolate(t, x, y, z)";
  const char *more = axes == 1 ? "; the type of a table over two axes is "
                                 "table(k, z) or table(k in h/Mpc, z -> P)"
                               : "";
  return Mistake{
      {},
      "[PM0322] 'interpolate' requires a position for each axis, and the " +
          table.describeType() + " has " + std::to_string(count) + "; write " +
          hint + more};
}

static MaybeMistake checkFunction(unsigned argument, const std::string &rule,
                                  const Value &function) {
  return function.isPoison() || function.isFunction()
             ? std::nullopt
             : mistakeIn(argument, notThis(rule, function));
}

/// A table over several axes: `from`, `to` and `points` have a number for each.
static MaybeMistake checkGridEnds(llvm::ArrayRef<const Value *> args) {
  const size_t axes = args[1]->getElements().size();
  if (axes < 2 || axes > 3)
    return mistakeIn(1, "[PM0322] a table has 1 to 3 axes, and 'from' has " +
                            std::to_string(axes) + " numbers");
  for (unsigned i : {1, 2, 3}) {
    const Value &list = *args[i];
    if (list.isPoison())
      continue;
    if (!list.isTuple() || list.getElements().size() != axes)
      return mistakeIn(i,
                       notThis("[PM0322] a table over " + std::to_string(axes) +
                                   " axes requires a number for each axis "
                                   "in 'from', 'to' and 'points'",
                               list));
    for (const Value &number : list.getElements())
      if (!number.isPoison() && !number.isRealNumber())
        return mistakeIn(
            i, notThis("[PM0322] the ends and points of a table are numbers",
                       number));
  }
  return std::nullopt;
}

static MaybeMistake checkTabulate(llvm::ArrayRef<const Value *> args) {
  if (auto mistake =
          checkFunction(0, "[PM0322] 'tabulate' requires a function", *args[0]))
    return mistake;
  if (args[1]->isTuple())
    return checkGridEnds(args);
  for (unsigned end : {1, 2})
    if (!args[end]->isPoison() && !args[end]->isRealNumber())
      return mistakeIn(
          end, notThis("[PM0322] the ends of a table are numbers", *args[end]));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

std::optional<Mistake> pmc::findMistake(BuiltinId id,
                                        llvm::ArrayRef<const Value *> args,
                                        bool isElement) {
  const std::string what = "'" + getBuiltinInfo(id).name.str() + "'";
  auto has = [&](unsigned i) { return i < args.size() && args[i]; };
  switch (id) {
  case BuiltinId::Sum:
  case BuiltinId::Mean:
    return checkReduced(what, /*isExtreme=*/false, *args[0], has(1));
  case BuiltinId::Min:
  case BuiltinId::Max:
    if (has(1) && has(2))
      return mistakeIn(2, "[PM0702] " + what + " of two numbers has no 'over'");
    if (has(1))
      return std::nullopt;
    if (args[0]->isRealNumber())
      return mistakeIn(0, "[PM0702] " + what +
                              " requires a second number, or a field");
    return checkReduced(what, /*isExtreme=*/true, *args[0], has(2));
  case BuiltinId::Inner:
    return checkInner(*args[0], *args[1]);
  case BuiltinId::Norm2:
  case BuiltinId::Dot: {
    for (unsigned i = 0; i <= unsigned(id == BuiltinId::Dot); ++i)
      if (args[i]->isFree() && !args[i]->getKnown().mayBeNumeric())
        return mistakeIn(i, "[PM0302] " + what + " does not work on " +
                                args[i]->describeType());
    return id == BuiltinId::Dot ? checkDot(*args[0], *args[1])
                                : checkNorm2(*args[0]);
  }
  case BuiltinId::Total:
    return checkTotal(*args[0]);
  case BuiltinId::UnitOf:
    return checkUnitOf(*args[0]);
  case BuiltinId::Epsilon:
    return checkEpsilon(*args[0]);
  case BuiltinId::FFT:
  case BuiltinId::IFFT:
    return checkFourier(what, id == BuiltinId::FFT, *args[0], isElement);
  case BuiltinId::Dims:
  case BuiltinId::Directions:
    return checkDims(what, *args[0], isElement);
  case BuiltinId::Refine:
  case BuiltinId::Coarsen:
    return checkView(what, *args[0], has(2));
  case BuiltinId::Stored:
    if (args[0]->isPoison() ||
        (args[0]->isField() && isFloat(args[0]->getStorage())))
      return std::nullopt;
    return mistakeIn(
        0, notThis("[PM0302] 'stored' requires a field of real numbers",
                   *args[0]));
  case BuiltinId::Sort:
  case BuiltinId::Argsort:
  case BuiltinId::Ranks:
    if (auto mistake = checkSorted(0, what, *args[0]))
      return mistake;
    return has(3) ? checkSorted(3, "'within' of " + what, *args[3])
                  : std::nullopt;
  case BuiltinId::Lapack:
    if (!args[0]->isPoison() && !args[0]->is(Value::Kind::String))
      return mistakeIn(
          0, notThis("[PM0702] 'lapack' requires the name of a function",
                     *args[0]));
    for (unsigned i : {1, 5})
      if (has(i))
        if (auto mistake = checkMatrices(i, *args[i]))
          return mistake;
    return std::nullopt;
  case BuiltinId::Constant: {
    const Value &value = *args[0];
    if (value.isPoison() || value.isNumber() || value.isBoolLike() ||
        value.isTuple())
      return std::nullopt;
    return mistakeIn(0,
                     notThis("[PM0302] 'constant' requires a number", value));
  }
  case BuiltinId::WhiteNoise:
    if (args[0]->isPoison() || args[0]->isIntLike())
      return std::nullopt;
    return mistakeIn(0,
                     "[PM0303] the seed is an int, not " + args[0]->describe());
  case BuiltinId::Index:
    if (args[0]->isPoison() || args[0]->is(Value::Kind::Coordinate))
      return std::nullopt;
    return mistakeIn(
        0,
        notThis("[PM0702] 'index' requires the variable of a map", *args[0]));
  case BuiltinId::Tabulate:
    return checkTabulate(args);
  case BuiltinId::Transform:
    if (auto mistake = checkTable(what, *args[0]))
      return mistake;
    return checkFunction(
        1, "[PM0702] 'transform' requires a function (x, y) => (X, Y)",
        *args[1]);
  case BuiltinId::Interpolate:
    return checkPositions(args);
  case BuiltinId::Derivative:
    return checkSlope(what, *args[0]);
  case BuiltinId::Grad:
  case BuiltinId::ValueAndGrad:
  case BuiltinId::VJP:
  case BuiltinId::JVP:
    if (auto mistake = checkFunction(
            0, "[PM0702] " + what + " requires a function", *args[0])) {
      const std::string name = getBuiltinInfo(id).name.str();
      mistake->text += "; the function is first, and its arguments are in "
                       "parentheses of their own: " +
                       name + "(f)(x)";
      return mistake;
    }
    return std::nullopt;
  case BuiltinId::Dual:
  case BuiltinId::Half:
    return Mistake{{},
                   "[PM0702] " + what +
                       " names a dim of modes in the type of a field, in "
                       "map k in [dual(x), y], and in zeros[dual(x)]"};
  case BuiltinId::Slice:
    return Mistake{{}, "[PM0702] write slice(f, z = a .. b)"};
  case BuiltinId::Shift:
    return Mistake{{}, "[PM0702] write shift(f, x = 1)"};
  case BuiltinId::Given:
    return Mistake{
        {},
        "[PM0702] 'given' takes the name of a param or an input, or a member "
        "of a record"};
  case BuiltinId::Pi:
    return Mistake{{}, "[PM0702] 'pi' is a number, not a function"};
  case BuiltinId::Error:
    if (args[0]->isPoison() || args[0]->is(Value::Kind::String))
      return std::nullopt;
    return mistakeIn(0, "[PM0702] 'error' requires a text");
  default:
    return std::nullopt;
  }
}

bool pmc::acceptCall(const RuleContext &context, BuiltinId id,
                     llvm::ArrayRef<std::optional<Argument>> args,
                     bool isElement, llvm::SMLoc loc) {
  llvm::SmallVector<const Value *> values;
  for (const std::optional<Argument> &arg : args)
    values.push_back(arg ? &arg->value : nullptr);
  const auto mistake = findMistake(id, values, isElement);
  if (!mistake)
    return true;
  if (mistake->argument)
    return context.refuse(*args[*mistake->argument], mistake->text);
  return context.refuse(loc, mistake->text);
}
