//===- PMSchedules.h - How loops are reversed -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_PMSCHEDULES_H
#define PMC_DIALECT_IR_MARKERS_PMSCHEDULES_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// On a pm.vjp: another schedule may be taken instead.
inline constexpr llvm::StringLiteral openSchedule = "pm.open_schedule";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_PMSCHEDULES_H
