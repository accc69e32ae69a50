//===- PMViews.h - Reading a field from a finer or a coarser grid -*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of a domain read a field whose dims are the domain's, or finer or
// coarser ones: cell s i + o, or ⌊(i + o)/s⌋.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMVIEWS_H
#define PMC_DIALECT_IR_FORMS_PMVIEWS_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// Along one dim of the field. Offsets count cells of the finer of both.
class View {
public:
  /// `domain`: the dim of the domain that goes with the field's.
  View(DimAttr field, DimAttr domain);

  /// Position of the dim in the domain that the field's goes with, or -1.
  static int find(llvm::ArrayRef<DimAttr> domain, DimAttr field);
  /// That of a field that the domain reads.
  static View get(llvm::ArrayRef<DimAttr> domain, DimAttr field);

  /// Cells of the field for an element of the domain; 1 if it is coarser.
  int64_t getStep() const { return step; }
  /// Elements of the domain for a cell of the field; 1 if it is finer.
  int64_t getShare() const { return share; }
  bool isSame() const { return step == 1 && share == 1; }
  /// Cells of the finer dim.
  int64_t getCells() const { return cells; }

  /// Two widths, below and above.
  struct Widths {
    int64_t below = 0, above = 0;
  };
  /// Cells of the field that are read beyond a rank's part, at most. Parts are
  /// ⌊r n/p⌋ …, and those of refined dims as many times more: a rank's part of
  /// the finer dim may begin and end up to s − 1 cells behind that of the
  /// coarser one. `meet`: none does.
  Widths getMargin(int64_t offset, Edge edge, bool meet = false) const;
  /// Cells of the coarser dim: parts of both dims meet if the ranks divide
  /// them. 0 if they always do.
  int64_t getBlocks() const {
    return isAligned ? 0 : cells / std::max(step, share);
  }
  /// Elements at the ends of a rank's part that read beyond its cells.
  Widths getEnds(int64_t offset) const;

private:
  int64_t step, share, cells;
  bool isAligned;
};

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMVIEWS_H
