//===- CostPrint.h - Cost reports as text, JSON and pages -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_COSTPRINT_H
#define PMC_CODEGEN_MACHINE_COSTPRINT_H

#include "codegen/Machine/Measured.h"
#include "passes/Cost/CostReport.h"

#include "llvm/Support/raw_ostream.h"

namespace pmc::machine {

/// "transforms", "paint", …; "all-to-all", ….
std::string toText(cost::Part part);
std::string toText(cost::Pattern pattern);

/// The report for people, for programs, and as a page of its own. `measured`:
/// the run that is printed beside the prediction, or null. `sharded`: the IR
/// that the page shows.
void printText(const cost::CostReport &report, llvm::StringRef spec,
               const Comparison *measured, llvm::raw_ostream &os);
void printJson(const cost::CostReport &report, llvm::StringRef spec,
               const Comparison *measured, llvm::raw_ostream &os);
void printHtml(const cost::CostReport &report, llvm::StringRef spec,
               const Comparison *measured, llvm::StringRef sharded,
               llvm::raw_ostream &os);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_COSTPRINT_H
