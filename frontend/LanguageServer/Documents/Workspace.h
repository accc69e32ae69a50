//===- Workspace.h - How specs are compiled ------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_WORKSPACE_H
#define PMC_FRONTEND_LANGUAGESERVER_WORKSPACE_H

#include "frontend/Sema/Names/Modules.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pmc::lsp {

/// The flags of the server, which mean what they mean for `pmc check`.
struct Settings {
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> folders; ///< of modules; the library's is the last
  std::string manual;               ///< the folder of its pages; empty: none
  std::string layout;
  bool f64 = false;
};

/// The texts of open documents by path, at one moment. Threads share it.
using OpenTexts = std::map<std::string, std::string>;

/// What an analysis of one document depends on.
struct Workspace {
  const Settings *settings = nullptr;
  std::shared_ptr<const OpenTexts> open;

  OpenFiles getOpenFiles() const;
  /// Whether a file is one of the standard library, which editors do not
  /// change.
  bool isInLibrary(llvm::StringRef path) const {
    return path.starts_with(settings->folders.back() + "/");
  }
};

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_WORKSPACE_H
