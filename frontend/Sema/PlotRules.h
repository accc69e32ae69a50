//===- PlotRules.h - Rules of plots -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_PLOTRULES_H
#define PMC_FRONTEND_SEMA_PLOTRULES_H

#include "frontend/Sema/Value.h"

#include <string>

namespace pmc {

/// What is wrong with the ends of an axis that is in this unit, as the end of a
/// message; empty: nothing.
std::string findRangeMistake(const Value &low, const Value &high,
                             const Unit &unit, bool isLogarithmic);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_PLOTRULES_H
