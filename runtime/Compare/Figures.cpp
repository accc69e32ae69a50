//===- Figures.cpp - Figures of two runs ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Compare/Figures.h"

using namespace pmrt;

/// A curve with an x of its own, without empty bins.
static FigureCurve ownCurve(const Figure &figure, size_t index) {
  const FigureCurve &from = figure.curves[index];
  FigureCurve curve = from;
  const std::vector<bool> isEmpty = emptyBins(figure);
  for (auto part : {&FigureCurve::x, &FigureCurve::values, &FigureCurve::low,
                    &FigureCurve::high}) {
    const std::vector<double> &all =
        part == &FigureCurve::x && from.x.empty() ? figure.x : from.*part;
    (curve.*part).clear();
    for (size_t i = 0; i < all.size(); ++i)
      if (i >= isEmpty.size() || !isEmpty[i])
        (curve.*part).push_back(all[i]);
  }
  return curve;
}

/// All curves of A, then those of B: next to one another in the legend.
static Figure overlaid(const Figure &a, const Figure &b) {
  Figure both = a;
  both.curves.clear();
  for (size_t c = 0; c < std::max(a.curves.size(), b.curves.size()); ++c)
    for (const Figure *one : {&a, &b}) {
      if (c >= one->curves.size())
        continue;
      FigureCurve curve = ownCurve(*one, c);
      curve.name = (one == &a ? "A: " : "B: ") + curve.name;
      both.curves.push_back(std::move(curve));
    }
  both.x.clear();
  if (both.up.name.empty()) {
    both.up.name = a.curves[0].name;
    both.up.unit = a.curves[0].unit;
  }
  for (const FigureCurve &curve : both.curves)
    if (curve.unit != a.curves[0].unit)
      both.up.unit.clear();
  return both;
}

static Figure titled(Figure figure, const char *title) {
  figure.subtitle = figure.title;
  figure.title = title;
  return figure;
}

static void compareMaps(const Figure &a, const Figure &b,
                        std::vector<Figure> &out) {
  Figure pair;
  pair.title = a.title;
  pair.panels = {titled(a, "A"), titled(b, "B")};
  pair.panelRows = {2};
  const bool agree = a.value.unit == b.value.unit;
  pair.shared = agree;
  const bool same = agree && a.columns == b.columns && a.rows == b.rows &&
                    a.projection == b.projection &&
                    a.right.length == b.right.length &&
                    a.up.length == b.up.length;
  if (!same)
    pair.panels[0].notes.emplace_back(
        "no difference map: A and B have different cells, lengths or units");
  out.push_back(pair);
  if (!same)
    return;
  Figure difference = titled(a, "B − A");
  for (size_t i = 0; i < a.values.size(); ++i)
    difference.values[i] = b.values[i] - a.values[i];
  difference.value.name = "difference of " + a.value.name;
  difference.value.log = false;
  difference.colormap = "diverging";
  out.push_back(difference);
}

std::vector<Figure> pmrt::compareFigures(const Figure &a, const Figure &b) {
  std::vector<Figure> out;
  if (!a.panels.empty() || !b.panels.empty()) {
    for (size_t p = 0; p < std::min(a.panels.size(), b.panels.size()); ++p)
      for (Figure &one : compareFigures(a.panels[p], b.panels[p]))
        out.push_back(std::move(one));
    return out;
  }
  if (!a.curves.empty() && !b.curves.empty())
    out.push_back(overlaid(a, b));
  else if (!a.values.empty() && !b.values.empty())
    compareMaps(a, b, out);
  return out;
}
