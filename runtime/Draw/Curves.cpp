//===- Curves.cpp - Curves over a common axis -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Panel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

using namespace pmrt;

static constexpr Colour grid{0.9, 0.9, 0.9};
static constexpr size_t mostCurves = 100, mostEntries = 16;

/// A logarithmic scale needs positive values.
static Scale scaleOf(std::vector<double> values, const FigureAxis &axis,
                     const char *name, std::vector<std::string> &notes) {
  if (!axis.range.empty())
    values = axis.range;
  const bool positive = std::any_of(values.begin(), values.end(),
                                    [](double value) { return value > 0; });
  if (axis.log && !positive && !values.empty())
    notes.push_back(
        fmt::format("no value of {} is positive: its scale is linear", name));
  const Scale scale(values, axis.log && positive);
  return axis.isGiven ? scale : scale.widened(0.03);
}

/// What a curve is drawn over.
static const std::vector<double> &acrossOf(const Figure &figure, size_t curve) {
  const FigureCurve &own = figure.curves[curve];
  return own.x.empty() ? figure.x : own.x;
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

/// Name and unit of what curves share; units that differ are in the legend.
static FigureAxis commonAxis(const Figure &figure) {
  FigureAxis axis = figure.up;
  if (figure.curves.empty())
    return axis;
  if (axis.name.empty()) {
    std::vector<std::string> names;
    for (const FigureCurve &curve : figure.curves)
      names.push_back(curve.name);
    axis.name = firstOf(names);
  }
  axis.unit = figure.curves[0].unit;
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

namespace {

/// What of a figure can be drawn.
struct Points {
  std::vector<double> xs, ys; ///< of all curves
  std::vector<bool> drawn;    ///< whether it has a place along x
  size_t empty = 0, lost = 0, beyond = 0;
};

class Curves : public Panel {
public:
  Curves(const Figure &figure, double size,
         const std::vector<const Figure *> &common);
  void draw(Paper &paper, const Area &area) const override;

private:
  void drawBand(Paper &paper, const Area &area, size_t curve) const;
  void drawLegend(Paper &paper, const Area &area) const;
  /// Where a value of y is over the curve's x.
  Paper::Point place(const Area &area, size_t curve, size_t i,
                     double value) const;

  size_t count;
  FigureAxis acrossAxis, upAxis;
  std::vector<bool> drawn;
  std::optional<Axis> x, y;
  std::vector<std::string> legend;
};

} // namespace

/// Whether it is outside of the ends that the spec gives.
static bool isBeyond(const FigureAxis &axis, double value) {
  return axis.isGiven && (value < axis.range[0] || value > axis.range[1]);
}

static Points pointsOf(const Figure &figure, size_t count, bool xlog,
                       bool ylog) {
  Points result;
  const std::vector<bool> isEmpty = emptyBins(figure);
  result.empty = size_t(std::count(isEmpty.begin(), isEmpty.end(), true));
  result.drawn.resize(figure.x.size());
  for (size_t i = 0; i < figure.x.size(); ++i)
    result.drawn[i] = std::isfinite(figure.x[i]) && !isEmpty[i];
  for (size_t c = 0; c < count; ++c) {
    const FigureCurve &curve = figure.curves[c];
    const std::vector<double> &across = acrossOf(figure, c);
    for (size_t i = 0; i < across.size(); ++i) {
      if (curve.x.empty() && !result.drawn[i])
        continue;
      // A point needs both coordinates.
      auto shown = [&](double y) {
        return std::isfinite(across[i]) && std::isfinite(y) &&
               (!xlog || across[i] > 0) && (!ylog || y > 0);
      };
      if (!shown(curve.values[i])) {
        ++result.lost;
        continue;
      }
      // Other points do not count for an axis whose ends are not given.
      if (isBeyond(figure.right, across[i]) ||
          isBeyond(figure.up, curve.values[i])) {
        ++result.beyond;
        continue;
      }
      result.xs.push_back(across[i]);
      result.ys.push_back(curve.values[i]);
      for (const std::vector<double> *edge : {&curve.low, &curve.high})
        if (!edge->empty() && shown((*edge)[i]))
          result.ys.push_back((*edge)[i]);
    }
  }
  return result;
}

Curves::Curves(const Figure &figure, double size,
               const std::vector<const Figure *> &common)
    : Panel(figure), count(std::min(figure.curves.size(), mostCurves)),
      acrossAxis(figure.right), upAxis(commonAxis(figure)) {
  if (count < figure.curves.size())
    notes.push_back(
        fmt::format("the first {} of {} curves", count, figure.curves.size()));
  auto gather = [&](std::vector<double> &xs, std::vector<double> &ys) {
    for (const Figure *one : common) {
      const Points points =
          pointsOf(*one, std::min(one->curves.size(), mostCurves),
                   acrossAxis.log, upAxis.log);
      xs.insert(xs.end(), points.xs.begin(), points.xs.end());
      ys.insert(ys.end(), points.ys.begin(), points.ys.end());
    }
  };
  std::vector<double> xs, ys;
  gather(xs, ys);
  if (xs.empty() && (acrossAxis.log || upAxis.log) && !figure.right.isGiven &&
      !figure.up.isGiven) {
    // Nothing is positive: what is there, on linear scales.
    acrossAxis.log = upAxis.log = false;
    notes.emplace_back("no point is positive: the scales are linear");
    gather(xs, ys);
  }
  const Points own = pointsOf(figure, count, acrossAxis.log, upAxis.log);
  drawn = own.drawn;
  if (own.empty > 0)
    notes.push_back(plural(own.empty, "empty bin") + " left out");
  if (own.lost > 0 && !figure.counts)
    notes.push_back(fmt::format(
        "{} left out: not {}", plural(own.lost, "point"),
        acrossAxis.log || upAxis.log ? "finite or not positive" : "finite"));
  if (own.xs.empty()) {
    hint = own.beyond > 0 ? "all points are outside of the given axes"
           : own.empty > 0 && own.lost == 0 ? "all bins are empty"
           : acrossAxis.log || upAxis.log   ? "no point is finite and positive"
                                            : "no point is finite";
    notes.push_back(hint);
  }
  width = 460 * size;
  height = 310 * size;
  x.emplace(Axis::Side::Below, acrossAxis, scaleOf(xs, acrossAxis, "x", notes),
            width);
  y.emplace(Axis::Side::Left, upAxis, scaleOf(ys, upAxis, "y", notes), height);
  if (!xs.empty() && acrossAxis.log == figure.right.log) {
    const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
    const auto [low, high] = std::minmax_element(ys.begin(), ys.end());
    ranges.right = {*left, *right};
    ranges.up = {*low, *high};
  }
  legend = legendOf(figure, upAxis.unit);
  double widest = 0;
  for (const std::string &entry : legend)
    widest = std::max(widest, Paper::textWidth(entry, {}));
  left = y->padding();
  right = legend.empty() ? 24 : 16 + 24 + 6 + widest + margin;
  below = x->padding();
}

Paper::Point Curves::place(const Area &area, size_t curve, size_t i,
                           double value) const {
  const double across = acrossOf(figure, curve)[i];
  if ((figure.curves[curve].x.empty() && !drawn[i]) ||
      !x->scale.shows(across) || !y->scale.shows(value))
    return {0, 0, false};
  return {area.x + x->place(across), area.bottom() - y->place(value), true};
}

/// The parts where both edges are known.
void Curves::drawBand(Paper &paper, const Area &area, size_t curve) const {
  const FigureCurve &one = figure.curves[curve];
  std::vector<Paper::Point> low, high;
  for (size_t i = 0; i <= one.low.size(); ++i) {
    const bool inside = i < one.low.size();
    const Paper::Point a = inside ? place(area, curve, i, one.low[i])
                                  : Paper::Point{0, 0, false},
                       b = inside ? place(area, curve, i, one.high[i])
                                  : Paper::Point{0, 0, false};
    if (a.drawn && b.drawn) {
      low.push_back(a);
      high.push_back(b);
      continue;
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    paper.shade(low, curve);
    low.clear();
    high.clear();
  }
}

void Curves::drawLegend(Paper &paper, const Area &area) const {
  TextStyle left;
  left.across = 0;
  for (size_t e = 0; e < legend.size(); ++e) {
    const double at = area.y + 10 + 17 * double(e), from = area.right() + 16;
    if (e < mostEntries && figure.curves[e].points)
      paper.curve({{from + 12, at, true}}, e, true);
    else if (e < mostEntries)
      paper.curve({{from, at, true}, {from + 24, at, true}}, e, false);
    paper.text("legend", from + 30, at, legend[e], left);
  }
}

void Curves::draw(Paper &paper, const Area &area) const {
  for (const Scale::Tick &tick : x->ticks())
    if (!tick.label.empty())
      paper.line(area.x + x->place(tick.value), area.y,
                 area.x + x->place(tick.value), area.bottom(), 0.6, grid);
  for (const Scale::Tick &tick : y->ticks())
    if (!tick.label.empty())
      paper.line(area.x, area.bottom() - y->place(tick.value), area.right(),
                 area.bottom() - y->place(tick.value), 0.6, grid);
  paper.clip(area.x, area.y, width, height);
  for (size_t c = 0; c < count; ++c)
    drawBand(paper, area, c);
  for (size_t c = 0; c < count; ++c) {
    const FigureCurve &curve = figure.curves[c];
    std::vector<Paper::Point> points;
    for (size_t i = 0; i < curve.values.size(); ++i) {
      points.push_back(place(area, c, i, curve.values[i]));
      if (curve.points) // a gap: no line goes on
        points.push_back({0, 0, false});
    }
    if (curve.points)
      paper.curve(points, c, true);
    else
      paper.curve(thinned(points), c, points.size() <= 24);
  }
  paper.unclip();
  paper.frame(area.x, area.y, width, height);
  x->draw(paper, area, "x");
  y->draw(paper, area, "y");
  drawLegend(paper, area);
}

std::unique_ptr<Panel>
pmrt::makeCurves(const Figure &figure, double size,
                 const std::vector<const Figure *> &common) {
  return std::make_unique<Curves>(figure, size, common);
}
