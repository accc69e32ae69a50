//===- Counts.h - How often ops are executed --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_COUNTS_H
#define PMC_PASSES_COST_COUNTS_H

#include "passes/Cost/Cost.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <string>

namespace pmc::cost {

/// Values of parameters that replace their defaults.
using Parameters = std::map<std::string, double, std::less<>>;

/// How often each op that may cost something is executed, with inputs that are
/// not given; 0 of branches that are not taken.
class Counts {
public:
  Counts(mlir::ModuleOp module, const Parameters &parameters)
      : module(module), parameters(parameters) {}

  void count(mlir::func::FuncOp function) {
    count(function.getBody().front(), 1);
  }

  const llvm::MapVector<mlir::Operation *, double> &get() const {
    return times;
  }
  /// Loops and branches about which nothing is known before the program runs:
  /// counted as one step, and as taken.
  const llvm::SetVector<mlir::Operation *> &getAssumed() const {
    return assumed;
  }
  /// The number with parameters as given, if it follows from them.
  std::optional<double> evaluate(mlir::Value value);

private:
  /// The constant that the value is; null if it does not follow from
  /// parameters.
  mlir::Attribute fold(mlir::Value value);
  void count(mlir::Block &block, double often);
  void countLoop(mlir::scf::ForOp loop, double often);
  /// Whether loops and branches inside depend on the step.
  bool isUniform(mlir::scf::ForOp loop, double from);

  mlir::ModuleOp module;
  const Parameters &parameters;
  llvm::MapVector<mlir::Operation *, double> times;
  llvm::SetVector<mlir::Operation *> assumed;
  llvm::DenseMap<mlir::Value, double> known; ///< steps of loops
};

} // namespace pmc::cost

#endif // PMC_PASSES_COST_COUNTS_H
