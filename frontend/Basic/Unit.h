//===- Unit.h - Units of measure --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_BASIC_UNIT_H
#define PMC_FRONTEND_BASIC_UNIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
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
///
/// Numbers are stored in working units, one for each base: um in the place of
/// km, for example. Factors count these.
struct Unit {
  enum Base {
#define PMRT_BASE_UNIT(ID, NAME) ID,
#include "runtime/include/pmrt/units.def"
    NumBases
  };
  std::array<int32_t, NumBases> sixths{};
  double factor = 1;
  /// Of each base, the working unit: 0, the base unit itself, or one more than
  /// its index in the table of names. Only for bases with an exponent.
  std::array<uint8_t, NumBases> working{};

  bool isNumber() const;
  /// Same exponents: values of the two may be added.
  bool agrees(const Unit &other) const { return sixths == other.sixths; }
  /// Exponents stop at the ends of their range instead of overflowing.
  Unit operator*(const Unit &other) const;
  Unit operator/(const Unit &other) const;
  /// Raises to `numerator`/`denominator`; nullopt if not a sixth or absurdly
  /// large.
  std::optional<Unit> power(int numerator, int denominator = 1) const;
  /// "Mpc/h", "km/s", "(Mpc/h)^3", "J"; "1" for a pure number. Without the
  /// factor.
  std::string str() const;

  /// Mpc/h, the unit of the type `length`.
  static Unit length();
  /// "Mpc/h", "km", ...: a name in the table of units.
  static std::optional<Unit> atom(llvm::StringRef name);
  /// All the names that `atom` knows.
  static llvm::ArrayRef<llvm::StringRef> atomNames();
  /// All of `text` as a unit: "km/s/(Mpc/h)", "1". The factor counts the
  /// working units of `like`.
  static std::optional<Unit> parse(llvm::StringRef text, const Unit &like);
};

/// The units in which a program stores numbers.
class WorkingUnits {
public:
  /// km, s, K, Mpc/h, …
  WorkingUnits() = default;
  bool isDefault() const { return *this == WorkingUnits(); }
  bool operator==(const WorkingUnits &) const = default;
  /// The unit of a name in the table, if it is a base unit or a multiple of
  /// one, is the working unit of that base. Returns the base.
  std::optional<Unit::Base> use(llvm::StringRef name);
  /// The largest metric length of the table that is at most so many km.
  void useLength(double kilometers);
  /// Of a unit whose factor counts base units.
  Unit apply(const Unit &unit) const;
  /// Those of the unit.
  static WorkingUnits of(const Unit &unit);

private:
  std::array<uint8_t, Unit::NumBases> atoms{};
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

/// What names mean where a unit is read.
struct UnitNames {
  /// Units that the file declares, in working units; their names have no slash.
  const llvm::StringMap<Unit> *own = nullptr;
  WorkingUnits working = {};
  /// Whether the file has a variable of this name, which hides a weak unit.
  llvm::function_ref<bool(llvm::StringRef)> isVariable = nullptr;
  /// The unit is behind `in`, where variables are not allowed. Therefore
  /// `(s)^2` is also a unit.
  bool isAsked = false;
};
UnitPrefix readUnit(llvm::StringRef text, const UnitNames &names = {});

/// Whether a variable or an own unit of this name hides the unit of the table.
bool isWeakUnit(llvm::StringRef name);

} // namespace pmc

#endif // PMC_FRONTEND_BASIC_UNIT_H
