//===- Map.cpp - Maps -----------------------------------------------------===//
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

static constexpr Colour unknown{0.82, 0.82, 0.82}, white{1, 1, 1};

/// Whether there is no sky at a pixel, or no disc: both fill an ellipse.
static bool isOutside(const Figure &figure, int64_t pixel) {
  if (figure.projection.empty())
    return false;
  const int64_t column = pixel / figure.rows, row = pixel % figure.rows;
  const double x = (2 * double(column) + 1) / double(figure.columns) - 1,
               y = (2 * double(row) + 1) / double(figure.rows) - 1;
  return x * x + y * y > 1;
}

namespace {

/// Which colours values have.
struct Colouring {
  Scale scale{0, 1};
  std::string map;
  bool below = false, above = false; ///< what lies outside is clipped
  bool zeros = false;        ///< of a logarithmic scale: they are below it
  std::vector<double> range; ///< what the values would need
};

} // namespace

/// The range of the colours, without the few values that would hide all others.
static Colouring colouringOf(const Figure &figure,
                             const std::vector<const Figure *> &common,
                             std::vector<std::string> &notes) {
  std::vector<double> shown, finite;
  size_t all = 0;
  for (const Figure *one : common) {
    for (size_t i = 0; i < one->values.size(); ++i)
      all += std::isfinite(one->values[i]) || !isOutside(*one, int64_t(i));
    std::copy_if(one->values.begin(), one->values.end(),
                 std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
  }
  bool log = figure.value.log;
  std::copy_if(finite.begin(), finite.end(), std::back_inserter(shown),
               [&](double value) { return !log || value > 0; });
  if (log && shown.empty() && !finite.empty()) {
    log = false;
    shown = finite;
    notes.emplace_back("no value is positive: the scale is linear");
  }
  // Nothing at all in a cell is the least that can be.
  const auto zeros =
      log ? size_t(std::count(finite.begin(), finite.end(), 0.0)) : 0;
  const size_t lost = all - finite.size(),
               negative = finite.size() - shown.size() - zeros;
  // Of a sky, pixels of the picture are counted, which tells nobody anything.
  auto counted = [&](size_t count, const char *what) {
    return figure.projection.empty() ? plural(count, what)
                                     : fmt::format("{}s", what);
  };
  if (!shown.empty() && lost + negative > 0)
    notes.push_back(fmt::format(
        "grey: {}", negative == 0 ? counted(lost, "value") + " not finite"
                    : lost == 0   ? counted(negative, "negative value")
                                  : counted(lost + negative, "value") +
                                        " not finite or negative"));
  if (!shown.empty() && zeros > 0)
    notes.push_back("in the lowest colour: " + plural(zeros, "value") +
                    (zeros == 1 ? " that is 0" : " that are 0"));
  Colouring result;
  result.zeros = zeros > 0;
  result.map = figure.colormap;
  if (shown.empty()) {
    notes.emplace_back("no value is finite");
    return result;
  }
  std::sort(shown.begin(), shown.end());
  const double least = shown.front(), most = shown.back();
  double lo = least, hi = most;
  const std::vector<double> ends = {0, 1}, &given = figure.value.range;
  const bool flags =
      !log && (given.empty() ? least == 0 && most == 1 : given == ends) &&
      std::all_of(shown.begin(), shown.end(),
                  [](double value) { return value == 0 || value == 1; });
  if (result.map == "mask" || (result.map.empty() && flags)) {
    result.map = "mask";
    result.scale = Scale(-0.5, 1.5); // 0 and 1 amid their colours
    result.range = ends;
    return result;
  }
  if (least == most && shown.size() == finite.size())
    notes.push_back("all values are " + shortNumber(least, 6));
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
  // Magnitudes begin at 0.
  if (!log && lo > 0 && lo < 0.05 * hi)
    lo = 0;
  if (log == figure.value.log)
    result.range = {lo, hi};
  if (!figure.value.range.empty()) {
    lo = figure.value.range[0];
    hi = figure.value.range[1];
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
  result.below = least < lo || zeros > 0;
  result.above = most > hi;
  if (least < lo || most > hi) {
    const auto outside =
        std::count_if(shown.begin(), shown.end(),
                      [&](double value) { return value < lo || value > hi; });
    notes.push_back(fmt::format("colours end before {}: values reach {} to {}",
                                plural(size_t(outside), "pixel"),
                                shortNumber(least), shortNumber(most)));
  }
  return result;
}

/// Width and height of a map, of the shape that its lengths have.
static std::pair<double, double> mapSize(const Figure &figure, double size) {
  const double longest = 400 * size;
  if (!figure.projection.empty())
    return {figure.projection == "polar" ? longest : 1.25 * longest,
            figure.projection == "polar" ? longest : 0.625 * longest};
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

namespace {

class Map : public Panel {
public:
  Map(const Figure &figure, double size,
      const std::vector<const Figure *> &common);
  void draw(Paper &paper, const Area &area) const override;

private:
  void drawSky(Paper &paper, const Area &area) const;

  Colouring colours;
  std::optional<Axis> x, y, values;
};

} // namespace

Map::Map(const Figure &figure, double size,
         const std::vector<const Figure *> &common)
    : Panel(figure), colours(colouringOf(figure, common, notes)) {
  for (const FigureContours &contours : figure.contours)
    notes.push_back(contourNote(contours));
  ranges.value = colours.range;
  std::tie(width, height) = mapSize(figure, size);
  if (figure.projection == "mollweide") {
    left = 58;
    below = 30;
  } else if (figure.projection == "polar") {
    const double reach = figure.up.length;
    FigureAxis across = figure.up, up = figure.up;
    across.name = fmt::format("{} cos {}", figure.up.name, figure.right.name);
    up.name = fmt::format("{} sin {}", figure.up.name, figure.right.name);
    x.emplace(Axis::Side::Below, across, Scale(-reach, reach), width);
    y.emplace(Axis::Side::Left, up, Scale(-reach, reach), height);
  } else {
    x.emplace(Axis::Side::Below, figure.right, Scale(0, figure.right.length),
              width);
    y.emplace(Axis::Side::Left, figure.up, Scale(0, figure.up.length), height);
  }
  if (x && y) {
    left = y->room();
    below = x->room();
  }
  right = 40;
  if (std::any_of(figure.values.begin(), figure.values.end(),
                  [](double value) { return std::isfinite(value); })) {
    values.emplace(Axis::Side::Right, figure.value, colours.scale, height - 20,
                   colours.map == "mask" ? 2 : 0);
    right = 24 + 14 + values->room();
  }
}

/// Lines of equal longitude and latitude, with their degrees at the edge.
void Map::drawSky(Paper &paper, const Area &area) const {
  constexpr Colour faint{0.6, 0.6, 0.6};
  /// Where a latitude is, as the sine of the projection's own angle.
  auto lift = [](double latitude) {
    double theta = latitude / 2;
    for (int i = 0; i < 60; ++i) // slowest at the poles
      theta -= (2 * theta + std::sin(2 * theta) - M_PI * std::sin(latitude)) /
               std::max(2 + 2 * std::cos(2 * theta), 1e-6);
    return std::sin(theta);
  };
  auto place = [&](double longitude, double sine) {
    const double wide = std::sqrt(std::max(0.0, 1 - sine * sine));
    return std::pair{area.x + width / 2 * (1 - longitude / M_PI * wide),
                     area.y + height / 2 * (1 - sine)};
  };
  TextStyle label;
  label.size = 9;
  for (int degrees : {-60, -30, 0, 30, 60}) {
    const double sine = lift(degrees * M_PI / 180);
    const auto [x0, y0] = place(M_PI, sine);
    const auto [x1, y1] = place(-M_PI, sine);
    paper.line(x0, y0, x1, y1, 0.5, faint);
    label.across = 1;
    paper.text("y tick", x0 - 8, y0,
               fmt::format("{}{}°", degrees < 0 ? "−" : "", std::abs(degrees)),
               label);
  }
  for (int degrees : {-120, -60, 0, 60, 120}) {
    constexpr int parts = 60;
    for (int i = 0; i < parts; ++i) {
      const auto [x0, y0] = place(degrees * M_PI / 180,
                                  std::sin(M_PI * (double(i) / parts - 0.5)));
      const auto [x1, y1] = place(
          degrees * M_PI / 180, std::sin(M_PI * (double(i + 1) / parts - 0.5)));
      paper.line(x0, y0, x1, y1, 0.5, faint);
    }
  }
  TextStyle name;
  paper.text("x axis", area.x + width / 2, area.bottom() + 16,
             fmt::format("{}: 180° at the left edge, lines every 60°, −180° at "
                         "the right edge",
                         figure.right.name),
             name);
  name.up = true;
  paper.text("y axis", area.x - 40, area.y + height / 2,
             fmt::format("{} [°]", figure.up.name), name);
}

void Map::draw(Paper &paper, const Area &area) const {
  std::vector<Colour> pixels;
  for (int64_t j = figure.rows; j-- > 0;)
    for (int64_t i = 0; i < figure.columns; ++i) {
      const double one = figure.values[size_t(i * figure.rows + j)];
      pixels.push_back(colours.scale.shows(one)
                           ? colormap(colours.map, colours.scale.position(one))
                       : colours.zeros && one == 0 ? colormap(colours.map, 0)
                       : isOutside(figure, i * figure.rows + j) ? white
                                                                : unknown);
    }
  if (!pixels.empty())
    paper.image(area.x, area.y, width, height, int(figure.columns),
                int(figure.rows), pixels);
  drawContours(paper, area, figure);
  if (figure.projection.empty())
    paper.frame(area.x, area.y, width, height);
  else
    paper.ellipse(area.x, area.y, width, height);
  if (x && y) {
    x->draw(paper, area, "x");
    y->draw(paper, area, "y");
  } else {
    drawSky(paper, area);
  }
  if (values)
    drawColourBar(paper, {area.right() + 24, area.y + 10, 14, height - 20},
                  *values, colours);
}

std::unique_ptr<Panel>
pmrt::makeMap(const Figure &figure, double size,
              const std::vector<const Figure *> &common) {
  return std::make_unique<Map>(figure, size, common);
}
