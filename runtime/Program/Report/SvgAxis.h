//===- SvgAxis.h - Axes of the pictures in pages ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_SVGAXIS_H
#define PMRT_PROGRAM_REPORT_SVGAXIS_H

#include "runtime/Base/Text/Scale.h"

#include <string>

namespace pmrt {

/// An axis of an SVG picture in a page: a line with round ticks, their labels,
/// and a name. The page's style has the classes.
struct SvgAxis {
  enum class Side { Below, Left };

  /// (x, y) is where the axis begins: its left end, or its lower one.
  std::string drawn(double x, double y) const;
  /// Where a value is: from the left, or upwards.
  double place(double value) const { return scale.position(value) * length; }

  Side side;
  Scale scale;
  double length;
  std::string name; ///< with the unit, "time [ms]"
};

/// A unit in which the largest value has few digits.
struct AxisUnit {
  double size;
  std::string name;
};
AxisUnit timeUnit(double seconds);
AxisUnit bytesUnit(double bytes);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_SVGAXIS_H
