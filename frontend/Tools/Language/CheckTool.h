//===- CheckTool.h - pmc check ----------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_LANGUAGE_CHECKTOOL_H
#define PMC_FRONTEND_TOOLS_LANGUAGE_CHECKTOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc check ...` with these arguments; the exit code. `libraryFolder`: of the
/// standard library.
int runCheckTool(llvm::ArrayRef<std::string> arguments,
                 const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_LANGUAGE_CHECKTOOL_H
