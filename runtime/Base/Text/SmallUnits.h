//===- SmallUnits.h - Names of thousandths of units -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs compute in km, s and T. Figures show lengths of a head in mm, not in
// 10^-4 km.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_SMALLUNITS_H
#define PMRT_BASE_TEXT_SMALLUNITS_H

#include <cmath>
#include <string_view>

namespace pmrt {

/// 10^exponent of a unit.
struct SmallUnit {
  const char *unit;
  int exponent;
  const char *name;
};

inline constexpr SmallUnit smallUnits[] = {{"km", -3, "m"}, {"km", -6, "mm"},
                                           {"s", -3, "ms"}, {"s", -6, "µs"},
                                           {"T", -3, "mT"}, {"T", -6, "µT"}};

/// The one that has 10^exponent in its reach; null: the unit itself is best.
inline const SmallUnit *smallUnit(std::string_view unit, int exponent) {
  for (const SmallUnit &one : smallUnits)
    if (unit == one.unit && exponent <= -2 && exponent >= one.exponent)
      return &one;
  return nullptr;
}

} // namespace pmrt

#endif // PMRT_BASE_TEXT_SMALLUNITS_H
