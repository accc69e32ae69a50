//===- Manual.h - Tables of the manual ---------------------------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_MANUAL_H
#define PMC_FRONTEND_LANGUAGESERVER_MANUAL_H

#include "frontend/LanguageServer/Documents/Workspace.h"

namespace pmc::lsp {

/// The first two cells of a row of a table in a page.
struct ManualRow {
  std::string forms, meaning;

  /// The texts between backticks in `forms`.
  std::vector<std::string> getCodes() const;
};

/// The rows of all tables of a page. Empty for a missing file.
std::vector<ManualRow> readRows(const std::string &path);
/// "[text](page.md)" becomes "text", for readers that do not show the pages.
std::string withoutLinks(llvm::StringRef text);
/// The manual's text about a builtin, as Markdown. The manual is read once. The
/// text is empty without a manual.
std::string getBuiltinDocumentation(const Settings &settings,
                                    llvm::StringRef name);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_MANUAL_H
