//===- Axis.cpp - An axis with its ticks and name -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/Axis.h"

#include "runtime/Base/Text/SmallUnits.h"

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace pmrt;

static constexpr double tick = 5, gap = 4, lineHeight = 14;
static const TextStyle style = {};

/// "(Mpc/h)³" for "(Mpc/h)^3".
static std::string unitText(const std::string &unit) {
  std::string out;
  for (size_t i = 0; i < unit.size(); ++i) {
    size_t end = i + 1;
    if (unit[i] == '^' && end < unit.size() && unit[end] == '-')
      ++end;
    const size_t digits = end;
    while (end < unit.size() &&
           std::isdigit(static_cast<unsigned char>(unit[end])))
      ++end;
    const bool whole =
        unit[i] == '^' && end > digits && end - digits < 4 &&
        (end == unit.size() || (unit[end] != '.' && unit[end] != '/'));
    if (unit[i] == '^' && whole) {
      out += raised("", std::stoi(unit.substr(i + 1, end - i - 1)));
      i = end - 1;
    } else {
      out += unit[i] == '*' ? "·" : unit.substr(i, 1);
    }
  }
  return out;
}

/// Null if the spec asks for the unit itself.
static const SmallUnit *smallUnitOf(const FigureAxis &what, int exponent) {
  return what.isAsked ? nullptr : smallUnit(what.unit, exponent);
}

static int exponentOf(const FigureAxis &what, const Scale &scale) {
  const double size = std::max(std::abs(scale.low()), std::abs(scale.high()));
  // 0.08 s are 80 ms.
  const bool isSmall = !scale.logarithmic() && size > 0 && size < 0.1;
  const SmallUnit *small = smallUnitOf(
      what, isSmall ? int(std::floor(std::log10(size))) : scale.exponent());
  return small ? small->exponent : scale.exponent();
}

std::string pmrt::axisName(const FigureAxis &what, int exponent) {
  std::string unit = what.unit == "1" ? "" : unitText(what.unit);
  if (const SmallUnit *small = smallUnitOf(what, exponent);
      small && small->exponent == exponent)
    return what.name + " [" + small->name + "]";
  if (exponent != 0)
    unit = raised("10", exponent) + (unit.empty() ? "" : " ") + unit;
  return unit.empty() ? what.name : what.name + " [" + unit + "]";
}

Axis::Axis(Side side, const FigureAxis &what, const Scale &scale, double length,
           int few)
    : scale(scale), side(side), length(length),
      name(axisName(what, exponentOf(what, scale))) {
  for (int wanted = few > 0 ? few : int(length / 40) + 1;; --wanted) {
    marks = scale.ticks(wanted, exponentOf(what, scale));
    if (few > 0)
      std::erase_if(marks, [](const auto &one) { return one.label.empty(); });
    widest = 0;
    double end = -1e9;
    bool fits = true;
    for (const Scale::Tick &one : marks) {
      if (one.label.empty())
        continue;
      const double width = Paper::textWidth(one.label, style);
      const double size = side == Side::Below ? width + 10 : lineHeight;
      fits = fits && place(one.value) - size / 2 >= end;
      end = place(one.value) + size / 2;
      widest = std::max(widest, width);
    }
    if (fits || wanted <= 1)
      return;
  }
}

double Axis::padding() const {
  return margin + lineHeight + 2 * gap + tick +
         (side == Side::Below ? lineHeight : widest);
}

void Axis::draw(Paper &paper, const Area &area, const char *role) const {
  const std::string tickRole = std::string(role) + " tick";
  const std::string axisRole = std::string(role) + " axis";
  const bool below = side == Side::Below;
  const double out = side == Side::Left ? -1 : 1;
  const double edge = below                 ? area.bottom()
                      : side == Side::Right ? area.right()
                                            : area.x;
  // So far along the axis, and so far outside of the area.
  auto at = [&](double along, double beyond) {
    const double across = edge + out * beyond;
    return below ? std::pair{area.x + along, across}
                 : std::pair{across, area.bottom() - along};
  };
  TextStyle number = style, turned = style;
  if (!below)
    number.across = side == Side::Right ? 0 : 1;
  for (const Scale::Tick &one : marks) {
    const double along = place(one.value);
    const auto [x0, y0] = at(along, 0);
    const auto [x1, y1] = at(along, one.label.empty() ? tick / 2 : tick);
    paper.line(x0, y0, x1, y1, 0.8, ink);
    if (one.label.empty())
      continue;
    const auto [x, y] = at(along, tick + gap + (below ? lineHeight / 2 : 0));
    paper.text(tickRole.c_str(), x, y, one.label, number);
  }
  turned.up = !below;
  const auto [x, y] = at(length / 2, tick + 2 * gap + lineHeight / 2 +
                                         (below ? lineHeight : widest));
  paper.text(axisRole.c_str(), x, y,
             Paper::fitted(name, style, std::max(length, 120.0)), turned);
}
