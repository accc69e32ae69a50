//===- Reach.h - How far particles reach ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_REACH_H
#define PMC_CODEGEN_ELEMENTS_REACH_H

#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// Where the particles of a pm.reach stand on its mesh.
Placement getPlacement(pm::ReachOp op);

/// Lowers a pm.reach: the runtime makes widths of what is measured, which is
/// skipped where nothing is split.
void lowerReach(pm::ReachOp op, LoweringContext &context,
                const KernelSchedule &schedule);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_REACH_H
