//===- MachineTool.h - pmc machine ---------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNING_MACHINETOOL_H
#define PMC_FRONTEND_TOOLS_TUNING_MACHINETOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc machine ...`: machine files and the seconds that they predict. Returns
/// the exit code. `arguments`: those behind "machine"; `libraryFolder`:
/// <prefix>/lib.
int runMachineTool(llvm::ArrayRef<std::string> arguments,
                   const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNING_MACHINETOOL_H
