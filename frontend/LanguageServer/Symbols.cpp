//===- Symbols.cpp - The declarations of a document, as an outline --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Describe.h"
#include "frontend/LanguageServer/Features.h"

using namespace pmc;
using namespace pmc::lsp;
namespace json = llvm::json;
using llvm::lsp::DocumentSymbol;
using llvm::lsp::SymbolKind;

namespace {

class Outline {
public:
  explicit Outline(const Snapshot &document) : document(document) {}

  std::vector<DocumentSymbol> list() {
    for (const ast::StmtPtr &stmt : document.names->getMain().tree->statements)
      if (stmt)
        add(*stmt);
    return std::move(symbols);
  }

private:
  void add(const ast::Stmt &stmt) {
    if (auto *s = llvm::dyn_cast<ast::ConstStmt>(&stmt))
      add(stmt, s->name, SymbolKind::Constant, "const", s->doc);
    else if (auto *s = llvm::dyn_cast<ast::ParamStmt>(&stmt))
      add(stmt, s->name, SymbolKind::Property, "param", s->doc);
    else if (auto *s = llvm::dyn_cast<ast::InputStmt>(&stmt))
      add(stmt, s->name, SymbolKind::Interface, "input", s->doc);
    else if (auto *s = llvm::dyn_cast<ast::FunctionStmt>(&stmt))
      add(stmt, s->name, SymbolKind::Function, "fn", "");
    else if (auto *s = llvm::dyn_cast<ast::DimStmt>(&stmt))
      for (const ast::DimStmt::Entry &entry : s->entries)
        add(stmt, entry.name, SymbolKind::TypeParameter, "dim", "");
    else if (auto *s = llvm::dyn_cast<ast::LetStmt>(&stmt))
      for (const ast::Name &name : s->pattern.names)
        add(stmt, name, SymbolKind::Variable, "let", "");
    else if (auto *s = llvm::dyn_cast<ast::OutputStmt>(&stmt))
      add(stmt, s->name, SymbolKind::Event, "output", "");
    else if (auto *s = llvm::dyn_cast<ast::OptimizeStmt>(&stmt))
      for (const ast::Name &name : s->pattern.names)
        add(stmt, name, SymbolKind::Variable, "optimize", "");
  }

  void add(const ast::Stmt &stmt, const ast::Name &name, SymbolKind kind,
           llvm::StringRef what, llvm::StringRef doc) {
    if (name.text.empty() || !document.names->isInMain(name.loc) ||
        !document.names->isInMain(stmt.range.Start))
      return;
    const Names &names = *document.names;
    size_t begin = names.getMainOffset(name.loc);
    size_t first = std::min(names.getMainOffset(stmt.range.Start), begin);
    size_t last =
        std::max(names.getMainOffset(stmt.range.End), begin + name.text.size());
    const Text &text = *document.text;
    DocumentSymbol symbol(json::fixUTF8(name.text), kind,
                          text.getRange(first, last),
                          text.getRange(begin, begin + name.text.size()));
    std::string comment = doc.str();
    if (comment.empty())
      if (std::optional<Declaration> declaration =
              names.describe(name.loc, name.text))
        comment = getDocumentation(names, *declaration);
    symbol.detail = what.str();
    if (!comment.empty())
      symbol.detail +=
          ": " + json::fixUTF8(llvm::StringRef(comment).split('\n').first);
    symbols.push_back(std::move(symbol));
  }

  const Snapshot &document;
  std::vector<DocumentSymbol> symbols;
};

} // namespace

Answer pmc::lsp::listSymbols(const Snapshot &document) {
  return json::Array(Outline(document).list());
}
