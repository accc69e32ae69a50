//===- BodySlice.h - What values of a map are made of -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_FIELDS_BODYSLICE_H
#define PMC_FRONTEND_IRGEN_FIELDS_BODYSLICE_H

#include "frontend/IRGen/Environment.h"

#include "mlir/IR/IRMapping.h"

#include <memory>

namespace pmc {

/// A body of its own of the ops that some values of a body are made of, with
/// the fields that it reads. What it uses of other bodies it still uses.
struct BodySlice {
  BodySlice(mlir::ValueRange values, const ElementState &state,
            mlir::OpBuilder &builder);
  mlir::Value get(mlir::Value value) const {
    return mapping.lookupOrDefault(value);
  }

  std::unique_ptr<mlir::Block> block; ///< without a terminator
  llvm::SmallVector<mlir::Value> inputs;

private:
  mlir::IRMapping mapping;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_FIELDS_BODYSLICE_H
