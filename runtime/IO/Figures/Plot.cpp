//===- Plot.cpp - Plots of the ABI ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/Plot.h"

#include "runtime/Base/Plugin.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/SmallUnits.h"
#include "runtime/Core/MemoryPort.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Figures/FigureData.h"
#include "runtime/IO/Figures/Projection.h"
#include "runtime/IO/Figures/TerminalPicture.h"
#include "runtime/IO/Files/Elements.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Outputs/WriteArrays.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

using namespace pmrt;

static Plugin drawingPlugin() {
  Plugin plugin("libpmrt_plot.so", "pmrt_plot_plugin_version",
                PMRT_PLOT_PLUGIN_VERSION, /*global=*/false);
  if (!plugin.problem().empty())
    throw usageError(
        "[PM9010] the program's figures cannot be drawn{}; install the library "
        "Cairo "
        "(package libcairo2), or run without figures (--plot-format=none)",
        plugin.problem());
  return plugin;
}

decltype(pmrt_plot_plugin_draw) *pmrt::drawingFunction() {
  return drawingPlugin().find<decltype(pmrt_plot_plugin_draw)>(
      "pmrt_plot_plugin_draw");
}

decltype(pmrt_plot_plugin_animate) *pmrt::animatingFunction() {
  return drawingPlugin().find<decltype(pmrt_plot_plugin_animate)>(
      "pmrt_plot_plugin_animate");
}

decltype(pmrt_plot_plugin_shrink) *pmrt::shrinkingFunction() {
  return drawingPlugin().find<decltype(pmrt_plot_plugin_shrink)>(
      "pmrt_plot_plugin_shrink");
}

/// A field of one dim, on the first rank.
static std::vector<double> wholeCurve(Context &ctx, const pmrt_array &array) {
  const int64_t size = elementSize(pmrt_element(array.element));
  const std::vector<char> data = gatherToFirst(ctx, array);
  std::vector<double> values;
  visitAs(pmrt_element(array.element), data.data(), [&](auto value) {
    for (int64_t i = 0; i < int64_t(data.size()) / size; ++i)
      values.push_back(value(i));
  });
  return values;
}

static std::string entryOf(const std::vector<std::string> &list, size_t i) {
  return i < list.size() ? list[i] : "";
}

/// Every value that this rank alone has, or has first.
template <typename Visit>
static void visitMine(Context &ctx, const pmrt_array &array,
                      const Visit &visit) {
  const Layout layout = layoutOf(ctx, array);
  const int64_t cells = layout.box(ctx.mesh).cells();
  if (!isFirstCopy(ctx.mesh, layout.axes()) || cells <= 0)
    return;
  const auto element = pmrt_element(array.element);
  std::vector<char> copy;
  const void *data =
      ctx.device->read(array.data, cells * elementSize(element), copy);
  visitAs(element, data, [&](auto value) {
    for (int64_t i = 0; i < cells; ++i)
      visit(value(i));
  });
}

