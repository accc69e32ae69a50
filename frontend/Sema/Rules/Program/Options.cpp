//===- Options.cpp - Ints, strings and units that arguments may be --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Options.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Ints
//===----------------------------------------------------------------------===//

std::optional<int64_t> pmc::readInt(const RuleContext &context,
                                    const Argument &arg,
                                    const llvm::Twine &what, int64_t min,
                                    int64_t max) {
  if (arg.value.isPoison())
    return std::nullopt;
  const auto value = arg.value.getConstInt();
  if (value && *value >= min && *value <= max)
    return value;
  if (value)
    context.error(arg, "[PM0305] " + what + " must be from " +
                           llvm::Twine(min) + " to " + llvm::Twine(max) +
                           ", not " + llvm::Twine(*value));
  else if (arg.value.isRealNumber() && !arg.value.isConstNumber())
    context.error(arg, "[PM0212] " + what +
                           " must be known when the spec is compiled");
  else if (arg.value.is(Value::Kind::String))
    context.error(arg, "[PM0303] " + what +
                           " is an int, not a text; write a name without "
                           "quotes: " +
                           arg.value.getString());
  else
    context.error(arg,
                  "[PM0303] " + what + " is an int, not " +
                      (arg.value.isConstNumber() ? arg.value.describe()
                                                 : arg.value.describeType()));
  return std::nullopt;
}

bool pmc::becomesInt(Value &value) {
  if (const auto known = value.getConstInt())
    value = Value::integer(*known);
  return value.isIntLike() && !value.isUnsigned();
}

bool pmc::requireInt(const RuleContext &context, Argument &arg,
                     const llvm::Twine &rule, const llvm::Twine &more) {
  return becomesInt(arg.value) ||
         context.refuse(arg, rule + ", not " + arg.value.describe() + more);
}

bool pmc::requireComputedInt(const RuleContext &context, const Argument &arg,
                             const Value &value, bool isInt,
                             const llvm::Twine &rule) {
  return isInt || context.refuse(arg, rule + value.describeType() +
                                          "; int(x) rounds down");
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

static const llvm::StringRef edgeNames[] = {"periodic", "zero", "clamp",
                                            "reflect"};
static const llvm::StringRef splineNames[] = {"ngp", "cic", "tsc", "pcs"};
static const llvm::StringRef scheduleNames[] = {"keep", "revolve", "reverse"};
static const llvm::StringRef storedNames[] = {"bf16", "f16"};
static const llvm::StringRef orderNames[] = {"ascending", "descending"};
static const llvm::StringRef methodNames[] = {"linear", "cubic"};

const StringOption pmc::edgeOption = {
    edgeNames, "[PM0306] there is no edge \"{}\"", "",
    "edges are \"periodic\", \"zero\", \"clamp\", \"reflect\", and values",
    /*hasSuggestion=*/true};

const StringOption pmc::particleEdgeOption = {
    edgeNames,
    "[PM0306] the edge of particles is \"periodic\", \"zero\", \"clamp\" or "
    "\"reflect\", not \"{}\"",
    "[PM0306] the edge of particles is \"periodic\", \"zero\", \"clamp\" or "
    "\"reflect\", not {}"};

const StringOption pmc::splineOption = {
    splineNames, "[PM0306] there is no window \"{}\"",
    "[PM0306] the window is one of \"ngp\", \"cic\", \"tsc\", \"pcs\" or "
    "{support = …, "
    "weight = u => …}",
    "windows are \"ngp\", \"cic\", \"tsc\", \"pcs\" and {support = …, weight = "
    "u => …}",
    /*hasSuggestion=*/true};

const StringOption pmc::scheduleOption = {
    scheduleNames,
    "[PM0306] the schedule is \"keep\", \"revolve\" or \"reverse\", not \"{}\"",
    "[PM0306] 'schedule' is a string, not {}"};

const StringOption pmc::storedOption = {
    storedNames,
    "[PM0306] 'stored' requires \"bf16\" (8 bits of mantissa, the range of "
    "f32) or "
    "\"f16\" (11 bits, up to 65504)",
    "[PM0306] 'stored' requires \"bf16\" (8 bits of mantissa, the range of "
    "f32) or "
    "\"f16\" (11 bits, up to 65504)"};

const StringOption pmc::orderOption = {
    orderNames,
    "[PM0306] an order is \"ascending\" or \"descending\", not \"{}\"",
    "[PM0306] an order is \"ascending\" or \"descending\", not {}"};

const StringOption pmc::methodOption = {
    methodNames,
    "[PM0306] the method of 'interpolate' is \"linear\" or \"cubic\", not "
    "\"{}\"",
    "[PM0306] the method of 'interpolate' is \"linear\" or \"cubic\", not {}"};

llvm::StringRef pmc::getName(Edge edge) { return edgeNames[size_t(edge)]; }

/// The text with what was found in the place of `{}`.
static std::string fillIn(llvm::StringRef text, llvm::StringRef found) {
  const auto [before, after] = text.split("{}");
  return before.size() == text.size() ? text.str()
                                      : (before + found + after).str();
}

std::optional<unsigned> pmc::readChoice(const RuleContext &context,
                                        const Argument &arg,
                                        const StringOption &option) {
  if (!arg.value.is(Value::Kind::String)) {
    context.error(arg, fillIn(option.noString, arg.value.describeType()));
    return std::nullopt;
  }
  const llvm::StringRef found = arg.value.getString();
  const auto *choice = llvm::find(option.choices, found);
  if (choice != option.choices.end())
    return unsigned(choice - option.choices.begin());
  std::string text = fillIn(option.unknown, found);
  if (option.hasSuggestion)
    text += suggest(found, option.choices);
  Report report = context.error(arg, text);
  if (!option.note.empty())
    report.note(arg.loc, option.note);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

bool pmc::requirePure(const RuleContext &context, llvm::StringRef what,
                      const Value &value, llvm::SMLoc loc,
                      llvm::SMRange range) {
  const Quantity unit = value.getQuantity();
  if (unit.fitsAny() || unit.getUnit().isNumber())
    return true;
  context.error(loc, checkPure(what, unit, value.describe())).range(range);
  return false;
}

static void report(const RuleContext &context, const UnitConflict &conflict,
                   const OperatorSite &site) {
  Report report = context.error(site.loc, conflict.text);
  report.range(site.lhs).range(site.rhs);
  if (site.lhs.isValid())
    report.note(site.lhs.Start, conflict.first);
  if (site.rhs.isValid())
    report.note(site.rhs.Start, conflict.second);
}

bool pmc::requireSameUnit(const RuleContext &context, llvm::StringRef what,
                          const Value &a, const Value &b,
                          const OperatorSite &site) {
  const auto conflict = findConflict(what, a.getQuantity(), b.getQuantity());
  if (conflict)
    report(context, *conflict, site);
  return !conflict;
}

bool pmc::accept(const RuleContext &context, const Judgment &judgment,
                 const OperatorSite &site) {
  if (judgment.conflict) {
    report(context, *judgment.conflict, site);
  } else if (judgment.isWrong()) {
    Report report = context.error(site.loc, judgment.problem);
    if (!judgment.isAboutRight)
      report.range(site.lhs);
    report.range(site.rhs);
  }
  return !judgment.isWrong();
}

Value pmc::reject(const RuleContext &context, const Judgment &judgment,
                  const OperatorSite &site) {
  (void)accept(context, judgment, site);
  return Value::poison();
}
