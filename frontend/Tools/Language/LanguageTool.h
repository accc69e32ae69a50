//===- LanguageTool.h - pmc language ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_LANGUAGE_LANGUAGETOOL_H
#define PMC_FRONTEND_TOOLS_LANGUAGE_LANGUAGETOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc language`: prints the words of the language as JSON; the exit code.
int runLanguageTool(llvm::ArrayRef<std::string> arguments);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_LANGUAGE_LANGUAGETOOL_H
