//===- Plots.h - Rules of plots ---------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_PLOTS_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_PLOTS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Panels ---------------------------------------------------------===//

/// Parts that go with several panels, and scales that panels share.
bool checkPanels(const RuleContext &context, const ast::PlotStmt &stmt,
                 size_t count, bool isInLoop);
/// Fields that are drawn over others: `word` is "points", "band" or "contours".
/// `isMap`: the others are a map.
std::optional<std::vector<Value>> readExtra(const RuleContext &context,
                                            const Argument &extra,
                                            llvm::StringRef word, bool isMap);
/// A band belongs to one of so many curves.
bool requireCurve(const RuleContext &context, const ast::Expr &band,
                  size_t position, size_t curves);
/// The ends of a band are in the unit of its curve.
bool requireBandUnit(const RuleContext &context, const ast::Expr &band,
                     const Value &low, const Value &high, const Unit &unit);
/// One label for each of the names of panels or curves.
bool requireLabels(const RuleContext &context, const ast::PlotStmt &stmt,
                   size_t names, bool arePanels);
/// A panel that shares its scales draws the same as the first one.
/// The length of a dim is drawn in a unit. `own`: that of the length, or null.
bool checkSideUnit(const RuleContext &context, const ast::WrittenUnit &unit,
                   llvm::StringRef word, llvm::StringRef dim, const Unit *own);
bool requireApplied(const RuleContext &context, const ast::PlotStmt &stmt,
                    const ast::WrittenUnit &unit, llvm::StringRef word,
                    bool isApplied);
bool requireSharedScales(const RuleContext &context, const Argument &panel,
                         bool agrees);

//===--- One panel ------------------------------------------------------===//

/// What a panel draws.
struct Drawing {
  const Argument &arg;
  llvm::ArrayRef<Value> parts;
  llvm::ArrayRef<Unit> units;
  bool isAlone = true;    ///< the only panel
  bool hasStyles = false; ///< it has points, bands or contours
};
bool checkDrawing(const RuleContext &context, const ast::PlotStmt &stmt,
                  const Drawing &drawing);
/// The ends of an axis in this unit.
bool checkAxisRange(const RuleContext &context, const ast::Expr &range,
                    llvm::StringRef word, const Value &low, const Value &high,
                    const Unit &unit, bool isLogarithmic);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_PLOTS_H
