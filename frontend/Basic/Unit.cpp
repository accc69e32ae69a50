//===- Unit.cpp - Units of measure ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Basic/Unit.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using namespace pmc;
using llvm::StringRef;

namespace {

enum Kind : bool { Firm, Weak };

struct Atom {
  StringRef name;
  Kind kind;
  double factor;
  std::array<int8_t, Unit::NumBases> exponents;

  /// The base of which it is a multiple.
  std::optional<Unit::Base> base() const {
    std::optional<Unit::Base> found;
    for (unsigned i = 0; i < Unit::NumBases; ++i) {
      if (exponents[i] == 0)
        continue;
      if (found || exponents[i] != 1)
        return std::nullopt;
      found = Unit::Base(i);
    }
    return found;
  }
};

constexpr Atom atoms[] = {
#define PMRT_UNIT(NAME, KIND, FACTOR, ...) {NAME, KIND, FACTOR, {__VA_ARGS__}},
#include "runtime/include/pmrt/units.def"
};
constexpr size_t numAtoms = sizeof(atoms) / sizeof(atoms[0]);

constexpr StringRef baseNames[] = {
#define PMRT_BASE_UNIT(ID, NAME) NAME,
#include "runtime/include/pmrt/units.def"
};

/// Larger exponents than these are mistakes; they keep the sums in range.
constexpr int64_t maxSixths = 6 * 1000;
constexpr int maxWrittenExponent = 99;
/// `((((km))))` need not nest deeper.
constexpr unsigned maxParens = 8;

int32_t clampSixths(int64_t sixths) {
  return static_cast<int32_t>(
      std::min(std::max(sixths, -maxSixths), maxSixths));
}

const Atom *findAtom(StringRef name) {
  for (const Atom &atom : atoms)
    if (atom.name == name)
      return &atom;
  return nullptr;
}

/// The nearest number of 15 digits: 1 mm is 1000 um, whatever the quotient of
/// their factors is rounded to.
double roundDecimal(double value) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.14e", value);
  return std::strtod(text, nullptr);
}

} // namespace

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

bool Unit::isNumber() const {
  for (int32_t exponent : sixths)
    if (exponent != 0)
      return false;
  return true;
}

static auto joinWorking(const Unit &a, const Unit &b) {
  auto working = a.working;
  for (unsigned i = 0; i < Unit::NumBases; ++i)
    if (a.sixths[i] == 0)
      working[i] = b.working[i];
  return working;
}

Unit Unit::operator*(const Unit &other) const {
  Unit result;
  for (unsigned i = 0; i < NumBases; ++i)
    result.sixths[i] = clampSixths(int64_t(sixths[i]) + other.sixths[i]);
  result.working = joinWorking(*this, other);
  result.factor = factor * other.factor;
  return result;
}

Unit Unit::operator/(const Unit &other) const {
  Unit result;
  for (unsigned i = 0; i < NumBases; ++i)
    result.sixths[i] = clampSixths(int64_t(sixths[i]) - other.sixths[i]);
  result.working = joinWorking(*this, other);
  result.factor = factor / other.factor;
  return result;
}

std::optional<Unit> Unit::power(int numerator, int denominator) const {
  if (denominator == 0)
    return std::nullopt;
  Unit result;
  result.working = working;
  for (unsigned i = 0; i < NumBases; ++i) {
    int64_t product = int64_t(sixths[i]) * numerator;
    if (product % denominator != 0)
      return std::nullopt;
    int64_t exponent = product / denominator;
    if (std::abs(exponent) > maxSixths)
      return std::nullopt;
    result.sixths[i] = static_cast<int32_t>(exponent);
  }
  if (factor != 1)
    result.factor = std::pow(factor, double(numerator) / denominator);
  if (!std::isfinite(result.factor) || result.factor == 0)
    return std::nullopt;
  return result;
}

