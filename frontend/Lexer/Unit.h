//===- Unit.h - Units of measure --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LEXER_UNIT_H
#define PMC_FRONTEND_LEXER_UNIT_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace pmc {

/// A product of powers of base units, and the factor that a literal of the unit
/// carries (1 kpc/h = 1e-3 Mpc/h). Exponents are in sixths, so that square and
/// cube roots stay exact. Two units agree if their exponents do.
struct Unit {
  enum Base { MpcPerH, Mpc, Kilometre, Second, Kelvin, SolarMass, NumBases };
  std::array<int32_t, NumBases> sixths{};
  double factor = 1;

  bool isNumber() const;
  /// Same exponents: values of the two may be added.
  bool agrees(const Unit &other) const { return sixths == other.sixths; }
  Unit operator*(const Unit &other) const;
  Unit operator/(const Unit &other) const;
  /// Raises to `numerator`/`denominator`; nullopt if not a sixth.
  std::optional<Unit> power(int numerator, int denominator = 1) const;
  /// "Mpc/h", "km/s", "(Mpc/h)^3"; "1" for a pure number.
  std::string str() const;
};

} // namespace pmc

#endif // PMC_FRONTEND_LEXER_UNIT_H
