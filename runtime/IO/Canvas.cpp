//===- Canvas.cpp - Lines, text and colours in an image -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <png.h>
#include <stdexcept>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// Colour maps
//===----------------------------------------------------------------------===//

// Polynomials through matplotlib's maps, from the constant term on.
static constexpr double viridis[7][3] = {
    {0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
    {0.1050930431085774, 1.404613529898575, 1.384590162594685},
    {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
    {-4.634230498983486, -5.799100973351585, -19.33244095627987},
    {6.228269936347081, 14.17993336680509, 56.69055260068105},
    {4.776384997670288, -13.74514537774601, -65.35303263337234},
    {-5.435455855934631, 4.645852612178535, 26.3124352495832}};
static constexpr double inferno[7][3] = {
    {0.0002189403691192265, 0.001651004631001012, -0.01948089843709184},
    {0.1065134194856116, 0.5639564367884091, 3.932712388889277},
    {11.60249308247187, -3.972853965665698, -15.9423941062914},
    {-41.70399613139459, 17.43639888205313, 44.35414519872813},
    {77.162935699427, -33.40235894210092, -81.80730925738993},
    {-71.31942824499214, 32.62606426397723, 73.20951985803202},
    {25.13112622477341, -12.24266895238567, -23.07032500287172}};

bool pmrt::isColormap(const std::string &name) {
  return name == "viridis" || name == "inferno" || name == "gray";
}

Colour pmrt::colormap(const std::string &name, double t) {
  t = std::clamp(t, 0.0, 1.0);
  auto byte = [](double value) {
    return uint8_t(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  };
  if (name == "gray")
    return {byte(t), byte(t), byte(t)};
  const auto &map = name == "inferno" ? inferno : viridis;
  double value[3] = {0, 0, 0};
  for (int power = 6; power >= 0; --power)
    for (int c = 0; c < 3; ++c)
      value[c] = value[c] * t + map[power][c];
  return {byte(value[0]), byte(value[1]), byte(value[2])};
}

//===----------------------------------------------------------------------===//
// Letters
//===----------------------------------------------------------------------===//

/// Five columns a character from the space on, lowest bit at the top.
static constexpr uint8_t font[][5] = {
    {0x00, 0x00, 0x00, 0x00, 0x00}, {0x00, 0x00, 0x5F, 0x00, 0x00},
    {0x00, 0x07, 0x00, 0x07, 0x00}, {0x14, 0x7F, 0x14, 0x7F, 0x14},
    {0x24, 0x2A, 0x7F, 0x2A, 0x12}, {0x23, 0x13, 0x08, 0x64, 0x62},
    {0x36, 0x49, 0x56, 0x20, 0x50}, {0x00, 0x05, 0x03, 0x00, 0x00},
    {0x00, 0x1C, 0x22, 0x41, 0x00}, {0x00, 0x41, 0x22, 0x1C, 0x00},
    {0x14, 0x08, 0x3E, 0x08, 0x14}, {0x08, 0x08, 0x3E, 0x08, 0x08},
    {0x00, 0x50, 0x30, 0x00, 0x00}, {0x08, 0x08, 0x08, 0x08, 0x08},
    {0x00, 0x60, 0x60, 0x00, 0x00}, {0x20, 0x10, 0x08, 0x04, 0x02},
    {0x3E, 0x51, 0x49, 0x45, 0x3E}, {0x00, 0x42, 0x7F, 0x40, 0x00},
    {0x42, 0x61, 0x51, 0x49, 0x46}, {0x21, 0x41, 0x45, 0x4B, 0x31},
    {0x18, 0x14, 0x12, 0x7F, 0x10}, {0x27, 0x45, 0x45, 0x45, 0x39},
    {0x3C, 0x4A, 0x49, 0x49, 0x30}, {0x01, 0x71, 0x09, 0x05, 0x03},
    {0x36, 0x49, 0x49, 0x49, 0x36}, {0x06, 0x49, 0x49, 0x29, 0x1E},
    {0x00, 0x36, 0x36, 0x00, 0x00}, {0x00, 0x56, 0x36, 0x00, 0x00},
    {0x08, 0x14, 0x22, 0x41, 0x00}, {0x14, 0x14, 0x14, 0x14, 0x14},
    {0x00, 0x41, 0x22, 0x14, 0x08}, {0x02, 0x01, 0x51, 0x09, 0x06},
    {0x32, 0x49, 0x79, 0x41, 0x3E}, {0x7E, 0x11, 0x11, 0x11, 0x7E},
    {0x7F, 0x49, 0x49, 0x49, 0x36}, {0x3E, 0x41, 0x41, 0x41, 0x22},
    {0x7F, 0x41, 0x41, 0x22, 0x1C}, {0x7F, 0x49, 0x49, 0x49, 0x41},
    {0x7F, 0x09, 0x09, 0x09, 0x01}, {0x3E, 0x41, 0x49, 0x49, 0x7A},
    {0x7F, 0x08, 0x08, 0x08, 0x7F}, {0x00, 0x41, 0x7F, 0x41, 0x00},
    {0x20, 0x40, 0x41, 0x3F, 0x01}, {0x7F, 0x08, 0x14, 0x22, 0x41},
    {0x7F, 0x40, 0x40, 0x40, 0x40}, {0x7F, 0x02, 0x0C, 0x02, 0x7F},
    {0x7F, 0x04, 0x08, 0x10, 0x7F}, {0x3E, 0x41, 0x41, 0x41, 0x3E},
    {0x7F, 0x09, 0x09, 0x09, 0x06}, {0x3E, 0x41, 0x51, 0x21, 0x5E},
    {0x7F, 0x09, 0x19, 0x29, 0x46}, {0x46, 0x49, 0x49, 0x49, 0x31},
    {0x01, 0x01, 0x7F, 0x01, 0x01}, {0x3F, 0x40, 0x40, 0x40, 0x3F},
    {0x1F, 0x20, 0x40, 0x20, 0x1F}, {0x3F, 0x40, 0x38, 0x40, 0x3F},
    {0x63, 0x14, 0x08, 0x14, 0x63}, {0x07, 0x08, 0x70, 0x08, 0x07},
    {0x61, 0x51, 0x49, 0x45, 0x43}, {0x00, 0x7F, 0x41, 0x41, 0x00},
    {0x02, 0x04, 0x08, 0x10, 0x20}, {0x00, 0x41, 0x41, 0x7F, 0x00},
    {0x04, 0x02, 0x01, 0x02, 0x04}, {0x40, 0x40, 0x40, 0x40, 0x40},
    {0x00, 0x01, 0x02, 0x04, 0x00}, {0x20, 0x54, 0x54, 0x54, 0x78},
    {0x7F, 0x48, 0x44, 0x44, 0x38}, {0x38, 0x44, 0x44, 0x44, 0x20},
    {0x38, 0x44, 0x44, 0x48, 0x7F}, {0x38, 0x54, 0x54, 0x54, 0x18},
    {0x08, 0x7E, 0x09, 0x01, 0x02}, {0x0C, 0x52, 0x52, 0x52, 0x3E},
    {0x7F, 0x08, 0x04, 0x04, 0x78}, {0x00, 0x44, 0x7D, 0x40, 0x00},
    {0x20, 0x40, 0x44, 0x3D, 0x00}, {0x7F, 0x10, 0x28, 0x44, 0x00},
    {0x00, 0x41, 0x7F, 0x40, 0x00}, {0x7C, 0x04, 0x18, 0x04, 0x78},
    {0x7C, 0x08, 0x04, 0x04, 0x78}, {0x38, 0x44, 0x44, 0x44, 0x38},
    {0x7C, 0x14, 0x14, 0x14, 0x08}, {0x08, 0x14, 0x14, 0x18, 0x7C},
    {0x7C, 0x08, 0x04, 0x04, 0x08}, {0x48, 0x54, 0x54, 0x54, 0x20},
    {0x04, 0x3F, 0x44, 0x40, 0x20}, {0x3C, 0x40, 0x40, 0x20, 0x7C},
    {0x1C, 0x20, 0x40, 0x20, 0x1C}, {0x3C, 0x40, 0x30, 0x40, 0x3C},
    {0x44, 0x28, 0x10, 0x28, 0x44}, {0x0C, 0x50, 0x50, 0x50, 0x3C},
    {0x44, 0x64, 0x54, 0x4C, 0x44}, {0x00, 0x08, 0x36, 0x41, 0x00},
    {0x00, 0x00, 0x7F, 0x00, 0x00}, {0x00, 0x41, 0x36, 0x08, 0x00},
    {0x10, 0x08, 0x08, 0x10, 0x08}};

int Canvas::textWidth(const std::string &text, int magnify) {
  return text.empty() ? 0 : (int(text.size()) * 6 - 1) * magnify;
}

void Canvas::text(int x, int y, const std::string &text, Colour colour,
                  int magnify, bool up) {
  int at = 0;
  for (char c : text) {
    auto index = unsigned(static_cast<unsigned char>(c)) - 32u;
    if (index >= std::size(font))
      index = unsigned('?') - 32u;
    for (int column = 0; column < 5; ++column)
      for (int row = 0; row < 7; ++row) {
        if (!(font[index][column] >> row & 1))
          continue;
        const int along = (at + column) * magnify, across = row * magnify;
        if (up)
          fill(x + across, y - along - magnify, magnify, magnify, colour);
        else
          fill(x + along, y + across, magnify, magnify, colour);
      }
    at += 6;
  }
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

Canvas::Canvas(int width, int height)
    : w(width), h(height), clipRight(width), clipBottom(height),
      pixels(size_t(width) * size_t(height) * 3, 255) {}

Colour Canvas::get(int x, int y) const {
  const uint8_t *p = &pixels[3 * (size_t(y) * size_t(w) + size_t(x))];
  return {p[0], p[1], p[2]};
}

void Canvas::clip(int x, int y, int width, int height) {
  clipX = std::max(x, 0);
  clipY = std::max(y, 0);
  clipRight = std::min(x + width, w);
  clipBottom = std::min(y + height, h);
}

void Canvas::set(int x, int y, Colour colour) {
  if (x < clipX || y < clipY || x >= clipRight || y >= clipBottom)
    return;
  uint8_t *p = &pixels[3 * (size_t(y) * size_t(w) + size_t(x))];
  p[0] = colour.r;
  p[1] = colour.g;
  p[2] = colour.b;
}

void Canvas::blend(int x, int y, double alpha, Colour colour) {
  if (x < clipX || y < clipY || x >= clipRight || y >= clipBottom)
    return;
  const Colour old = get(x, y);
  auto mix = [&](uint8_t a, uint8_t b) {
    return uint8_t(std::lround(a + (b - a) * alpha));
  };
  set(x, y, {mix(old.r, colour.r), mix(old.g, colour.g), mix(old.b, colour.b)});
}

void Canvas::fill(int x, int y, int width, int height, Colour colour) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i)
      set(i, j, colour);
}

void Canvas::frame(int x, int y, int width, int height, Colour colour) {
  fill(x, y, width, 1, colour);
  fill(x, y + height - 1, width, 1, colour);
  fill(x, y, 1, height, colour);
  fill(x + width - 1, y, 1, height, colour);
}

void Canvas::line(double x0, double y0, double x1, double y1, double thickness,
                  Colour colour) {
  const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
  const double reach = thickness / 2 + 1;
  const int left = std::max(clipX, int(std::floor(std::min(x0, x1) - reach)));
  const int right =
      std::min(clipRight - 1, int(std::ceil(std::max(x0, x1) + reach)));
  const int top = std::max(clipY, int(std::floor(std::min(y0, y1) - reach)));
  const int bottom =
      std::min(clipBottom - 1, int(std::ceil(std::max(y0, y1) + reach)));
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      const double px = x + 0.5 - x0, py = y + 0.5 - y0;
      const double t = length2 > 0
                           ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0)
                           : 0.0;
      const double distance = std::hypot(px - t * dx, py - t * dy);
      const double alpha = std::clamp(thickness / 2 + 0.5 - distance, 0.0, 1.0);
      if (alpha > 0)
        blend(x, y, alpha, colour);
    }
}

std::string Canvas::png() const {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(w);
  image.height = png_uint_32(h);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  std::string file;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0,
                                nullptr)) {
    file.resize(size);
    if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(),
                                  0, nullptr)) {
      file.resize(size);
      return file;
    }
  }
  throw std::runtime_error(fmt::format("cannot make a PNG: {}", image.message));
}
