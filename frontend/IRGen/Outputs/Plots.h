//===- Plots.h - Plots of a spec --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H
#define PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H

#include "frontend/IRGen/Generator.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace pmc {

/// Names of the values of a figure.
struct PlotLabels {
  std::string title, subtitle;
  std::vector<std::string> parts;
  /// Of slices with known bounds: dim, first cell, the one behind the last.
  std::vector<std::string> slices = {};
};

/// Both ends of an axis in base units: of "xrange", "yrange" or "crange".
struct PlotRange {
  const char *word;
  std::vector<std::string> ends;
};

/// The units that the user asks for, as far as they apply to a panel.
struct PlotUnits {
  /// Of each part; null: its own.
  std::vector<const ast::WrittenUnit *> parts = {};
  /// Of the sides of a map, or of the dim that a curve is over; or null.
  const ast::WrittenUnit *dims[2] = {};
  /// "x", "y", "c" and "contours": which of them are asked for.
  std::vector<std::string> axes = {};
};

/// How long such a unit is in the program's numbers for a dim's length.
double sizeOfSide(const ast::WrittenUnit &unit);

/// One picture of a figure.
struct PlotPanel {
  Argument arg;
  PlotLabels labels;
  std::vector<std::string> styles = {}; ///< of the parts; empty: as usual
  std::vector<std::string> rows = {};   ///< panels in each, empty: one in all
  PlotUnits units = {};
};

/// A `plot` statement.
class PlotEmitter {
public:
  PlotEmitter(Generator &generator, const ast::PlotStmt &stmt)
      : g(generator), stmt(stmt) {}

  void run();

private:
  std::string textOf(const ast::Expr &expr) const;
  PlotLabels labelsOf(const ast::Expr &expr, size_t count) const;
  std::vector<PlotPanel> panelsOf(const Argument &arg) const;
  bool checkPlot(const PlotPanel &panel, llvm::ArrayRef<Unit> units);
  bool addParts(PlotPanel &panel);
  bool nameParts(std::vector<PlotPanel> &panels);
  bool convertParts(PlotPanel &panel, size_t panels);
  bool convertDims(PlotPanel &panel, size_t panels);
  bool convert(std::vector<PlotPanel> &panels);
  mlir::DictionaryAttr getTexts(const PlotPanel &panel, pm::FieldType type,
                                llvm::ArrayRef<Unit> units);
  std::vector<PlotRange> getRanges(const PlotPanel &panel, pm::FieldType type,
                                   llvm::ArrayRef<Unit> units);

  Generator &g;
  const ast::PlotStmt &stmt;
  llvm::SmallPtrSet<const ast::WrittenUnit *, 4> applied;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H
