//===- ColourBar.cpp - Which colours values have, and their bar -----------===//
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

using namespace pmrt;

bool pmrt::isOutside(const Figure &figure, int64_t pixel) {
  if (figure.projection.empty())
    return false;
  const int64_t column = pixel / figure.rows, row = pixel % figure.rows;
  const double x = (2 * double(column) + 1) / double(figure.columns) - 1,
               y = (2 * double(row) + 1) / double(figure.rows) - 1;
  return x * x + y * y > 1;
}

Colouring pmrt::colouringOf(const Figure &figure,
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
  // A sky counts the pixels of its picture, whose number means nothing.
  auto counted = [&](size_t count, const char *what) {
    return figure.projection.empty() ? plural(count, what)
                                     : fmt::format("{}s", what);
  };
  if (!shown.empty() && lost + negative > 0)
    notes.push_back(fmt::format(
        "gray: {}", negative == 0 ? counted(lost, "value") + " not finite"
                    : lost == 0   ? counted(negative, "negative value")
                                  : counted(lost + negative, "value") +
                                        " not finite or negative"));
  if (!shown.empty() && zeros > 0)
    notes.push_back("in the lowest color: " + plural(zeros, "value") +
                    (zeros == 1 ? " that is 0" : " that are 0"));
  Colouring result;
  result.zeros = zeros > 0;
  result.map = figure.colormap;
  if (shown.empty()) {
    notes.emplace_back("no value is finite");
    return result;
  }
  result.known = true;
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
  if (result.map == "diverging" && !log && !figure.value.isGiven) {
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
    notes.push_back(
        fmt::format("{} outside of the color scale: values are from {} to {}",
                    plural(size_t(outside), "pixel"), shortNumber(least),
                    shortNumber(most)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The bar
//===----------------------------------------------------------------------===//

/// Left of the bar, and its width; triangles at its ends need the rest.
static constexpr double gap = 24, thickness = 14, ends = 10;

ColourBar::ColourBar(const FigureAxis &what, const Colouring &colours,
                     double height)
    : colours(colours), height(height),
      axis(Axis::Side::Right, what, colours.scale, height - 2 * ends,
           colours.map == "mask" ? 2 : 0) {}

double ColourBar::padding() const { return gap + thickness + axis.padding(); }

void ColourBar::draw(Paper &paper, double x, double y) const {
  constexpr int steps = 128;
  const Area bar{x + gap, y + ends, thickness, height - 2 * ends};
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
