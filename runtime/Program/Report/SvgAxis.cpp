//===- SvgAxis.cpp - Axes of the pictures in pages ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/SvgAxis.h"

#include "runtime/Program/Report/Html.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

using namespace pmrt;

std::string SvgAxis::drawn(double x, double y) const {
  constexpr double tick = 4, labelWidth = 90, labelHeight = 24;
  const bool below = side == Side::Below;
  std::string out =
      fmt::format("<path class=\"axis\" d=\"M{} {}{}{}\"/>", x, y,
                  below ? "H" : "V", below ? x + length : y - length);
  const int wanted =
      std::max(2, int(length / (below ? labelWidth : labelHeight)));
  const int exponent = scale.exponent();
  for (const Scale::Tick &one : scale.ticks(wanted, exponent)) {
    if (one.label.empty())
      continue;
    const double at = place(one.value);
    out +=
        below
            ? fmt::format("<path class=\"axis\" d=\"M{:.1f} {}v{}\"/><text "
                          "x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}"
                          "</text>",
                          x + at, y, tick, x + at, y + 17, one.label)
            : fmt::format("<path class=\"axis\" d=\"M{} {:.1f}h-{}\"/><text "
                          "x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
                          "</text>",
                          x, y - at, tick, x - tick - 3, y - at + 4, one.label);
  }
  std::string whole = name;
  if (exponent != 0)
    whole += fmt::format(" [{}]", raised("10", exponent));
  whole = escapedHtml(whole);
  if (below)
    return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}"
                             "</text>\n",
                             x + length / 2, y + 34, whole);
  constexpr double beside = 50;
  return out + fmt::format("<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\" "
                           "transform=\"rotate(-90 {0} {1})\">{2}</text>\n",
                           x - beside, y - length / 2, whole);
}

AxisUnit pmrt::timeUnit(double seconds) {
  static const AxisUnit units[] = {
      {3600, "h"}, {60, "min"}, {1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
  for (const AxisUnit &one : units)
    // Minutes and hours begin at two: 90 s are no 1.5 min.
    if (seconds >= one.size * (one.size > 1 ? 2 : 1))
      return one;
  return *std::rbegin(units);
}

AxisUnit pmrt::bytesUnit(double bytes) {
  AxisUnit unit{1, "B"};
  for (const char *name : {"KiB", "MiB", "GiB", "TiB"})
    if (bytes >= 1024 * unit.size)
      unit = {1024 * unit.size, name};
  return unit;
}
