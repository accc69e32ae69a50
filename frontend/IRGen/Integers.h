//===- Integers.h - Ints at run time ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_INTEGERS_H
#define PMC_FRONTEND_IRGEN_INTEGERS_H

#include "mlir/IR/Value.h"

namespace pmc {

/// Whether an int of a map is made of constants alone, which fit every type.
bool isMadeOfConstants(mlir::Value value);

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_INTEGERS_H
