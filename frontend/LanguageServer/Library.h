//===- Library.h - Names of modules that are not used -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H
#define PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H

#include "frontend/LanguageServer/Workspace.h"

namespace pmc::lsp {

/// A function or a const that a spec has after `use module`.
struct LibraryName {
  std::string name, module, text;
  bool isFunction = false;
};

/// All of them in the folders of the settings. The modules are read once, when
/// this is called first.
const std::vector<LibraryName> &listLibrary(const Settings &settings);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H
