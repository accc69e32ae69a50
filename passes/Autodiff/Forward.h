//===- Forward.h - Tangents of what a block computes ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_FORWARD_H
#define PMC_PASSES_AUTODIFF_FORWARD_H

#include "dialect/IR/PM.h"

#include "llvm/ADT/DenseSet.h"

namespace pmc::passes {

/// Forward mode: walks through a block and lets every op add its derivative.
class Forward : public pm::Tangents {
public:
  /// `outer` knows the tangents of values from outside of the block. Loops and
  /// branches are built anew, with tangents among their results; with
  /// `replaces` the new ones are used instead of the old ones.
  explicit Forward(const pm::Tangents *outer = nullptr, bool replaces = true)
      : outer(outer), replaces(replaces) {}

  mlir::Value get(mlir::Value primal) const override;
  void set(mlir::Value primal, mlir::Value tangent) override {
    tangents[primal] = tangent;
  }
  /// Whether the op reads something that has a tangent.
  bool reads(mlir::Operation *op) const;

  /// Differentiates all ops of the block except for the terminator and the
  /// `idle` ops, on whose tangents no result depends.
  mlir::LogicalResult
  differentiate(mlir::Block &block,
                const llvm::DenseSet<mlir::Operation *> &idle = {});

  /// Takes over the results and tangents of an op that was built anew.
  void replace(mlir::Operation *op, mlir::ValueRange results);

private:
  const pm::Tangents *outer;
  bool replaces;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
};

/// Whether the op writes to or frees a checkpoint store, or adds to sums of
/// rows. Both have a counterpart for tangents.
bool savesTangents(mlir::Operation *op);

/// The rules of this folder run under Forward alone.
inline Forward &asForward(pm::Tangents &tangents) {
  return static_cast<Forward &>(tangents);
}

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_FORWARD_H
