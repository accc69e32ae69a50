//===- DerivedResults.h - Results that follow from others -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_DERIVEDRESULTS_H
#define PMC_PASSES_OPTIMIZE_DERIVEDRESULTS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// A result that a few operations make of another one is computed where it is
/// read, if the other one is read there anyway: c and −6 c, of which adjoints
/// of stencils are made. Its readers then have it as an input that they do not
/// use.
void inlineDerivedResults(pm::MapOp map, unsigned mostOperations);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_DERIVEDRESULTS_H
