//===- Placement.h - How the dialect's ops use buffers ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_PLACEMENT_H
#define PMC_PASSES_MEMORY_PLACEMENT_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pmc::passes {

/// Attaches PlaceableOpInterface to the pm dialect's ops with field results.
void registerPlacementModels(mlir::DialectRegistry &registry);
/// The same for messages.
void registerMessagePlacementModels(mlir::DialectRegistry &registry);

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_PLACEMENT_H
