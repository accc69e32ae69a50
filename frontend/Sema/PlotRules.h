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

/// Checks the ends of an axis in this unit. Returns the end of a message, or an
/// empty text if they are valid.
std::string findRangeMistake(const Value &low, const Value &high,
                             const Unit &unit, bool isLogarithmic);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_PLOTRULES_H
