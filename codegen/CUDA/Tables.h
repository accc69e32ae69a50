//===- Tables.h - Tables that kernels look up -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_TABLES_H
#define PMC_CODEGEN_CUDA_TABLES_H

#include "codegen/Lowering/LoweringContext.h"

namespace pmc::codegen {

/// The calls of the runtime's lookups in the op's body become calls of a
/// function of the device module, with the table's copy in device memory.
void bringTables(pm::DomainOpInterface op, LoweringContext &context);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_TABLES_H
