//===- DisplacementBound.h - How far particles go ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_DISPLACEMENTBOUND_H
#define PMC_CODEGEN_ELEMENTS_DISPLACEMENTBOUND_H

#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// The window of the particles of a pm.displacement_bound on its mesh.
ParticleWindow getParticleWindow(pm::DisplacementBoundOp op);

/// Lowers a pm.displacement_bound: the runtime makes widths of what is
/// measured, which is skipped where nothing is split.
void lowerDisplacementBound(pm::DisplacementBoundOp op,
                            LoweringContext &context,
                            const KernelSchedule &schedule);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_DISPLACEMENTBOUND_H
