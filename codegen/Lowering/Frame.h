//===- Frame.h - Values that are handed over in memory -------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_FRAME_H
#define PMC_CODEGEN_LOWERING_FRAME_H

#include "codegen/Kernels/Kernels.h"

namespace pmc::codegen {

/// The layout of a value in memory: i1 as i8, index as i64, a view as its
/// address.
mlir::Type getStoredType(mlir::Type type);
mlir::Value toStored(mlir::OpBuilder &builder, mlir::Value value);
/// The value of this type again.
mlir::Value fromStored(mlir::OpBuilder &builder, mlir::Value stored,
                       mlir::Type type);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_FRAME_H
