//===- Quantity.h - Units of numbers, and the rules for them ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit algebra of the language: which units operands may have, the unit of
// the result, and the message about units that do not fit. It does not depend
// on values or on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_QUANTITY_H
#define PMC_FRONTEND_SEMA_TYPES_QUANTITY_H

#include "frontend/Basic/Unit.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pmc {

/// The unit of a number or of the elements of a field, as far as it is known.
class Quantity {
public:
  enum class State : uint8_t {
    Known,
    Open,    // fits any unit: the start of a sum, such as 0 * f
    Zero,    // the constant 0, which fits any unit
    Unknown, // of a free value
  };

  /// A pure number.
  Quantity() = default;
  static Quantity known(const Unit &unit) { return {State::Known, unit}; }
  static Quantity open(const Unit &unit) { return {State::Open, unit}; }
  static Quantity zero() { return {State::Zero, {}}; }
  static Quantity unknown() { return {State::Unknown, {}}; }

  State getState() const { return state; }
  /// Without a factor; of an unknown one, that of a pure number.
  const Unit &getUnit() const { return unit; }
  bool isKnown() const { return state == State::Known; }
  bool isUnknown() const { return state == State::Unknown; }
  bool isZero() const { return state == State::Zero; }
  bool isOpen() const { return state == State::Open; }
  /// Whether the unit follows from that of another operand.
  bool fitsAny() const { return state != State::Known; }

private:
  Quantity(State state, const Unit &unit) : state(state), unit(unit) {
    this->unit.factor = 1;
  }

  State state = State::Known;
  Unit unit;
};

/// "in Mpc/h", or "a pure number".
std::string describeUnit(const Unit &unit);

/// What is wrong with the units of two operands: a message, and a note on each.
struct UnitConflict {
  std::string text, first, second;
};

/// The remedy for two units of which one has powers of Mpc in place of Mpc/h;
/// empty for others.
std::string explainPerH(const Unit &a, const Unit &b);

/// Of a sum, a comparison, a minimum: the units must agree. `what` is the
/// operator in messages.
std::optional<UnitConflict> findConflict(llvm::StringRef what,
                                         const Quantity &a, const Quantity &b);
/// A number without a unit is expected. Empty, or the message, in which the
/// number is called `found`.
std::string checkPure(llvm::StringRef what, const Quantity &of,
                      llvm::StringRef found);

/// A number is shown or written in a unit, for which the spec has `phrase`:
/// "in mm". Empty, or the message.
std::string checkAsked(const Quantity &of, const Unit &asked,
                       const llvm::Twine &phrase);

/// Of operands whose units agree.
Quantity unitOfSum(const Quantity &a, const Quantity &b);
Quantity unitOfProduct(const Quantity &a, const Quantity &b);
Quantity unitOfQuotient(const Quantity &a, const Quantity &b);
/// `why` is the message where there is no such unit. `exponent` is absent if
/// the compiler does not know it.
std::optional<Quantity> unitOfPower(const Quantity &base,
                                    std::optional<double> exponent,
                                    std::string &why);
std::optional<Quantity> unitOfRoot(const Quantity &of, std::string &why);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_QUANTITY_H
