//===- Unit.cpp - Units of measure ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Basic/Unit.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstdlib>

using namespace pmc;
using llvm::StringRef;

namespace {

constexpr double degree = 0.017453292519943295;

struct Atom {
  StringRef name;
  int base; // NumBases: a pure number
  int exponent;
  double factor;
};

constexpr Atom atoms[] = {
    {"Mpc/h", Unit::MpcPerH, 1, 1},
    {"kpc/h", Unit::MpcPerH, 1, 1e-3},
    {"Gpc/h", Unit::MpcPerH, 1, 1e3},
    {"h/Mpc", Unit::MpcPerH, -1, 1},
    {"h/kpc", Unit::MpcPerH, -1, 1e3},
    {"h/Gpc", Unit::MpcPerH, -1, 1e-3},
    {"Mpc", Unit::Mpc, 1, 1},
    {"kpc", Unit::Mpc, 1, 1e-3},
    {"Gpc", Unit::Mpc, 1, 1e3},
    {"km", Unit::Kilometer, 1, 1},
    {"m", Unit::Kilometer, 1, 1e-3},
    {"cm", Unit::Kilometer, 1, 1e-5},
    {"mm", Unit::Kilometer, 1, 1e-6},
    {"s", Unit::Second, 1, 1},
    {"ms", Unit::Second, 1, 1e-3},
    {"us", Unit::Second, 1, 1e-6},
    {"Hz", Unit::Second, -1, 1},
    {"kHz", Unit::Second, -1, 1e3},
    {"MHz", Unit::Second, -1, 1e6},
    {"T", Unit::Tesla, 1, 1},
    {"mT", Unit::Tesla, 1, 1e-3},
    {"K", Unit::Kelvin, 1, 1},
    {"Msun", Unit::SolarMass, 1, 1},
    {"rad", Unit::NumBases, 0, 1},
    {"deg", Unit::NumBases, 0, degree},
    {"arcmin", Unit::NumBases, 0, degree / 60},
};
constexpr size_t numAtoms = sizeof(atoms) / sizeof(atoms[0]);

/// Larger exponents than these are mistakes; they keep the sums in range.
constexpr int64_t maxSixths = 6 * 1000;
constexpr int maxWrittenExponent = 99;
/// `((((km))))` need not nest deeper.
constexpr unsigned maxParens = 8;

int32_t clampSixths(int64_t sixths) {
  return static_cast<int32_t>(
      std::min(std::max(sixths, -maxSixths), maxSixths));
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

Unit Unit::operator*(const Unit &other) const {
  Unit result;
  for (unsigned i = 0; i < NumBases; ++i)
    result.sixths[i] = clampSixths(int64_t(sixths[i]) + other.sixths[i]);
  result.factor = factor * other.factor;
  return result;
}

Unit Unit::operator/(const Unit &other) const {
  Unit result;
  for (unsigned i = 0; i < NumBases; ++i)
    result.sixths[i] = clampSixths(int64_t(sixths[i]) - other.sixths[i]);
  result.factor = factor / other.factor;
  return result;
}

std::optional<Unit> Unit::power(int numerator, int denominator) const {
  if (denominator == 0)
    return std::nullopt;
  Unit result;
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

std::string Unit::str() const {
  static constexpr struct {
    Base base;
    StringRef name;
  } bases[] = {{Kilometer, "km"},   {Second, "s"}, {Kelvin, "K"},
               {SolarMass, "Msun"}, {Tesla, "T"},  {Mpc, "Mpc"},
               {MpcPerH, "Mpc/h"}};
  std::string text;
  for (auto [base, name] : bases)
    if (sixths[base] > 0)
      text += (text.empty() ? "" : "*") + powerText(name, sixths[base]);
  if (!text.empty()) {
    for (auto [base, name] : bases)
      if (sixths[base] < 0) {
        std::string divisor = powerText(name, -int64_t(sixths[base]));
        text += divisor == "Mpc/h" ? "/(Mpc/h)" : "/" + divisor;
      }
    return text;
  }
  // Only negative exponents: h/Mpc says it without.
  for (auto [base, name] : bases)
    if (sixths[base] < 0) {
      text += text.empty() ? "" : "*";
      text += base == MpcPerH ? powerText("h/Mpc", -int64_t(sixths[base]))
                              : powerText(name, sixths[base]);
    }
  return text.empty() ? "1" : text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<Unit> Unit::atom(StringRef name) {
  for (const Atom &atom : atoms)
    if (atom.name == name) {
      Unit unit;
      if (atom.base != NumBases)
        unit.sixths[atom.base] = 6 * atom.exponent;
      unit.factor = atom.factor;
      return unit;
    }
  return std::nullopt;
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

namespace {

/// Recursive descent over the bytes: a unit is not made of tokens, since
/// `Mpc/h` is one name.
class UnitReader {
public:
  UnitReader(StringRef text, const llvm::StringMap<Unit> *own)
      : text(text), own(own) {}

  /// unit := factor (('*' | '/') factor)*. Stops before the first thing that
  /// does not belong to it; false if there is nothing.
  bool product(Unit &unit, unsigned depth) {
    if (!factor(unit, depth))
      return false;
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
      if (auto atom = Unit::atom(text.slice(pos, second))) {
        unit = *atom;
        pos = second;
        withSlash = true;
        return true;
      }
    }
    auto atom = Unit::atom(text.slice(pos, first));
    if (!atom && own)
      if (auto it = own->find(text.slice(pos, first)); it != own->end())
        atom = it->second;
    if (!atom)
      return false;
    unit = *atom;
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

  StringRef text;
  const llvm::StringMap<Unit> *own;
};

} // namespace

UnitPrefix pmc::readUnit(StringRef text, const llvm::StringMap<Unit> *own) {
  UnitReader reader(text, own);
  UnitPrefix result;
  if (!reader.product(result.unit, 0))
    return {};
  // `2 (s)` is twice the variable s.
  if (text.front() == '(' && !reader.composed)
    return {};
  result.length = reader.pos;
  result.problem = reader.problem;
  result.problemAt = reader.problemAt;
  return result;
}

std::optional<Unit> Unit::parse(StringRef text) {
  if (text == "1")
    return Unit();
  UnitPrefix prefix = readUnit(text);
  if (prefix.length == 0 || prefix.length != text.size() ||
      prefix.problem != UnitPrefix::None)
    return std::nullopt;
  return prefix.unit;
}
