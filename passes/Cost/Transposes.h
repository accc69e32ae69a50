//===- Transposes.h - The steps of a transform over ranks -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_TRANSPOSES_H
#define PMC_PASSES_COST_TRANSPOSES_H

#include "passes/Cost/Cost.h"

namespace pmc::cost {

/// One step: dims that are whole on every rank are transformed, or, if there
/// are none, the field is split in another way.
struct FourierStep {
  llvm::SmallVector<unsigned> dims;
  pm::GridType from, to;
};

/// The steps that the runtime makes in a transform from `input` to `output`
/// (pmrt/transposes.h). Axes have two ranks if nothing is known of them.
/// Nothing if no way was found.
std::optional<llvm::SmallVector<FourierStep>>
findSteps(pm::GridType input, pm::GridType output, pm::MeshOp mesh,
          const Ranks &ranks, bool backward);

} // namespace pmc::cost

#endif // PMC_PASSES_COST_TRANSPOSES_H
