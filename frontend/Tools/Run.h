//===- Run.h - Executing a program ---------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_RUN_H
#define PMC_FRONTEND_TOOLS_RUN_H

#include <string>
#include <vector>

namespace pmc {

/// Runs the program in this terminal; returns its exit code, 128 + n after
/// signal n. Ctrl-C is the program's to answer. What it prints goes to the file
/// `log`, if there is one.
int runProgram(const std::string &program,
               const std::vector<std::string> &flags,
               const std::string &log = "");

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_RUN_H
