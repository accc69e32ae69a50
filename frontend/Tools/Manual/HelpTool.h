//===- HelpTool.h - pmc help ---------------------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_MANUAL_HELPTOOL_H
#define PMC_FRONTEND_TOOLS_MANUAL_HELPTOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc help NAME...`: prints what the reference has about names. The exit
/// code.
int runHelpTool(llvm::ArrayRef<std::string> arguments,
                const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_MANUAL_HELPTOOL_H