/// Means over squares of cells: every rank adds its own, so that no rank holds
/// more than the picture.
static std::vector<double> averageMap(Context &ctx, const pmrt_array &array,
                                      Figure &figure, bool note) {
  constexpr int64_t most = 1024;
  const Layout layout = layoutOf(ctx, array);
  const std::vector<int64_t> cells = layout.cells();
  const int64_t fx = std::max<int64_t>(1, (cells[0] + most - 1) / most),
                fy = std::max<int64_t>(1, (cells[1] + most - 1) / most);
  figure.columns = (cells[0] + fx - 1) / fx;
  figure.rows = (cells[1] + fy - 1) / fy;
  const auto count = size_t(figure.columns * figure.rows);
  // Sums, then numbers of values that are finite.
  std::vector<double> sums(2 * count, 0.0);
  const Box mine = layout.box(ctx.mesh);
  if (isFirstCopy(ctx.mesh, layout.axes()) && mine.cells() > 0) {
    const auto element = pmrt_element(array.element);
    std::vector<char> copy;
    const void *data =
        ctx.device->read(array.data, mine.cells() * elementSize(element), copy);
    const Shard &along = mine.sides[0], &up = mine.sides[1];
    visitAs(element, data, [&](auto value) {
      const int64_t begin = along.offset / fx,
                    end = (along.offset + along.extent - 1) / fx + 1;
      ctx.threads.forRange(end - begin, [&](int64_t from, int64_t to) {
        const int64_t first = std::max((begin + from) * fx, along.offset),
                      last = std::min((begin + to) * fx,
                                      along.offset + along.extent);
        for (int64_t i = first; i < last; ++i) {
          // What of a row falls into one pixel lies together.
          const int64_t row = (i - along.offset) * up.extent - up.offset;
          for (int64_t j = up.offset; j < up.offset + up.extent;) {
            const int64_t pixel = j / fy,
                          next =
                              std::min((pixel + 1) * fy, up.offset + up.extent);
            double sum = 0, known = 0;
            for (; j < next; ++j) {
              const double one = value(row + j);
              const bool finite = std::isfinite(one);
              sum += finite ? one : 0;
              known += finite;
            }
            const auto at = size_t(i / fx * figure.rows + pixel);
            sums[at] += sum;
            sums[count + at] += known;
          }
        }
      });
    });
  }
  ctx.world.reduce(PMRT_SUM, int64_t(sums.size()), sums.data());
  std::vector<double> means(count);
  for (size_t i = 0; i < count; ++i)
    means[i] = sums[count + i] > 0 ? sums[i] / sums[count + i]
                                   : std::numeric_limits<double>::quiet_NaN();
  if (note && fx * fy > 1)
    figure.notes.push_back(
        fmt::format("each pixel is the mean of {} × {} cells", fx, fy));
  return means;
}

/// How many values of a field of any dims fall into each bin, on all ranks.
static std::vector<double> counted(Context &ctx, const pmrt_array &array,
                                   double low, double high, bool log,
                                   size_t bins) {
  std::vector<double> counts(bins, 0.0);
  visitMine(ctx, array, [&](double value) {
    if (!std::isfinite(value) || (log && value <= 0) || value < low ||
        value > high)
      return;
    const double part = log ? std::log(value / low) / std::log(high / low)
                            : (value - low) / (high - low);
    const double bin = std::floor(part * double(bins));
    counts[size_t(std::clamp(bin, 0.0, double(bins - 1)))] += 1;
  });
  ctx.world.reduce(PMRT_SUM, int64_t(bins), counts.data());
  return counts;
}

/// Numbers of values in bins of equal width, of all parts.
static void histogramOf(Context &ctx, const Plot &what, int32_t parts,
                        const pmrt_array *const *arrays, Figure &figure) {
  constexpr size_t bins = 64;
  constexpr double inf = std::numeric_limits<double>::infinity();
  double range[] = {inf, inf}; // least, minus the largest
  double left = 0, beyond = 0;
  for (int32_t part = 0; part < parts; ++part)
    visitMine(ctx, *arrays[part], [&](double value) {
      if (!std::isfinite(value) || (what.xlog && value <= 0)) {
        left += 1;
        return;
      }
      if (!what.xrange.empty() &&
          (value < what.xrange[0] || value > what.xrange[1])) {
        beyond += 1;
        return;
      }
      range[0] = std::min(range[0], value);
      range[1] = std::min(range[1], -value);
    });
  ctx.world.reduce(PMRT_MIN, 2, range);
  ctx.world.reduce(PMRT_SUM, 1, &left);
  ctx.world.reduce(PMRT_SUM, 1, &beyond);
  double low = range[0], high = -range[1];
  const bool any = low <= high;
  if (any && low == high)
    figure.notes.push_back(fmt::format("all values are {}", low));
  if (!(low < high)) { // one bin with all of them in the middle
    low = any ? low : 1;
    high = what.xlog ? low * 2 : low + std::max(std::abs(low), 1.0);
    low = what.xlog ? low / 2 : 2 * low - high;
  }
  if (!what.xrange.empty()) {
    low = what.xrange[0];
    high = what.xrange[1];
  }
  if (beyond > 0)
    figure.notes.push_back(fmt::format("{:.0f} value{} outside of the axis",
                                       beyond, beyond == 1 ? "" : "s"));
  if (left > 0)
    figure.notes.push_back(fmt::format(
        "{:.0f} value{} left out: not {}", left, left == 1 ? "" : "s",
        what.xlog ? "finite or not positive" : "finite"));
  // Both ends of every bin: the curve goes in steps.
  auto edge = [&](size_t i) {
    const double part = double(i) / double(bins);
    return what.xlog ? low * std::pow(high / low, part)
                     : low + (high - low) * part;
  };
  for (size_t i = 0; i < bins; ++i) {
    figure.x.push_back(edge(i));
    figure.x.push_back(edge(i + 1));
  }
  for (int32_t part = 0; part < parts; ++part) {
    FigureCurve curve{entryOf(what.labels, size_t(part)), "", {}};
    for (double count : counted(ctx, *arrays[part], low, high, what.xlog, bins))
      curve.values.insert(curve.values.end(), 2, count);
    figure.right.name += (part ? ", " : "") + curve.name;
    figure.curves.push_back(std::move(curve));
  }
  figure.right.unit = entryOf(what.units, 0);
  figure.up.name = "cells";
  figure.counts = true;
}

