//===- PMChecks.h - Attributes of checks of numbers -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_PMCHECKS_H
#define PMC_DIALECT_IR_PMCHECKS_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// A unit attribute of a pm.transform that converts the columns of an input to
/// working units.
inline constexpr llvm::StringLiteral conversionName = "pm.conversion";

/// A unit attribute of the sum of weighted rows of a table.
inline constexpr llvm::StringLiteral interpolatedName = "pm.interpolated";

/// A unit attribute of a loop that computes derivatives of another loop, from
/// the last iteration to the first.
inline constexpr llvm::StringLiteral reversedName = "pm.reversed";

/// A unit attribute of such a loop if its schedule saves memory. `pm-recompute`
/// may compute fields again after a loop with this attribute.
inline constexpr llvm::StringLiteral recomputeName = "pm.recompute";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_PMCHECKS_H
