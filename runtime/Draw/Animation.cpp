//===- Animation.cpp - Pictures one after the other -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Animated PNG: a PNG whose further pictures are in chunks that other readers
// skip.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/PngChunks.h"
#include "runtime/Base/WholeFile.h"
#include "runtime/IO/Figure.h"

#include <algorithm>
#include <cairo.h>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

using namespace pmrt;
using namespace pmrt::png;

static constexpr uint32_t framesPerSecond = 8;
namespace {

struct Size {
  uint32_t width = 0, height = 0;
};

} // namespace

static Size sizeOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head(24, '\0');
  if (!stream.read(head.data(), ptrdiff_t(head.size())))
    throw std::runtime_error(fmt::format("cannot read {}", path));
  return {numberAt(head, 16), numberAt(head, 20)};
}

static cairo_status_t append(void *file, const unsigned char *data,
                             unsigned length) {
  static_cast<std::string *>(file)->append(reinterpret_cast<const char *>(data),
                                           length);
  return CAIRO_STATUS_SUCCESS;
}

/// The picture at the top left of a larger white one.
static std::string widened(const std::string &path, Size page) {
  cairo_surface_t *small = cairo_image_surface_create_from_png(path.c_str());
  cairo_surface_t *large = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, int(page.width), int(page.height));
  cairo_t *cairo = cairo_create(large);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  cairo_set_source_surface(cairo, small, 0, 0);
  cairo_paint(cairo);
  // Of the frame, if it could not be read.
  cairo_status_t status = cairo_status(cairo);
  std::string file;
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream(large, append, &file);
  cairo_destroy(cairo);
  cairo_surface_destroy(large);
  cairo_surface_destroy(small);
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("Cairo cannot read {}: {}", path,
                                         cairo_status_to_string(status)));
  return file;
}

void pmrt_plot_plugin_shrink(const std::string &png, int columns, int rows,
                             std::vector<uint8_t> &pixels) {
  struct Rest {
    const std::string &file;
    size_t at;
  } rest{png, 0};
  auto read = [](void *from, unsigned char *data, unsigned length) {
    auto &left = *static_cast<Rest *>(from);
    if (length > left.file.size() - left.at)
      return CAIRO_STATUS_READ_ERROR;
    std::copy_n(left.file.begin() + ptrdiff_t(left.at), length, data);
    left.at += length;
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t *picture =
      cairo_image_surface_create_from_png_stream(read, &rest);
  cairo_surface_t *small =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
  cairo_t *cairo = cairo_create(small);
  cairo_scale(cairo, double(columns) / cairo_image_surface_get_width(picture),
              double(rows) / cairo_image_surface_get_height(picture));
  cairo_set_source_surface(cairo, picture, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  cairo_paint(cairo);
  const cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  cairo_surface_destroy(picture);
  cairo_surface_flush(small);
  pixels.clear();
  const unsigned char *data = cairo_image_surface_get_data(small);
  const int stride = cairo_image_surface_get_stride(small);
  for (int j = 0; data && j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      uint32_t pixel = 0;
      std::memcpy(&pixel, data + j * stride + i * 4, sizeof pixel);
      for (int shift : {16, 8, 0})
        pixels.push_back(uint8_t(pixel >> shift));
    }
  cairo_surface_destroy(small);
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
        fmt::format("Cairo cannot draw: {}", cairo_status_to_string(status)));
}

void pmrt_plot_plugin_animate(const std::vector<std::string> &paths,
                              std::string &out) {
  Size page;
  for (const std::string &path : paths) {
    const Size size = sizeOf(path);
    page.width = std::max(page.width, size.width);
    page.height = std::max(page.height, size.height);
  }
  out = signature;
  uint32_t sequence = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    const Size size = sizeOf(paths[i]);
    const bool fits = size.width == page.width && size.height == page.height;
    const std::vector<Chunk> chunks =
        chunksOf(fits ? readWholeFile(paths[i]) : widened(paths[i], page));
    if (i == 0)
      out += chunk("IHDR", chunks.front().data) +
             chunk("acTL", bigEndian(uint32_t(paths.size())) + bigEndian(0));
    // The last one is seen longer.
    const uint32_t delay = i + 1 == paths.size() ? framesPerSecond : 1;
    out +=
        chunk("fcTL", bigEndian(sequence++) + bigEndian(page.width) +
                          bigEndian(page.height) + bigEndian(0) + bigEndian(0) +
                          bigEndian(delay, 2) + bigEndian(framesPerSecond, 2) +
                          std::string(2, '\0'));
    for (const Chunk &one : chunks) {
      if (one.type != "IDAT")
        continue;
      out += i == 0 ? chunk("IDAT", one.data)
                    : chunk("fdAT", bigEndian(sequence++) + one.data);
    }
  }
  out += chunk("IEND", "");
}
