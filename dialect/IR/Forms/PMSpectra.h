//===- PMSpectra.h - Modes of half spectra ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A half dim of N cells stores modes 0 … N/2. Mode 0, and N/2 of even N, are
// their own mirror images; each of the others stands for −m too.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMSPECTRA_H
#define PMC_DIALECT_IR_FORMS_PMSPECTRA_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// The half dim among these that stores a mode for two; null if there is none.
DimAttr findHalf(llvm::ArrayRef<DimAttr> dims);

/// Whether the mode along a half dim is its own mirror image. In the body of a
/// domain op over that dim.
mlir::Value buildIsOwnMirror(mlir::OpBuilder &builder, mlir::Location loc,
                             DimAttr half);

/// How many modes an element stands for along a half dim: 1 or 2, or the
/// inverse of that.
mlir::Value buildPairs(mlir::OpBuilder &builder, mlir::Location loc,
                       DimAttr half, mlir::Type type, bool inverse = false);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMSPECTRA_H
