//===- FieldReduce.h - Reductions to fields on GPUs -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_FIELDREDUCE_H
#define PMC_CODEGEN_CUDA_FIELDREDUCE_H

#include "codegen/Common/LoweringContext.h"

namespace pmc::codegen {

/// Lowers a reduction whose results are fields.
mlir::LogicalResult lowerDeviceFieldReduce(pm::ReduceOp reduce,
                                           LoweringContext &context);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_FIELDREDUCE_H