/// The name of a dim, and the unit of its length or "cells". Angles are lengths
/// in radians, and drawn as the spec writes them.
static FigureAxis dimAxis(const Context &ctx, const Plot &what,
                          const pmrt_array &array, size_t d) {
  const auto index = size_t(array.dims[d]);
  const Dim &dim = ctx.program.dims[index];
  FigureAxis axis;
  axis.name = dim.name;
  axis.length = ctx.lengths[index];
  axis.unit = entryOf(what.axes, d);
  axis.length /= d == 0 ? what.xunitSize : what.yunitSize;
  if (!(axis.length > 0) || axis.unit.empty()) {
    axis.length = double(dim.stored());
    axis.unit = "cells";
  } else if (axis.unit == "deg" || axis.unit == "arcmin") {
    const bool minutes = axis.unit == "arcmin";
    axis.length *= 180 / M_PI * (minutes ? 60 : 1);
    axis.unit = minutes ? "′" : "°";
  }
  return axis;
}

/// "z = 0 .. 8" with "0 to 25 Mpc/h" behind it.
static std::string subtitleOf(const Context &ctx, const Plot &what) {
  std::string text = what.subtitle;
  for (size_t i = 0; i + 3 < what.slices.size(); i += 4)
    for (size_t d = 0; d < ctx.program.dims.size(); ++d) {
      const Dim &dim = ctx.program.dims[d];
      if (dim.name != what.slices[i] || dim.kind != DimKind::Space ||
          dim.refine != 1 || !(ctx.lengths[d] > 0))
        continue;
      const double length = ctx.lengths[d];
      const SmallUnit *small =
          smallUnit(what.slices[i + 3], int(std::floor(std::log10(length))));
      const double cell = length / double(dim.extent) *
                          (small ? std::pow(10.0, -small->exponent) : 1);
      text += fmt::format("{}{:.4g} to {:.4g} {}", i == 0 ? ": " : ", ",
                          cell * std::stod(what.slices[i + 1]),
                          cell * std::stod(what.slices[i + 2]),
                          small ? small->name : what.slices[i + 3]);
      break;
    }
  return text;
}

