//===- DomainRewrite.h - Changes to loops over a domain ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_OPTIMIZE_DOMAINREWRITE_H
#define PMC_PASSES_OPTIMIZE_DOMAINREWRITE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Adds an input and returns the body's argument for its element.
mlir::Value addInput(pm::DomainOpInterface op, mlir::Value field);

/// Ops of the body whose values nothing uses.
void eraseDeadOps(mlir::Block &body);

/// Each field is read once; what the body does not use is not read; body ops
/// whose values nothing uses go, and so do a map's unused results. Returns the
/// op, which is another one if results went, or null if none was left.
mlir::Operation *simplify(pm::DomainOpInterface op);

/// One map, before `before`, that computes what both did. `second` may read
/// results of `first` elementwise. The two are erased.
pm::MapOp combine(pm::MapOp first, pm::MapOp second, mlir::Operation *before);

/// Computes in the consumer's body what it read of the producer's results.
void absorb(pm::MapOp producer, pm::DomainOpInterface consumer);

} // namespace pmc::passes

#endif // PMC_PASSES_OPTIMIZE_DOMAINREWRITE_H
