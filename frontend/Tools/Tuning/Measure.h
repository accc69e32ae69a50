//===- Measure.h - A machine file of this machine ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_TUNING_MEASURE_H
#define PMC_FRONTEND_TOOLS_TUNING_MEASURE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pmc {

/// The text of a machine file of this machine. `launcher`: a command that
/// starts processes, for messages between them, or empty; `quick`: the figures
/// are rough; `libraryFolder`: <prefix>/lib.
llvm::Expected<std::string> measureMachine(llvm::StringRef launcher, bool quick,
                                           const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_TUNING_MEASURE_H
