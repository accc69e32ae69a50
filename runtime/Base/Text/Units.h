//===- Units.h - Units that users and files write ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_UNITS_H
#define PMRT_BASE_TEXT_UNITS_H

#include <array>
#include <optional>
#include <string_view>

namespace pmrt {

/// A product of powers of base units, and how many of it the unit is.
struct UnitValue {
  enum Base {
#define PMRT_BASE_UNIT(ID, NAME) ID,
#include "pmrt/units.def"
    NumBases
  };
  std::array<double, NumBases> exponents{};
  double factor = 1;
};

/// "km/s", "(Mpc/h)^3", "K^(1/2)", "1"; nullopt for anything else, such as the
/// name of a unit that only the spec declares.
std::optional<UnitValue> parseUnit(std::string_view text);

/// From one unit to another of the same kind.
struct UnitConversion {
  double factor = 1;
  /// 4000 kpc/h are 4 Mpc/h: a quotient by 1000 is exact, a product is not.
  bool divides = false;

  double operator()(double value) const {
    return divides ? value / factor : value * factor;
  }
  bool isNone() const { return factor == 1; }
};
/// nullopt if the units are of different kinds or not known.
std::optional<UnitConversion> findConversion(std::string_view from,
                                             std::string_view to);

/// A value in `from` as one in `to`; nullopt if they are of different kinds or
/// not known.
std::optional<double> convertUnit(double value, std::string_view from,
                                  std::string_view to);

/// Meters of a metric unit of length, or 0.
double metersOf(std::string_view unit);

} // namespace pmrt

#endif // PMRT_BASE_TEXT_UNITS_H
