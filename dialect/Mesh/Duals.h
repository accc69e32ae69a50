//===- Duals.h - How spectra are split --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_MESH_DUALS_H
#define PMC_DIALECT_MESH_DUALS_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// The axes of every dim of a field.
using Cut = llvm::SmallVector<llvm::SmallVector<mlir::StringAttr>>;

/// Given how the space dims are split: how the dims are split after the
/// transforms that made the dual ones, with the fewest transposes.
void moveAxesToDuals(llvm::ArrayRef<DimAttr> dims, Cut &cut);

} // namespace pmc::pm

#endif // PMC_DIALECT_MESH_DUALS_H
