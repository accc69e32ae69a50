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

/// The device mesh and this rank's place in it.
class Mesh {
public:
  /// Rank `rank` of a mesh with the given axes; ranks are row-major over axes.
  Mesh(std::vector<Axis> axes, int64_t rank);

  const std::vector<Axis> &axes() const { return all; }
  int64_t ranks() const;
  int64_t rank() const { return self; }
  /// What this rank owns of `dim`; several axes are row-major as written.
  Shard local(const Dim &dim) const;

private:
  std::vector<Axis> all;
  std::vector<int64_t> coordinates;
  int64_t self;
};

} // namespace pmrt

#endif // PMRT_CORE_MESH_H
