//===- Neighbors.h - Indexes of fields --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for neighbors, f[x + 1] and shift(f, x = 1), for cells, f[x = i] and
// f with {[x = i] = g}, and for what is beyond the ends of a dim.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_NEIGHBORS_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_NEIGHBORS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Dims -----------------------------------------------------------===//

/// Position of a dim of a field with the name of `dim`, or -1.
int findDimOf(DimList dims, const Dim &dim);
/// The same; absent, with a message, if the field has no such dim.
std::optional<unsigned> placeOf(const RuleContext &context, DimList dims,
                                const Dim &dim, llvm::SMLoc loc);
/// Position of the dim that a name stands for: one of the field's own, or the
/// value `local` of the name.
std::optional<unsigned> placeOfName(const RuleContext &context,
                                    const Value &field, const ast::Name &name,
                                    const Value *local);
/// The first and the last index along a dim: of cells, or numbers of modes.
std::pair<int64_t, int64_t> getIndexes(const Dim &dim);
/// The numbers of the modes of a dim, also of one of which half are stored.
std::pair<int64_t, int64_t> getModes(const Dim &dim);

//===--- Indexes --------------------------------------------------------===//

/// A dim of a sum in an index, and the number that it is multiplied by.
struct IndexTerm {
  Dim dim;
  int64_t factor;
};

/// The number by which one factor of a product multiplies the dims of the
/// other one.
std::optional<int64_t> readFactor(const RuleContext &context, llvm::SMLoc loc,
                                  bool haveBothDims, const Argument &number);
/// An index without the name of the dim that it counts along: `factors` are the
/// numbers of dims in its sum.
bool checkPlainIndex(const RuleContext &context, llvm::SMLoc loc,
                     llvm::ArrayRef<int64_t> factors);
/// The value that neighbors are read from. `hasDim`: the index has a dim.
bool requireNeighbors(const RuleContext &context, llvm::SMLoc loc,
                      const Value &base, bool hasDim);
/// An index of neighbors has a dim.
bool requireIndexDim(const RuleContext &context, llvm::SMLoc loc,
                     const Value &base, bool hasDim);
/// A number of cells that the compiler knows.
std::optional<int64_t> readOffset(const RuleContext &context,
                                  const Argument &offset);
/// An edge belongs to offsets that the compiler knows, or to others.
bool requireCommonEdge(const RuleContext &context, llvm::SMLoc loc,
                       bool hasEdge, bool hasKnown, bool hasComputed);

/// A number of cells along a dim.
struct Offset {
  Dim dim;
  int64_t cells;
  Edge edge;
  llvm::SMLoc loc;
};
/// The positions of the dims of offsets among those of the field.
std::optional<std::vector<unsigned>>
placeOffsets(const RuleContext &context, DimList dims,
             llvm::ArrayRef<Offset> offsets);
/// Cells of a field at another index than their own, along one of its dims.
bool checkModes(const RuleContext &context, DimList dims, const Dim &dim,
                Edge edge, llvm::SMLoc loc);

/// `shift(f, x = 1)`: the form of the call.
bool checkShiftForm(const RuleContext &context, const ast::CallExpr &expr);
bool requireShiftDim(const RuleContext &context, const ast::CallExpr &expr,
                     bool hasDim);
bool requireShiftField(const RuleContext &context, llvm::SMLoc loc,
                       const Value &base, bool holdsField);

//===--- Edges ----------------------------------------------------------===//

/// What is beyond the ends of one dim: an edge, or a value.
struct EdgeOrValue {
  Edge edge;
  std::shared_ptr<const Argument> beyond = {};
};
/// `edge = …` of `count` dims: one for all, or a tuple. `isUniform`: whether a
/// number is the same for all elements of the map around.
std::optional<std::vector<EdgeOrValue>>
readEdges(const RuleContext &context, const Argument &arg, size_t count,
          llvm::function_ref<bool(const Value &)> isUniform);
/// The value beyond the edge of a vector or record has the same parts.
bool requireSameParts(const RuleContext &context, const Value &base,
                      const Argument &beyond);
/// The value whose neighbors or cells are read.
bool requireField(const RuleContext &context, llvm::SMLoc loc,
                  const Value &base, bool areCells);

//===--- Cells ----------------------------------------------------------===//

/// f[x = i]: i counts the cells of x.
bool requireCellInt(const RuleContext &context, Argument &cell,
                    llvm::StringRef dim);
/// The indices that a dim allows.
struct IndexRange {
  bool isChecked = false; ///< from `least` to `most`, or else `why`
  int64_t least = 0, most = 0;
  std::string why = {}; ///< with a hole for an index that the program computes
};
std::optional<IndexRange> checkIndex(const RuleContext &context,
                                     llvm::ArrayRef<IndexTerm> terms,
                                     const Argument &sum, const Dim &dim,
                                     std::optional<Edge> edge);
/// Offsets that the program computes have no edge beside them.
bool requireKnownEdges(const RuleContext &context, llvm::SMLoc loc,
                       bool isConstant, bool hasEdge);
/// False, with the message `why`, if a condition is known not to hold.
bool requireCells(const RuleContext &context, const Argument &cells,
                  llvm::ArrayRef<Value> conditions, std::string why);

/// A cell that the elements of a map say: dims of the map are its index.
bool requireMapDim(const RuleContext &context, llvm::SMLoc loc, DimList domain,
                   const Dim &dim);
/// `isInt`: whether the sum is an int.
bool requireGatheredInt(const RuleContext &context, const Argument &sum,
                        bool isInt);
/// The index is known to have these bounds.
bool requireGatheredCell(const RuleContext &context, const Argument &sum,
                         const Dim &dim, std::pair<int64_t, int64_t> bounds,
                         bool hasEdge);
bool requireGivenOnce(const RuleContext &context, llvm::SMLoc loc,
                      const Dim &dim, bool isGiven);
bool requireGatheredDim(const RuleContext &context, llvm::SMLoc loc,
                        const Dim &dim);
bool requireNoEdge(const RuleContext &context, llvm::SMLoc loc, bool hasEdge);

/// One mode of a half spectrum. `isUniform` as of `readEdges`.
bool requireMode(const RuleContext &context, Argument &mode,
                 llvm::function_ref<bool(const Value &)> isUniform);

//===--- Updates --------------------------------------------------------===//

/// The value for each part of a vector or record whose cells are changed.
std::optional<std::vector<Value>> partsOfUpdate(const RuleContext &context,
                                                const Value &base,
                                                const Argument &value);
bool requireSpaceCell(const RuleContext &context, llvm::SMLoc loc,
                      const Dim &dim);
/// The value that cells of the field become; `others` are the dims that they
/// have.
bool checkUpdate(const RuleContext &context, const Value &field, DimList others,
                 const Argument &value);
/// What `stacking` collects: the value of one cell.
bool requireStackable(const RuleContext &context, llvm::SMLoc loc,
                      const Value &one);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_NEIGHBORS_H
