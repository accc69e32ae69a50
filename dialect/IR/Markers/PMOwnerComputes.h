//===- PMOwnerComputes.h - The owner-computes rule --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_PMOWNERCOMPUTES_H
#define PMC_DIALECT_IR_MARKERS_PMOWNERCOMPUTES_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// An attribute of a pm.reduce over dims that mesh axes split: the result of
/// each rank covers its owned cells only, and is not summed over ranks.
inline constexpr llvm::StringLiteral ownerComputesName = "pm.own";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_PMOWNERCOMPUTES_H
