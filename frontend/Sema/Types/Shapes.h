//===- Shapes.h - What branches and loops have in common --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape is a value of which only the type and what the compiler knows count.
// Here are the rules for the types in which numbers meet, for the least type of
// two branches, and for what a loop carries. They make no ops.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_SHAPES_H
#define PMC_FRONTEND_SEMA_TYPES_SHAPES_H

#include "frontend/Sema/Value.h"

namespace pmc {

/// The type in which two real numbers meet. `real` is that of elements of
/// fields here and below: `--precision`.
Storage promote(const Value &a, const Value &b, Storage real);

/// The gap between 1 and the next larger number in the precision of x. x is a
/// number or a field of numbers. For a tuple or record, it is the largest gap
/// of the parts.
Value epsilonOf(const Value &x);

/// A shape, or what is wrong.
struct Shaped {
  Value shape;               ///< poison if there is none
  std::string problem;       ///< empty after an error that has been reported
  std::string first, second; ///< notes on each of two values

  Shaped(Value shape) : shape(std::move(shape)) {}
  explicit Shaped(std::string problem, std::string first = "",
                  std::string second = "")
      : problem(std::move(problem)), first(std::move(first)),
        second(std::move(second)) {}
};

/// The least type that holds both values, which messages call `what`.
Shaped join(const Value &a, const Value &b, llvm::StringRef what, Storage real);

/// The least type that holds all components of a vector, as `v[i]` has it where
/// i is computed by the program.
Shaped joinAll(llvm::ArrayRef<Value> parts, Storage real);

/// Why `index`, which the program computes, cannot choose one of the parts;
/// empty if it can.
std::string checkChoice(llvm::ArrayRef<Value> parts, const Value &index,
                        Storage real, bool isElement);

/// The value as a loop carries it: numbers are those of run time.
Shaped carriedShape(const Value &value, Storage real);

/// The type of the stack over `dim` of a loop whose iterations return values
/// like `one`. Numbers are f64. Free if such values cannot be stacked.
Value stackShape(const Value &one, const Dim &dim, Storage real);

/// Whether two shapes hold the same types and units.
bool sameShape(const Value &a, const Value &b);

/// With units that were never needed: pure numbers.
Value settleUnits(const Value &shape);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_SHAPES_H
