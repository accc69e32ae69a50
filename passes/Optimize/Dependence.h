//===- Dependence.h - What a value of a body depends on ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_DEPENDENCE_H
#define PMC_PASSES_OPTIMIZE_DEPENDENCE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// What changes a value from one element of the domain to the next.
struct Dependence {
  /// One bit a dim of the domain: its coordinate.
  uint32_t coordinates = 0;
  /// The inputs' elements, or meshes read at the element's position.
  bool elements = false;
  /// Whether it is an f64 number made of elements that are stored in f64.
  bool wide = false;

  bool isInvariant() const { return coordinates == 0 && !elements; }
  bool isOneCoordinate() const {
    return llvm::has_single_bit(coordinates) && !elements;
  }
  Dependence &operator|=(const Dependence &other) {
    coordinates |= other.coordinates;
    elements |= other.elements;
    wide |= other.wide;
    return *this;
  }
};

/// The dependences of the values in the body of a domain op, of its own block.
class BodyDependence {
public:
  explicit BodyDependence(pm::DomainOpInterface op);

  /// Values from outside depend on nothing.
  Dependence get(mlir::Value value) const { return values.lookup(value); }

private:
  llvm::DenseMap<mlir::Value, Dependence> values;
};

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_DEPENDENCE_H
