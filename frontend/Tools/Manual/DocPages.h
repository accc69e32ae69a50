//===- DocPages.h - Markdown of the library's reference ------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_MANUAL_DOCPAGES_H
#define PMC_FRONTEND_TOOLS_MANUAL_DOCPAGES_H

#include "frontend/LanguageServer/Documents/Library.h"

namespace pmc {

/// "library/fields" of a module, "language/builtins" of the builtins: the page
/// of the manual with tables of its functions.
std::string getPageName(const lsp::LibraryModule &module);
/// A page with all functions of a module.
std::string getModulePage(const lsp::LibraryModule &module);
/// A page with a table of the functions of all modules, by name.
std::string getIndexPage(const std::vector<lsp::LibraryModule> &modules);
/// What the comments of a module lack, one complaint a line.
std::vector<std::string> listGaps(const lsp::LibraryModule &module);
/// The page with a table of functions in each marked region:
///
///     <!-- pmc doc: smooth, compensate -->
///     <!-- end -->
///
/// `complaints` gets names that the module does not have, and functions of it
/// that are in no region or in several.
std::string fillRegions(llvm::StringRef page, const lsp::LibraryModule &module,
                        std::vector<std::string> &complaints);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_MANUAL_DOCPAGES_H
