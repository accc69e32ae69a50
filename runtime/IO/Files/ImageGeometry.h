//===- ImageGeometry.h - Where the cells of an image are --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A NIfTI file says where in the scanner or in an atlas its cells are. Outputs
// over the dims of such an input are on the same grid, so they get the same
// geometry. The geometries of all outputs are chosen before anything runs.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_IMAGEGEOMETRY_H
#define PMRT_IO_FILES_IMAGEGEOMETRY_H

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pmrt {

/// NIfTI's matrix from the indices of cells to places, in mm.
struct ImageFrame {
  int code = 0; ///< the space it leads to; 0: there is no such matrix
  /// The steps along the first three axes, and the place of the first cell.
  std::array<std::array<double, 3>, 4> columns = {};
};

struct ImageGeometry {
  ImageFrame qform, sform;

  bool isKnown() const { return qform.code > 0 || sform.code > 0; }
  /// Length of a cell along one of the first three axes, in mm.
  double spacing(size_t axis) const {
    const auto &step = (qform.code > 0 ? qform : sform).columns[axis];
    return std::hypot(step[0], step[1], step[2]);
  }
};

/// The geometry of a file.
struct FileGeometry {
  std::string file;
  ImageGeometry geometry;
  /// What the first three axes count: dims of the program, or -1.
  std::array<int32_t, 3> dims = {-1, -1, -1};
  std::array<int64_t, 3> cells = {1, 1, 1};
};

} // namespace pmrt

#endif // PMRT_IO_FILES_IMAGEGEOMETRY_H
