//===- SortWorkspace.h - Memory for sorting particles -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Paints whose particles do not stay near their lattice sites sort them by the
// mesh planes where they start, some at a time. What that takes follows from
// the sizes of lattice and mesh, and so belongs to the memory plan. With wide
// windows, particles and readings are also sorted by cell blocks.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_SORTING_SORTWORKSPACE_H
#define PMRT_CORE_SORTING_SORTWORKSPACE_H

#include "runtime/Core/Context.h"

#include <algorithm>

namespace pmrt {

/// Runs of 2^shift mesh planes, which particles are sorted by; the last one has
/// what is left, too, so that none is thinner where the mesh goes around. There
/// are never many, however long the mesh is: the counters would take more
/// memory than it.
struct Bins {
  int64_t planes = 0;
  int shift = 0;

  /// `leastShift`: of at least 2^leastShift planes each.
  explicit Bins(int64_t planes, int leastShift = 0);
  int64_t width() const { return int64_t(1) << shift; }
  int64_t count() const {
    return std::max(planes >> shift, std::min<int64_t>(planes, 1));
  }
  int64_t of(int64_t plane) const {
    return std::min(plane >> shift, count() - 1);
  }
};

/// How a paint sorts its particles: `batch` rows of the lattice at a time.
struct SortWorkspace {
  /// Pieces of a batch that are counted independently.
  static constexpr int64_t pieces = 32;

  /// Cell blocks are sorted by two digits of so many values. Programs may add
  /// to all planes of a particle's cell block, of which each is one bin's: so
  /// many, the logarithm (`CellBlockCopy` of the code generator).
  static constexpr int64_t cellBlockKeys = 2048;
  static constexpr int cellBlockShift = 3;

  SortWorkspace(int64_t rows, int64_t rowParticles, int64_t planes,
                bool hasCellBlocks = false);
  /// Of so many readings.
  static SortWorkspace ofReading(int64_t count) {
    return {count, 1, 0, /*hasCellBlocks=*/true};
  }

  Bins bins;
  bool hasCellBlocks = false;
  int64_t batch = 0;     ///< rows
  int64_t particles = 0; ///< of a batch, at most

  /// The parts of the memory, the largest elements first: counters, a list of
  /// particles, their planes, and with cell blocks an order.
  int64_t counters() const {
    return std::max(bins.count(), hasCellBlocks ? cellBlockKeys : 0) * pieces +
           1;
  }
  int64_t bytes() const {
    return (counters() + particles) * int64_t(sizeof(int64_t)) +
           particles * (hasCellBlocks ? 2 : 1) * int64_t(sizeof(int32_t));
  }
};

/// Whether so many particles of a lattice are painted in one go, without being
/// sorted.
bool areFew(int64_t particles);

/// Borrows what the descriptor's paints need at most. A collective.
void reserveSortWorkspace(Context &context);

/// Bytes of it that are likely to be used here: particles of a large lattice
/// are painted tile by tile, unless they are far from it.
int64_t likelySortWorkspace(const Context &context);

} // namespace pmrt

#endif // PMRT_CORE_SORTING_SORTWORKSPACE_H
