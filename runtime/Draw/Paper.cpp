//===- Paper.cpp - What a figure is drawn on ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Paper.h"

#include <algorithm>
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cmath>
#include <dlfcn.h>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace pmrt;

/// Pixels of a PNG in a point: sharp on screens with many.
static constexpr double pixels = 2;

void pmrt::check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
        fmt::format("Cairo cannot draw: {}", cairo_status_to_string(status)));
}

static void setColour(cairo_t *c, Colour colour) {
  cairo_set_source_rgb(c, colour.r, colour.g, colour.b);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The folder of the library that has this code.
static std::string libraryFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&libraryFolder), &info))
    return "";
  const std::string_view path = info.dli_fname;
  return std::string(path.substr(0, path.rfind('/')));
}

/// One font by its file, not the one that a system prefers: figures have the
/// same bytes everywhere. Never freed: Cairo keeps what it has drawn with.
static cairo_font_face_t *fontFace(bool bold) {
  auto load = [](const std::string &name) {
    static FT_Library library = nullptr;
    FT_Face face = nullptr;
    if (!library && FT_Init_FreeType(&library))
      throw std::runtime_error("FreeType cannot draw text");
    // Packages bring the font.
    if (FT_New_Face(library, (libraryFolder() + "/pmc/fonts/" + name).c_str(),
                    0, &face) &&
        FT_New_Face(library, (std::string(PMRT_FONT) + name).c_str(), 0, &face))
      throw std::runtime_error(
          fmt::format("plots need the font {}{} (package fonts-dejavu-core)",
                      PMRT_FONT, name));
    return cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
  };
  static cairo_font_face_t *plain = load("DejaVuSans.ttf");
  static cairo_font_face_t *strong = load("DejaVuSans-Bold.ttf");
  return bold ? strong : plain;
}

static void useFont(cairo_t *cairo, const TextStyle &style) {
  cairo_set_font_face(cairo, fontFace(style.bold));
  cairo_set_font_size(cairo, style.size);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

double Paper::textWidth(const std::string &text, const TextStyle &style) {
  static cairo_t *cairo = cairo_create(
      cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)); // never freed
  useFont(cairo, style);
  cairo_text_extents_t size;
  cairo_text_extents(cairo, text.c_str(), &size);
  check(cairo_status(cairo));
  return size.x_advance;
}

std::string Paper::fitted(const std::string &text, const TextStyle &style,
                          double width) {
  if (textWidth(text, style) <= width)
    return text;
  std::string begin = text;
  while (!begin.empty() && textWidth(begin + "…", style) > width) {
    while (!begin.empty() && (begin.back() & 0xC0) == 0x80) // in a character
      begin.pop_back();
    if (!begin.empty())
      begin.pop_back();
  }
  return begin + "…";
}

