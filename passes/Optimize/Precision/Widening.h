//===- Widening.h - Fields of reduced precision, converted ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_WIDENING_H
#define PMC_PASSES_OPTIMIZE_WIDENING_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Whether all that the map does is to make longer the numbers of a field of
/// reduced precision: then it should stand where it is read.
bool isWidening(pm::MapOp map);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_WIDENING_H
