//===- HaloCost.cpp - What cells of other ranks cost ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/HaloCost.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Dist/HaloShape.h"

#include <algorithm>
#include <optional>

using namespace pmrt;

/// Times the owned cells: beyond it, particles had better move between ranks.
static constexpr double haloLimit = 10;

namespace {

/// What others' cells of a mesh cost a rank, by how wide its halo is.
class HaloCost {
public:
  HaloCost(const Context &context, const HaloMesh &halo)
      : element(halo.element) {
    for (int32_t index : halo.dims) {
      const Dim &dim = context.program.dims[size_t(index)];
      own.sides.push_back(context.shards[size_t(index)]);
      cells.push_back(dim.stored());
      split.push_back(context.mesh.parts(dim) > 1);
    }
  }

  bool isSplit() const {
    return std::find(split.begin(), split.end(), true) != split.end();
  }

  /// Cells beside the own ones with `width` on each side.
  int64_t cellsBeside(int64_t width) const {
    std::vector<int64_t> sides;
    for (bool is : split)
      sides.push_back(is ? width : 0);
    return HaloShape(own, cells, sides, sides).sideCells();
  }

  double share(int64_t width) const {
    return double(cellsBeside(width)) / double(own.cells());
  }

  /// Widths that double, up to the whole box.
  std::string rows() const {
    std::string out =
        fmt::format("  mesh {} ({}), {} a rank\n", shapeText(cells),
                    elementName(element), shapeText(own.shape()));
    int64_t last = -1;
    for (int64_t width = 1; cellsBeside(width) != last; width *= 2) {
      last = cellsBeside(width);
      out += fmt::format("  {:>10} {:>14} {:>12} {:>12.2f}\n", width, last,
                         bytesText(double(last * elementSize(element))),
                         share(width));
    }
    return out;
  }

  /// The least width that costs more than the limit, if any does.
  std::optional<int64_t> limit() const {
    const int64_t widest = *std::max_element(cells.begin(), cells.end());
    if (share(widest) <= haloLimit)
      return std::nullopt;
    int64_t width = 1;
    while (share(width) <= haloLimit)
      ++width;
    return width;
  }

private:
  pmrt_element element;
  Box own;
  std::vector<int64_t> cells;
  std::vector<bool> split;
};

} // namespace

std::string pmrt::haloText(const Context &context) {
  std::string rows;
  std::optional<int64_t> limit;
  for (const HaloMesh &halo : context.program.halos) {
    const HaloCost cost(context, halo);
    if (!cost.isSplit())
      continue;
    rows += cost.rows();
    const std::optional<int64_t> one = cost.limit();
    if (one && (!limit || *one < *limit))
      limit = one;
  }
  if (rows.empty())
    return "";
  std::string out = "halos; the width on each side is the distance that "
                    "particles move out of their rank's cells:\n";
  out += fmt::format("  {:>10} {:>14} {:>12} {:>12}\n", "width", "cells",
                     "size", "of the own");
  out += rows;
  if (limit)
    out += fmt::format(
        "  from a width of {} on, halos have over {:.0f} times the cells that "
        "a rank owns: this is the limit for particles that stay with the rank "
        "of their lattice site; use fewer ranks or more cells\n",
        *limit, haloLimit);
  return out;
}
