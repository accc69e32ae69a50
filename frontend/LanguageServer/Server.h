//===- Server.h - The language server's protocol -------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_SERVER_H
#define PMC_FRONTEND_LANGUAGESERVER_SERVER_H

#include "frontend/LanguageServer/Documents/Workspace.h"

#include <cstdio>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace pmc::lsp {

/// Serves one editor until it sends `exit`, or the input ends; the exit code is
/// 0 if the editor sent `shutdown` before.
int serve(const Settings &settings, std::FILE *in, llvm::raw_ostream &out);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_SERVER_H
