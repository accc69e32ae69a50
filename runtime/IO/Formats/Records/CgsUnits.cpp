//===- CgsUnits.cpp - Units of snapshots in cgs ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Records/CgsUnits.h"

#include "runtime/Base/Text/Units.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

using namespace pmrt;

std::optional<Cgs> pmrt::cgsOf(const std::string &unit) {
  constexpr double megaparsec = 648000 / std::numbers::pi * 149597870.7e11,
                   solarMass = 1.3271244e26 / 6.6743e-8;
  const std::optional<UnitValue> value = parseUnit(unit.empty() ? "1" : unit);
  if (!value)
    return std::nullopt;
  const auto power = [&](UnitValue::Base base) {
    return value->exponents[base];
  };
  if (power(UnitValue::Kelvin) != 0 || power(UnitValue::Ampere) != 0)
    return std::nullopt;
  const double parsecs = power(UnitValue::MpcPerH) + power(UnitValue::Mpc),
               suns = power(UnitValue::SolarMass) +
                      power(UnitValue::SolarMassPerH),
               km = power(UnitValue::Kilometer),
               kg = power(UnitValue::Kilogram);
  return Cgs{value->factor * std::pow(megaparsec, parsecs) * std::pow(1e5, km) *
                 std::pow(solarMass, suns) * std::pow(1e3, kg),
             -power(UnitValue::MpcPerH) - power(UnitValue::SolarMassPerH),
             parsecs + km, power(UnitValue::Second), suns + kg};
}

std::string UnitsOfFile::add(const std::string &name, const std::string &member,
                             const std::string &unit) {
  const std::optional<Cgs> cgs = cgsOf(unit);
  std::string kind;
  bool isRight = false;
  if (name == "Coordinates" || name == "BoxSize") {
    kind = "length";
    isRight = cgs && cgs->isLength();
  } else if (name == "Velocities") {
    kind = "velocity";
    isRight = cgs && cgs->isVelocity();
  } else if (name == "Masses" || name == "MassTable") {
    kind = "mass";
    isRight = cgs && cgs->isMass();
  } else {
    return "";
  }
  if (!isRight)
    return fmt::format("'{}' has the unit '{}', which is not a {}", member,
                       unit, kind);
  const auto [found, isNew] = first.emplace(kind, Entry{member, unit, *cgs});
  const Entry &other = found->second;
  if (isNew ||
      (other.cgs.factor == cgs->factor && other.cgs.powerOfH == cgs->powerOfH))
    return "";
  return fmt::format("'{}' has the unit '{}', and '{}' has '{}'; a snapshot "
                     "has one unit of {}",
                     member, unit, other.member, other.unit, kind);
}
