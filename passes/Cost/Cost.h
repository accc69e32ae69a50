//===- Cost.h - What ops cost -----------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_COST_H
#define PMC_PASSES_COST_COST_H

#include "dialect/IR/PM.h"

#include <map>
#include <optional>

namespace pmc::cost {

struct OpCost;
struct Sweeps;

/// How many ranks there are along mesh axes; nothing of an axis that is not in
/// it.
using Ranks = std::map<std::string, int64_t, std::less<>>;

/// A rank's place in a mesh, and what names stand for.
struct RankPosition {
  Ranks ranks;
  /// The place along each axis, from 0.
  Ranks index;
  /// Names that are no axes.
  Ranks values;
};

} // namespace pmc::cost

#include "passes/Cost/CostEnums.h.inc"

#include "passes/Cost/CostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "passes/Cost/CostAttrs.h.inc"

namespace pmc::cost {

/// The text's expression; null, with a message in `error`, if it is none.
ExprAttr parseExpr(mlir::MLIRContext *context, llvm::StringRef text,
                   std::string &error);

/// Whether there is an expression of this kind, names and operands.
bool isExpr(ExprKind kind, size_t names, llvm::ArrayRef<ExprAttr> operands);

/// Simplified where they are made.
ExprAttr getConstant(mlir::MLIRContext *context, int64_t value);
ExprAttr getSymbol(mlir::MLIRContext *context, llvm::StringRef name);
ExprAttr operator+(ExprAttr a, ExprAttr b);
ExprAttr operator-(ExprAttr a, ExprAttr b);
ExprAttr operator*(ExprAttr a, ExprAttr b);
ExprAttr operator*(int64_t a, ExprAttr b);
ExprAttr getMax(ExprAttr a, ExprAttr b);
ExprAttr getCeilDiv(ExprAttr a, ExprAttr b);
/// What the rank has of `whole`.
ExprAttr getPart(ExprAttr whole, llvm::ArrayRef<mlir::StringAttr> axes);
ExprAttr getCommon(ExprAttr a, ExprAttr b);
ExprAttr getView(ExprAttr part, ExprAttr lo, ExprAttr hi);
ExprAttr getSeen(ExprAttr part, ExprAttr lo, ExprAttr hi);

/// The rank's cells of a dim, of several, and the bytes of its part.
ExprAttr getPart(pm::DimAttr dim);
ExprAttr getCells(mlir::MLIRContext *context, llvm::ArrayRef<pm::DimAttr> dims);
ExprAttr getBytes(pm::GridType type);

/// How ranks talk.
enum class Pattern {
  AllToAll,  ///< all ranks along the axes with each other
  Neighbors, ///< with those beside it, along each axis
  AllReduce  ///< a sum that all get
};

/// Messages of one kind.
struct Message {
  Pattern pattern = Pattern::AllToAll;
  llvm::SmallVector<mlir::StringAttr> axes;
  /// What the rank sends in all; nothing where there is one rank.
  ExprAttr bytes;
  /// Of an all-to-all, what the rank has before; of a sum, the numbers.
  ExprAttr whole;
};

/// Transforms of rows that are whole on the rank.
struct RowTransforms {
  ExprAttr batch;
  int64_t length = 1;
  bool isReal = false, isSingle = true;
};

/// What the time is called that an op takes.
enum class Part { Transforms, Paint, Readout, Kernels, Files, Nothing };

struct OpCost {
  explicit OpCost(mlir::MLIRContext *context)
      : read(getConstant(context, 0)), written(read), operations(read),
        functions(read), lookups(read), cells(read), positions(read) {}

  Part part = Part::Nothing;
  /// Bytes of memory, each once.
  ExprAttr read, written;
  /// In floating point, transforms left out.
  ExprAttr operations;
  /// Of these, functions like exp and readings of tables, each of many.
  ExprAttr functions, lookups;
  /// Of meshes, that windows read from or add to.
  ExprAttr cells;
  /// Of particles, of which is found how far they are from their rank's part.
  ExprAttr positions;
  bool isSingle = true; ///< most of them in f32
  llvm::SmallVector<RowTransforms> transforms;
  llvm::SmallVector<Message> messages;
};

/// Fields that an op goes through.
struct Sweeps {
  llvm::SmallVector<mlir::Value> read, written;
};

} // namespace pmc::cost

#include "passes/Cost/CostInterfaces.h.inc"

namespace pmc::cost {

/// Attaches the interface to all ops of the pm dialect.
void registerCostModels(mlir::DialectRegistry &registry);

} // namespace pmc::cost

#endif // PMC_PASSES_COST_COST_H
