//===- Features.h - Answers to the requests of an editor ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_FEATURES_H
#define PMC_FRONTEND_LANGUAGESERVER_FEATURES_H

#include "frontend/LanguageServer/Documents/Documents.h"

namespace pmc::lsp {

/// Answers are what the protocol says; null where there is nothing.
using Answer = llvm::json::Value;

// Symbols.cpp
Answer listSymbols(const Snapshot &document);

// Edits.cpp
/// An edit that adds `use module`.
Answer addUse(const Names &names, const Text &text, const std::string &module);
/// Edits that format the document; none after syntax errors.
Answer format(const Snapshot &document);
/// Fixes of the diagnostics in the range.
Answer listFixes(const Snapshot &document, llvm::lsp::Range range);

// Navigation.cpp
Answer findDefinition(const Snapshot &document, llvm::lsp::Position position);
/// In all open documents and the modules that they use.
Answer findReferences(const Snapshot &document, llvm::lsp::Position position,
                      bool withDeclaration, llvm::ArrayRef<Snapshot> all);
Answer highlight(const Snapshot &document, llvm::lsp::Position position);
/// The range of the name; null if it cannot be renamed.
Answer prepareRename(const Snapshot &document, llvm::lsp::Position position);
llvm::Expected<Answer> rename(const Snapshot &document,
                              llvm::lsp::Position position,
                              const std::string &newName,
                              llvm::ArrayRef<Snapshot> all);

// Hover.cpp
Answer hover(const Snapshot &document, llvm::lsp::Position position);
Answer listHints(const Snapshot &document, llvm::lsp::Range range);

// Completion.cpp: these make names of their own.
Answer complete(const Snapshot &document, llvm::lsp::Position position);
Answer helpWithCall(const Snapshot &document, llvm::lsp::Position position);

// Tokens.cpp
/// What the server calls kinds of tokens and their modifiers.
Answer getTokenLegend();
Answer listTokens(const Snapshot &document);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_FEATURES_H
