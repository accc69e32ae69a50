//===- LatticeBlock.h - Kernels over blocks of lattice sites ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The particles of a block of lattice sites touch a box of mesh cells that is
// little larger than the block. Readings and paints of the block work on a copy
// of the box that stays in a core's cache.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_LATTICEBLOCK_H
#define PMC_CODEGEN_CPU_LATTICEBLOCK_H

#include "codegen/Elements/Body.h"
#include "dialect/IR/Markers/SharedBoxes.h"

namespace pmc::codegen {

/// Whether the particles of a domain can be worked on in blocks: they are many,
/// displaced from their sites, and touch few cells of a mesh of two dims or
/// more, whose cells f32 tells apart.
bool hasLatticeBlocks(const ParticleWindow &particleWindow,
                      llvm::ArrayRef<pm::DimAttr> domain, bool isFree,
                      int64_t fewest);

/// Sites of a block along each dim of a domain of `rank` dims, for about
/// `cells` cells: one along dims that no mesh dim refines.
llvm::SmallVector<int64_t> getBlockSites(const ParticleWindow &particleWindow,
                                         size_t rank, int64_t cells);

/// Emits `chunk` for chunks of the sites in `range`, a view of the begin and
/// the end along each dim. The body has entered the chunk's row.
using SiteChunk = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Value first, mlir::Value size, mlir::ValueRange)>;
llvm::SmallVector<mlir::Value> forSites(mlir::OpBuilder &builder, Body &body,
                                        mlir::Value range,
                                        mlir::ValueRange carried,
                                        SiteChunk chunk);

/// Emits a kernel that finds the box of a block: the least and the largest
/// first cell along each mesh dim, not wrapped, or NaN if a position is not
/// finite. The kernel gets the range and a view of the results, two each dim.
/// `offsets` are the body's values; other kernels must find the same cells.
void emitBox(Kernel &kernel, Body &body, const ParticleWindow &particleWindow,
             llvm::ArrayRef<mlir::Value> offsets);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_LATTICEBLOCK_H
