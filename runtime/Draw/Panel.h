//===- Panel.h - One picture of a figure ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DRAW_PANEL_H
#define PMRT_DRAW_PANEL_H

#include "runtime/Draw/Axis.h"

#include <memory>

namespace pmrt {

/// "1 value", "3 values".
std::string plural(size_t count, const char *what);
/// "P, Q, R, …": each name once, and no more than three.
std::string firstOf(const std::vector<std::string> &names);
/// "−0.0543", with the sign that axes have.
std::string shortNumber(double value, int digits = 3);

/// Its size is known before it is drawn.
class Panel {
public:
  explicit Panel(const Figure &figure) : notes(figure.notes), figure(figure) {}
  virtual ~Panel() = default;
  virtual void draw(Paper &paper, const Area &area) const = 0;

  double width = 0, height = 0;          ///< of the area
  double left = 0, right = 0, below = 0; ///< space beside it
  std::vector<std::string> notes;
  /// Why it shows nothing, which is written in its middle; empty if it does.
  std::string hint;
  Colour hintColour = ink;
  PanelRanges ranges;
  const Figure &figure;
};

/// `size`: how large, 1 if alone. `common`: the figures whose scale it has.
std::unique_ptr<Panel> makeMap(const Figure &figure, double size,
                               const std::vector<const Figure *> &common);
std::unique_ptr<Panel> makeCurves(const Figure &figure, double size,
                                  const std::vector<const Figure *> &common);

/// Lines where the contours of a map have round values, and a note on them.
void drawContours(Paper &paper, const Area &area, const Figure &figure);
std::string contourNote(const FigureContours &contours);

} // namespace pmrt

#endif // PMRT_DRAW_PANEL_H
