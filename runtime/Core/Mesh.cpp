//===- Mesh.cpp - Which part of every dim a rank owns ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Mesh.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

Shard pmrt::shardOf(int64_t cells, int64_t refine, int64_t index,
                    int64_t parts) {
  // The product may exceed 64 bits only for absurd meshes; use 128 anyway.
  const bool inherits = refine > 1 && cells % refine == 0;
  const int64_t scale = inherits ? refine : 1;
  const __int128 coarse = cells / scale;
  const auto begin = int64_t(coarse * index / parts) * scale;
  const auto end = int64_t(coarse * (index + 1) / parts) * scale;
  return {begin, end - begin};
}

int64_t pmrt::shardGrain(const Dim &dim) {
  return dim.kind == DimKind::Half ? 1 : dim.refine;
}

Mesh::Mesh(std::vector<Axis> axes, int64_t rank)
    : all(std::move(axes)), self(rank), place(coordinates(rank)) {}

int64_t Mesh::ranks() const {
  int64_t product = 1;
  for (const Axis &axis : all)
    product *= axis.extent;
  return product;
}

std::vector<int64_t> Mesh::coordinates(int64_t rank) const {
  std::vector<int64_t> at(all.size());
  for (size_t i = all.size(); i-- > 0;) {
    at[i] = rank % all[i].extent;
    rank /= all[i].extent;
  }
  return at;
}

int64_t Mesh::rankAt(const std::vector<int64_t> &at) const {
  int64_t rank = 0;
  for (size_t i = 0; i < all.size(); ++i)
    rank = rank * all[i].extent + at[i];
  return rank;
}

std::vector<int> Mesh::axesOf(const Dim &dim) const {
  std::vector<int> axes;
  for (const std::string &name : dim.axes) {
    auto it = std::find_if(all.begin(), all.end(),
                           [&](const Axis &axis) { return axis.name == name; });
    if (it == all.end())
      throw std::runtime_error(
          fmt::format("internal error: dim '{}' lies on unknown mesh axis '{}'",
                      dim.name, name));
    axes.push_back(int(it - all.begin()));
  }
  return axes;
}

int64_t Mesh::parts(const Dim &dim) const {
  int64_t product = 1;
  for (int axis : axesOf(dim))
    product *= all[size_t(axis)].extent;
  return product;
}

Shard Mesh::local(const Dim &dim) const {
  int64_t index = 0, parts = 1;
  for (int axis : axesOf(dim)) {
    index = index * all[size_t(axis)].extent + place[size_t(axis)];
    parts *= all[size_t(axis)].extent;
  }
  return shardOf(dim.stored(), shardGrain(dim), index, parts);
}
