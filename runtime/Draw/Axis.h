//===- Axis.h - An axis with its ticks and name -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DRAW_AXIS_H
#define PMRT_DRAW_AXIS_H

#include "runtime/Base/Text/Scale.h"
#include "runtime/Draw/Paper.h"

namespace pmrt {

constexpr double margin = 12;

struct Area {
  double x, y, width, height;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

/// "k [h/Mpc]", "P [10⁴ (Mpc/h)³]"; "r" if it is a plain number.
std::string axisName(const FigureAxis &what, int exponent);

/// On one side of the area, along `length` points.
class Axis {
public:
  enum class Side { Below, Left, Right };
  /// `few`: that many ticks and no minor ones; 0: as many as fit.
  Axis(Side side, const FigureAxis &what, const Scale &scale, double length,
       int few = 0);

  /// What it takes beside the area.
  double padding() const;
  void draw(Paper &paper, const Area &area, const char *role) const;
  /// Where a value is: from the left, or from the bottom.
  double place(double value) const { return scale.position(value) * length; }

  const std::vector<Scale::Tick> &ticks() const { return marks; }

  const Scale scale;

private:
  Side side;
  double length, widest = 0;
  std::string name;
  std::vector<Scale::Tick> marks;
};

} // namespace pmrt

#endif // PMRT_DRAW_AXIS_H
