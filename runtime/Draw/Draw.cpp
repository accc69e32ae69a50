//===- Draw.cpp - Maps and curves -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libpmrt_plot.so: the only files that include a drawing library, loaded when a
// program plots.
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

using namespace pmrt;

static constexpr Colour unknown{0.82, 0.82, 0.82}, grid{0.9, 0.9, 0.9},
    note{0.35, 0.35, 0.35};
static constexpr double titleLine = 20, noteLine = 13;

/// "1 value", "3 values".
static std::string plural(size_t count, const char *what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

static double headingHeight(const Figure &figure) {
  return margin + (figure.title.empty() ? 0 : titleLine) +
         (figure.subtitle.empty() ? 0 : noteLine + 2) + 4;
}

/// Title and notes, in a page of that width.
static void drawTexts(Paper &paper, const Figure &figure,
                      const std::vector<std::string> &notes, const Area &area,
                      double width, double below) {
  const double room = width - area.x - margin;
  double y = margin + titleLine / 2 - 2;
  auto write = [&](const char *role, double x, const std::string &text,
                   double size, bool bold, Colour colour, double most) {
    const TextStyle style{size, bold, false, 0, colour};
    paper.text(role, x, y, Paper::fitted(text, style, most), style);
  };
  if (!figure.title.empty()) {
    write("title", area.x, figure.title, 13, true, {0.1, 0.1, 0.1}, room);
    y += titleLine - 2;
  }
  if (!figure.subtitle.empty())
    write("subtitle", area.x, figure.subtitle, 10, false, note, room);
  y = below + noteLine / 2;
  for (const std::string &text : notes) {
    write("note", margin, text, 9, false, note, width - 2 * margin);
    y += noteLine;
  }
}

static double heightOf(const std::vector<std::string> &notes) {
  return notes.empty() ? margin / 2 : double(notes.size()) * noteLine + margin;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {

/// Which colours values have.
struct Colouring {
  Scale scale{0, 1};
  std::string map;
  bool below = false, above = false; ///< what lies outside is clipped
};

} // namespace

/// The range of the colours, without the few values that would hide all others.
static Colouring colouringOf(const Figure &figure,
                             std::vector<std::string> &notes) {
  std::vector<double> shown, finite;
  for (double value : figure.values)
    if (std::isfinite(value))
      finite.push_back(value);
  bool log = figure.value.log;
  std::copy_if(finite.begin(), finite.end(), std::back_inserter(shown),
               [&](double value) { return !log || value > 0; });
  if (log && shown.empty() && !finite.empty()) {
    log = false;
    shown = finite;
    notes.emplace_back("no value is positive: the scale is linear");
  }
  const size_t lost = figure.values.size() - finite.size(),
               negative = finite.size() - shown.size();
  if (!shown.empty() && lost + negative > 0)
    notes.push_back(fmt::format(
        "grey: {}", negative == 0 ? plural(lost, "value") + " not finite"
                    : lost == 0   ? plural(negative, "value") + " not positive"
                                  : plural(lost + negative, "value") +
                                        " not finite or not positive"));
  Colouring result;
  result.map = figure.colormap;
  if (shown.empty()) {
    notes.emplace_back("no value is finite");
    return result;
  }
  std::sort(shown.begin(), shown.end());
  const double least = shown.front(), most = shown.back();
  double lo = least, hi = most;
  if (least == most)
    notes.push_back(fmt::format("all values are {}", least));
  if (shown.size() >= 500) {
    auto scaled = [&](double value) { return log ? std::log(value) : value; };
    const double low = shown[shown.size() / 500],
                 high = shown[shown.size() - 1 - shown.size() / 500];
    const double span = scaled(high) - scaled(low);
    if (span > 0 && scaled(most) - scaled(high) > 0.5 * span)
      hi = high;
    if (span > 0 && scaled(low) - scaled(least) > 0.5 * span)
      lo = low;
  }
  const bool signs = !log && lo < 0 && hi > 0;
  if (result.map.empty())
    result.map = signs && std::min(-lo, hi) >= 0.3 * std::max(-lo, hi)
                     ? "diverging"
                     : "sequential";
  if (result.map == "diverging" && !log) {
    hi = std::max(std::abs(lo), std::abs(hi));
    lo = -hi;
  }
  result.scale = Scale(lo, hi, log);
  result.below = least < lo;
  result.above = most > hi;
  if (result.below || result.above) {
    const auto outside =
        std::count_if(shown.begin(), shown.end(),
                      [&](double value) { return value < lo || value > hi; });
    notes.push_back(fmt::format("colours end before {}: values reach {:.3g} "
                                "to {:.3g}",
                                plural(size_t(outside), "pixel"), least, most));
  }
  return result;
}

/// Width and height of a map, of the shape that its lengths have.
static std::pair<double, double> mapSize(const Figure &figure) {
  constexpr double longest = 400;
  const double lengths = figure.right.length / figure.up.length;
  const bool known = std::isfinite(lengths) && lengths > 0 &&
                     figure.right.unit == figure.up.unit;
  const double cells =
      double(figure.columns) / double(std::max<int64_t>(1, figure.rows));
  const double aspect = std::clamp(known ? lengths : cells, 0.25, 4.0);
  return aspect >= 1 ? std::pair{longest, longest / aspect}
                     : std::pair{longest * aspect, longest};
}

static void drawColourBar(Paper &paper, const Area &bar, const Axis &axis,
                          const Colouring &colours) {
  constexpr int steps = 128;
  std::vector<Colour> pixels;
  for (int i = steps; i-- > 0;)
    pixels.push_back(colormap(colours.map, (i + 0.5) / steps));
  paper.image(bar.x, bar.y, bar.width, bar.height, 1, steps, pixels);
  paper.frame(bar.x, bar.y, bar.width, bar.height);
  if (colours.above)
    paper.triangle(bar.x, bar.y, bar.width, -9, colormap(colours.map, 1));
  if (colours.below)
    paper.triangle(bar.x, bar.bottom(), bar.width, 9, colormap(colours.map, 0));
  axis.draw(paper, bar, "colour");
}

static Drawing drawMap(const Figure &figure, PlotFormat format) {
  std::vector<std::string> notes = figure.notes;
  const Colouring colours = colouringOf(figure, notes);
  const bool any =
      std::any_of(figure.values.begin(), figure.values.end(),
                  [](double value) { return std::isfinite(value); });
  const auto [width, height] = mapSize(figure);
  const Axis x(Axis::Side::Below, figure.right, Scale(0, figure.right.length),
               width),
      y(Axis::Side::Left, figure.up, Scale(0, figure.up.length), height);

  const Area area{y.room(), headingHeight(figure), width, height};
  const Area bar{area.right() + 24, area.y + 10, 14, height - 20};
  const Axis values(Axis::Side::Right, figure.value, colours.scale, bar.height);
  const double below = area.bottom() + x.room();
  const double page = any ? bar.right() + values.room() : area.right() + 40;
  Paper paper(format, page, below + heightOf(notes));

  std::vector<Colour> pixels;
  for (int64_t j = figure.rows; j-- > 0;)
    for (int64_t i = 0; i < figure.columns; ++i) {
      const double one = figure.values[size_t(i * figure.rows + j)];
      pixels.push_back(colours.scale.shows(one)
                           ? colormap(colours.map, colours.scale.position(one))
                           : unknown);
    }
  if (!pixels.empty())
    paper.image(area.x, area.y, width, height, int(figure.columns),
                int(figure.rows), pixels);
  paper.frame(area.x, area.y, width, height);
  x.draw(paper, area, "x");
  y.draw(paper, area, "y");
  if (any)
    drawColourBar(paper, bar, values, colours);
  drawTexts(paper, figure, notes, area, page, below);
  return paper.finish();
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

static constexpr size_t mostCurves = 100, mostEntries = 16;

/// A logarithmic scale needs positive values.
static Scale scaleOf(std::vector<double> values, const FigureAxis &axis,
                     const char *name, std::vector<std::string> &notes) {
  const bool positive = std::any_of(values.begin(), values.end(),
                                    [](double value) { return value > 0; });
  if (axis.log && !positive && !values.empty())
    notes.push_back(
        fmt::format("no value of {} is positive: its scale is linear", name));
  return Scale(values, axis.log && positive).widened(0.03);
}

/// Points (0, 0) beside others at x > 0 are bins without anything in them.
static std::vector<bool> emptyBins(const Figure &figure) {
  std::vector<bool> empty(figure.x.size());
  if (std::none_of(figure.x.begin(), figure.x.end(),
                   [](double x) { return x > 0; }))
    return empty;
  for (size_t i = 0; i < empty.size(); ++i)
    empty[i] = figure.x[i] == 0 &&
               std::all_of(figure.curves.begin(), figure.curves.end(),
                           [i](const FigureCurve &curve) {
                             return curve.values[i] == 0;
                           });
  return empty;
}

/// Of many points that fall together: the first, the extreme and the last ones.
static std::vector<Paper::Point> thinned(const std::vector<Paper::Point> &all) {
  constexpr size_t buckets = 1500;
  if (all.size() <= 4 * buckets)
    return all;
  std::vector<Paper::Point> few;
  for (size_t b = 0; b < buckets; ++b) {
    const auto begin = all.begin() + ptrdiff_t(b * all.size() / buckets),
               end = all.begin() + ptrdiff_t((b + 1) * all.size() / buckets);
    const auto [low, high] = std::minmax_element(
        begin, end, [](const auto &p, const auto &q) { return p.y < q.y; });
    few.push_back(*begin);
    few.push_back(std::min(
        *low, *high, [&](const auto &p, const auto &q) { return p.x < q.x; }));
    few.push_back(std::max(
        *low, *high, [&](const auto &p, const auto &q) { return p.x < q.x; }));
    few.push_back(*(end - 1));
  }
  return few;
}

/// Name and unit of what curves share; units that differ stand in the legend.
static FigureAxis commonAxis(const Figure &figure) {
  FigureAxis axis = figure.up;
  if (!axis.name.empty() || figure.curves.empty())
    return axis;
  axis.unit = figure.curves[0].unit;
  for (size_t c = 0; c < figure.curves.size() && c < 4; ++c)
    axis.name += (c ? ", " : "") + (c < 3 ? figure.curves[c].name : "…");
  for (const FigureCurve &curve : figure.curves)
    if (curve.unit != axis.unit)
      axis.unit = "";
  return axis;
}

static std::vector<std::string> legendOf(const Figure &figure,
                                         const std::string &unit) {
  std::vector<std::string> entries;
  if (figure.curves.size() < 2)
    return entries;
  const size_t count = std::min(figure.curves.size(), mostEntries);
  for (size_t c = 0; c < count; ++c) {
    const FigureCurve &curve = figure.curves[c];
    FigureAxis entry;
    entry.name = curve.name;
    entry.unit = curve.unit == unit ? "" : curve.unit;
    entries.push_back(Paper::fitted(axisName(entry, 0), {}, 150));
  }
  if (count < figure.curves.size())
    entries.push_back(fmt::format("and {} more", figure.curves.size() - count));
  return entries;
}

static Drawing drawCurves(const Figure &figure, PlotFormat format) {
  std::vector<std::string> notes = figure.notes;
  const size_t count = std::min(figure.curves.size(), mostCurves);
  if (count < figure.curves.size())
    notes.push_back(
        fmt::format("the first {} of {} curves", count, figure.curves.size()));
  std::vector<double> xs, ys;
  size_t lost = 0;
  const std::vector<bool> isEmpty = emptyBins(figure);
  const auto empty = size_t(std::count(isEmpty.begin(), isEmpty.end(), true));
  std::vector<bool> drawn(figure.x.size());
  for (size_t i = 0; i < figure.x.size(); ++i) {
    drawn[i] = std::isfinite(figure.x[i]) && !isEmpty[i];
    if (!drawn[i])
      continue;
    for (size_t c = 0; c < count; ++c) {
      const double y = figure.curves[c].values[i];
      // A point needs both coordinates.
      if (!std::isfinite(y) || (figure.right.log && !(figure.x[i] > 0)) ||
          (figure.up.log && !(y > 0))) {
        ++lost;
        continue;
      }
      xs.push_back(figure.x[i]);
      ys.push_back(y);
    }
  }
  FigureAxis up = commonAxis(figure);
  FigureAxis right = figure.right;
  if (xs.empty() && (right.log || up.log)) {
    // Nothing is positive: what is there, on linear scales.
    Figure linear = figure;
    linear.right.log = linear.up.log = false;
    linear.notes.emplace_back("no point is positive: the scales are linear");
    return drawCurves(linear, format);
  }
  if (empty > 0)
    notes.push_back(plural(empty, "empty bin") + " left out");
  if (lost > 0)
    notes.push_back(
        fmt::format("{} left out: not {}", plural(lost, "point"),
                    right.log || up.log ? "finite or not positive" : "finite"));
  if (xs.empty())
    notes.emplace_back("no point is finite");

  constexpr double width = 460, height = 310;
  const Axis x(Axis::Side::Below, right, scaleOf(xs, right, "x", notes), width),
      y(Axis::Side::Left, up, scaleOf(ys, up, "y", notes), height);
  const std::vector<std::string> legend = legendOf(figure, up.unit);
  double widest = 0;
  for (const std::string &entry : legend)
    widest = std::max(widest, Paper::textWidth(entry, {}));
  const Area area{y.room(), headingHeight(figure), width, height};
  const double page =
      area.right() + (legend.empty() ? 24 : 16 + 24 + 6 + widest + margin);
  const double below = area.bottom() + x.room();
  Paper paper(format, page, below + heightOf(notes));

  for (const Scale::Tick &tick : x.ticks())
    if (!tick.label.empty())
      paper.line(area.x + x.place(tick.value), area.y,
                 area.x + x.place(tick.value), area.bottom(), 0.6, grid);
  for (const Scale::Tick &tick : y.ticks())
    if (!tick.label.empty())
      paper.line(area.x, area.bottom() - y.place(tick.value), area.right(),
                 area.bottom() - y.place(tick.value), 0.6, grid);
  paper.clip(area.x, area.y, width, height);
  for (size_t c = 0; c < count; ++c) {
    std::vector<Paper::Point> points;
    for (size_t i = 0; i < figure.x.size(); ++i) {
      const double value = figure.curves[c].values[i];
      Paper::Point point{0, 0, false};
      if (drawn[i] && x.scale.shows(figure.x[i]) && y.scale.shows(value))
        point = {area.x + x.place(figure.x[i]), area.bottom() - y.place(value),
                 true};
      points.push_back(point);
    }
    paper.curve(thinned(points), c, points.size() <= 24);
  }
  paper.unclip();
  paper.frame(area.x, area.y, width, height);
  x.draw(paper, area, "x");
  y.draw(paper, area, "y");
  TextStyle left;
  left.across = 0;
  for (size_t e = 0; e < legend.size(); ++e) {
    const double at = area.y + 10 + 17 * double(e), from = area.right() + 16;
    if (e < mostEntries)
      paper.curve({{from, at, true}, {from + 24, at, true}}, e, false);
    paper.text("legend", from + 30, at, legend[e], left);
  }
  drawTexts(paper, figure, notes, area, page, below);
  return paper.finish();
}

//===----------------------------------------------------------------------===//
// What the plugin exports
//===----------------------------------------------------------------------===//

int pmrt_plot_plugin_version() { return PMRT_PLOT_PLUGIN_VERSION; }

void pmrt_plot_plugin_draw(const Figure &figure, PlotFormat format,
                           Drawing &drawing) {
  drawing = figure.curves.empty() ? drawMap(figure, format)
                                  : drawCurves(figure, format);
}