Unit Unit::length() {
  Unit unit;
  unit.sixths[MpcPerH] = 6;
  return unit;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// `name` to the power `sixths`/6.
static std::string powerText(StringRef name, int64_t sixths) {
  if (sixths == 6)
    return name.str();
  std::string text = name.contains('/') ? "(" + name.str() + ")" : name.str();
  if (sixths % 6 == 0)
    return text + "^" + std::to_string(sixths / 6);
  int64_t numerator = sixths, denominator = 6;
  for (int64_t prime : {2, 3})
    if (numerator % prime == 0 && denominator % prime == 0) {
      numerator /= prime;
      denominator /= prime;
    }
  return text + "^(" + std::to_string(numerator) + "/" +
         std::to_string(denominator) + ")";
}

namespace {

/// The powers of the units in a text, in order.
using Powers = std::vector<std::pair<StringRef, int64_t>>;

/// How long a text is.
int64_t countNames(const Powers &powers) {
  int64_t count = 0;
  for (const auto &[name, sixths] : powers)
    count += std::abs(sixths);
  return count;
}

Powers powersOf(const Unit &unit, StringRef derived, int64_t power) {
  Powers powers;
  auto add = [&](StringRef name, int64_t sixths) {
    if (sixths != 0)
      powers.emplace_back(name, sixths);
  };
  auto addBase = [&](Unit::Base base) {
    const uint8_t working = unit.working[base];
    add(working == 0 ? baseNames[base] : atoms[working - 1].name,
        unit.sixths[base]);
  };
  for (Unit::Base base :
       {Unit::Kilometer, Unit::Second, Unit::Kelvin, Unit::SolarMass,
        Unit::SolarMassPerH, Unit::Kilogram, Unit::Ampere})
    addBase(base);
  add(derived, power);
  addBase(Unit::Mpc);
  addBase(Unit::MpcPerH);
  return powers;
}

/// With one of the derived units, if that is shorter.
Powers shortestPowers(const Unit &unit) {
  Powers best = powersOf(unit, "", 0);
  if (unit.sixths[Unit::Kilogram] == 0 && unit.sixths[Unit::Ampere] == 0)
    return best;
  const WorkingUnits working = WorkingUnits::of(unit);
  Powers shortest;
  bool isFrequent = false;
  for (StringRef name : {"T", "C", "V", "N", "J", "Pa"}) {
    const Unit derived = *Unit::atom(name);
    const int64_t power =
        unit.sixths[derived.sixths[Unit::Kilogram] != 0 ? Unit::Kilogram
                                                        : Unit::Ampere];
    if (power == 0 || working.apply(derived).factor != 1)
      continue;
    Unit rest = unit;
    for (unsigned i = 0; i < Unit::NumBases; ++i)
      rest.sixths[i] =
          clampSixths(unit.sixths[i] - power * derived.sixths[i] / 6);
    // A force is not a tesla times amperes.
    if (std::abs(rest.sixths[Unit::Ampere]) >
        std::abs(unit.sixths[Unit::Ampere]))
      continue;
    Powers powers = powersOf(rest, name, power);
    if (!shortest.empty() && countNames(powers) >= countNames(shortest))
      continue;
    shortest = std::move(powers);
    isFrequent = name == "T" || name == "C";
  }
  // T and C are preferred; others must save more than one name.
  const int64_t most = countNames(best) - (isFrequent ? 0 : 7);
  return shortest.empty() || countNames(shortest) > most ? best : shortest;
}

} // namespace

std::string Unit::str() const {
  const Powers powers = shortestPowers(*this);
  std::string text;
  for (auto [name, exponent] : powers)
    if (exponent > 0)
      text += (text.empty() ? "" : "*") + powerText(name, exponent);
  if (!text.empty()) {
    for (auto [name, exponent] : powers)
      if (exponent < 0) {
        std::string divisor = powerText(name, -exponent);
        text += divisor == name && name.contains('/') ? "/(" + divisor + ")"
                                                      : "/" + divisor;
      }
    return text;
  }
  // Only negative exponents: h/Mpc says it without.
  for (auto [name, exponent] : powers) {
    text += text.empty() ? "" : "*";
    const std::string inverse =
        name.ends_with("pc/h") ? "h/" + name.drop_back(2).str() : "";
    text += inverse.empty() ? powerText(name, exponent)
                            : powerText(inverse, -exponent);
  }
  return text.empty() ? "1" : text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<Unit> Unit::atom(StringRef name) {
  const Atom *atom = findAtom(name);
  if (!atom)
    return std::nullopt;
  Unit unit;
  for (unsigned i = 0; i < NumBases; ++i)
    unit.sixths[i] = 6 * atom->exponents[i];
  unit.factor = atom->factor;
  return unit;
}

bool pmc::isWeakUnit(StringRef name) {
  const Atom *atom = findAtom(name);
  return atom && atom->kind == Weak;
}

llvm::ArrayRef<StringRef> Unit::atomNames() {
  static const std::array<StringRef, numAtoms> names = [] {
    std::array<StringRef, numAtoms> result;
    for (size_t i = 0; i < numAtoms; ++i)
      result[i] = atoms[i].name;
    return result;
  }();
  return names;
}

//===----------------------------------------------------------------------===//
// Working units
//===----------------------------------------------------------------------===//

std::optional<Unit::Base> WorkingUnits::use(StringRef name) {
  const Atom *atom = findAtom(name);
  std::optional<Unit::Base> base = atom ? atom->base() : std::nullopt;
  if (base)
    atoms[*base] = atom->factor == 1 ? 0 : uint8_t(atom - ::atoms + 1);
  return base;
}

void WorkingUnits::useLength(double kilometers) {
  const Atom *best = nullptr;
  for (const Atom &atom : ::atoms)
    if (atom.base() == Unit::Kilometer &&
        atom.factor <= kilometers * (1 + 1e-12) &&
        (!best || atom.factor > best->factor))
      best = &atom;
  if (best)
    use(best->name);
}

Unit WorkingUnits::apply(const Unit &unit) const {
  Unit result = unit;
  double scale = 1;
  for (unsigned i = 0; i < Unit::NumBases; ++i)
    if (unit.sixths[i] != 0 && atoms[i] != 0) {
      result.working[i] = atoms[i];
      scale *= std::pow(::atoms[atoms[i] - 1].factor, unit.sixths[i] / 6.0);
    }
  if (scale != 1)
    result.factor = roundDecimal(unit.factor / scale);
  return result;
}

WorkingUnits WorkingUnits::of(const Unit &unit) {
  WorkingUnits working;
  for (unsigned i = 0; i < Unit::NumBases; ++i)
    if (unit.sixths[i] != 0)
      working.atoms[i] = unit.working[i];
  return working;
}

//===----------------------------------------------------------------------===//
// Reading units
//===----------------------------------------------------------------------===//

namespace {

/// Recursive descent over the bytes: a unit is not made of tokens, since
/// `Mpc/h` is one name.
class UnitReader {
public:
  UnitReader(StringRef text, const UnitNames &names)
      : text(text), names(names) {}

  /// unit := ['1/'] factor (('*' | '/') factor)*. Stops before the first thing
  /// that does not belong to it; false if there is nothing.
  bool product(Unit &unit, unsigned depth) {
    const bool isInverse = pos == 0 && text.starts_with("1/");
    pos += isInverse ? 2 : 0;
    if (!factor(unit, depth)) {
      pos -= isInverse ? 2 : 0;
      return false;
    }
    composed |= isInverse;
    if (isInverse)
      unit = Unit() / unit;
    while (pos < text.size() && (text[pos] == '*' || text[pos] == '/')) {
      size_t operatorAt = pos++;
      Unit next;
      if (!factor(next, depth)) {
        pos = operatorAt;
        return true;
      }
      composed = true;
      unit = text[operatorAt] == '*' ? unit * next : unit / next;
    }
    return true;
  }

  size_t pos = 0;
  /// There was an operator or a name with one: not just a bare word.
  bool composed = false;
  UnitPrefix::Problem problem = UnitPrefix::None;
  size_t problemAt = 0;

private:
  /// factor := (name | '(' unit ')') ['^' integer]
  bool factor(Unit &unit, unsigned depth) {
    size_t start = pos;
    if (pos < text.size() && text[pos] == '(') {
      ++pos;
      if (depth == maxParens || !product(unit, depth + 1) ||
          pos == text.size() || text[pos] != ')') {
        pos = start;
        return false;
      }
      ++pos;
      exponent(unit, /*unclear=*/false);
      return true;
    }
    bool withSlash = false;
    if (!name(unit, withSlash))
      return false;
    composed |= withSlash;
    exponent(unit, withSlash);
    return true;
  }

  size_t wordEnd(size_t from) const {
    while (from < text.size() &&
           (llvm::isAlnum(text[from]) || text[from] == '_'))
      ++from;
    return from;
  }

  bool name(Unit &unit, bool &withSlash) {
    size_t first = wordEnd(pos);
    if (first == pos)
      return false;
    if (first < text.size() && text[first] == '/') {
      size_t second = wordEnd(first + 1);
      StringRef whole = text.slice(pos, second);
      auto atom = Unit::atom(whole);
      if (atom && isWeakUnit(whole) && isHidden(text.slice(first + 1, second)))
        atom = std::nullopt;
      if (atom) {
        unit = names.working.apply(*atom);
        pos = second;
        withSlash = true;
        return true;
      }
    }
    StringRef word = text.slice(pos, first);
    if (names.own)
      if (auto it = names.own->find(word); it != names.own->end()) {
        unit = it->second;
        pos = first;
        return true;
      }
    auto atom = Unit::atom(word);
    if (!atom || (isWeakUnit(word) && (isHidden(word) || isCalled(first))))
      return false;
    unit = names.working.apply(*atom);
    pos = first;
    return true;
  }

  void exponent(Unit &unit, bool unclear) {
    size_t at = skipBlanks(pos);
    if (at == text.size() || text[at] != '^')
      return;
    auto complain = [&](UnitPrefix::Problem what) {
      if (problem == UnitPrefix::None) {
        problem = what;
        problemAt = at;
      }
    };
    size_t digits = skipBlanks(at + 1);
    bool negative = digits < text.size() && text[digits] == '-';
    if (negative)
      ++digits;
    size_t stop = digits;
    int value = 0;
    while (stop < text.size() && llvm::isDigit(text[stop])) {
      value = std::min(value * 10 + (text[stop] - '0'), 1000);
      ++stop;
    }
    bool whole = stop > digits && wordEnd(stop) == stop &&
                 !(stop + 1 < text.size() && text[stop] == '.' &&
                   llvm::isDigit(text[stop + 1]));
    size_t behind = skipBlanks(stop);
    if (!whole || value > maxWrittenExponent ||
        (behind < text.size() && text[behind] == '^'))
      return complain(UnitPrefix::BadExponent);
    auto raised = unit.power(negative ? -value : value);
    if (!raised)
      return complain(UnitPrefix::BadExponent);
    if (unclear)
      complain(UnitPrefix::UnclearExponent);
    unit = *raised;
    pos = stop;
  }

  size_t skipBlanks(size_t from) const {
    while (from < text.size() && (text[from] == ' ' || text[from] == '\t'))
      ++from;
    return from;
  }

  bool isHidden(StringRef word) const {
    return !names.isAsked && names.isVariable && names.isVariable(word);
  }

  /// `2 min(a, b)`, `2 g[x]`: no unit.
  bool isCalled(size_t at) const {
    return at < text.size() && (text[at] == '(' || text[at] == '[');
  }

  StringRef text;
  const UnitNames &names;
};

} // namespace

UnitPrefix pmc::readUnit(StringRef text, const UnitNames &names) {
  UnitReader reader(text, names);
  UnitPrefix result;
  if (!reader.product(result.unit, 0))
    return {};
  // `2 (s)` is twice the variable s.
  if (text.front() == '(' && !reader.composed && !names.isAsked)
    return {};
  result.length = reader.pos;
  result.problem = reader.problem;
  result.problemAt = reader.problemAt;
  return result;
}

std::optional<Unit> Unit::parse(StringRef text, const Unit &like) {
  if (text == "1")
    return Unit();
  UnitNames names;
  names.working = WorkingUnits::of(like);
  UnitPrefix prefix = readUnit(text, names);
  if (prefix.length == 0 || prefix.length != text.size() ||
      prefix.problem != UnitPrefix::None)
    return std::nullopt;
  return prefix.unit;
}
