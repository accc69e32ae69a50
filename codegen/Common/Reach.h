//===- Reach.h - How far particles reach ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_REACH_H
#define PMC_CODEGEN_COMMON_REACH_H

#include "codegen/Common/Window.h"

namespace pmc::codegen {

/// Where the particles of a pm.reach stand on its mesh.
Placement getPlacement(pm::ReachOp op);

/// Emits the measurement: returns the address on the host of, for every mesh
/// dim, the lowest first cell, and minus the highest.
using MeasureReach = llvm::function_ref<mlir::Value(mlir::OpBuilder &host)>;

/// Lowers a pm.reach: the runtime makes widths of what is measured, which is
/// skipped where nothing is split.
void lowerReach(pm::ReachOp op, LoweringContext &context, MeasureReach measure);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_REACH_H
