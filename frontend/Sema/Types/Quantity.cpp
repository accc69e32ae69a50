//===- Quantity.cpp - Units of numbers, and the rules for them ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Quantity.h"

#include "llvm/ADT/Twine.h"

#include <cmath>
#include <utility>

using namespace pmc;

std::string pmc::describeUnit(const Unit &unit) {
  return unit.isNumber() ? "a pure number" : "in " + unit.str();
}

std::string pmc::explainPerH(const Unit &a, const Unit &b) {
  // Powers of Mpc that the units have in place of powers of Mpc/h.
  Unit difference = a / b;
  int32_t &perH = difference.sixths[Unit::MpcPerH],
          &plain = difference.sixths[Unit::Mpc];
  if (perH == 0 || perH + plain != 0)
    return "";
  perH = plain = 0;
  return difference.isNumber()
             ? "; Mpc and Mpc/h differ by the factor h: write lengths, such as "
               "that of a dim behind 'over', in Mpc/h"
             : "";
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::optional<UnitConflict>
pmc::findConflict(llvm::StringRef what, const Quantity &a, const Quantity &b) {
  if (a.fitsAny() || b.fitsAny() || a.getUnit().agrees(b.getUnit()))
    return std::nullopt;
  return UnitConflict{"[PM0402] " + what.str() + " requires equal units, not " +
                          a.getUnit().str() + " and " + b.getUnit().str() +
                          explainPerH(a.getUnit(), b.getUnit()),
                      "this is " + describeUnit(a.getUnit()),
                      "this is " + describeUnit(b.getUnit())};
}

std::string pmc::checkPure(llvm::StringRef what, const Quantity &of,
                           llvm::StringRef found) {
  if (of.fitsAny() || of.getUnit().isNumber())
    return "";
  return "[PM0403] " + what.str() + " requires a pure number, not " +
         found.str();
}

std::string pmc::checkAsked(const Quantity &of, const Unit &asked,
                            const llvm::Twine &phrase) {
  if (of.fitsAny() || of.getUnit().agrees(asked))
    return "";
  return "[PM0404] '" + phrase.str() + "' requires " +
         (asked.isNumber() ? "a pure number" : "a value in " + asked.str()) +
         ", found " +
         (of.getUnit().isNumber() ? "a pure number"
                                  : "one in " + of.getUnit().str());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Quantity pmc::unitOfSum(const Quantity &a, const Quantity &b) {
  if (a.isKnown())
    return a;
  if (b.isKnown())
    return b;
  return a.isUnknown() || b.isUnknown() ? Quantity::unknown()
                                        : Quantity::open(b.getUnit());
}

/// Of a product or a quotient. 0 times a number has the unit of the number.
static Quantity combine(const Quantity &a, const Quantity &b,
                        const Unit &unit) {
  if (a.isUnknown() || b.isUnknown())
    return Quantity::unknown();
  return a.isOpen() || b.isOpen() ? Quantity::open(unit)
                                  : Quantity::known(unit);
}

Quantity pmc::unitOfProduct(const Quantity &a, const Quantity &b) {
  return combine(a, b, a.getUnit() * b.getUnit());
}

Quantity pmc::unitOfQuotient(const Quantity &a, const Quantity &b) {
  return combine(a, b, a.getUnit() / b.getUnit());
}

/// p/q with small q that `x` is.
static std::optional<std::pair<int, int>> asFraction(double x) {
  for (int denominator : {1, 2, 3, 6}) {
    double numerator = std::round(x * denominator);
    if (std::abs(numerator) < 1000 &&
        std::abs(x * denominator - numerator) < 1e-12)
      return std::pair<int, int>{int(numerator), denominator};
  }
  return std::nullopt;
}

std::optional<Quantity> pmc::unitOfPower(const Quantity &base,
                                         std::optional<double> exponent,
                                         std::string &why) {
  if (base.isUnknown() || base.getUnit().isNumber())
    return base;
  if (!exponent) {
    why = "[PM0403] the exponent must be known when the spec is compiled, "
          "because the "
          "base is in " +
          base.getUnit().str();
    return std::nullopt;
  }
  auto fraction = asFraction(*exponent);
  auto unit = fraction ? base.getUnit().power(fraction->first, fraction->second)
                       : std::nullopt;
  if (unit)
    return base.isOpen() ? Quantity::open(*unit) : Quantity::known(*unit);
  why = "[PM0403] " + base.getUnit().str() + " cannot be raised to this power";
  return std::nullopt;
}

std::optional<Quantity> pmc::unitOfRoot(const Quantity &of, std::string &why) {
  if (of.isUnknown())
    return of;
  if (auto unit = of.getUnit().power(1, 2))
    return of.isOpen() ? Quantity::open(*unit) : Quantity::known(*unit);
  why = "[PM0403] there is no square root of " + of.getUnit().str();
  return std::nullopt;
}
