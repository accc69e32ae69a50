//===- ColourBar.h - Which colours values have, and their bar ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DRAW_COLOURBAR_H
#define PMRT_DRAW_COLOURBAR_H

#include "runtime/Draw/Axis.h"

#include <string>
#include <vector>

namespace pmrt {

/// Which colours values have.
struct Colouring {
  Scale scale{0, 1};
  bool known = false; ///< whether there is a value that it shows
  std::string map;
  bool below = false, above = false; ///< values beyond that end are clipped
  bool zeros = false;                ///< a logarithmic scale has zeros below it
  std::vector<double> range; ///< of the values alone; empty: it is not linear
                             ///< or logarithmic as the figure says
};

/// The colours of all these maps, without the few values that would hide all
/// others.
Colouring colouringOf(const Figure &figure,
                      const std::vector<const Figure *> &common,
                      std::vector<std::string> &notes);

/// Whether there is no sky at a pixel, or no disc: both fill an ellipse.
bool isOutside(const Figure &figure, int64_t pixel);

/// The bar beside a map, or beside all maps that share their colours.
class ColourBar {
public:
  /// As high as what it is beside.
  ColourBar(const FigureAxis &what, const Colouring &colours, double height);

  /// The width that it needs.
  double padding() const;
  /// (x, y): its top left.
  void draw(Paper &paper, double x, double y) const;

private:
  Colouring colours;
  double height;
  Axis axis;
};

} // namespace pmrt

#endif // PMRT_DRAW_COLOURBAR_H
