//===- DeprecatedNames.h - Old spellings of flags and passes ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FLAGS_DEPRECATEDNAMES_H
#define PMC_FRONTEND_TOOLS_FLAGS_DEPRECATEDNAMES_H

#include <string>
#include <vector>

namespace pmc {

/// Replaces deprecated flags, sizes of schedules and passes in the arguments of
/// `tool` by their current names, each with a warning on stderr.
void replaceDeprecatedNames(const char *tool,
                            std::vector<std::string> &arguments);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FLAGS_DEPRECATEDNAMES_H
