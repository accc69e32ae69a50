//===- Integers.h - Ints at run time ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_NUMBERS_INTEGERS_H
#define PMC_FRONTEND_IRGEN_NUMBERS_INTEGERS_H

#include "frontend/IRGen/Generator.h"

namespace pmc {

/// What works on a generator's ints.
class Integers {
public:
  explicit Integers(Generator &generator) : g(generator) {}

  Value divide(bool isDiv, const Value &a, const Value &b,
               const Argument &divisor, llvm::SMLoc loc);
  /// The largest number shown of the elements for which the condition does not
  /// hold, -inf if it holds for all. Made before the map.
  mlir::Value largestFailing(mlir::Value holds, mlir::Value shown,
                             mlir::Location at);
  /// The condition, or true where the branches around are not taken.
  mlir::Value orUntaken(mlir::Value holds, mlir::Location at);

  /// Whether an int is the least one, as `int` makes it in a map of what is not
  /// a number, as far as the ops that make it show; null if it cannot be. Ints
  /// from outside of the map are not, because `int` has checked them.
  mlir::Value isLeast(mlir::Value value, mlir::Location at);

private:
  Generator &g;
};

/// Whether an int of a map is made of constants alone, which fit every type.
bool isMadeOfConstants(mlir::Value value);

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_NUMBERS_INTEGERS_H
