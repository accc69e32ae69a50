//===- Transposes.h - The transposes of a transform -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SHARDING_TRANSPOSES_H
#define PMC_PASSES_SHARDING_TRANSPOSES_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// One transpose: the same field, split in two ways.
struct Transpose {
  pm::GridType from, to;
};

/// The transposes that the runtime makes in a transform from `input` to
/// `output` (pmrt/transposes.h), when the mesh's axes have two ranks each.
/// Nothing if no way was found.
std::optional<llvm::SmallVector<Transpose>>
findTransposes(pm::GridType input, pm::GridType output, pm::MeshOp mesh);

} // namespace pmc::passes

#endif // PMC_PASSES_SHARDING_TRANSPOSES_H
