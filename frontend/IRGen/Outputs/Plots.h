//===- Plots.h - Plots of a spec --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H
#define PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H

#include "frontend/IRGen/Generator.h"

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

/// One picture of a figure.
struct PlotPanel {
  Argument arg;
  PlotLabels labels;
  std::vector<std::string> styles = {}; ///< of the parts; empty: as usual
  std::vector<std::string> rows = {};   ///< panels in each, empty: one in all
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
  mlir::DictionaryAttr getTexts(const PlotPanel &panel, pm::FieldType type,
                                llvm::ArrayRef<Unit> units);
  std::vector<PlotRange> getRanges(const PlotPanel &panel, pm::FieldType type,
                                   llvm::ArrayRef<Unit> units);

  Generator &g;
  const ast::PlotStmt &stmt;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_OUTPUTS_PLOTS_H
