//===- FieldReduce.h - Reductions over some of the dims ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_FIELDREDUCE_H
#define PMC_CODEGEN_ELEMENTS_FIELDREDUCE_H

#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// Lowers a reduction whose results are fields.
mlir::LogicalResult reduceToFields(pm::ReduceOp reduce,
                                   LoweringContext &context,
                                   const KernelSchedule &schedule);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_FIELDREDUCE_H
