//===- CPU.h - Loops over domains for threads of the CPU ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_CPU_H
#define PMC_CODEGEN_CPU_CPU_H

#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

const KernelSchedule &getCPUSchedule();

/// Its paint: five kernels, among which the runtime chooses.
void paintByThreads(Paint &paint);

/// Its filter of a spectrum: a kernel of rows or parts of rows.
void filterByLines(pm::SpectralFilterOp filter, pm::MapOp map,
                   LoweringContext &context);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_CPU_H
