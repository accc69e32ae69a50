//===- LatticeBox.h - Blocks of a lattice, and their cells ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The particles of a block of lattice sites touch a box of mesh cells that is
// little larger than the block. Readings and paints work on a copy of the box
// that stays in a core's cache.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_LATTICEBOX_H
#define PMRT_PARTICLES_LATTICEBOX_H

#include "runtime/Core/Context.h"

#include <array>
#include <optional>
#include <utility>

// Functions that are compiled for several machines, because they profit from
// wide vectors.
#if defined(__x86_64__) && !defined(PMRT_NO_CLONES)
#define PMRT_CLONES                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PMRT_CLONES
#endif

namespace pmrt {

/// Bytes of a copy: a part of a core's cache that leaves space for the
/// particles.
inline constexpr int64_t mostBoxBytes = int64_t(3) << 18;
inline constexpr int64_t lineBytes = 64;
/// Rows of cells that are prefetched before they are used, because rows of a
/// box are too short for the prefetchers of the hardware.
inline constexpr int64_t rowsAhead = 8;

/// Sites along a dim of a block that is not halved further, if its particles
/// can use the mesh itself.
inline constexpr int64_t leastBlock = 4;

/// Sites [begin, end) along each dim of a domain.
struct Sites {
  std::array<int64_t, size_t(2) * PMRT_MAX_RANK> range{};

  int64_t begin(int d) const { return range[2 * size_t(d)]; }
  int64_t end(int d) const { return range[2 * size_t(d) + 1]; }
  int64_t count(int d) const { return end(d) - begin(d); }
  void set(int d, int64_t begin, int64_t end) {
    range[2 * size_t(d)] = begin;
    range[2 * size_t(d) + 1] = end;
  }
  /// The halves along the longest of `dims` dims; none if a half would have
  /// fewer than `least` sites along it.
  std::optional<std::pair<Sites, Sites>> halve(int dims, int64_t least) const;
};

/// The boxes with this number in the program, negative for the loop that
/// begins with new ones. Null for 0, or if they are of other blocks.
SharedBoxes *findBoxes(pmrt_context &context, int64_t number, int64_t dims,
                       const int64_t *extent, const int64_t *sites);

/// Cells from `first` on, not wrapped, and the strides of a copy of them.
struct CellBox {
  std::array<int64_t, PMRT_MAX_RANK> first{}, count{}, stride{};
  int64_t elements = 0; ///< of one copy

  /// Sets the cells to those of the limits, for windows that touch `support`
  /// cells along each dim. False if the limits are not finite, so large that
  /// kernels do not find the cells exactly, or too many.
  bool setCells(const BoxLimits &limits, const int64_t *support, int rank);
};

/// How boxes of a mesh are copied.
struct BoxLayout {
  int64_t elementBytes = 4;
  /// Elements of a cell.
  int64_t lanes = 1;
  /// Cells of padding behind each row.
  int64_t padding = 0;
  /// Copies that must fit into the cache together.
  int64_t copies = 1;

  /// Sets the strides of a box. False if the copies are too large.
  bool place(CellBox &box, int rank) const;

private:
  int64_t pad(int64_t elements, bool isPlane) const;
};

/// The cell of a periodic dim.
inline int64_t wrapCell(int64_t cell, int64_t cells) {
  if (cell >= 0 && cell < cells) // spares a division
    return cell;
  const int64_t rest = cell % cells;
  return rest < 0 ? rest + cells : rest;
}

/// The rows of a mesh, or of a view of it, that a box consists of.
class BoxRows {
public:
  /// `cells`: of the mesh along each dim. `view`: null if the mesh is whole.
  BoxRows(const std::vector<int64_t> &cells, const pmrt_halo *view)
      : cells(cells), view(view && !view->whole ? view : nullptr) {}

  /// Where the row of `mesh` at these cells of the box begins: cell 0 of the
  /// mesh, or the first one of the view.
  template <typename Real>
  Real *find(const pmrt_array &mesh, const CellBox &box,
             const std::array<int64_t, PMRT_MAX_RANK> &at) const {
    int64_t row = 0;
    for (size_t d = 0; d + 1 < cells.size(); ++d) {
      const int64_t cell = wrapCell(
          box.first[d] + at[d] - (view ? view->origin[d] : 0), cells[d]);
      row = view ? row + cell * view->stride[d] : row * cells[d] + cell;
    }
    if (view)
      return static_cast<Real *>(view->rows[row]);
    return static_cast<Real *>(mesh.data) + row * cells.back();
  }

  /// Calls `part(cell, size, i)` for the parts of a row of the box that are
  /// consecutive in the mesh: `size` cells from `cell` on, which are the box's
  /// cells from i on.
  template <typename Part> void forParts(const CellBox &box, Part part) const {
    const size_t z = cells.size() - 1;
    int64_t cell =
        wrapCell(box.first[z] - (view ? view->origin[z] : 0), cells[z]);
    for (int64_t i = 0; i < box.count[z];) {
      const int64_t size = std::min(box.count[z] - i, cells[z] - cell);
      part(cell, size, i);
      i += size;
      cell = 0;
    }
  }

  /// Calls `row(at, place)` for each row of the box, `place` being where it
  /// begins in the copy.
  template <typename Row> void forEach(const CellBox &box, Row row) const {
    const int inner = int(cells.size()) - 1;
    std::array<int64_t, PMRT_MAX_RANK> at{};
    while (true) {
      int64_t place = 0;
      for (int d = 0; d < inner; ++d)
        place += at[size_t(d)] * box.stride[size_t(d)];
      row(at, place);
      int d = inner - 1;
      for (; d >= 0; --d) {
        if (++at[size_t(d)] < box.count[size_t(d)])
          break;
        at[size_t(d)] = 0;
      }
      if (d < 0)
        return;
    }
  }

private:
  const std::vector<int64_t> &cells;
  const pmrt_halo *view;
};

} // namespace pmrt

#endif // PMRT_PARTICLES_LATTICEBOX_H
