//===- PMConvolve.h - Contractions of a field read at indices ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMCONVOLVE_H
#define PMC_DIALECT_IR_FORMS_PMCONVOLVE_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// The index i along one dim of a convolved field, q i = Σ n j_p + o.
struct ConvolvedIndex {
  struct Term {
    size_t dim; // of the domain
    int64_t number;
  };
  llvm::SmallVector<Term, 2> terms;
  int64_t offset = 0, divisor = 1;
  Edge edge = Edge::Zero;
  /// Cells of the dim, and the least and the largest q i.
  int64_t cells = 0, low = 0, high = 0;

  bool isInside() const { return low >= 0 && high < divisor * cells; }
};

llvm::SmallVector<ConvolvedIndex> getConvolvedIndexes(ConvolveOp op);

/// The same, whatever domain the dims come from: they go by their labels.
struct LabeledIndex {
  struct Term {
    std::string label;
    int64_t number;
  };
  llvm::SmallVector<Term, 2> terms;
  int64_t offset = 0, divisor = 1;
  Edge edge = Edge::Zero;

  /// The cell of the domain's dim of that name, nothing else.
  static LabeledIndex plain(DimAttr dim);
  bool isPlain(DimAttr dim) const;
};

llvm::SmallVector<LabeledIndex> getLabeledIndexes(ConvolveOp op);

/// The index, of which the least and the largest are given, of a dim with so
/// many cells. What is inside has no edge, and the offset of a periodic index
/// is the one of the least size that reads the same cells.
LabeledIndex simplified(LabeledIndex index, int64_t low, int64_t high,
                        int64_t cells);

/// The convolution whose indexes these are, one a dim of the field.
mlir::Value buildConvolution(mlir::OpBuilder &builder, mlir::Location loc,
                             FieldType result, mlir::Value field,
                             mlir::Value weights,
                             llvm::ArrayRef<LabeledIndex> indexes);

/// The domain of a convolution with weights over these dims.
llvm::SmallVector<DimAttr> getConvolutionDomain(llvm::ArrayRef<DimAttr> weights,
                                                llvm::ArrayRef<DimAttr> result);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMCONVOLVE_H
