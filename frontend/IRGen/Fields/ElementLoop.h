//===- ElementLoop.h - Loops of elements over fields ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_FIELDS_ELEMENTLOOP_H
#define PMC_FRONTEND_IRGEN_FIELDS_ELEMENTLOOP_H

#include "frontend/IRGen/Generator.h"

namespace pmc {

/// A loop in a map whose body reads cells that the elements say, or checks
/// something: what is checked comes before the map, and cells are sent before
/// it. So the loop goes over fields, before the map, and each iteration is a
/// map of its own. What it uses of the map that is being built becomes fields,
/// too.
class ElementLoop {
public:
  struct Places {
    llvm::SMLoc loc, init, body;
  };
  using Condition =
      llvm::function_ref<Value(const Value &carried, mlir::Value)>;

  /// Whether a loop that was compiled as part of its map has to be one of
  /// these.
  static bool isWanted(Generator &generator);

  /// `guess` is the type that the loop probably carries, or poison.
  ElementLoop(Generator &generator, const Value &init, const Value &guess,
              Places places);

  /// loop … for i in begin .. end
  Value count(const Value &begin, const Value &end, Generator::LoopBody body);
  /// loop … while
  Value repeat(Condition condition, Condition body);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  using Yields = llvm::SmallVectorImpl<mlir::Value>;
  /// Appends what the map yields for these elements; false after an error.
  using Body = llvm::function_ref<bool(mlir::ValueRange, Yields &)>;
  /// The loop's results, none if `next` is to be tried, or after an error.
  using Build =
      llvm::function_ref<Values(const Value &shape, const Values &, Value &)>;

  void moveNumbersOut();
  Value settle(Build build);
  bool isElement(mlir::Value value) const {
    return value.getParentBlock() == state.prologue.block;
  }
  bool giveNext(const Value &carried, const Value &result, const Value &shape,
                Value &next, Yields &yields);
  Values fieldsOf(mlir::ValueRange elements);
  Values map(mlir::ValueRange fields, Body body);
  void handElements(mlir::Operation *mark);
  mlir::Value largestOf(mlir::Value number);
  mlir::Value anyOf(mlir::Value field);

  Generator &g;
  ElementState &state;
  const Value &init, &guess;
  Places places;
  mlir::Location at;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_FIELDS_ELEMENTLOOP_H
