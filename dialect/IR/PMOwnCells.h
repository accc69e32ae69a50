//===- PMOwnCells.h - Partial results that a rank wants -----------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_PMOWNCELLS_H
#define PMC_DIALECT_IR_PMOWNCELLS_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// On a pm.reduce over dims that mesh axes split: what a rank finds in its own
/// part is what it wants, as in a loop over its own cells.
inline constexpr llvm::StringLiteral ownCellsName = "pm.own";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_PMOWNCELLS_H
