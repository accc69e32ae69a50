//===- DocTool.h - pmc doc ------------------------------------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_MANUAL_DOCTOOL_H
#define PMC_FRONTEND_TOOLS_MANUAL_DOCTOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc doc`: makes pages of the library from its comments. The exit code.
int runDocTool(llvm::ArrayRef<std::string> arguments,
               const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_MANUAL_DOCTOOL_H
