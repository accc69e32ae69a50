//===- Chart.h - Pictures and curves ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_CHART_H
#define PMRT_IO_CHART_H

#include "runtime/IO/Canvas.h"

#include <string>
#include <vector>

namespace pmrt {

/// A range of values on a linear or logarithmic axis, and its ticks.
class Scale {
public:
  /// The range of the values that can be shown (all finite ones, or on a
  /// logarithmic axis the positive ones), never empty.
  Scale(const std::vector<double> &values, bool logarithmic);
  Scale(double low, double high);

  /// Where a value lies, 0 to 1 inside the range; below 0 if it cannot be
  /// shown.
  double position(double value) const;
  bool shows(double value) const;
  bool logarithmic() const { return log; }
  double low() const { return lo; }
  double high() const { return hi; }

  struct Tick {
    double value;
    std::string label;
  };
  /// Round numbers inside the range, about `wanted` of them.
  std::vector<Tick> ticks(int wanted) const;

private:
  double lo, hi;
  bool log = false;
};

struct ChartStyle {
  std::string title;
  std::string colormap = "viridis";
  bool logarithmic = false;
};

/// One axis of a picture: name, and its physical length (0: not known, the axis
/// counts cells).
struct PictureAxis {
  std::string name;
  double length = 0;
};

/// `values`: rows x columns, row-major. The first index goes to the right, the
/// second one up.
Canvas drawPicture(const std::vector<double> &values, int64_t rows,
                   int64_t columns, const PictureAxis &right,
                   const PictureAxis &up, const ChartStyle &style);

/// Curves over common x; a logarithmic style means both axes.
Canvas drawCurves(const std::vector<double> &x,
                  const std::vector<std::vector<double>> &curves,
                  const ChartStyle &style);

} // namespace pmrt

#endif // PMRT_IO_CHART_H
