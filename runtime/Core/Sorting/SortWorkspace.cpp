//===- SortWorkspace.cpp - Memory for sorting particles -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Sorting/SortWorkspace.h"

#include "runtime/Core/LatticeTiles.h"

using namespace pmrt;

/// Particles sorted at a time, unless one row of the lattice has more.
static constexpr int64_t batchParticles = int64_t(1) << 21;
static constexpr int64_t mostBins = 4096;

Bins::Bins(int64_t planes, int leastShift) : planes(planes) {
  shift = leastShift;
  while (count() > mostBins)
    ++shift;
}

SortWorkspace::SortWorkspace(int64_t rows, int64_t rowParticles, int64_t planes,
                             bool hasCellBlocks)
    : bins(planes, hasCellBlocks ? cellBlockShift : 0) {
  batch =
      std::max<int64_t>(1, batchParticles / std::max<int64_t>(1, rowParticles));
  particles = std::min(rows, batch) * rowParticles;
  // Their order is kept in 32 bits.
  this->hasCellBlocks = hasCellBlocks && particles < (int64_t(1) << 31);
}

bool pmrt::areFew(int64_t particles) { return particles <= 4096; }

/// Of one paint, or sorted reading, on this rank; a view may have every plane
/// of the mesh.
static int64_t bytesOf(const Context &context, const PaintShape &paint) {
  int64_t rows = 1, rowParticles = 1;
  for (size_t d = 0; d < paint.particles.size(); ++d)
    (d < 2 ? rows : rowParticles) *=
        context.shards[size_t(paint.particles[d])].extent;
  if (paint.mesh.empty())
    return SortWorkspace::ofReading(rows * rowParticles).bytes();
  if (paint.lattice && areFew(rows * rowParticles))
    return 0;
  const Dim &planes = context.program.dims[size_t(paint.mesh[0])];
  return SortWorkspace(rows, rowParticles, planes.stored(), paint.cellBlocks)
      .bytes();
}

int64_t pmrt::likelySortWorkspace(const Context &context) {
  // Rows of a tile: with fewer, what particles of an N-body simulation touch
  // overlaps.
  constexpr int64_t manyRows = 6;
  int64_t bytes = 0;
  for (const PaintShape &paint : context.program.paints) {
    bool isTiled = paint.lattice && !paint.cellBlocks;
    for (size_t d = 0; d < std::min<size_t>(2, paint.particles.size()); ++d) {
      const int64_t rows = context.shards[size_t(paint.particles[d])].extent;
      isTiled = isTiled && rows >= manyRows * tilesAlong(rows);
    }
    if (!isTiled)
      bytes = std::max(bytes, bytesOf(context, paint));
  }
  return bytes;
}

void pmrt::reserveSortWorkspace(Context &context) {
  int64_t bytes = 0;
  for (const PaintShape &paint : context.program.paints)
    bytes = std::max(bytes, bytesOf(context, paint));
  int64_t most = bytes;
  context.world.reduce(PMRT_MAX, 1, &most);
  if (most > 0)
    context.sortWorkspace = context.borrow(-1, bytes, "sorting particles");
}