void Paper::text(const char *role, double x, double y, const std::string &text,
                 const TextStyle &style) {
  cairo_t *c = cairo.get();
  useFont(c, style);
  cairo_text_extents_t size;
  cairo_text_extents(c, text.c_str(), &size);
  const double along = -style.across * size.x_advance, down = 0.36 * style.size;
  cairo_save(c);
  cairo_translate(c, x, y);
  if (style.up)
    cairo_rotate(c, -M_PI / 2);
  cairo_move_to(c, along, down);
  setColour(c, style.colour);
  cairo_show_text(c, text.c_str());
  cairo_restore(c);
  FigureText box{role,
                 text,
                 x + along + size.x_bearing,
                 y + down + size.y_bearing,
                 size.width,
                 size.height};
  if (style.up)
    box = {role,
           text,
           x + down + size.y_bearing,
           y - along - size.x_bearing - size.width,
           size.height,
           size.width};
  drawing.texts.push_back(box);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static void stroke(cairo_t *c, double thickness, Colour colour) {
  cairo_set_line_width(c, thickness);
  setColour(c, colour);
  cairo_stroke(c);
}

void Paper::frame(double x, double y, double width, double height) {
  cairo_rectangle(cairo.get(), x, y, width, height);
  stroke(cairo.get(), 0.8, ink);
}

void Paper::ellipse(double x, double y, double width, double height) {
  cairo_save(cairo.get());
  cairo_translate(cairo.get(), x + width / 2, y + height / 2);
  cairo_scale(cairo.get(), width / 2, height / 2);
  cairo_arc(cairo.get(), 0, 0, 1, 0, 2 * M_PI);
  cairo_restore(cairo.get());
  stroke(cairo.get(), 0.8, ink);
}

void Paper::fill(double x, double y, double width, double height,
                 Colour colour) {
  cairo_rectangle(cairo.get(), x, y, width, height);
  setColour(cairo.get(), colour);
  cairo_fill(cairo.get());
}

void Paper::line(double x0, double y0, double x1, double y1, double thickness,
                 Colour colour) {
  cairo_move_to(cairo.get(), x0, y0);
  cairo_line_to(cairo.get(), x1, y1);
  stroke(cairo.get(), thickness, colour);
}

void Paper::triangle(double x, double y, double width, double height,
                     Colour colour) {
  cairo_move_to(cairo.get(), x, y);
  cairo_line_to(cairo.get(), x + width, y);
  cairo_line_to(cairo.get(), x + width / 2, y + height);
  cairo_close_path(cairo.get());
  setColour(cairo.get(), colour);
  cairo_fill_preserve(cairo.get());
  stroke(cairo.get(), 0.8, ink);
}

void Paper::curve(const std::vector<Point> &points, size_t number, bool dots) {
  static const std::vector<std::vector<double>> dashes = {
      {}, {6, 3}, {1.5, 2.5}, {7, 2.5, 1.5, 2.5}};
  cairo_t *c = cairo.get();
  setColour(c, curveColour(number));
  cairo_set_line_width(c, 1.6);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  const auto &dash = dashes[number / curveColours % dashes.size()];
  cairo_set_dash(c, dash.data(), int(dash.size()), 0);
  cairo_new_path(c);
  bool before = false;
  for (const Point &point : points) {
    if (point.drawn && before)
      cairo_line_to(c, point.x, point.y);
    else if (point.drawn)
      cairo_move_to(c, point.x, point.y);
    before = point.drawn;
  }
  cairo_stroke(c);
  cairo_set_dash(c, nullptr, 0, 0);
  // A point without neighbors is on no line.
  for (size_t i = 0; i < points.size(); ++i) {
    const bool alone = !(i > 0 && points[i - 1].drawn) &&
                       !(i + 1 < points.size() && points[i + 1].drawn);
    if (!points[i].drawn || !(dots || alone))
      continue;
    cairo_new_sub_path(c);
    cairo_arc(c, points[i].x, points[i].y, 2.4, 0, 2 * M_PI);
    cairo_fill(c);
  }
}

void Paper::shade(const std::vector<Point> &around, size_t number) {
  const Colour colour = curveColour(number);
  for (const Point &point : around)
    cairo_line_to(cairo.get(), point.x, point.y);
  cairo_close_path(cairo.get());
  cairo_set_source_rgba(cairo.get(), colour.r, colour.g, colour.b, 0.25);
  cairo_fill(cairo.get());
}

void Paper::image(double x, double y, double width, double height, int columns,
                  int rows, const std::vector<Colour> &cells) {
  const Surface picture(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  check(cairo_surface_status(picture.get()));
  unsigned char *data = cairo_image_surface_get_data(picture.get());
  const int stride = cairo_image_surface_get_stride(picture.get());
  auto byte = [](double part) { return uint32_t(std::lround(255 * part)); };
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const Colour &from = cells[size_t(j) * size_t(columns) + size_t(i)];
      reinterpret_cast<uint32_t *>(data + j * stride)[i] =
          byte(from.r) << 16 | byte(from.g) << 8 | byte(from.b);
    }
  cairo_surface_mark_dirty(picture.get());
  cairo_t *c = cairo.get();
  cairo_save(c);
  cairo_rectangle(c, x, y, width, height);
  cairo_clip(c);
  cairo_translate(c, x, y);
  cairo_scale(c, width / columns, height / rows);
  cairo_set_source_surface(c, picture.get(), 0, 0);
  // Cells that are seen keep their edges; the finer ones would be uneven.
  const double least = std::min(width / columns, height / rows) * pixels;
  cairo_pattern_set_filter(cairo_get_source(c), least >= 3
                                                    ? CAIRO_FILTER_NEAREST
                                                    : CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(c), CAIRO_EXTEND_PAD);
  cairo_paint(c);
  cairo_restore(c);
}

void Paper::clip(double x, double y, double width, double height) {
  cairo_save(cairo.get());
  cairo_rectangle(cairo.get(), x, y, width, height);
  cairo_clip(cairo.get());
}

void Paper::unclip() { cairo_restore(cairo.get()); }

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

cairo_status_t pmrt::append(void *file, const unsigned char *data,
                            unsigned length) {
  static_cast<std::string *>(file)->append(reinterpret_cast<const char *>(data),
                                           length);
  return CAIRO_STATUS_SUCCESS;
}

Paper::Paper(PlotFormat format, double width, double height) : format(format) {
  drawing.width = std::ceil(width);
  drawing.height = std::ceil(height);
  switch (format) {
  case PlotFormat::Svg:
    surface.reset(cairo_svg_surface_create_for_stream(
        append, &drawing.file, drawing.width, drawing.height));
    break;
  case PlotFormat::Pdf:
    surface.reset(cairo_pdf_surface_create_for_stream(
        append, &drawing.file, drawing.width, drawing.height));
    // Not now: the same figure has the same bytes.
    cairo_pdf_surface_set_metadata(
        surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    break;
  default:
    surface.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                             int(drawing.width * pixels),
                                             int(drawing.height * pixels)));
    cairo_surface_set_device_scale(surface.get(), pixels, pixels);
  }
  check(cairo_surface_status(surface.get()));
  cairo.reset(cairo_create(surface.get()));
  fill(0, 0, drawing.width, drawing.height, {1, 1, 1});
}

Drawing Paper::finish() {
  check(cairo_status(cairo.get()));
  if (format == PlotFormat::Png)
    check(cairo_surface_write_to_png_stream(surface.get(), append,
                                            &drawing.file));
  cairo.reset();
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return std::move(drawing);
}
