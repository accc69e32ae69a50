//===- Chart.cpp - Pictures and curves ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Chart.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// Scale
//===----------------------------------------------------------------------===//

Scale::Scale(const std::vector<double> &values, bool logarithmic) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // Without a positive value there is no logarithmic axis.
  for (bool tryLog : {logarithmic, false}) {
    log = tryLog;
    lo = infinity;
    hi = -infinity;
    for (double value : values)
      if (std::isfinite(value) && (!log || value > 0)) {
        lo = std::min(lo, value);
        hi = std::max(hi, value);
      }
    if (lo <= hi)
      break;
  }
  if (!(lo <= hi)) {
    lo = 0;
    hi = 1;
  }
  if (log)
    lo = std::max(lo, hi * 1e-12);
  if (lo == hi) {
    const double half = log ? 2 : std::max(std::abs(lo) / 2, 0.5);
    hi = log ? hi * half : hi + half;
    lo = log ? lo / half : lo - half;
  }
}

Scale::Scale(double low, double high) : lo(low), hi(high) {}

bool Scale::shows(double value) const {
  return std::isfinite(value) && (!log || value > 0);
}

double Scale::position(double value) const {
  if (!shows(value))
    return -1;
  return log ? std::log(value / lo) / std::log(hi / lo)
             : (value - lo) / (hi - lo);
}

