//===- DerivativeFlags.h - Programs that are derivatives ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FLAGS_DERIVATIVEFLAGS_H
#define PMC_FRONTEND_TOOLS_FLAGS_DERIVATIVEFLAGS_H

#include "frontend/Tools/Flags/Options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace pmc {

/// A flag --vjp or --jvp, with its value "WRT,... -> OF,...".
struct DerivativeFlag {
  std::string kind; ///< "vjp" or "jvp"
  std::string text;
};

/// The flags in the order of the command line.
using DerivativeFlags = std::vector<DerivativeFlag>;

void addDerivativeFlags(CLI::App &app, DerivativeFlags &flags);

/// Reads the flags; the exit code.
int checkDerivative(Options &options, const DerivativeFlags &flags);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FLAGS_DERIVATIVEFLAGS_H
