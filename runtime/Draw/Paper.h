//===- Paper.h - What a figure is drawn on ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DRAW_PAPER_H
#define PMRT_DRAW_PAPER_H

#include "runtime/Draw/Colors.h"
#include "runtime/IO/Figures/Figure.h"

#include <cairo.h>
#include <memory>
#include <string>
#include <vector>

namespace pmrt {

constexpr Colour ink{0.1, 0.1, 0.1};

struct Destroy {
  void operator()(cairo_t *c) const { cairo_destroy(c); }
  void operator()(cairo_surface_t *s) const { cairo_surface_destroy(s); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Pen = std::unique_ptr<cairo_t, Destroy>;

/// Throws std::runtime_error if Cairo could not.
void check(cairo_status_t status);
/// Of a stream that writes to a std::string.
cairo_status_t append(void *file, const unsigned char *data, unsigned length);

/// How a text looks, and which point of it `Paper::text` is given.
struct TextStyle {
  double size = 11;
  bool bold = false;
  bool up = false;     ///< turned by 90 degrees to the left
  double across = 0.5; ///< 0: its left end, 1: its right end
  Colour colour = ink;
};

/// A page of Cairo. Lengths are points, the origin is top left.
class Paper {
public:
  Paper(PlotFormat format, double width, double height);

  static double textWidth(const std::string &text, const TextStyle &style);
  /// The text, shortened if it is wider than that.
  static std::string fitted(const std::string &text, const TextStyle &style,
                            double width);
  /// (x, y): in the middle of small letters' height.
  void text(const char *role, double x, double y, const std::string &text,
            const TextStyle &style = {});
  /// The outline of a rectangle, or all of it.
  void frame(double x, double y, double width, double height);
  void ellipse(double x, double y, double width, double height);
  void fill(double x, double y, double width, double height, Colour colour);
  void line(double x0, double y0, double x1, double y1, double thickness,
            Colour colour);
  void triangle(double x, double y, double width, double height, Colour colour);

  struct Point {
    double x, y;
    bool drawn;
  };
  /// A line through the points that are drawn, and dots on them.
  void curve(const std::vector<Point> &points, size_t number, bool dots);
  /// The inside of a line around, in a light shade of that curve's colour.
  void shade(const std::vector<Point> &around, size_t number);
  /// Pixels from the top left on, row by row.
  void image(double x, double y, double width, double height, int columns,
             int rows, const std::vector<Colour> &pixels);
  /// Nothing is drawn outside from now on.
  void clip(double x, double y, double width, double height);
  void unclip();

  Drawing finish();

private:
  PlotFormat format;
  Drawing drawing;
  Surface surface;
  Pen cairo;
};

} // namespace pmrt

#endif // PMRT_DRAW_PAPER_H
