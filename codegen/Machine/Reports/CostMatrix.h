//===- CostMatrix.h - Which rank sends how much to which --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_COSTMATRIX_H
#define PMC_CODEGEN_MACHINE_COSTMATRIX_H

#include "passes/Cost/CostReport.h"

#include "llvm/Support/raw_ostream.h"

namespace pmc::machine {

/// Bytes that each rank (row) sends to each other (column) in the whole
/// program, by the rank that sends the most; an op's bytes are shared evenly
/// among the ranks that it sends to. Ranks are numbered with the last axis of
/// the mesh fastest. Nothing of one rank, and of more than can be seen.
std::vector<std::vector<double>> makeMatrix(const cost::CostReport &report);

/// The matrix as a picture in a page.
void printMatrix(const cost::CostReport &report, llvm::raw_ostream &os);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_COSTMATRIX_H
