//===- Optimize.h - optimize s from … minimizing … --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_DERIVATIVES_OPTIMIZE_H
#define PMC_FRONTEND_IRGEN_DERIVATIVES_OPTIMIZE_H

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Optimization.h"

namespace pmc {

/// An `optimize` statement.
class OptimizeEmitter {
public:
  OptimizeEmitter(Generator &generator, const ast::OptimizeStmt &stmt)
      : g(generator), stmt(stmt) {}

  void run();

private:
  /// What the statement is made of, once it has been evaluated.
  struct Optimization : Stages {
    Value start;              // the value to optimize, at run time
    Value method;             // the optimizer
    Value begin, end;         // of steps
    Value interval;           // of checks; poison: none
    int64_t historyCells = 0; // 0: no history
    std::string name;         // of messages and checkpoints
    Checkpointing states;
  };

  /// Where an iteration stands.
  struct Moment {
    mlir::Value iteration, stage;
    mlir::Value fresh; // the first one of its stage
    mlir::Value last;  // of its stage
    mlir::Value due;   // the loss is printed
    mlir::Value cell;  // of the history
    mlir::Value done;  // iterations of this stage, with this one
  };

  bool check();
  bool checkStages();
  bool checkSteps();
  Moment momentOf(const Value &iteration);
  Value step(const Value &carried, const Value &iteration);
  Value ofOptimized(const ast::Expr &function, const Value &optimized);
  void tellWhen(mlir::Value when, const std::string &text,
                mlir::ValueRange numbers, llvm::StringRef curve,
                mlir::Location at);
  Value recordLoss(const Value &history, mlir::Value cell, const Value &loss,
                   bool behind, llvm::SMLoc loc);
  Value emptyHistory(llvm::SMLoc loc);
  Value checkStep(const Value &optimized, const Value &known,
                  const Moment &moment);
  Value loop(const Value &initial);

  /// Then the rest of a history of one cell a step is filled afterwards.
  bool mayEndEarly() const {
    return stmt.condition && fit.historyCells && !stmt.historyCells;
  }

  Generator &g;
  const ast::OptimizeStmt &stmt;
  Optimization fit;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_DERIVATIVES_OPTIMIZE_H
