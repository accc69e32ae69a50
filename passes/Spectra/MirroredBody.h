//===- MirroredBody.h - A body at the mirrored mode -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SPECTRA_MIRROREDBODY_H
#define PMC_PASSES_SPECTRA_MIRROREDBODY_H

#include "passes/Spectra/Parity.h"

namespace pmc::passes {

/// Fields of what real fields over Fourier dims are at the mirrored modes, of
/// those that this cannot be told of from the field itself.
class MirroredFields {
public:
  explicit MirroredFields(Parities &parities) : parities(parities) {}

  /// Made where `field` is made, by the same loop over dims at the mirrored
  /// mode. Null if it is made by something else.
  mlir::Value get(mlir::Value field);
  /// The field that nothing is known of, after a null.
  mlir::Value getObstacle() const { return obstacle; }
  Parities &getParities() { return parities; }

private:
  mlir::Value make(mlir::OpResult field);
  /// Of an op that keeps modes: the same of its mirrored field.
  mlir::Value makeOfMirrored(mlir::Operation *op);

  Parities &parities;
  llvm::DenseMap<mlir::Value, mlir::Value> made;
  mlir::Value obstacle;
};

/// Evaluates the body of a loop over dims at the mirrored mode: coordinates
/// have the other sign, elements of complex fields are conjugated. What is
/// known from the value at the mode itself is not evaluated again.
class MirroredBody {
public:
  /// Ops go before the terminator of the body.
  MirroredBody(MirroredFields &fields, pm::DomainOpInterface op)
      : fields(fields), op(op), builder(op.getDomainBody()->getTerminator()) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  /// Null if it cannot be known.
  mlir::Value get(mlir::Value value);

private:
  mlir::Value evaluate(mlir::Value value);
  mlir::Value evaluateArgument(mlir::BlockArgument argument);
  mlir::Value flip(mlir::Value number, Parity parity);
  void mirrorNested(mlir::Operation *copy);

  MirroredFields &fields;
  pm::DomainOpInterface op;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, mlir::Value> mirrored;
};

/// Takes away what the body does not need, and inputs that it does not read.
void eraseUnused(pm::DomainOpInterface op);

} // namespace pmc::passes

#endif // PMC_PASSES_SPECTRA_MIRROREDBODY_H
