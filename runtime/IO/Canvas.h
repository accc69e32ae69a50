//===- Canvas.h - Lines, text and colours in an image -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_CANVAS_H
#define PMRT_IO_CANVAS_H

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

struct Colour {
  uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Colour &) const = default;
};

/// "viridis", "inferno" or "gray" at t in [0, 1]; false if the name is unknown.
bool isColormap(const std::string &name);
Colour colormap(const std::string &name, double t);

/// An RGB image, white at first. Pixel (0, 0) is the top left; everything is
/// clipped.
class Canvas {
public:
  Canvas(int width, int height);

  int width() const { return w; }
  int height() const { return h; }
  Colour get(int x, int y) const;
  void set(int x, int y, Colour colour);
  /// Pixels [x, x + width) x [y, y + height).
  void fill(int x, int y, int width, int height, Colour colour);
  /// The outline of the same pixels.
  void frame(int x, int y, int width, int height, Colour colour);
  /// An anti-aliased segment.
  void line(double x0, double y0, double x1, double y1, double thickness,
            Colour colour);
  /// Only pixels inside are drawn from now on.
  void clip(int x, int y, int width, int height);
  void unclip() { clip(0, 0, w, h); }

  /// Text of 5 x 7 letters, magnified; (x, y) is its top left. `up` turns it
  /// by 90 degrees to the left, and (x, y) is then the bottom left.
  void text(int x, int y, const std::string &text, Colour colour,
            int magnify = 2, bool up = false);
  static int textWidth(const std::string &text, int magnify = 2);
  static int textHeight(int magnify = 2) { return 7 * magnify; }

  /// The image as a PNG file. Throws std::runtime_error.
  std::string png() const;

private:
  void blend(int x, int y, double alpha, Colour colour);

  int w, h;
  int clipX = 0, clipY = 0, clipRight, clipBottom;
  std::vector<uint8_t> pixels;
};

} // namespace pmrt

#endif // PMRT_IO_CANVAS_H
