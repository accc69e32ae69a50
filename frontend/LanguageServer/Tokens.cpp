//===- Tokens.cpp - Semantic colors ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Features.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;
using namespace pmc::lsp;
namespace json = llvm::json;

namespace {

/// Positions in the legend.
enum TokenType { Function, Parameter, Variable, TypeParameter, Property };
enum TokenModifier { IsDeclaration = 1, IsReadonly = 2, IsLibrary = 4 };

} // namespace

Answer pmc::lsp::getTokenLegend() {
  return json::Object{
      {"tokenTypes", json::Array{"function", "parameter", "variable",
                                 "typeParameter", "property"}},
      {"tokenModifiers",
       json::Array{"declaration", "readonly", "defaultLibrary"}}};
}

static std::pair<int, int> classify(const Snapshot &document,
                                    const NameIndex::Use &use) {
  std::optional<Declaration> declaration =
      document.names->describe(use.declaration, use.name);
  if (!declaration)
    return {Function, IsLibrary};
  int modifiers = use.loc == use.declaration ? IsDeclaration : 0;
  if (declaration->module &&
      document.workspace.isInLibrary(declaration->module->path))
    modifiers |= IsLibrary;
  switch (declaration->kind) {
  case Declaration::Kind::Function:
    return {Function, modifiers};
  case Declaration::Kind::Const:
    return {Variable, modifiers | IsReadonly};
  case Declaration::Kind::Param:
  case Declaration::Kind::Input:
    return {Property, modifiers | IsReadonly};
  case Declaration::Kind::Dim:
    return {TypeParameter, modifiers};
  case Declaration::Kind::Let:
    return {Variable, modifiers};
  case Declaration::Kind::Local:
    return {Parameter, modifiers};
  }
  return {Variable, modifiers};
}

Answer pmc::lsp::listTokens(const Snapshot &document) {
  const Names &names = *document.names;
  std::vector<const NameIndex::Use *> uses;
  for (const NameIndex::Use &use : names.getIndex().getUses())
    if (names.isInMain(use.loc))
      uses.push_back(&use);
  llvm::sort(uses, [](const auto *a, const auto *b) {
    return a->loc.getPointer() < b->loc.getPointer();
  });
  // Each token counts lines and UTF-16 units from the one before.
  json::Array data;
  llvm::lsp::Position before;
  for (const NameIndex::Use *use : uses) {
    llvm::lsp::Position at =
        document.text->getPosition(names.getMainOffset(use->loc));
    const bool isSameLine = at.line == before.line;
    auto [type, modifiers] = classify(document, *use);
    for (int number : {at.line - before.line,
                       at.character - (isSameLine ? before.character : 0),
                       int(use->name.size()), type, modifiers})
      data.push_back(number);
    before = at;
  }
  return json::Object{{"data", std::move(data)}};
}
