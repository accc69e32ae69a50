//===- Draw.cpp - The panels of a figure ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libpmrt_plot.so: the only files that include a drawing library, loaded when a
// program plots.
//
//===----------------------------------------------------------------------===//

#include "runtime/Draw/ColourBar.h"
#include "runtime/Draw/Panel.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <optional>

using namespace pmrt;

static constexpr Colour note{0.35, 0.35, 0.35};
static constexpr double titleLine = 20, noteLine = 13;

std::string pmrt::plural(size_t count, const char *what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string pmrt::shortNumber(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  for (size_t at = 0; (at = text.find('-', at)) != std::string::npos;)
    text.replace(at, 1, "−");
  return text;
}

std::string pmrt::firstOf(const std::vector<std::string> &names) {
  constexpr size_t most = 3;
  std::vector<std::string> once;
  for (const std::string &name : names)
    if (std::find(once.begin(), once.end(), name) == once.end())
      once.push_back(name);
  if (once.size() > most) {
    once.resize(most);
    once.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(once, ", "));
}

static double headingHeight(const Figure &figure) {
  return margin + (figure.title.empty() ? 0 : titleLine) +
         (figure.subtitle.empty() ? 0 : noteLine + 2) + 4;
}

/// Title and subtitle from `top` on, in that width.
static void drawHeading(Paper &paper, const Figure &figure, double x,
                        double top, double width) {
  double y = top + margin + titleLine / 2 - 2;
  auto write = [&](const char *role, const std::string &text, double size,
                   bool bold, Colour colour) {
    const TextStyle style{size, bold, false, 0, colour};
    paper.text(role, x, y, Paper::fitted(text, style, width), style);
  };
  if (!figure.title.empty()) {
    write("title", figure.title, 13, true, ink);
    y += titleLine - 2;
  }
  if (!figure.subtitle.empty())
    write("subtitle", figure.subtitle, 10, false, note);
}

static double heightOf(const std::vector<std::string> &notes) {
  return notes.empty() ? margin / 2 : double(notes.size()) * noteLine + margin;
}

namespace {

/// Panels in rows; those below one another have common edges.
class Sheet {
public:
  explicit Sheet(const Figure &figure);
  Drawing draw(PlotFormat format) const;

private:
  struct PanelCell {
    size_t row, column;
    std::unique_ptr<Panel> panel;
  };
  struct Column {
    double left = 0, width = 0, right = 0;
    double all() const { return left + width + right; }
  };
  struct Row {
    double heading = 0, height = 0, below = 0;
    double all() const { return heading + height + below; }
  };
  const Figure &figure;
  std::vector<PanelCell> cells;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;
  std::optional<ColourBar> bar; ///< of all panels: maps that share their scale

  void addBar(const std::vector<const Figure *> &maps);
  /// From the top of the first row of panels to the bottom of the last one.
  double panelsHeight() const;
};

} // namespace

Sheet::Sheet(const Figure &figure) : figure(figure), notes(figure.notes) {
  std::vector<const Figure *> all;
  std::vector<int64_t> counts = figure.panelRows;
  for (const Figure &panel : figure.panels)
    all.push_back(&panel);
  if (all.empty()) {
    all = {&figure};
    counts = {1};
    notes.clear(); // its panel has them
  }
  const int64_t most = *std::max_element(counts.begin(), counts.end());
  const double size = all.size() == 1 ? 1 : most <= 2 ? 0.75 : 0.6;
  columns.resize(size_t(most));
  rows.resize(counts.size());
  size_t row = 0, column = 0;
  for (const Figure *one : all) {
    while (row + 1 < counts.size() && int64_t(column) >= counts[row]) {
      ++row;
      column = 0;
    }
    std::vector<const Figure *> common = {one};
    if (figure.shared)
      common = all;
    auto panel = one->curves.empty() ? makeMap(*one, size, common)
                                     : makeCurves(*one, size, common);
    Column &wide = columns[column];
    wide.left = std::max(wide.left, panel->left);
    wide.width = std::max(wide.width, panel->width);
    wide.right = std::max(wide.right, panel->right);
    Row &high = rows[row];
    high.heading = std::max(high.heading, headingHeight(*one));
    high.height = std::max(high.height, panel->height);
    high.below = std::max(high.below, panel->below);
    for (const std::string &text : panel->notes) {
      const std::string whole =
          all.size() == 1 || figure.shared || one->title.empty()
              ? text
              : one->title + ": " + text;
      if (std::find(notes.begin(), notes.end(), whole) == notes.end())
        notes.push_back(whole);
    }
    cells.push_back({row, column, std::move(panel)});
    ++column;
  }
  if (figure.shared && all.size() > 1 && all[0]->curves.empty())
    addBar(all);
}

double Sheet::panelsHeight() const {
  double height = -rows.front().heading - rows.back().below;
  for (const Row &row : rows)
    height += row.all();
  return height;
}

void Sheet::addBar(const std::vector<const Figure *> &maps) {
  std::vector<std::string> names, known; // the panels have these notes
  for (const Figure *map : maps)
    names.push_back(map->value.name);
  const Colouring colours = colouringOf(*maps[0], maps, known);
  if (!colours.known)
    return;
  FigureAxis what = maps[0]->value;
  what.name = firstOf(names);
  bar.emplace(what, colours, panelsHeight());
}

Drawing Sheet::draw(PlotFormat format) const {
  const bool several = !figure.panels.empty();
  const double top =
      several && !figure.title.empty() ? headingHeight(figure) : 0;
  double page = 0, below = top;
  for (const Column &column : columns)
    page += column.all();
  const double panelsEnd = page;
  if (bar)
    page += bar->padding() - columns.back().right;
  for (const Row &row : rows)
    below += row.all();
  Paper paper(format, page, below + heightOf(notes));
  if (top > 0)
    drawHeading(paper, figure, margin, 0, page - 2 * margin);
  for (const PanelCell &cell : cells) {
    double x = columns[cell.column].left, y = top;
    for (size_t i = 0; i < cell.column; ++i)
      x += columns[i].all();
    for (size_t i = 0; i < cell.row; ++i)
      y += rows[i].all();
    const Panel &panel = *cell.panel;
    drawHeading(paper, panel.figure, x, y,
                columns[cell.column].width + columns[cell.column].right -
                    margin);
    const Area area{x, y + rows[cell.row].heading, panel.width, panel.height};
    panel.draw(paper, area);
    const TextStyle style{10, false, false, 0.5, panel.hintColour};
    if (!panel.hint.empty())
      paper.text("hint", area.x + area.width / 2, area.y + area.height / 2,
                 Paper::fitted(panel.hint, style, area.width), style);
  }
  if (bar)
    bar->draw(paper, panelsEnd - columns.back().right,
              top + rows.front().heading);
  double y = below + noteLine / 2;
  const TextStyle style{9, false, false, 0, note};
  for (const std::string &text : notes) {
    paper.text("note", margin, y, Paper::fitted(text, style, page - 2 * margin),
               style);
    y += noteLine;
  }
  Drawing drawing = paper.finish();
  for (const PanelCell &cell : cells)
    drawing.ranges.push_back(cell.panel->ranges);
  return drawing;
}

//===----------------------------------------------------------------------===//
// What the plugin exports
//===----------------------------------------------------------------------===//

int pmrt_plot_plugin_version() { return PMRT_PLOT_PLUGIN_VERSION; }

void pmrt_plot_plugin_draw(const Figure &figure, PlotFormat format,
                           Drawing &drawing) {
  // All figures of the process share the fonts and the surface that measures
  // text, including the figures of other sessions. Therefore one figure is
  // drawn at a time.
  static std::mutex one;
  const std::lock_guard guard(one);
  drawing = Sheet(figure).draw(format);
}
