//===- PlotChecks.cpp - What a plot can show ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Plots.h"
#include "frontend/Sema/Rules/Program/Plots.h"
#include "frontend/Sema/Types/Constants.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

/// Whether the panel can draw its parts, which have these units.
bool PlotEmitter::checkPlot(const PlotPanel &panel,
                            llvm::ArrayRef<Unit> units) {
  llvm::ArrayRef<Value> parts = panel.arg.value;
  if (panel.arg.value.isTuple())
    parts = panel.arg.value.getElements();
  return checkDrawing(
      g.rules(), stmt,
      {panel.arg, parts, units, panel.rows.empty(), !panel.styles.empty()});
}

std::vector<PlotRange> PlotEmitter::getRanges(const PlotPanel &panel,
                                              pm::FieldType type,
                                              llvm::ArrayRef<Unit> units) {
  std::vector<PlotRange> ranges;
  auto add = [&](const ast::ExprPtr &range, const char *word, const Unit &unit,
                 bool isLogarithmic, double size) {
    if (!range)
      return;
    const auto &ends = llvm::cast<ast::RangeExpr>(*range);
    const Value low = g.evaluateArgument(*ends.begin).value,
                high = g.evaluateArgument(*ends.end).value;
    if (low.isPoison() || high.isPoison())
      return;
    if (checkAxisRange(g.rules(), *range, word, low, high, unit, isLogarithmic))
      ranges.push_back({word,
                        {formatNumber(*low.getConstReal() / size),
                         formatNumber(*high.getConstReal() / size)}});
  };
  auto isLog = [&](const ast::Name &own) {
    return (own.text.empty() ? stmt.scale : own).text == "log";
  };
  // Ends are in working units.
  auto sizeOfPart = [&](size_t part) {
    return part < panel.units.parts.size() && panel.units.parts[part]
               ? panel.units.parts[part]->unit.factor
               : 1;
  };
  const bool histogram = !stmt.histogram.text.empty();
  if (type.getRank() == 2 && !histogram) {
    add(stmt.crange, "crange", units[0], stmt.scale.text == "log",
        sizeOfPart(0));
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
      isLog(stmt.xscale),
      !isOverDim            ? sizeOfPart(0)
      : panel.units.dims[0] ? sizeOfSide(*panel.units.dims[0])
                            : 1);
  const size_t y = isOverDim ? 0 : 1;
  add(stmt.yrange, "yrange", histogram ? Unit() : units[y], isLog(stmt.yscale),
      histogram ? 1 : sizeOfPart(y));
  return ranges;
}
