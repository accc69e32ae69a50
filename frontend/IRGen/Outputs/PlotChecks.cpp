//===- PlotChecks.cpp - What a plot can show ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Plots.h"
#include "frontend/Sema/Constants.h"
#include "frontend/Sema/PlotRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

static bool isReal(pm::FieldType type) {
  return !llvm::isa<mlir::ComplexType>(type.getElementType());
}

/// How many cells HEALPix has for some nside, or the next number of that kind.
static int64_t healpixCells(int64_t least) {
  int64_t nside = 1;
  while (12 * nside * nside < least)
    ++nside;
  return 12 * nside * nside;
}

/// A map of the sky is of two dims, or of the cells of HEALPix.
bool PlotEmitter::checkProjection(const PlotPanel &panel,
                                  llvm::ArrayRef<mlir::Value> values,
                                  bool picture) {
  const ast::Name &projection = stmt.projection;
  if (projection.text.empty() || (!panel.rows.empty() && !picture))
    return true;
  auto type = llvm::dyn_cast<pm::FieldType>(values[0].getType());
  if (stmt.contours || !stmt.histogram.text.empty()) {
    g.error(projection.loc,
            "a map in a projection has no contours, and is not a "
            "histogram");
    return false;
  }
  bool sphere = projection.text == "mollweide" && type && type.getRank() == 1 &&
                values.size() == 1;
  if (!picture && !sphere) {
    g.error(projection.loc,
            projection.text == "polar"
                ? "'projection polar' draws a field of two dims, an angle and "
                  "a radius"
                : "'projection mollweide' draws a field of two dims, longitude "
                  "and latitude, or one of the pixels of HEALPix");
    return false;
  }
  int64_t cells = type.getDims()[0].getStoredExtent();
  if (sphere && healpixCells(cells) != cells) {
    g.error(panel.arg, "HEALPix has 12 nside² pixels, as many as " +
                           llvm::Twine(healpixCells(cells)) + ", and '" +
                           type.getDims()[0].getLabel() + "' has " +
                           llvm::Twine(cells));
    return false;
  }
  return true;
}

/// Reports a panel that cannot be drawn with the options, and returns false.
bool PlotEmitter::checkPlot(const PlotPanel &panel,
                            llvm::ArrayRef<mlir::Value> values,
                            llvm::ArrayRef<Unit> units) {
  auto type = llvm::dyn_cast<pm::FieldType>(values[0].getType());
  bool histogram = !stmt.histogram.text.empty();
  bool picture = type && type.getRank() == 2 && !histogram &&
                 (values.size() == 1 || stmt.contours);
  bool graph = type && (type.getRank() == 1 || histogram);
  if (!checkProjection(panel, values, picture))
    return false;
  if ((!picture && !graph) || !isReal(type)) {
    g.error(panel.arg,
            "'plot' draws a real field of 2 dims, or a tuple of fields of 1 "
            "dim (x, then curves), not " +
                panel.arg.value.describeType() +
                (type && type.getRank() > 2
                     ? "; take a slice, or draw its 'histogram'"
                     : ""));
    return false;
  }
  bool alone = panel.rows.empty();
  for (const ast::Name *scale : {&stmt.xscale, &stmt.yscale})
    if (picture && alone && !scale->text.empty()) {
      g.error(scale->loc, "a picture has no scales of its own for x and y; "
                          "'scale' is that of its colours");
      return false;
    }
  for (const ast::ExprPtr *range : {&stmt.xrange, &stmt.yrange})
    if (picture && alone && *range) {
      g.error((*range)->loc, "a map shows its whole sides; 'crange' gives the "
                             "range of its colors")
          .range((*range)->range);
      return false;
    }
  if (graph && alone && stmt.projection.text.empty() && stmt.crange) {
    g.error(stmt.crange->loc, "'crange' is for the colors of a map; these are "
                              "curves, which have 'xrange' and 'yrange'")
        .range(stmt.crange->range);
    return false;
  }
  if (graph && alone && stmt.projection.text.empty() &&
      !stmt.colors.text.empty()) {
    g.error(stmt.colors.loc, "'colors' are those of a picture");
    return false;
  }
  if (graph && alone && stmt.projection.text.empty() &&
      !stmt.clabel.text.empty()) {
    g.error(stmt.clabel.loc, "clabel: these are curves, which have no color "
                             "bar; 'xlabel' and 'ylabel' name their axes");
    return false;
  }
  if (histogram && !llvm::all_of(units, [&](const Unit &unit) {
        return unit.agrees(units[0]);
      })) {
    g.error(panel.arg, "a histogram of several fields requires one unit");
    return false;
  }
  if (histogram && !panel.styles.empty()) {
    g.error(stmt.histogram.loc, "a histogram has no points, bands or contours");
    return false;
  }
  return true;
}

/// Options that several panels, or one, cannot have.
bool PlotEmitter::checkPanels(size_t count) {
  const ast::Expr *part = stmt.points           ? stmt.points.get()
                          : !stmt.bands.empty() ? stmt.bands[0].get()
                                                : stmt.contours.get();
  if (count > 1 && part)
    g.error(part->loc, "points, bands and contours do not go with several "
                       "panels");
  else if (count == 1 && !stmt.shared.text.empty() && g.iterations.empty())
    g.error(stmt.shared.loc, "'shared' is for the scales of several panels, or "
                             "of a loop's pictures, and this is one");
  else
    return true;
  return false;
}

std::vector<PlotRange> PlotEmitter::getRanges(const PlotPanel &panel,
                                              pm::FieldType type,
                                              llvm::ArrayRef<Unit> units) {
  std::vector<PlotRange> ranges;
  auto add = [&](const ast::ExprPtr &range, const char *word, const Unit &unit,
                 bool isLogarithmic) {
    if (!range)
      return;
    const auto &ends = llvm::cast<ast::RangeExpr>(*range);
    const Value low = g.evaluateArgument(*ends.begin).value,
                high = g.evaluateArgument(*ends.end).value;
    if (low.isPoison() || high.isPoison())
      return;
    const std::string mistake =
        findRangeMistake(low, high, unit, isLogarithmic);
    if (mistake.empty())
      ranges.push_back({word,
                        {formatNumber(*low.getConstReal()),
                         formatNumber(*high.getConstReal())}});
    else
      g.error(range->loc, llvm::Twine("'") + word + "': " + mistake)
          .range(range->range);
  };
  auto isLog = [&](const ast::Name &own) {
    return (own.text.empty() ? stmt.scale : own).text == "log";
  };
  const bool histogram = !stmt.histogram.text.empty();
  if (type.getRank() == 2 && !histogram) {
    add(stmt.crange, "crange", units[0], stmt.scale.text == "log");
    return ranges;
  }
  const bool isOverDim =
      !histogram &&
      (panel.styles.empty() ? units.size() == 1 : panel.styles[0] == "line");
  auto dim =
      isOverDim ? g.dims.find(type.getDims()[0].getName()) : g.dims.end();
  add(stmt.xrange, "xrange",
      !isOverDim                                         ? units[0]
      : dim == g.dims.end() || dim->second.lengthIsCells ? Unit()
                                                         : dim->second.unit,
      isLog(stmt.xscale));
  add(stmt.yrange, "yrange", histogram ? Unit() : units[isOverDim ? 0 : 1],
      isLog(stmt.yscale));
  return ranges;
}