static std::string tickLabel(double value, double step) {
  const double size = std::max(std::abs(value), std::abs(step));
  if (value == 0)
    return "0";
  if (size >= 1e5 || size < 1e-3) {
    const int digits = std::clamp(int(std::floor(std::log10(std::abs(value))) -
                                      std::floor(std::log10(step) + 1e-9)),
                                  0, 4);
    std::string text = fmt::format("{:.{}e}", value, digits);
    // 1e+05 -> 1e5, 1e-03 -> 1e-3
    const size_t e = text.find('e');
    std::string exponent = text.substr(e + 1);
    const bool negative = exponent[0] == '-';
    exponent.erase(0, 1);
    exponent.erase(0, exponent.find_first_not_of('0'));
    return text.substr(0, e + 1) + (negative ? "-" : "") +
           (exponent.empty() ? "0" : exponent);
  }
  const int digits = std::max(0, int(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

std::vector<Scale::Tick> Scale::ticks(int wanted) const {
  std::vector<Tick> result;
  if (log && hi / lo >= 20) {
    const int first = int(std::ceil(std::log10(lo) - 1e-9));
    const int last = int(std::floor(std::log10(hi) + 1e-9));
    const int every = std::max(1, (last - first + wanted) / wanted);
    // Few decades leave room for 2 and 5 between them.
    const bool between = last - first < 3;
    for (int decade = first - 1; decade <= last; ++decade)
      for (double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * std::pow(10.0, decade);
        if (digit == 1 ? (decade - first) % every != 0 : !between)
          continue;
        if (value < lo * (1 - 1e-9) || value > hi * (1 + 1e-9))
          continue;
        result.push_back(
            {value, decade >= -3 && decade <= 4
                        ? fmt::format("{:.{}f}", value, std::max(0, -decade))
                        : fmt::format("{:.0f}e{}", digit, decade)});
      }
    return result;
  }
  const double raw = (hi - lo) / std::max(1, wanted);
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * decade;
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= raw) {
      step = factor * decade;
      break;
    }
  // More than 50 only if the range is smaller than rounding.
  const double first = std::ceil(lo / step - 1e-9);
  for (int i = 0; i <= 50; ++i) {
    const double k = first + i;
    if (k * step > hi + 1e-9 * step)
      break;
    const double value = k == 0 ? 0.0 : k * step;
    result.push_back({value, tickLabel(value, step)});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

namespace {

constexpr Colour ink{30, 30, 30}, faint{225, 225, 225};
constexpr int tickLength = 6, gap = 5, marginTop = 44, marginBottom = 62,
              marginLeft = 118;

/// The inside of the axes, in pixels.
struct Area {
  int x, y, width, height;
};

} // namespace

static void ticksBelow(Canvas &canvas, const Area &area, const Scale &scale,
                       const std::string &name) {
  for (const auto &tick : scale.ticks(6)) {
    const int x =
        area.x +
        int(std::lround(scale.position(tick.value) * (area.width - 1)));
    canvas.fill(x, area.y + area.height, 1, tickLength, ink);
    canvas.text(x - Canvas::textWidth(tick.label) / 2,
                area.y + area.height + tickLength + gap, tick.label, ink);
  }
  canvas.text(area.x + (area.width - Canvas::textWidth(name)) / 2,
              area.y + area.height + tickLength + 2 * gap +
                  Canvas::textHeight(),
              name, ink);
}

static void ticksLeft(Canvas &canvas, const Area &area, const Scale &scale,
                      const std::string &name) {
  for (const auto &tick : scale.ticks(6)) {
    const int y =
        area.y + area.height - 1 -
        int(std::lround(scale.position(tick.value) * (area.height - 1)));
    canvas.fill(area.x - tickLength, y, tickLength, 1, ink);
    canvas.text(area.x - tickLength - gap - Canvas::textWidth(tick.label),
                y - Canvas::textHeight() / 2, tick.label, ink);
  }
  canvas.text(gap, area.y + (area.height + Canvas::textWidth(name)) / 2, name,
              ink, 2, true);
}

static void heading(Canvas &canvas, const Area &area, std::string title) {
  const int room = canvas.width() - 2 * gap;
  while (!title.empty() && Canvas::textWidth(title) > room)
    title.pop_back();
  const int centred = area.x + (area.width - Canvas::textWidth(title)) / 2;
  canvas.text(std::clamp(centred, gap,
                         std::max(gap, canvas.width() - gap -
                                           Canvas::textWidth(title))),
              (marginTop - Canvas::textHeight()) / 2, title, ink);
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

/// Means over squares of `factor` cells.
static std::vector<double> shrink(const std::vector<double> &values,
                                  int64_t &rows, int64_t &columns,
                                  int64_t factor) {
  const int64_t r = (rows + factor - 1) / factor,
                c = (columns + factor - 1) / factor;
  std::vector<double> out(size_t(r * c), 0.0), cells(size_t(r * c), 0.0);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const auto to = size_t(i / factor * c + j / factor);
      out[to] += values[size_t(i * columns + j)];
      cells[to] += 1;
    }
  for (size_t i = 0; i < out.size(); ++i)
    out[i] /= cells[i];
  rows = r;
  columns = c;
  return out;
}

Canvas pmrt::drawPicture(const std::vector<double> &values, int64_t rows,
                         int64_t columns, const PictureAxis &right,
                         const PictureAxis &up, const ChartStyle &style) {
  const int64_t cells0 = rows, cells1 = columns;
  const int64_t longest = std::max<int64_t>({rows, columns, 1});
  std::vector<double> smaller;
  const std::vector<double> *shown = &values;
  if (longest > 1024) {
    smaller = shrink(values, rows, columns, (longest + 1023) / 1024);
    shown = &smaller;
  }
  const int zoom = int(std::max<int64_t>(1, 640 / longest));
  const Area area{marginLeft, marginTop, std::max(int(rows) * zoom, 64),
                  std::max(int(columns) * zoom, 64)};
  const int barWidth = 22, marginRight = 30 + barWidth + 120;
  Canvas canvas(area.x + area.width + marginRight,
                area.y + area.height + marginBottom);

  const Scale colours(*shown, style.logarithmic);
  for (int y = 0; y < area.height; ++y)
    for (int x = 0; x < area.width; ++x) {
      const int64_t i = int64_t(x) * rows / area.width;
      const int64_t j = int64_t(area.height - 1 - y) * columns / area.height;
      canvas.set(area.x + x, area.y + y,
                 colormap(style.colormap,
                          colours.position((*shown)[size_t(i * columns + j)])));
    }
  canvas.frame(area.x - 1, area.y - 1, area.width + 2, area.height + 2, ink);
  auto axisScale = [](const PictureAxis &axis, int64_t cells) {
    return Scale(0, axis.length > 0 ? axis.length : double(cells));
  };
  ticksBelow(canvas, area, axisScale(right, cells0), right.name);
  ticksLeft(canvas, area, axisScale(up, cells1), up.name);

  const Area bar{area.x + area.width + 30, area.y, barWidth, area.height};
  for (int y = 0; y < bar.height; ++y)
    canvas.fill(
        bar.x, bar.y + y, bar.width, 1,
        colormap(style.colormap, 1 - double(y) / std::max(1, bar.height - 1)));
  canvas.frame(bar.x - 1, bar.y - 1, bar.width + 2, bar.height + 2, ink);
  for (const auto &tick : colours.ticks(6)) {
    const int y =
        bar.y + bar.height - 1 -
        int(std::lround(colours.position(tick.value) * (bar.height - 1)));
    canvas.fill(bar.x + bar.width, y, tickLength, 1, ink);
    canvas.text(bar.x + bar.width + tickLength + gap,
                y - Canvas::textHeight() / 2, tick.label, ink);
  }
  heading(canvas, area, style.title);
  return canvas;
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

Canvas pmrt::drawCurves(const std::vector<double> &x,
                        const std::vector<std::vector<double>> &curves,
                        const ChartStyle &style) {
  const Area area{marginLeft, marginTop, 720, 480};
  Canvas canvas(area.x + area.width + 40, area.y + area.height + marginBottom);
  // The range of what is drawn: a point needs both coordinates.
  std::vector<double> xs, ys;
  for (const auto &curve : curves)
    for (size_t i = 0; i < x.size(); ++i)
      if (!style.logarithmic || (x[i] > 0 && curve[i] > 0)) {
        xs.push_back(x[i]);
        ys.push_back(curve[i]);
      }
  const Scale across(xs, style.logarithmic), up(ys, style.logarithmic);
  auto pixelX = [&](double value) {
    return area.x + 0.02 * area.width +
           across.position(value) * 0.96 * area.width;
  };
  auto pixelY = [&](double value) {
    return area.y + area.height -
           (0.03 + 0.94 * up.position(value)) * area.height;
  };
  for (const auto &tick : across.ticks(7)) {
    const int at = int(pixelX(tick.value));
    canvas.fill(at, area.y, 1, area.height, faint);
    canvas.fill(at, area.y + area.height, 1, tickLength, ink);
    canvas.text(at - Canvas::textWidth(tick.label) / 2,
                area.y + area.height + tickLength + gap, tick.label, ink);
  }
  for (const auto &tick : up.ticks(6)) {
    const int at = int(pixelY(tick.value));
    canvas.fill(area.x, at, area.width, 1, faint);
    canvas.fill(area.x - tickLength, at, tickLength, 1, ink);
    canvas.text(area.x - tickLength - gap - Canvas::textWidth(tick.label),
                at - Canvas::textHeight() / 2, tick.label, ink);
  }
  canvas.frame(area.x, area.y, area.width, area.height, ink);
  canvas.clip(area.x, area.y, area.width, area.height);
  static constexpr Colour cycle[] = {{31, 119, 180},
                                     {214, 39, 40},
                                     {44, 160, 44},
                                     {255, 127, 14},
                                     {148, 103, 189}};
  for (size_t c = 0; c < curves.size(); ++c) {
    const Colour colour = cycle[c % std::size(cycle)];
    auto drawn = [&](size_t i) {
      return across.shows(x[i]) && up.shows(curves[c][i]);
    };
    for (size_t i = 0; i < x.size(); ++i) {
      if (!drawn(i))
        continue;
      const double px = pixelX(x[i]), py = pixelY(curves[c][i]);
      if (i > 0 && drawn(i - 1))
        canvas.line(pixelX(x[i - 1]), pixelY(curves[c][i - 1]), px, py, 2,
                    colour);
      else
        canvas.line(px, py, px, py, 2, colour);
    }
  }
  canvas.unclip();
  heading(canvas, area, style.title);
  return canvas;
}
