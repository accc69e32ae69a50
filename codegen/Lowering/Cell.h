//===- Cell.h - Reading cells at computed indices ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_CELL_H
#define PMC_CODEGEN_LOWERING_CELL_H

#include "codegen/Lowering/Extents.h"

namespace pmc::codegen {

/// What a pm.cell reads; `indices`: its own, i64, in the kernel.
mlir::Value readCell(Emit &emit, pm::CellOp op, Kernel &kernel,
                     KernelExtents &extents, mlir::ValueRange indices);

/// What the op reads split fields through, or null. Handles are addresses by
/// now, which the op's own accessor does not take.
mlir::Value getHalo(pm::CellOp op);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_CELL_H
