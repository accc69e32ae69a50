//===- Figure.h - What a plot shows -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime hands to the plugin that draws (Draw/). It has no other part
// of the runtime, and the runtime nothing of the drawing library.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_FIGURE_H
#define PMRT_IO_FIGURES_FIGURE_H

#include "runtime/Base/PlotFormat.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

struct FigureAxis {
  std::string name;
  std::string unit; ///< "": a plain number
  bool log = false;
  double length = 0; ///< of a map's side, in units
  /// Both ends of its scale; empty: as its values need it.
  std::vector<double> range = {};
  bool isGiven = false; ///< the range, by the spec: it is not widened
  bool isAsked = false; ///< the unit, by the spec: no smaller one is chosen
};

/// A curve over the common x.
struct FigureCurve {
  std::string name;
  std::string unit;
  std::vector<double> values;
  bool points = false;                     ///< and no line
  std::vector<double> low = {}, high = {}; ///< a band; empty: none
  std::vector<double> x = {};              ///< its own; empty: the figure's
};

/// A second field over a map, of as many pixels.
struct FigureContours {
  std::string name;
  std::string unit;
  std::vector<double> values;
  bool isAsked = false; ///< the unit, as of an axis
};

/// A map if it has no curves. Values that are not finite are not known.
struct Figure {
  std::string title;
  std::string subtitle;
  FigureAxis right, up; ///< of curves: x, y
  std::vector<std::string> notes;

  /// Of a map: "polar" or "mollweide", if its values are the pixels of one.
  std::string projection;
  FigureAxis value;     ///< what the colours of a map mean
  std::string colormap; ///< "" chooses by the values
  /// Of a map: the first index to the right, the second one up, row-major.
  std::vector<double> values;
  int64_t columns = 0, rows = 0;

  std::vector<FigureContours> contours;

  std::vector<double> x;
  std::vector<FigureCurve> curves;
  bool counts = false; ///< curves count values: zeros are no gaps
  bool bins = false;   ///< points are bins, and (0, 0) may be an empty one

  /// Pictures of their own in rows of so many, instead of all the above but the
  /// title. `shared`: one scale for all.
  std::vector<Figure> panels;
  std::vector<int64_t> panelRows;
  bool shared = false;
};

/// Which points of curves are bins without anything in them: (0, 0) beside
/// others at x > 0.
inline std::vector<bool> emptyBins(const Figure &figure) {
  std::vector<bool> empty(figure.x.size());
  if (!figure.bins || std::none_of(figure.x.begin(), figure.x.end(),
                                   [](double x) { return x > 0; }))
    return empty;
  for (size_t i = 0; i < empty.size(); ++i)
    empty[i] = figure.x[i] == 0 &&
               std::all_of(figure.curves.begin(), figure.curves.end(),
                           [i](const FigureCurve &curve) {
                             return !curve.x.empty() || curve.values[i] == 0;
                           });
  return empty;
}

/// Where a text of a figure is, for tests. The origin is top left.
struct FigureText {
  std::string role; ///< "title", "x tick", "x axis", "legend", ...
  std::string text;
  double x = 0, y = 0, width = 0, height = 0;
};

/// Between which values a panel shows something: of colours, or of x and y.
/// Empty: nowhere, or it has no such scale.
struct PanelRanges {
  std::vector<double> right, up, value;
};

struct Drawing {
  std::string file; ///< its bytes
  double width = 0, height = 0;
  std::vector<FigureText> texts;
  std::vector<PanelRanges> ranges; ///< one a panel
};

} // namespace pmrt

/// What the plugin exports. The version first: the rest may have changed.
#define PMRT_PLOT_PLUGIN_VERSION 7
extern "C" {
int pmrt_plot_plugin_version();
/// These throw std::runtime_error.
void pmrt_plot_plugin_draw(const pmrt::Figure &figure, pmrt::PlotFormat format,
                           pmrt::Drawing &drawing);
/// Makes an animated PNG of files of PNG, in this order.
void pmrt_plot_plugin_animate(const std::vector<std::string> &paths,
                              std::string &file);
/// A PNG in so many pixels: three bytes each, row by row from the top.
void pmrt_plot_plugin_shrink(const std::string &png, int columns, int rows,
                             std::vector<uint8_t> &pixels);
}

#endif // PMRT_IO_FIGURES_FIGURE_H
