//===- CgsUnits.h - Units of snapshots in cgs -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_CGSUNITS_H
#define PMRT_IO_FORMATS_CGSUNITS_H

#include <map>
#include <optional>
#include <string>

namespace pmrt {

/// A unit in cgs units without h.
struct Cgs {
  double factor = 1;
  double powerOfH = 0; ///< the unit is multiplied by this power of h
  double length = 0, time = 0, mass = 0;

  bool isLength() const { return length == 1 && time == 0 && mass == 0; }
  bool isVelocity() const { return length == 1 && time == -1 && mass == 0; }
  bool isMass() const { return length == 0 && time == 0 && mass == 1; }
};

/// Returns nothing if the unit is not known, or is not one of mechanics.
std::optional<Cgs> cgsOf(const std::string &unit);

/// The units of lengths, velocities and masses in a file, one of each.
class UnitsOfFile {
public:
  /// Adds the unit of a dataset or a number, whose name says what it is:
  /// `Coordinates`. Other names have any unit. Returns what is wrong with it,
  /// or an empty text.
  std::string add(const std::string &name, const std::string &member,
                  const std::string &unit);

private:
  struct Entry {
    std::string member, unit;
    Cgs cgs;
  };
  std::map<std::string, Entry> first;
};

} // namespace pmrt

#endif // PMRT_IO_FORMATS_CGSUNITS_H
