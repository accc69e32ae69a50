//===- PlotUnits.cpp - Units that a plot is drawn in ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are divided by the unit, as for outputs and messages. The program
// divides the lengths of dims, which only it knows.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Outputs/Plots.h"
#include "frontend/Sema/Rules/Program/Plots.h"

using namespace pmc;

/// The program itself converts angles, which are in radians.
double pmc::sizeOfSide(const ast::WrittenUnit &unit) {
  return unit.text == "deg" || unit.text == "arcmin" ? 1 : unit.unit.factor;
}

/// Converts the values of a panel, and notes the unit of each.
bool PlotEmitter::convertParts(PlotPanel &panel, size_t panels) {
  const bool isTuple = panel.arg.value.isTuple();
  std::vector<Value> parts = {panel.arg.value};
  if (isTuple)
    parts = panel.arg.value.getElements();
  PlotUnits &units = panel.units;
  units.parts.assign(parts.size(), nullptr);
  bool good = true;
  const auto convert = [&](size_t part, const ast::WrittenUnit *unit,
                           llvm::StringRef word, const char *axis) {
    if (!unit || !unit->loc.isValid() || !good)
      return;
    // Other panels may have such values.
    if (panels > 1 &&
        !checkAsked(parts[part].getQuantity(), unit->unit, unit->text).empty())
      return;
    Argument one = panel.arg;
    one.value = parts[part];
    parts[part] = g.inAsked(one, *unit, word);
    good = !parts[part].isPoison();
    units.parts[part] = unit;
    applied.insert(unit);
    if (!llvm::is_contained(units.axes, axis))
      units.axes.push_back(axis);
  };
  // `in mm`, or the option of the axis that shows the values.
  const auto convertValue = [&](size_t part, const ast::WrittenUnit &own,
                                llvm::StringRef word, const char *axis) {
    if (stmt.asked.loc.isValid())
      convert(part, &stmt.asked, "in", axis);
    else
      convert(part, &own, word, axis);
  };
  const Value &first = parts[0];
  const size_t rank = first.isField() ? first.getDims().size() : 0;
  if (!stmt.histogram.text.empty()) {
    for (size_t i = 0; i < parts.size(); ++i)
      convertValue(i, stmt.xunit, "xunit", "x");
  } else if (rank == 2 ||
             (!stmt.projection.text.empty() && parts.size() == 1)) {
    convertValue(0, stmt.cunit, "cunit", "c");
    for (size_t i = 1; i < parts.size(); ++i)
      convert(i, &stmt.contoursAsked, "in", "contours");
  } else {
    const bool hasX =
        panel.styles.empty() ? parts.size() > 1 : panel.styles[0] == "x";
    if (hasX)
      convert(0, &stmt.xunit, "xunit", "x");
    for (size_t i = hasX ? 1 : 0; i < parts.size(); ++i)
      convertValue(i, stmt.yunit, "yunit", "y");
  }
  panel.arg.value = isTuple ? Value::tuple(std::move(parts)) : parts[0];
  return good;
}

/// Notes the units of the lengths of dims.
bool PlotEmitter::convertDims(PlotPanel &panel, size_t panels) {
  llvm::ArrayRef<Value> parts = panel.arg.value;
  if (panel.arg.value.isTuple())
    parts = panel.arg.value.getElements();
  if (!parts[0].isField() || !stmt.histogram.text.empty())
    return true;
  const auto type = llvm::cast<pm::FieldType>(getSSA(parts[0]).getType());
  const bool isMap = type.getRank() == 2;
  const bool isOverDim =
      type.getRank() == 1 && stmt.projection.text.empty() &&
      (panel.styles.empty() ? parts.size() == 1 : panel.styles[0] == "line");
  for (auto [unit, axis, word] :
       {std::tuple(&stmt.xunit, 0, "xunit"), {&stmt.yunit, 1, "yunit"}}) {
    if (!unit->loc.isValid() || !(isMap || (isOverDim && axis == 0)))
      continue;
    const pm::DimAttr dim = type.getDims()[axis];
    const auto it = g.dims.find(dim.getName());
    const bool hasLength =
        dim.isSpace() && it != g.dims.end() && !it->second.lengthIsCells;
    const Unit own = hasLength ? it->second.unit : Unit();
    if (panels > 1 && (!hasLength || !own.agrees(unit->unit)))
      continue;
    if (!checkSideUnit(g.rules(), *unit, word, dim.getLabel(),
                       hasLength ? &own : nullptr))
      return false;
    panel.units.dims[axis] = unit;
    panel.units.axes.push_back(axis == 0 ? "x" : "y");
    applied.insert(unit);
  }
  return true;
}

bool PlotEmitter::convert(std::vector<PlotPanel> &panels) {
  for (PlotPanel &panel : panels)
    if (!panel.arg.value.isPoison() && (!convertParts(panel, panels.size()) ||
                                        !convertDims(panel, panels.size())))
      return false;
  for (auto [unit, word] : {std::pair(&stmt.asked, "in"),
                            {&stmt.xunit, "xunit"},
                            {&stmt.yunit, "yunit"},
                            {&stmt.cunit, "cunit"},
                            {&stmt.contoursAsked, "in"}})
    if (unit->loc.isValid() &&
        !requireApplied(g.rules(), stmt, *unit, word, applied.contains(unit)))
      return false;
  return true;
}
