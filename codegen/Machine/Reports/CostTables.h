//===- CostTables.h - Costs as tables for people ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_COSTTABLES_H
#define PMC_CODEGEN_MACHINE_COSTTABLES_H

#include "codegen/Machine/Measured.h"
#include "passes/Cost/CostReport.h"

namespace pmc::machine {

/// What every form of the report shows.
struct CostTable {
  struct Column {
    std::string name;
    bool isText = false; ///< on the left; numbers are on the right
  };
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::string> notes = {}; ///< below it
};

/// "1.5 GiB".
std::string toBytes(double bytes);

/// "nbody, mesh row=2,col=2: 4 ranks on laptop; figures of ...".
std::string getTitle(const cost::CostReport &report, llvm::StringRef spec);

/// What comes first: the whole program and a step of each loop, memory, and the
/// messages by the lines that force them; what a run took, if it is there
/// (`measured` may be null); then each op.
std::vector<CostTable> makeTables(const cost::CostReport &report,
                                  const Comparison *measured);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_COSTTABLES_H
