//===- DerivativeFlags.h - Programs that are derivatives ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_DERIVATIVEFLAGS_H
#define PMC_FRONTEND_TOOLS_DERIVATIVEFLAGS_H

#include "frontend/Tools/Options.h"

#include <CLI/CLI.hpp>

#include <string>

namespace pmc {

/// What --vjp and --jvp say, "WRT,... -> OF,...".
struct DerivativeFlags {
  std::string vjp, jvp;
};

void addDerivativeFlags(CLI::App &app, DerivativeFlags &flags);

/// Reads the flags; the exit code.
int checkDerivative(Options &options, const DerivativeFlags &flags);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_DERIVATIVEFLAGS_H
