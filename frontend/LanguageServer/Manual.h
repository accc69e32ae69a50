//===- Manual.h - What the manual says about builtins -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_MANUAL_H
#define PMC_FRONTEND_LANGUAGESERVER_MANUAL_H

#include "frontend/LanguageServer/Workspace.h"

namespace pmc::lsp {

/// The rows about a builtin in the table of the manual, which is read once.
/// Empty if there is none, or no manual.
std::string getBuiltinDocumentation(const Settings &settings,
                                    llvm::StringRef name);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_MANUAL_H
