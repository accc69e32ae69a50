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

#include "runtime/Base/Files/PngChunks.h"
#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Draw/Paper.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <string_view>

using namespace pmrt;
using namespace pmrt::png;

static constexpr uint32_t framesPerSecond = 8;
namespace {

struct Size {
  uint32_t width = 0, height = 0;
};

} // namespace

/// A frame of an earlier run may be damaged: an error names the file.
[[noreturn]] static void refuse(const std::string &path,
                                const std::string &why) {
  throw std::runtime_error(fmt::format(
      "{} is damaged: {}; remove it to leave this frame out", path, why));
}

static Size sizeOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw std::runtime_error(fmt::format("cannot read {}", path));
  std::string head(24, '\0');
  const bool isWhole = bool(stream.read(head.data(), ptrdiff_t(head.size())));
  if (!head.starts_with(signature))
    refuse(path, "it is not a PNG file");
  if (!isWhole)
    refuse(path, "the PNG file is truncated");
  return {numberAt(head, 16), numberAt(head, 20)};
}

static std::vector<Chunk> chunksOfFrame(const std::string &path,
                                        const std::string &file) {
  try {
    return chunksOf(file);
  } catch (const std::runtime_error &e) {
    refuse(path, e.what());
  }
}

/// A picture on a white page of so many pixels: at its top left, or filling it.
static Surface onPage(const std::string &png, int columns, int rows,
                      bool filling) {
  std::string_view rest = png;
  auto read = [](void *from, unsigned char *data, unsigned length) {
    auto &left = *static_cast<std::string_view *>(from);
    if (length > left.size())
      return CAIRO_STATUS_READ_ERROR;
    std::copy_n(left.begin(), length, data);
    left.remove_prefix(length);
    return CAIRO_STATUS_SUCCESS;
  };
  const Surface picture(
      cairo_image_surface_create_from_png_stream(read, &rest));
  Surface page(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  const Pen cairo(cairo_create(page.get()));
  cairo_set_source_rgb(cairo.get(), 1, 1, 1);
  cairo_paint(cairo.get());
  if (filling)
    cairo_scale(cairo.get(),
                double(columns) / cairo_image_surface_get_width(picture.get()),
                double(rows) / cairo_image_surface_get_height(picture.get()));
  cairo_set_source_surface(cairo.get(), picture.get(), 0, 0);
  cairo_pattern_t *pattern = cairo_get_source(cairo.get());
  cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST);
  cairo_pattern_set_extend(pattern,
                           filling ? CAIRO_EXTEND_PAD : CAIRO_EXTEND_NONE);
  cairo_paint(cairo.get());
  check(cairo_status(cairo.get())); // of the picture, if it cannot be read
  cairo_surface_flush(page.get());
  return page;
}

void pmrt_plot_plugin_shrink(const std::string &png, int columns, int rows,
                             std::vector<uint8_t> &pixels) {
  const Surface small = onPage(png, columns, rows, /*filling=*/true);
  pixels.clear();
  const unsigned char *data = cairo_image_surface_get_data(small.get());
  const int stride = cairo_image_surface_get_stride(small.get());
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      uint32_t pixel = 0;
      std::memcpy(&pixel, data + j * stride + i * 4, sizeof pixel);
      for (int shift : {16, 8, 0})
        pixels.push_back(uint8_t(pixel >> shift));
    }
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
    std::string file = readWholeFile(paths[i]);
    std::vector<Chunk> chunks = chunksOfFrame(paths[i], file);
    if (!fits) { // at the top left of a larger page
      const Surface large =
          onPage(file, int(page.width), int(page.height), /*filling=*/false);
      file.clear();
      check(cairo_surface_write_to_png_stream(large.get(), append, &file));
      chunks = chunksOf(file);
    }
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
