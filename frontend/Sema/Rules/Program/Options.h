//===- Options.h - Ints, strings and units that arguments may be -*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules that many families share: an int that the compiler knows, one string
// of a list, an int that the program may compute, and units.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_OPTIONS_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_OPTIONS_H

#include "frontend/Sema/Rules/Context.h"
#include "frontend/Sema/Types/Type.h"

namespace pmc {

//===--- Ints -----------------------------------------------------------===//

/// An int from `min` to `max` that the compiler knows. Absent, without a
/// message, for poison.
std::optional<int64_t> readInt(const RuleContext &context, const Argument &arg,
                               const llvm::Twine &what, int64_t min,
                               int64_t max);
/// A number without a fraction that the compiler knows becomes an int. False
/// if the value is not an int, or a u64.
bool becomesInt(Value &value);
/// The same with a message: `rule`, and the value that is wrong. `more`
/// follows.
bool requireInt(const RuleContext &context, Argument &arg,
                const llvm::Twine &rule, const llvm::Twine &more = "");
/// The int is one of a computation: a bool is 0 or 1, a field stands for its
/// elements. `isInt`: whether the conversion exists.
bool requireComputedInt(const RuleContext &context, const Argument &arg,
                        const Value &value, bool isInt,
                        const llvm::Twine &rule);

//===--- Strings --------------------------------------------------------===//

/// What is beyond the ends of a dim.
enum class Edge : uint8_t { Periodic, Zero, Clamp, Reflect };
/// How a particle is spread over cells.
enum class Spline : uint8_t { NGP, CIC, TSC, PCS };
/// What `stored` keeps of numbers.
enum class StoredFormat : uint8_t { BF16, F16 };
enum class SortOrder : uint8_t { Ascending, Descending };
/// How a table is interpolated between rows.
enum class Interpolation : uint8_t { Linear, Cubic };

/// A string argument that is one of a list.
struct StringOption {
  llvm::ArrayRef<llvm::StringRef> choices;
  /// Messages about another string and about a value of another type; `{}`
  /// stands for it.
  llvm::StringRef unknown, noString;
  llvm::StringRef note = {};
  bool hasSuggestion = false;
};

extern const StringOption edgeOption;         ///< Edge
extern const StringOption particleEdgeOption; ///< Edge
extern const StringOption splineOption;       ///< Spline
extern const StringOption scheduleOption;     ///< Schedule
extern const StringOption storedOption;       ///< StoredFormat
extern const StringOption orderOption;        ///< SortOrder
extern const StringOption methodOption;       ///< Interpolation

/// The name of an edge, as specs write it.
llvm::StringRef getName(Edge edge);

std::optional<unsigned> readChoice(const RuleContext &context,
                                   const Argument &arg,
                                   const StringOption &option);
/// The same as the enum that the option lists.
template <typename Choice>
std::optional<Choice> readChoice(const RuleContext &context,
                                 const Argument &arg,
                                 const StringOption &option) {
  const auto choice = readChoice(context, arg, option);
  return choice ? std::optional(Choice(*choice)) : std::nullopt;
}

//===--- Units ----------------------------------------------------------===//

/// A number without a unit is required.
bool requirePure(const RuleContext &context, llvm::StringRef what,
                 const Value &value, llvm::SMLoc loc, llvm::SMRange range = {});
/// The units of two operands agree.
bool requireSameUnit(const RuleContext &context, llvm::StringRef what,
                     const Value &a, const Value &b, const OperatorSite &site);
/// Reports what a rule of operators found. False if something is wrong.
bool accept(const RuleContext &context, const Judgment &judgment,
            const OperatorSite &site);
/// The same of one that is wrong; the result is poison.
Value reject(const RuleContext &context, const Judgment &judgment,
             const OperatorSite &site);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_OPTIONS_H
