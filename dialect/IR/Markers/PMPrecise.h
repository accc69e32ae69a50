//===- PMPrecise.h - Conversions that no pass may move ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_PMPRECISE_H
#define PMC_DIALECT_IR_MARKERS_PMPRECISE_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// On arith.truncf and arith.extf: the spec asks for f64 before the rounding,
/// or behind the extension (`precise { … }`). The arithmetic there is not done
/// in f32.
inline constexpr llvm::StringLiteral preciseName = "pm.precise";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_PMPRECISE_H
