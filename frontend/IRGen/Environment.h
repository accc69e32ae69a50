//===- Environment.h - What surrounds an expression -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_ENVIRONMENT_H
#define PMC_FRONTEND_IRGEN_ENVIRONMENT_H

#include "frontend/IRGen/Lowering.h"
#include "frontend/Sema/Limits.h"
#include "frontend/Sema/Messages.h"
#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Names/Scope.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace pmc {

/// A place at the start of a block where values are computed once.
struct Prologue {
  mlir::Block *block = nullptr;
  mlir::Operation *last = nullptr; // of the prologue; null: nothing yet
  llvm::StringMap<Value> values;

  void setInsertionPoint(mlir::OpBuilder &builder) const {
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(block);
  }
  void update(mlir::OpBuilder &builder) {
    if (builder.getInsertionPoint() != block->begin())
      last = &*std::prev(builder.getInsertionPoint());
  }
};

/// The body of a map, reduction or binning that is being compiled.
struct ElementState {
  unsigned id = 0; // coordinate vectors name it
  llvm::SmallVector<pm::DimAttr> domain;
  Prologue prologue;
  mlir::OpBuilder::InsertPoint outside; // where the map will be
  llvm::SmallVector<mlir::Value> inputs;
  llvm::DenseMap<mlir::Value, Value> elements; // by field
  bool wide = false; // reads a field of f64 though fields are f32
  /// The conditions of the branches around, and whether they hold there.
  llvm::SmallVector<std::pair<mlir::Value, bool>> guards;
  /// A loop of the body checks something or reads cells that elements say,
  /// which requires a loop over fields (`ElementLoop.h`).
  bool wantsFields = false;
  llvm::SMLoc loc;
};

/// What surrounds the expression that is being compiled.
struct Frame {
  const ModuleInfo *module = nullptr;
  Scope *scope = nullptr;                       // null at the top level
  const llvm::StringMap<Value> *lets = nullptr; // of the top level
  Prologue *entry = nullptr;                    // of the function
  ElementState *element = nullptr;              // in element mode
  mlir::LocationAttr callers;                   // of a call expanded inline
  mlir::LocationAttr libraryCall; // in a function of the library: the call of
                                  // the spec that leads to it
  const char *scalarsOnly = nullptr; // where there can be no fields, in words
  bool constantsOnly = false;        // the value is needed when compiling
  bool inlineCalls = false;
  bool inFreeMap = false;  // in a map over dims that a check does not know
  bool runsAlways = false; // every run executes the function of `entry`
};

/// An index, and the dim that it counts along: null for a plain number.
struct DimIndex {
  pm::DimAttr dim;
  Value value;
  llvm::SMLoc loc;
  llvm::SMRange range;
};

/// An index that is a sum of dims with their numbers and of a plain number.
struct SumIndex {
  llvm::SmallVector<std::pair<pm::DimAttr, int64_t>, 2> terms;
  Value value;
  llvm::SMLoc loc;
  llvm::SMRange range;
};

/// Such an index of a dim, f[x = 8 * X + u]. In a gather the plain number may
/// be a field of ints, or one for each element.
struct NamedIndex {
  const ast::Name *name; ///< null: it is along `dim`
  SumIndex sum;
  std::optional<pm::Edge> edge;
  bool isGathered = false; ///< the elements say which cell
  std::shared_ptr<const Argument> beyond =
      {}; ///< a value there, the edge is zero
  pm::DimAttr dim = {};
};

/// Cells of a dim, i64: elements outside of [first, end) do not count.
struct SliceBounds {
  pm::DimAttr dim;
  mlir::Value first, end;
};

/// A constant number of cells along a dim, and what is beyond its ends.
struct DimOffset {
  pm::DimAttr dim;
  int64_t cells;
  pm::Edge edge;
  llvm::SMLoc loc;
  std::shared_ptr<const Argument> beyond =
      {}; ///< a value there, the edge is zero
};

/// Position of a dim of the field with the name of `dim`, or -1.
int findDimOf(pm::FieldType type, pm::DimAttr dim);

/// While the body of a loop of the spec is compiled: its iteration is one of
/// those around statements.
class AroundStatements {
public:
  AroundStatements(std::vector<Value> &iterations, Value iteration)
      : iterations(iterations) {
    iterations.push_back(std::move(iteration));
  }
  AroundStatements(const AroundStatements &) = delete;
  AroundStatements &operator=(const AroundStatements &) = delete;
  ~AroundStatements() { iterations.pop_back(); }

private:
  std::vector<Value> &iterations;
};

/// Along one dim, the index Σ number · dim + offset, and what is where it is
/// not from `first` to `last`.
struct EdgeSide {
  llvm::SmallVector<std::pair<pm::DimAttr, int64_t>, 2> terms;
  int64_t offset, first, last;
  Argument beyond;
  bool isRead; ///< something else than zeros is read there
};

/// Whether the value is the same for all elements of the map that is being
/// built. Arithmetic that makes it then comes before the map.
bool moveOut(mlir::Value value, mlir::OpBuilder::InsertPoint outside);

/// The first and the last index along a dim: of cells, or numbers of modes.
std::pair<int64_t, int64_t> getIndexes(pm::DimAttr dim);

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_ENVIRONMENT_H
