//===- TiledReading.h - Differences are read in shared memory ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_TILEDREADING_H
#define PMC_CODEGEN_CUDA_TILEDREADING_H

#include "codegen/CUDA/ParticleTiles.h"
#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// The op's reading of computed cells (`InterpolateOp::isComputed`); null if
/// there is none.
pm::InterpolateOp getComputedReading(pm::DomainOpInterface op);

/// A map with a reading whose cells are functions of few elements of meshes,
/// such as differences of a potential. A block of threads loads a tile of the
/// meshes to shared memory. A particle computes its values from the tile if all
/// cells that it needs are there, and otherwise from the meshes. If no tile
/// fits, threads take rows of particles, which read the meshes.
std::unique_ptr<ElementLoop> readInTiles(pm::DomainOpInterface op,
                                         pm::InterpolateOp reading,
                                         LoweringContext &context,
                                         mlir::OpBuilder &host,
                                         llvm::StringRef title);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_TILEDREADING_H
