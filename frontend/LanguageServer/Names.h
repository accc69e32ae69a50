//===- Names.h - The names of a document ---------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_NAMES_H
#define PMC_FRONTEND_LANGUAGESERVER_NAMES_H

#include "frontend/LanguageServer/Documents/Text.h"
#include "frontend/LanguageServer/Documents/Workspace.h"
#include "frontend/Sema/Names/NameIndex.h"

#include "llvm/Support/SourceMgr.h"

#include <optional>

namespace pmc::lsp {

/// A place in a file. Offsets count bytes.
struct Place {
  std::string path;
  size_t offset = 0;

  bool operator==(const Place &other) const = default;
};

/// What is known about a name at its declaration.
struct Declaration {
  enum class Kind { Const, Param, Input, Dim, Function, Let, Local };
  Kind kind = Kind::Local;
  std::string name;
  llvm::SMLoc loc;
  const ModuleInfo *module = nullptr;
  const ast::Stmt *stmt = nullptr; ///< null of local names
  const ast::FunctionStmt *function = nullptr;
};

/// Parses a document with the modules that it uses, and resolves its names.
/// Mistakes are ignored: this is for the features that follow names. It takes
/// milliseconds, because nothing is evaluated.
class Names {
public:
  /// `cursor`: the offset of a name where visible names are collected.
  Names(const Workspace &workspace, llvm::StringRef path, llvm::StringRef text,
        std::optional<size_t> cursor = std::nullopt);

  const Program &getProgram() const { return program; }
  const ModuleInfo &getMain() const { return program.getMain(); }
  const NameIndex &getIndex() const { return index; }
  /// Also of mistakes in `use` and of names that are declared twice.
  bool hasSyntaxErrors() const { return syntaxErrors; }
  /// The name of the document at this offset, or just before it; or null.
  const NameIndex::Use *findUse(size_t offset) const;
  /// Whether the place is in the document itself.
  bool isInMain(llvm::SMLoc loc) const;
  size_t getMainOffset(llvm::SMLoc loc) const;
  /// Nothing for a place outside of all files.
  std::optional<Place> getPlace(llvm::SMLoc loc) const;
  llvm::SMLoc getLoc(const Place &place) const;
  /// The text of the file that the place is in.
  llvm::StringRef getTextAround(llvm::SMLoc loc) const;
  std::optional<Declaration> describe(llvm::SMLoc declaration,
                                      llvm::StringRef name) const;
  /// The declaration of a name that is visible at the cursor.
  std::optional<Declaration> findVisible(llvm::StringRef name) const;

private:
  llvm::SourceMgr sources;
  Program program;
  NameIndex index;
  bool syntaxErrors = false;
};

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_NAMES_H
