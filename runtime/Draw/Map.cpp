//===- Map.cpp - Maps -----------------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/ColourBar.h"
#include "runtime/Draw/Panel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

using namespace pmrt;

static constexpr Colour unknown{0.82, 0.82, 0.82}, white{1, 1, 1};

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

namespace {

class Map : public Panel {
public:
  Map(const Figure &figure, double size,
      const std::vector<const Figure *> &common);
  void draw(Paper &paper, const Area &area) const override;

private:
  void drawSky(Paper &paper, const Area &area) const;
  void addHint();

  Colouring colours;
  std::optional<Axis> x, y;
  std::optional<ColourBar> bar; ///< its own
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
    left = y->padding();
    below = x->padding();
  }
  right = common.size() > 1 ? 24 : 40;
  if (common.size() == 1 && colours.known) {
    bar.emplace(figure.value, colours, height);
    right = bar->padding();
  }
  if (common.size() > 1 || !colours.known)
    addHint();
}

/// A map may have no value that its scale shows, or one colour only because
/// other maps have much larger values.
void Map::addHint() {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (double value : figure.values)
    if (colours.scale.shows(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  auto part = [&](double value) {
    return std::clamp(colours.scale.position(value), 0.0, 1.0);
  };
  if (!colours.known || least > most) {
    hint = std::none_of(figure.values.begin(), figure.values.end(),
                        [](double value) { return std::isfinite(value); })
               ? "no value is finite"
               : "no value is positive";
  } else if (colours.map != "mask" && part(most) - part(least) < 1.0 / 128) {
    hint = least == most ? "all values are " + shortNumber(least)
                         : fmt::format("one color: {} to {}",
                                       shortNumber(least), shortNumber(most));
    const Colour behind = colormap(colours.map, part(most));
    if (0.3 * behind.r + 0.6 * behind.g + 0.1 * behind.b < 0.5)
      hintColour = white;
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
  if (bar)
    bar->draw(paper, area.right(), area.y);
}

std::unique_ptr<Panel>
pmrt::makeMap(const Figure &figure, double size,
              const std::vector<const Figure *> &common) {
  return std::make_unique<Map>(figure, size, common);
}
