//===- CostMatrix.h - Which rank sends how much to which --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_COSTMATRIX_H
#define PMC_FRONTEND_TOOLS_COSTMATRIX_H

#include "frontend/Tools/CostReport.h"

namespace pmc {

/// Bytes that each rank (row) sends to each other (column) in the whole
/// program, by the rank that sends the most; an op's bytes are shared evenly
/// among the ranks that it sends to. Ranks are numbered with the last axis of
/// the mesh fastest. Nothing of one rank, and of more than can be seen.
std::vector<std::vector<double>> makeMatrix(const CostReport &report);

/// The matrix as a picture in a page.
void printMatrix(const CostReport &report, llvm::raw_ostream &os);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_COSTMATRIX_H
