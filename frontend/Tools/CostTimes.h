//===- CostTimes.h - What ops take on a machine -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_COSTTIMES_H
#define PMC_FRONTEND_TOOLS_COSTTIMES_H

#include "codegen/Machine/TimeModel.h"
#include "frontend/Tools/CostReport.h"

namespace pmc {

/// Fills in the times of the report's ops and messages.
llvm::Error addTimes(CostReport &report, const machine::Machine &machine);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_COSTTIMES_H