/// A collective; complete on the first rank. Axes have the names of dims and
/// parts.
static Figure figureOf(Context &ctx, const Plot &what, int32_t parts,
                       const pmrt_array *const *arrays, size_t rank) {
  Figure figure;
  figure.title = what.title;
  figure.subtitle = subtitleOf(ctx, what);
  figure.colormap = what.colormap;
  figure.up.log = what.log;
  figure.right.log = what.xlog;
  if (what.histogram) {
    histogramOf(ctx, what, parts, arrays, figure);
    return figure;
  }
  figure.projection = what.projection;
  if (rank == 1 && !what.projection.empty()) { // pixels of HEALPix
    figure.value = {entryOf(what.labels, 0), entryOf(what.units, 0), what.log};
    figure.right.name = "longitude";
    figure.up.name = "latitude";
    projectMap(ctx, *arrays[0], figure);
    return figure;
  }
  if (rank == 2) {
    figure.right = dimAxis(ctx, what, *arrays[0], 0);
    figure.up = dimAxis(ctx, what, *arrays[0], 1);
    figure.value = {entryOf(what.labels, 0), entryOf(what.units, 0), what.log};
    if (figure.value.name.empty())
      figure.value.name = what.name;
    if (!what.projection.empty()) {
      projectMap(ctx, *arrays[0], figure);
      return figure;
    }
    figure.values = averageMap(ctx, *arrays[0], figure, /*note=*/true);
    for (int32_t part = 1; part < parts; ++part)
      figure.contours.push_back(
          {entryOf(what.labels, size_t(part)),
           entryOf(what.units, size_t(part)),
           averageMap(ctx, *arrays[part], figure, /*note=*/false)});
    return figure;
  }
  size_t band = 0; // which curve the next one belongs to
  for (int32_t part = 0; part < parts; ++part) {
    std::string style = entryOf(what.styles, size_t(part));
    if (style.empty())
      style = part == 0 && parts > 1 ? "x" : "line";
    std::vector<double> values = wholeCurve(ctx, *arrays[part]);
    if (style == "low") {
      figure.curves.at(band).low = std::move(values);
      continue;
    }
    if (style == "high") {
      figure.curves.at(band++).high = std::move(values);
      continue;
    }
    FigureCurve curve{entryOf(what.labels, size_t(part)),
                      entryOf(what.units, size_t(part)), std::move(values),
                      style == "points"};
    if (curve.name.empty())
      curve.name = style == "x" ? "x" : fmt::format("y{}", part);
    if (style != "x") {
      figure.curves.push_back(std::move(curve));
      continue;
    }
    figure.right = {curve.name, curve.unit};
    figure.x = std::move(curve.values);
  }
  if (entryOf(what.styles, 0) == "line" || parts == 1) {
    figure.right = dimAxis(ctx, what, *arrays[0], 0);
    if (figure.right.unit == "cells")
      figure.right.unit.clear(); // a number of coils, of links of a chain
    figure.x.resize(figure.curves[0].values.size());
    for (size_t i = 0; i < figure.x.size(); ++i)
      figure.x[i] = double(i) * figure.right.length / double(figure.x.size());
  }
  figure.right.log = what.xlog;
  figure.bins = what.bins;
  return figure;
}

void pmrt::tellLayout(const std::string &name, const Drawing &drawing) {
  const char *folder = std::getenv("PMRT_PLOT_LAYOUT");
  if (!folder || !*folder)
    return;
  std::string lines =
      fmt::format("page\t0\t0\t{}\t{}\t\n", drawing.width, drawing.height);
  for (const FigureText &text : drawing.texts)
    lines += fmt::format("{}\t{:.2f}\t{:.2f}\t{:.2f}\t{:.2f}\t{}\n", text.role,
                         text.x, text.y, text.width, text.height, text.text);
  writeWholeFile((std::filesystem::path(folder) / (name + ".layout")).string(),
                 lines);
}

/// A small picture on standard error, after its name.
static void showInTerminal(Context &ctx, const std::string &name,
                           const Figure &figure, const Drawing &drawn) {
  if (ctx.settings.plotsInTerminal.empty() || ctx.settings.quiet)
    return;
  Drawing drawing = drawn;
  if (ctx.settings.plots != PlotFormat::Png)
    drawingFunction()(figure, PlotFormat::Png, drawing);
  static const std::string found = terminalKind();
  const std::string &kind = ctx.settings.plotsInTerminal == "terminal"
                                ? found
                                : ctx.settings.plotsInTerminal;
  const int width = terminalWidth();
  std::string text;
  if (kind == "kitty") {
    text = kittyPicture(drawing.file, width);
  } else {
    // A character of a terminal is about 8 pixels wide.
    Pixels pixels;
    pixels.columns = kind == "sixel" ? 8 * width : width;
    pixels.rows = int(pixels.columns * drawing.height / drawing.width);
    pixels.rows += pixels.rows % 2;
    shrinkingFunction()(drawing.file, pixels.columns, pixels.rows,
                        pixels.bytes);
    text = kind == "sixel" ? sixels(pixels) : halfBlocks(pixels);
  }
  ctx.progress.clear();
  printTo(stderr, name + "\n" + text);
}

