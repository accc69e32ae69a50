//===- Layout.h - Which rank owns what of an array --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DIST_LAYOUT_H
#define PMRT_DIST_LAYOUT_H

#include "runtime/Core/Context.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace pmrt {

/// Cells [offset, offset + extent) along every dim.
struct Box {
  std::vector<Shard> sides;

  int64_t cells() const;
  std::vector<int64_t> shape() const;
};

Box intersect(const Box &a, const Box &b);

/// One dim of a distributed array.
struct Split {
  int64_t cells = 0;     ///< stored, over all ranks
  int64_t grain = 1;     ///< shard boundaries are multiples of it
  std::vector<int> axes; ///< mesh axes that split it, row-major

  bool operator==(const Split &) const = default;
};

/// How an array is cut.
struct Layout {
  std::vector<Split> dims;

  bool operator==(const Layout &) const = default;

  /// What the rank at a place of the mesh owns.
  Box box(const Mesh &mesh, const std::vector<int64_t> &place) const;
  /// What this rank owns.
  Box box(const Mesh &mesh) const;
  std::vector<int64_t> cells() const;
  /// The axes that split a dim, as bits.
  uint32_t axes() const;
};

/// Splits without axes of one rank, which split nothing.
Split splitOf(const Mesh &mesh, const Dim &dim);
Layout layoutOf(const Context &context, const pmrt_array &array);

/// Calls `visit(rank, place)` for every rank that differs from this one along
/// the axes whose bit is set only, this one included, in order of ranks.
void forPeers(
    const Mesh &mesh, uint32_t axes,
    const std::function<void(int, const std::vector<int64_t> &)> &visit);

/// The part `part` of an array of elements of `size` bytes at `data` that holds
/// `whole`, dense and row-major.
Region regionOf(const void *data, int64_t size, const Box &whole,
                const Box &part);

/// The runs of a part that are contiguous both in it and in the whole array.
class Runs {
public:
  Runs(const Layout &layout, const Mesh &mesh);

  int64_t count() const { return number; }
  int64_t length() const { return each; }
  /// Index in the whole array of a run's first cell; here it is run * length().
  int64_t start(int64_t run) const;
  /// Index in the whole array of a cell of this part.
  int64_t global(int64_t local) const {
    return start(local / each) + local % each;
  }

private:
  Box box;
  std::vector<int64_t> cells;
  int64_t number = 1, each = 1;
};

/// The whole array on the first rank, nothing on the others. A collective.
std::vector<char> gatherToFirst(Context &context, const pmrt_array &array);

/// Whether this rank is the first of those that hold the same part.
bool isFirstCopy(const Mesh &mesh, uint32_t axes);

} // namespace pmrt

#endif // PMRT_DIST_LAYOUT_H
