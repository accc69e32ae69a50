//===- Units.cpp - Units that users and files write -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Units.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace pmrt;

namespace {

enum Kind : bool { Firm, Weak };

struct Atom {
  std::string_view name;
  Kind kind;
  double factor;
  std::array<signed char, UnitValue::NumBases> exponents;
};

constexpr Atom atoms[] = {
#define PMRT_UNIT(NAME, KIND, FACTOR, ...) {NAME, KIND, FACTOR, {__VA_ARGS__}},
#include "pmrt/units.def"
};

/// unit := ['1/'] factor (('*' | '/') factor)*
/// factor := (name | '(' unit ')') ['^' exponent]
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  bool product(UnitValue &unit, int depth) {
    const bool isInverse = pos == 0 && text.starts_with("1/");
    pos += isInverse ? 2 : 0;
    if (!factor(unit, depth))
      return false;
    if (isInverse) {
      for (double &exponent : unit.exponents)
        exponent = -exponent;
      unit.factor = 1 / unit.factor;
    }
    while (pos < text.size() && (text[pos] == '*' || text[pos] == '/')) {
      const double sign = text[pos++] == '*' ? 1 : -1;
      UnitValue next;
      if (!factor(next, depth))
        return false;
      for (size_t i = 0; i < UnitValue::NumBases; ++i)
        unit.exponents[i] += sign * next.exponents[i];
      unit.factor =
          sign > 0 ? unit.factor * next.factor : unit.factor / next.factor;
    }
    return true;
  }

  bool isAtEnd() const { return pos == text.size(); }

private:
  static bool isLetter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  }

  bool accept(char c) {
    if (pos == text.size() || text[pos] != c)
      return false;
    ++pos;
    return true;
  }

  bool factor(UnitValue &unit, int depth) {
    if (accept('(')) {
      if (depth == 8 || !product(unit, depth + 1) || !accept(')'))
        return false;
    } else if (!name(unit)) {
      return false;
    }
    return exponent(unit);
  }

  /// The longest name, since `Mpc/h` is one.
  bool name(UnitValue &unit) {
    const Atom *best = nullptr;
    for (const Atom &atom : atoms) {
      const size_t end = pos + atom.name.size();
      if (text.substr(pos).starts_with(atom.name) &&
          (end == text.size() || !isLetter(text[end])) &&
          (!best || atom.name.size() > best->name.size()))
        best = &atom;
    }
    if (!best)
      return false;
    pos += best->name.size();
    for (size_t i = 0; i < UnitValue::NumBases; ++i)
      unit.exponents[i] = best->exponents[i];
    unit.factor = best->factor;
    return true;
  }

  bool integer(int &value) {
    const auto [end, code] =
        std::from_chars(text.data() + pos, text.data() + text.size(), value);
    if (code != std::errc() || std::abs(value) > 99)
      return false;
    pos = size_t(end - text.data());
    return true;
  }

  /// `^3`, `^-3`, `^(1/2)`, or nothing.
  bool exponent(UnitValue &unit) {
    if (!accept('^'))
      return true;
    const bool isInParens = accept('(');
    int numerator = 0, denominator = 1;
    if (!integer(numerator))
      return false;
    if (isInParens) {
      if (accept('/') && (!integer(denominator) || denominator == 0))
        return false;
      if (!accept(')'))
        return false;
    }
    const double power = double(numerator) / denominator;
    for (double &one : unit.exponents)
      one *= power;
    unit.factor = std::pow(unit.factor, power);
    return std::isfinite(unit.factor) && unit.factor > 0;
  }

  std::string_view text;
  size_t pos = 0;
};

} // namespace

std::optional<UnitValue> pmrt::parseUnit(std::string_view text) {
  UnitValue unit;
  if (text.empty() || text == "1")
    return unit;
  Reader reader(text);
  if (!reader.product(unit, 0) || !reader.isAtEnd())
    return std::nullopt;
  return unit;
}

/// Quotients of factors such as 1e-3 and 1e-6 are round numbers.
static double roundDecimal(double value) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.14e", value);
  double rounded = value;
  (void)std::from_chars(text, text + std::strlen(text), rounded);
  return rounded;
}

std::optional<UnitConversion> pmrt::findConversion(std::string_view from,
                                                   std::string_view to) {
  const auto a = parseUnit(from), b = parseUnit(to);
  if (!a || !b)
    return std::nullopt;
  for (size_t i = 0; i < UnitValue::NumBases; ++i)
    if (std::abs(a->exponents[i] - b->exponents[i]) > 1e-9)
      return std::nullopt;
  if (a->factor == b->factor)
    return UnitConversion();
  const bool divides = a->factor < b->factor;
  return UnitConversion{
      roundDecimal(divides ? b->factor / a->factor : a->factor / b->factor),
      divides};
}

std::optional<double> pmrt::convertUnit(double value, std::string_view from,
                                        std::string_view to) {
  const auto conversion = findConversion(from, to);
  if (!conversion)
    return std::nullopt;
  return (*conversion)(value);
}

double pmrt::metersOf(std::string_view unit) {
  return unit.empty() || unit == "1" ? 0
                                     : convertUnit(1, unit, "m").value_or(0);
}