void pmrt_plot(pmrt_context *ctx, pmrt_loc loc, int32_t plot, int32_t parts,
               const pmrt_array *const *arrays) {
  if (plot < 0 || size_t(plot) >= ctx->program.plots.size() || parts < 1)
    throw ctx->failure(loc, fmt::format("internal error: plot {}", plot));
  const Plot &what = ctx->program.plots[size_t(plot)];
  const std::string at = std::exchange(ctx->iterations, std::string()),
                    name = what.figure + at;
  Op op(*ctx, loc, "plot");
  ctx->shape(loc, *arrays[0]); // checks dims and space
  const std::vector<int64_t> shape = layoutOf(*ctx, *arrays[0]).cells();
  if (shape.empty() || (!what.histogram &&
                        (shape.size() > 2 || (shape.size() == 2 && parts > 1 &&
                                              what.styles.empty()))))
    throw ctx->failure(
        loc, fmt::format("[PM9104] plot '{}' needs one 2-D field or several "
                         "1-D fields; it has {} of {} dims",
                         what.name, parts, shape.size()));
  for (int32_t part = 1; part < parts; ++part) {
    ctx->shape(loc, *arrays[part]);
    if (layoutOf(*ctx, *arrays[part]).cells() != shape)
      throw ctx->failure(loc, "internal error: the parts of a plot differ");
  }
  const PlotFormat format = ctx->settings.plots;
  if (format == PlotFormat::None && ctx->settings.plotsInTerminal.empty())
    return;
  Figure figure = figureOf(*ctx, what, parts, arrays, shape.size());
  const auto isAsked = [&](const char *axis) {
    return std::find(what.asked.begin(), what.asked.end(), axis) !=
           what.asked.end();
  };
  for (FigureContours &contours : figure.contours)
    contours.isAsked = isAsked("contours");
  for (auto [axis, label, range, letter] :
       {std::tuple(&figure.right, &what.xlabel, &what.xrange, "x"),
        {&figure.up, &what.ylabel, &what.yrange, "y"},
        {&figure.value, &what.clabel, &what.crange, "c"}}) {
    axis->isAsked = isAsked(letter);
    if (!label->empty())
      axis->name = *label;
    if (range->size() == 2) {
      axis->range = *range;
      axis->isGiven = true;
    }
  }
  // Axes of angles are drawn in degrees or minutes.
  if (figure.right.isGiven && shape.size() == 1 &&
      (figure.right.unit == "°" || figure.right.unit == "′"))
    for (double &end : figure.right.range)
      end *= 180 / M_PI * (figure.right.unit == "′" ? 60 : 1);
  if (!what.rows.empty()) {
    if (what.panel == 0)
      ctx->panels.clear();
    ctx->panels.push_back(std::move(figure));
    if (int64_t(what.panel) + 1 <
        std::accumulate(what.rows.begin(), what.rows.end(), int64_t(0)))
      return;
    figure = {};
    figure.title = what.heading;
    figure.panels = std::move(ctx->panels);
    figure.panelRows = what.rows;
    figure.shared = what.shared;
  }
  const std::string path =
      (std::filesystem::path(ctx->settings.out) / pictureFile(name, format))
          .string();
  if (format != PlotFormat::None)
    refuseTwice(*ctx, loc, path);
  std::string problem;
  if (ctx->transport->rank() == 0) {
    try {
      Drawing drawing;
      if (format != PlotFormat::None) {
        drawingFunction()(figure, format, drawing);
        // Frames are many, and seen together: those that share their scales
        // are drawn again when all are known.
        std::string file = drawing.file;
        if (ctx->port)
          ctx->port->draw(name, file);
        else if (format == PlotFormat::Png && at.empty())
          file = withFigure(file, figure);
        else if (format == PlotFormat::Png && what.shared)
          file = withWholeFigure(file, figure, drawing.ranges);
        if (!ctx->port)
          writeWholeFile(path, file, ctx->token);
        tellLayout(name, drawing);
      }
      showInTerminal(*ctx, name, figure, drawing);
    } catch (const std::runtime_error &e) {
      problem = std::string("[PM9007] ") + e.what();
    }
  }
  ctx->agree(loc, problem);
  if (format != PlotFormat::None)
    ctx->written.add(path);
  if (!at.empty() && format == PlotFormat::Png && !ctx->port)
    ctx->frames[what.figure].push_back(path);
}
