//===- CompilerFlags.h - Flags of pmc, and their help -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FLAGS_COMPILERFLAGS_H
#define PMC_FRONTEND_TOOLS_FLAGS_COMPILERFLAGS_H

#include "frontend/Tools/Flags/DerivativeFlags.h"
#include "frontend/Tools/Flags/Options.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pmc {

/// The text of flags that `Options` holds in another form.
struct CompilerFlags {
  std::vector<std::string> positional, defines, mesh, params, tries;
  std::string stage = "exe", optimization = "2", target = "cpu";
  std::string archs, paint, memory;
  DerivativeFlags derivative;
};

/// What `pmc --help` prints above the flags.
extern const char *const compilerHelp;

/// Adds the flags to `app`, in the groups of the help. Their values are written
/// to `options` and `flags`.
void addCompilerFlags(CLI::App &app, Options &options, CompilerFlags &flags);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FLAGS_COMPILERFLAGS_H
