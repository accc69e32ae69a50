//===- Explain.h - The costs of a program -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_EXPLAIN_H
#define PMC_FRONTEND_TOOLS_EXPLAIN_H

#include "passes/Cost/CostReport.h"

namespace pmc {

class Compiler;
struct Options;

/// The subcommand: writes what the compiler's program costs, or what memory it
/// needs; the exit code.
int explain(Compiler &compiler);

/// The mesh and the parameters that the flags say.
cost::CostQuestion getCostQuestion(const Options &options);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_EXPLAIN_H
