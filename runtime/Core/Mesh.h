//===- Mesh.h - Which part of every dim a rank owns -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MESH_H
#define PMRT_CORE_MESH_H

#include "runtime/Core/Descriptor.h"

#include <cstdint>
#include <vector>

namespace pmrt {

/// A half-open range of cells.
struct Shard {
  int64_t offset = 0;
  int64_t extent = 0;
};

/// Shard `index` of `cells` over `parts`: [floor(i N / P), floor((i+1) N / P)).
/// A refined dim inherits the boundaries of its coarse dim, times `refine`.
Shard shardOf(int64_t cells, int64_t refine, int64_t index, int64_t parts);

/// Cells of the coarse dim that a shard boundary of `dim` is a multiple of: the
/// stored cells of a half spectrum have no coarse dim.
int64_t shardGrain(const Dim &dim);

/// The device mesh and this rank's place in it.
class Mesh {
public:
  /// Rank `rank` of a mesh with the given axes; ranks are row-major over axes.
  Mesh(std::vector<Axis> axes, int64_t rank);

  const std::vector<Axis> &axes() const { return all; }
  int64_t ranks() const;
  int64_t rank() const { return self; }
  /// A rank's place along every axis.
  std::vector<int64_t> coordinates(int64_t rank) const;
  /// The rank at a place.
  int64_t rankAt(const std::vector<int64_t> &place) const;
  /// Indices of the axes that split `dim`, in order; those of one rank too.
  std::vector<int> axesOf(const Dim &dim) const;
  /// How many ranks share `dim`.
  int64_t parts(const Dim &dim) const;
  /// What this rank owns of `dim`; several axes are row-major as written.
  Shard local(const Dim &dim) const;

private:
  std::vector<Axis> all;
  int64_t self;
  std::vector<int64_t> place;
};

} // namespace pmrt

#endif // PMRT_CORE_MESH_H
