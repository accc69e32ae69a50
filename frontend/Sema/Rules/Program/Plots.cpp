//===- Plots.cpp - Rules of plots -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Program/Plots.h"

#include <cmath>
#include <functional>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

bool pmc::checkPanels(const RuleContext &context, const ast::PlotStmt &stmt,
                      size_t count, bool isInLoop) {
  const ast::Expr *part = stmt.points           ? stmt.points.get()
                          : !stmt.bands.empty() ? stmt.bands[0].get()
                                                : stmt.contours.get();
  if (count > 1 && part)
    return context.refuse(part->loc,
                          "[PM0908] points, bands and contours do not go "
                          "with several panels");
  return count > 1 || stmt.shared.text.empty() || isInLoop ||
         context.refuse(stmt.shared.loc,
                        "[PM0908] 'shared' requires several panels, or the "
                        "pictures of a loop, found one picture");
}

std::optional<std::vector<Value>> pmc::readExtra(const RuleContext &context,
                                                 const Argument &extra,
                                                 llvm::StringRef word,
                                                 bool isMap) {
  if ((word == "contours") != isMap) {
    context.error(
        extra, isMap
                   ? "[PM0908] '" + word + "' go with curves, and this is a map"
                   : "[PM0908] 'contours' go over a map, and these are curves");
    return std::nullopt;
  }
  std::vector<Value> parts = {extra.value};
  if (extra.value.isTuple())
    parts = extra.value.getElements();
  const bool isBand = word == "band";
  if (llvm::all_of(parts, std::mem_fn(&Value::isField)) &&
      (!isBand || parts.size() == 2))
    return parts;
  context.error(extra, isBand
                           ? "[PM0908] 'band' requires two fields, (low, high)"
                           : "[PM0908] '" + word + "' requires fields, not " +
                                 extra.value.describeType());
  return std::nullopt;
}

bool pmc::requireCurve(const RuleContext &context, const ast::Expr &band,
                       size_t position, size_t curves) {
  return position < curves ||
         context.refuse(band.loc,
                        "[PM0908] this band has no curve: the first one "
                        "belongs to the first curve, and so on");
}

bool pmc::requireBandUnit(const RuleContext &context, const ast::Expr &band,
                          const Value &low, const Value &high,
                          const Unit &unit) {
  for (const Value *end : {&high, &low})
    if (!end->getUnit().agrees(unit))
      return context.refuse(band.loc, "[PM0404] the band is in " +
                                          end->getUnit().str() +
                                          ", its curve in " + unit.str());
  return true;
}

bool pmc::requireLabels(const RuleContext &context, const ast::PlotStmt &stmt,
                        size_t names, bool arePanels) {
  if (names == stmt.labels.size())
    return true;
  return context.refuse(stmt.labels[0].loc,
                        "[PM0910] there " +
                            llvm::Twine(names == 1 ? "is " : "are ") +
                            llvm::Twine(names) +
                            (arePanels    ? " panels"
                             : names == 1 ? " curve or map"
                                          : " curves or maps") +
                            " to name, and " + llvm::Twine(stmt.labels.size()) +
                            (stmt.labels.size() == 1 ? " label" : " labels"));
}

bool pmc::requireSharedScales(const RuleContext &context, const Argument &panel,
                              bool agrees) {
  return agrees ||
         context.refuse(panel,
                        "[PM0908] this panel cannot share its scales with the "
                        "first one: it draws something else, or in "
                        "other units");
}

bool pmc::checkSideUnit(const RuleContext &context,
                        const ast::WrittenUnit &unit, llvm::StringRef word,
                        llvm::StringRef dim, const Unit *own) {
  const std::string why =
      own ? checkAsked(Quantity::known(*own), unit.unit, word + " " + unit.text)
          : ("[PM0404] '" + word + " " + unit.text + "': '" + dim +
             "' has no length, and is drawn in cells")
                .str();
  if (why.empty())
    return true;
  context.error(unit.loc, why).range(unit.range);
  return false;
}

bool pmc::requireApplied(const RuleContext &context, const ast::PlotStmt &stmt,
                         const ast::WrittenUnit &unit, llvm::StringRef word,
                         bool isApplied) {
  if (isApplied)
    return true;
  const bool isDouble = stmt.asked.loc.isValid() && &unit != &stmt.asked;
  std::string why = "[PM0404] '" + word.str() + " " + unit.text + "': ";
  if (isDouble)
    why += "the values have the unit of 'in " + stmt.asked.text + "', or ";
  if (word == "in")
    why += "no values here are in a unit of this kind";
  else if (word == "cunit")
    why += "no map here has a color bar in a unit of this kind";
  else
    why += "no " + word.take_front().str() +
           " axis here is in a unit of this kind";
  context.error(unit.loc, why).range(unit.range);
  return false;
}

//===----------------------------------------------------------------------===//
// One panel
//===----------------------------------------------------------------------===//

static int64_t healpixCells(int64_t least) {
  int64_t nside = 1;
  while (12 * nside * nside < least)
    ++nside;
  return 12 * nside * nside;
}

