//===- Unit.h - Units of measure --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_BASIC_UNIT_H
#define PMC_FRONTEND_BASIC_UNIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace pmc {

/// A product of powers of base units, and the factor that a literal of the unit
/// carries (1 kpc/h = 1e-3 Mpc/h). Exponents are in sixths, so that square and
/// cube roots stay exact. Two units agree if their exponents do.
struct Unit {
  enum Base {
    MpcPerH,
    Mpc,
    Kilometer,
    Second,
    Kelvin,
    SolarMass,
    Tesla,
    NumBases
  };
  std::array<int32_t, NumBases> sixths{};
  double factor = 1;

  bool isNumber() const;
  /// Same exponents: values of the two may be added.
  bool agrees(const Unit &other) const { return sixths == other.sixths; }
  /// Exponents stop at the ends of their range instead of overflowing.
  Unit operator*(const Unit &other) const;
  Unit operator/(const Unit &other) const;
  /// Raises to `numerator`/`denominator`; nullopt if not a sixth or absurdly
  /// large.
  std::optional<Unit> power(int numerator, int denominator = 1) const;
  /// "Mpc/h", "km/s", "(Mpc/h)^3"; "1" for a pure number. Without the factor.
  std::string str() const;

  /// Mpc/h, the unit of the type `length`.
  static Unit length();
  /// "Mpc/h", "km", ...: a name in the table of units.
  static std::optional<Unit> atom(llvm::StringRef name);
  /// All the names that `atom` knows.
  static llvm::ArrayRef<llvm::StringRef> atomNames();
  /// All of `text` as a unit: "km/s/(Mpc/h)", "1".
  static std::optional<Unit> parse(llvm::StringRef text);
};

/// The longest unit that `text` starts with. A unit is written without blanks,
/// except around `^`.
struct UnitPrefix {
  enum Problem {
    None,
    BadExponent,     // the exponent is not a small integer
    UnclearExponent, // Mpc/h^3: of what?
  };
  Unit unit;
  size_t length = 0; // in bytes; 0: no unit here
  Problem problem = None;
  size_t problemAt = 0; // offset of the exponent's `^`
};
/// `own`: units besides those that `atom` knows; their names have no slash.
UnitPrefix readUnit(llvm::StringRef text,
                    const llvm::StringMap<Unit> *own = nullptr);

} // namespace pmc

#endif // PMC_FRONTEND_BASIC_UNIT_H
