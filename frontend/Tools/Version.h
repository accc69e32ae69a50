//===- Version.h - pmc --version -------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_VERSION_H
#define PMC_FRONTEND_TOOLS_VERSION_H

#include <string>

namespace pmc {

/// Prints the version; if `verbose`, also the processor, where the compiler's
/// files are, and the bundled libraries with their versions and licenses (from
/// pmc/libraries.txt in `library`). Returns the exit code.
int printVersion(bool verbose, const std::string &library);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_VERSION_H
