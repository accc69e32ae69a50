//===- Emit.h - Arithmetic and memory accesses in kernels -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_EMIT_H
#define PMC_CODEGEN_LOWERING_EMIT_H

#include "codegen/Kernels/Kernels.h"

namespace pmc::codegen {

/// Emits arithmetic on integers or floats, whichever the operands are. Float
/// operations may be contracted to fused ones, nothing else.
class Emit {
public:
  Emit(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// A constant of an integer or float type.
  mlir::Value constant(mlir::Type type, double value);
  mlir::Value index(int64_t value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Quotient and remainder of integers that are not negative.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value floor(mlir::Value a);
  mlir::Value negate(mlir::Value a);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// The smaller and the larger one; of integers, or of ordered floats.
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// Between floats, between integers (signed), or from one to the other.
  mlir::Value cast(mlir::Value value, mlir::Type type);
  /// A vector whose elements all are the value.
  mlir::Value splat(mlir::Value value, mlir::VectorType type);
  /// An integer that is known not to be negative, widened.
  mlir::Value widen(mlir::Value value, mlir::Type type);

  /// The elements at an address of the runtime.
  mlir::Value span(mlir::Value address, mlir::Type element);
  /// The elements of a span from one on.
  mlir::Value at(mlir::Value span, mlir::Value index);
  mlir::Value load(mlir::Value span, mlir::Value index);
  void store(mlir::Value value, mlir::Value span, mlir::Value index);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Allows an op and those inside of it to be contracted to fused operations.
void allowContraction(mlir::Operation *op);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_EMIT_H
