//===- Halos.h - How far a domain's positions go ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_HALOS_H
#define PMC_PASSES_SHARDING_HALOS_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Where the particles of a domain op are on a mesh: values of its body, which
/// `reader` takes there.
struct Positions {
  mlir::Operation *reader;
  pm::WindowAttr window;
  bool isFree;
  llvm::ArrayRef<pm::DimAttr> mesh;
  llvm::ArrayRef<mlir::Value> offsets;
  mlir::Value selection; ///< whether a particle counts; null if all do
};

/// A pm.displacement_bound before the op that measures them: equal positions
/// give equal ops.
llvm::FailureOr<mlir::Value> buildDisplacementBound(mlir::OpBuilder &builder,
                                                    pm::DomainOpInterface op,
                                                    const Positions &positions);

/// The bound and, along the mesh dims that are split, the cells below and above
/// that `more` gives for a dim.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value bound, llvm::ArrayRef<pm::DimAttr> mesh,
                  llvm::function_ref<std::pair<int64_t, int64_t>(size_t)> more);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_HALOS_H
