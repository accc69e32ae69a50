//===- Contours.cpp - Lines of equal value over a map ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace pmrt;

/// The values that have lines: round ones inside the range.
static std::vector<Scale::Tick> levelsOf(const FigureContours &contours) {
  std::vector<Scale::Tick> levels;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (double value : contours.values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  for (const Scale::Tick &tick : Scale(contours.values, false).ticks(6))
    if (!tick.label.empty() && tick.value > least && tick.value < most)
      levels.push_back(tick);
  return levels;
}

std::string pmrt::contourNote(const FigureContours &contours) {
  FigureAxis axis{contours.name, contours.unit};
  axis.isAsked = contours.isAsked;
  std::string text =
      "contours: " + axisName(axis, Scale(contours.values, false).exponent());
  const char *before = " at ";
  const std::vector<Scale::Tick> levels = levelsOf(contours);
  for (const Scale::Tick &level : levels) {
    text += before + level.label;
    before = ", ";
  }
  return levels.empty() ? text + ": no values that differ" : text;
}

/// A level's lines through the square between the middles of four pixels:
/// straight from edge to edge.
static void drawLevel(Paper &paper, const Area &area, const Figure &figure,
                      const std::vector<double> &values, double level) {
  struct Corner {
    double x, y, value;
  };
  auto corner = [&](int64_t i, int64_t j) -> Corner {
    return {area.x + (double(i) + 0.5) * area.width / double(figure.columns),
            area.bottom() -
                (double(j) + 0.5) * area.height / double(figure.rows),
            values[size_t(i * figure.rows + j)] - level};
  };
  for (int64_t i = 0; i + 1 < figure.columns; ++i)
    for (int64_t j = 0; j + 1 < figure.rows; ++j) {
      const std::array square{corner(i, j), corner(i + 1, j),
                              corner(i + 1, j + 1), corner(i, j + 1)};
      std::vector<std::pair<double, double>> ends;
      for (size_t k = 0; k < 4; ++k) {
        const Corner &a = square[k], &b = square[(k + 1) % 4];
        if (!std::isfinite(a.value) || !std::isfinite(b.value)) {
          ends.clear();
          break;
        }
        if ((a.value < 0) == (b.value < 0))
          continue;
        const double part = a.value / (a.value - b.value);
        ends.emplace_back(std::lerp(a.x, b.x, part), std::lerp(a.y, b.y, part));
      }
      for (size_t k = 0; k + 1 < ends.size(); k += 2)
        paper.line(ends[k].first, ends[k].second, ends[k + 1].first,
                   ends[k + 1].second, 0.8, {0.05, 0.05, 0.05});
    }
}

void pmrt::drawContours(Paper &paper, const Area &area, const Figure &figure) {
  for (const FigureContours &contours : figure.contours)
    for (const Scale::Tick &level : levelsOf(contours))
      drawLevel(paper, area, figure, contours.values, level.value);
}
