//===- PlotRules.cpp - Rules of plots -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/PlotRules.h"

#include <cmath>

using namespace pmc;

std::string pmc::findRangeMistake(const Value &low, const Value &high,
                                  const Unit &unit, bool isLogarithmic) {
  for (const Value *end : {&low, &high}) {
    if (!end->isConstNumber())
      return "expected numbers that the compiler knows, found " +
             end->describe();
    if (!end->hasAnyUnit() && !end->isConstZero() &&
        !end->getUnit().agrees(unit))
      return "the axis is " +
             (unit.isNumber() ? "a pure number" : "in " + unit.str()) +
             ", and an end of the range is " +
             (end->getUnit().isNumber() ? "a pure number"
                                        : "in " + end->getUnit().str());
  }
  const double from = *low.getConstReal(), to = *high.getConstReal();
  if (!std::isfinite(from) || !std::isfinite(to) || from >= to)
    return "expected a lower and a higher number";
  if (isLogarithmic && from <= 0)
    return "the scale is logarithmic, which requires numbers above 0";
  return "";
}
