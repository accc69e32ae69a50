//===- FrontEndFlags.h - Flags of the front end -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FLAGS_FRONTENDFLAGS_H
#define PMC_FRONTEND_TOOLS_FLAGS_FRONTENDFLAGS_H

#include "frontend/Tools/Flags/Options.h"

#include <CLI/CLI.hpp>

namespace pmc {

/// Adds the flags of tools that read a spec: -D (to `defines`), -I, --layout
/// and --precision.
void addFrontEndFlags(CLI::App &app, Options &options,
                      std::vector<std::string> &defines);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FLAGS_FRONTENDFLAGS_H
