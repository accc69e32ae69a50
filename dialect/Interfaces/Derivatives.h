//===- Derivatives.h - Tangents and cotangents of values --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op's differentiation rule reads and writes
// (DifferentiableOpInterface). A tangent has the type of its value, and so has
// a cotangent. Null stands for zero, so that what does not depend on anything
// active costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_INTERFACES_DERIVATIVES_H
#define PMC_DIALECT_INTERFACES_DERIVATIVES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace pmc::pm {

/// Forward mode.
class Tangents {
public:
  virtual ~Tangents();
  /// The tangent of a value that the op reads, also of one that its region
  /// captures; null: zero.
  virtual mlir::Value get(mlir::Value primal) const = 0;
  /// Sets that of a result; a result whose tangent is not set has none.
  virtual void set(mlir::Value primal, mlir::Value tangent) = 0;
};

/// Reverse mode.
class Cotangents {
public:
  virtual ~Cotangents();
  /// Whether anybody asks for the cotangent of a value that the op reads, also
  /// of one that its region captures.
  virtual bool needs(mlir::Value primal) const = 0;
  /// What has been added up for a result so far; null: zero. All uses of
  /// results come before the op.
  virtual mlir::Value get(mlir::Value primal) const = 0;
  /// Adds to the cotangent of a value that is wanted.
  virtual void add(mlir::OpBuilder &builder, mlir::Value primal,
                   mlir::Value cotangent) = 0;
};

} // namespace pmc::pm

#endif // PMC_DIALECT_INTERFACES_DERIVATIVES_H
