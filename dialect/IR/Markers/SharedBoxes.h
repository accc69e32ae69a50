//===- SharedBoxes.h - Loops that share boxes of cells ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_SHAREDBOXES_H
#define PMC_DIALECT_IR_MARKERS_SHAREDBOXES_H

#include "llvm/ADT/StringRef.h"

namespace pmc::pm {

/// The attribute of paints and readings that share the boxes of cells of their
/// particles (`pm-share-boxes`), and of the ops that call their kernels: a
/// number from 1 on. Within a block of code, ops with one number look at the
/// same particles at the same positions.
constexpr llvm::StringLiteral sharedBoxes = "pm.boxes";

/// The attribute of a map that finds the boxes of the next step of its loop
/// (`pm-renew-boxes`).
constexpr llvm::StringLiteral renewedBoxes = "pm.renews_boxes";

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_SHAREDBOXES_H
