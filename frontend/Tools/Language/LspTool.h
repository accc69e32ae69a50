//===- LspTool.h - pmc lsp ------------------------------------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_LANGUAGE_LSPTOOL_H
#define PMC_FRONTEND_TOOLS_LANGUAGE_LSPTOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc lsp ...` with these arguments: a language server on standard input and
/// output; the exit code. `libraryFolder`: of the standard library.
int runLspTool(llvm::ArrayRef<std::string> arguments,
               const std::string &libraryFolder);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_LANGUAGE_LSPTOOL_H
