//===- Reference.h - What pmc help finds ---------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_MANUAL_REFERENCE_H
#define PMC_FRONTEND_TOOLS_MANUAL_REFERENCE_H

#include "frontend/LanguageServer/Documents/Library.h"
#include "frontend/LanguageServer/Documents/Manual.h"

#include <string>
#include <vector>

namespace pmc {

/// What the reference has about a name. The text is Markdown, as in the pages
/// and comments that it comes from.
struct ReferenceEntry {
  std::string kind; ///< "builtin", "function", "module", "keyword", …
  std::string name, signature;
  std::string module; ///< of a function of the library
  std::vector<lsp::LibraryFunction::Parameter> parameters;
  lsp::DocComment doc;
  std::string text;    ///< where there is no comment
  std::string example; ///< with the declarations that it needs before it
  std::vector<std::string> pages; ///< such as "language/fields"
};

/// A page of the manual: "language/fields" and its heading.
struct ReferencePage {
  std::string name, title, path;
};

/// A page that contains words, and the heading of the first section with them.
struct PageHit {
  const ReferencePage *page;
  std::string heading;
};

/// Builtins, functions and modules of the library, keywords, units, flags of
/// pmc and of programs, codes of messages and pages of the manual, by name. The
/// texts come from the comments in modules, from tables and sections of the
/// manual and from the descriptions of flags.
class Reference {
public:
  explicit Reference(const std::string &libraryFolder);

  /// All entries of a name; flags are found with and without dashes. A name
  /// without entries is found in any case.
  std::vector<ReferenceEntry> find(llvm::StringRef name) const;
  /// What to do about an unknown name: "; did you mean 'smooth'?", what to
  /// write instead of a name of another language, or where names are listed.
  std::string suggest(llvm::StringRef name) const;
  /// Pages that contain words, except lists of messages and of changes. Pages
  /// with the words in their title come first, then pages with the words in a
  /// heading.
  std::vector<PageHit> search(llvm::StringRef words) const;

  const std::vector<lsp::LibraryModule> &getModules() const { return modules; }
  const std::vector<ReferencePage> &getPages() const { return pages; }
  const std::vector<ReferenceEntry> &getFlags() const { return flags; }
  /// The flags of every program.
  const std::vector<ReferenceEntry> &getProgramFlags() const {
    return programFlags;
  }

  static std::vector<llvm::StringRef> listKeywords();

private:
  std::vector<ReferenceEntry> findExact(llvm::StringRef name) const;
  /// All names, sorted; flags with their dashes, or without.
  std::vector<llvm::StringRef> listNames(bool areFlags) const;
  void addBuiltin(llvm::StringRef name,
                  std::vector<ReferenceEntry> &found) const;
  void addLibrary(llvm::StringRef name,
                  std::vector<ReferenceEntry> &found) const;
  /// A row of a table of a page with `name` as one of its codes.
  void addRow(llvm::StringRef name, llvm::StringRef kind, llvm::StringRef page,
              std::vector<ReferenceEntry> &found) const;
  void addPages(llvm::StringRef name, std::vector<ReferenceEntry> &found) const;
  /// The section of a code of messages, such as PM0202 or pm0202.
  void addCode(llvm::StringRef name, std::vector<ReferenceEntry> &found) const;
  lsp::Settings settings;
  lsp::LibraryModule builtins;
  std::vector<lsp::LibraryModule> modules;
  std::vector<ReferencePage> pages;
  std::vector<ReferenceEntry> flags, programFlags;
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_MANUAL_REFERENCE_H
