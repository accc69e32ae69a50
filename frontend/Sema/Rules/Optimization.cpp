//===- Optimization.cpp - optimize ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Optimization.h"

#include "frontend/Sema/Rules/Derivatives.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

const Value &Stages::getStageInUnit() const {
  const auto *found =
      llvm::find_if(llvm::ArrayRef(stages),
                    [](const Value &stage) { return !stage.hasAnyUnit(); });
  return found == llvm::ArrayRef(stages).end() ? stages.front() : *found;
}

/// False after an error.
static bool checkStages(const RuleContext &context, const Argument &given,
                        Stages &read) {
  if (given.value.isTuple())
    read.stages = given.value.getElements();
  else
    read.stages = {given.value};
  for (const Value &value : read.stages) {
    if (value.isRealNumber())
      continue;
    if (!value.isPoison())
      context.error(given, "[PM0807] the stages are numbers, not " +
                               given.value.describeType());
    return false;
  }
  bool ok = true;
  for (const Value &value : read.stages)
    ok &= requireSameUnit(context, "'for'", read.getStageInUnit(), value,
                          {given.loc, given.range, given.range});
  return read.stages.empty()
             ? context.refuse(given, "[PM0807] there are no stages")
             : ok;
}

std::optional<Stages> pmc::readStages(const RuleContext &context,
                                      const Argument *stages,
                                      const Argument &count) {
  constexpr int64_t most = int64_t(1) << 30;
  Stages read;
  const auto perStage =
      readInt(context, count, "the number of iterations", 1, most);
  bool ok = perStage.has_value();
  if (stages)
    ok &= checkStages(context, *stages, read);
  else
    read.stages = {Value::integer(0)};
  if (!ok)
    return std::nullopt;
  read.perStage = *perStage;
  if (read.getTotal() <= most)
    return read;
  context.error(count, "[PM0807] there are " + llvm::Twine(read.getTotal()) +
                           " iterations; expected at most 2^30");
  return std::nullopt;
}

Value pmc::readStep(const RuleContext &context, Argument step,
                    bool isInterval) {
  if (becomesInt(step.value))
    return step.value;
  if (step.value.isPoison())
    return step.value;
  return context.error(
      step, "[PM0807] " +
                llvm::Twine(isInterval ? "the steps between two checks"
                                       : "the bounds of steps") +
                " are ints, not " + step.value.describeType());
}

bool pmc::requireInterval(const RuleContext &context, const Value &interval,
                          llvm::SMLoc loc) {
  const auto known = interval.getConstInt();
  return !known || *known >= 1 ||
         context.refuse(loc, "[PM0807] 'every' must be at least 1, found " +
                                 llvm::Twine(*known));
}

std::optional<int64_t> pmc::readHistory(const RuleContext &context,
                                        const ast::Name &history,
                                        const Argument *cells,
                                        const Value &begin, const Value &end) {
  constexpr int64_t most = int64_t(1) << 30;
  if (cells)
    return readInt(context, *cells, "the number of cells of a history", 1,
                   most);
  const auto first = begin.getConstInt(), last = end.getConstInt();
  if (first && last && *last > *first && *last <= most && *first >= -most)
    return *last - *first;
  context
      .error(history.loc,
             "[PM0807] a history of one cell a step needs their number "
             "when the spec is compiled, from 1 to 2^30")
      .note(history.loc,
            "'history " + history.text + "[100]' has 100 cells for any number");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

bool pmc::requireOptimizer(const RuleContext &context, const Argument &method) {
  for (const llvm::StringRef member : {"start", "step"}) {
    const Value *function =
        method.value.isRecord() ? method.value.findMember(member) : nullptr;
    if (method.value.isFunction())
      return context.refuse(
          method,
          "[PM0807] 'with' requires an optimizer, not a function that makes "
          "one; call it with its arguments in (…), as adam() of the "
          "module 'optim'");
    if (!function || !function->isFunction())
      return context.refuse(
          method,
          "[PM0807] 'with' requires an optimizer, as adam() of the module "
          "'optim': a record with functions 'start' and 'step', not " +
              method.value.describeType());
  }
  return true;
}

/// Whether all of it are pure numbers and fields of them, with derivatives.
static bool isPure(const Value &value) {
  if (value.isTuple() || value.isRecord() || value.isComplex())
    return llvm::all_of(value.getElements(), isPure);
  return !value.is(Value::Kind::Table) && hasTangent(value) &&
         value.getUnit().isNumber();
}

bool pmc::requirePureNumbers(const RuleContext &context, const Argument &start,
                             const Value &shape) {
  return isPure(shape) ||
         context.refuse(
             start,
             "[PM0808] 'optimize' requires pure numbers as unknowns, not " +
                 shape.describe() + "; divide it by its scale");
}

bool pmc::requireStepped(const RuleContext &context, const Value &stepped,
                         llvm::SMLoc loc) {
  const bool fits = stepped.isTuple() && stepped.getElements().size() == 3 &&
                    stepped.getElements()[2].isScalar() &&
                    stepped.getElements()[2].getStorage() == Storage::F64;
  return fits ||
         context.refuse(
             loc, "[PM0807] the 'step' of an optimizer gives (s, state, loss), "
                  "with a loss that is computed, not " +
                      stepped.describeType());
}

bool pmc::requireCheck(const RuleContext &context, const Value &value,
                       llvm::SMLoc loc) {
  if (!value.isRealNumber())
    return context.refuse(loc, "[PM0807] a check gives a number, not " +
                                   value.describeType());
  return requirePure(context, "a check", value, loc);
}

bool pmc::requireWanted(const RuleContext &context, const Value &value,
                        llvm::SMLoc loc) {
  return value.isBoolLike() ||
         context.refuse(loc,
                        "[PM0307] the condition of 'while' is a bool, not " +
                            value.describeType());
}
