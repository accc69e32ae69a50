//===- CostTimes.h - What ops take on a machine -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_COSTTIMES_H
#define PMC_CODEGEN_MACHINE_COSTTIMES_H

#include "codegen/Machine/TimeModel.h"
#include "passes/Cost/CostReport.h"

namespace pmc::machine {

/// Fills in the times of the report's ops and messages.
llvm::Error addTimes(cost::CostReport &report, const Machine &machine);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_COSTTIMES_H