/// `isPicture`: the panel is a map.
static bool checkProjection(const RuleContext &context,
                            const ast::PlotStmt &stmt, const Drawing &drawing,
                            bool isPicture) {
  const ast::Name &projection = stmt.projection;
  if (projection.text.empty() || (!drawing.isAlone && !isPicture))
    return true;
  if (stmt.contours || !stmt.histogram.text.empty())
    return context.refuse(
        projection.loc,
        "[PM0911] a map in a projection has no contours, and is not a "
        "histogram");
  const Value &first = drawing.parts[0];
  const bool isSphere = projection.text == "mollweide" && first.isField() &&
                        first.getDims().size() == 1 &&
                        drawing.parts.size() == 1;
  if (!isPicture && !isSphere)
    return context.refuse(projection.loc,
                          projection.text == "polar"
                              ? "[PM0911] 'projection polar' draws a field of "
                                "two dims, an angle and a "
                                "radius"
                              : "[PM0911] 'projection mollweide' draws a field "
                                "of two dims, longitude and "
                                "latitude, or one of the pixels of HEALPix");
  const Dim &dim = first.getDims()[0];
  const int64_t cells = dim.isHalf() ? dim.extent / 2 + 1 : dim.extent;
  if (!isSphere || healpixCells(cells) == cells)
    return true;
  return context.refuse(drawing.arg,
                        "[PM0911] HEALPix has 12 nside² pixels, as many as " +
                            llvm::Twine(healpixCells(cells)) + ", and '" +
                            dim.getLabel() + "' has " + llvm::Twine(cells));
}

/// Scales and ranges that a map has not.
static bool checkPicture(const RuleContext &context,
                         const ast::PlotStmt &stmt) {
  for (const ast::Name *scale : {&stmt.xscale, &stmt.yscale})
    if (!scale->text.empty())
      return context.refuse(
          scale->loc,
          "[PM0908] a picture has no scales of its own for x and y; "
          "'scale' is that of its colors");
  for (const ast::ExprPtr *range : {&stmt.xrange, &stmt.yrange}) {
    if (!*range)
      continue;
    context
        .error((*range)->loc,
               "[PM0908] a map shows its whole sides; 'crange' gives the "
               "range of its colors")
        .range((*range)->range);
    return false;
  }
  return true;
}

/// Colors that curves have not.
static bool checkGraph(const RuleContext &context, const ast::PlotStmt &stmt) {
  if (stmt.crange) {
    context
        .error(stmt.crange->loc,
               "[PM0908] 'crange' is for the colors of a map; these "
               "are curves, which have 'xrange' and 'yrange'")
        .range(stmt.crange->range);
    return false;
  }
  if (!stmt.colors.text.empty())
    return context.refuse(stmt.colors.loc,
                          "[PM0908] 'colors' are those of a picture");
  return stmt.clabel.text.empty() ||
         context.refuse(
             stmt.clabel.loc,
             "[PM0908] clabel: these are curves, which have no color bar; "
             "'xlabel' and 'ylabel' name their axes");
}

bool pmc::checkDrawing(const RuleContext &context, const ast::PlotStmt &stmt,
                       const Drawing &drawing) {
  const Value &first = drawing.parts[0];
  const size_t rank = first.isField() ? first.getDims().size() : 0;
  const bool isHistogram = !stmt.histogram.text.empty();
  const bool isPicture =
      rank == 2 && !isHistogram && (drawing.parts.size() == 1 || stmt.contours);
  const bool isGraph = first.isField() && (rank == 1 || isHistogram);
  if (!checkProjection(context, stmt, drawing, isPicture))
    return false;
  if (first.isField() && isComplex(first.getStorage()))
    return context.refuse(
        drawing.arg,
        "[PM0907] 'plot' draws real fields, not " +
            drawing.arg.value.describeType() +
            "; draw abs(f), real(f) or imag(f) of a complex field f");
  if (!isPicture && !isGraph)
    return context.refuse(
        drawing.arg,
        "[PM0907] 'plot' draws a real field of 2 dims, or a tuple of fields of "
        "1 dim "
        "(x, then curves), not " +
            drawing.arg.value.describeType() +
            (rank > 2 ? "; take a slice, or draw its 'histogram'" : ""));
  if (isPicture && drawing.isAlone && !checkPicture(context, stmt))
    return false;
  if (isGraph && drawing.isAlone && stmt.projection.text.empty() &&
      !checkGraph(context, stmt))
    return false;
  if (isHistogram && !llvm::all_of(drawing.units, [&](const Unit &unit) {
        return unit.agrees(drawing.units[0]);
      }))
    return context.refuse(
        drawing.arg,
        "[PM0404] a histogram of several fields requires one unit");
  return !isHistogram || !drawing.hasStyles ||
         context.refuse(
             stmt.histogram.loc,
             "[PM0908] a histogram has no points, bands or contours");
}

static std::string findRangeMistake(const Value &low, const Value &high,
                                    const Unit &unit, bool isLogarithmic) {
  for (const Value *end : {&low, &high}) {
    if (!end->isConstNumber())
      return "expected numbers that the compiler knows, found " +
             end->describe();
    if (!end->hasAnyUnit() && !end->isConstZero() &&
        !end->getUnit().agrees(unit))
      return "the axis is " +
             (unit.isNumber() ? "a pure number" : "in " + unit.str()) +
             ", and an end of the range is " +
             (end->getUnit().isNumber() ? "a pure number"
                                        : "in " + end->getUnit().str());
  }
  const double from = *low.getConstReal(), to = *high.getConstReal();
  if (!std::isfinite(from) || !std::isfinite(to) || from >= to)
    return "expected a lower and a higher number";
  if (isLogarithmic && from <= 0)
    return "the scale is logarithmic, which requires numbers above 0";
  return "";
}

bool pmc::checkAxisRange(const RuleContext &context, const ast::Expr &range,
                         llvm::StringRef word, const Value &low,
                         const Value &high, const Unit &unit,
                         bool isLogarithmic) {
  const std::string mistake = findRangeMistake(low, high, unit, isLogarithmic);
  if (mistake.empty())
    return true;
  context.error(range.loc, "[PM0909] '" + word + "': " + mistake)
      .range(range.range);
  return false;
}
