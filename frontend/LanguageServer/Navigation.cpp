//===- Navigation.cpp - Definitions, references and renaming --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Features.h"
#include "frontend/Lexer/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A name in a file.
struct Occurrence {
  Place place;
  size_t size = 0;

  bool operator<(const Occurrence &other) const {
    return std::tie(place.path, place.offset) <
           std::tie(other.place.path, other.place.offset);
  }
};

/// What the name at a position stands for.
struct Target {
  std::string name;
  Place declaration;
};

} // namespace

static std::optional<Target> findTarget(const Snapshot &document,
                                        llvm::lsp::Position position) {
  const NameIndex::Use *use =
      document.names->findUse(document.text->getOffset(position));
  if (!use)
    return std::nullopt;
  std::optional<Place> declaration = document.names->getPlace(use->declaration);
  if (!declaration)
    return std::nullopt; // a builtin
  return Target{use->name, *declaration};
}

/// The same name in a document and in the modules that it uses.
static void collect(const Snapshot &document, const Target &target,
                    std::set<Occurrence> &found) {
  const Names &names = *document.names;
  llvm::SMLoc declaration = names.getLoc(target.declaration);
  if (!declaration.isValid())
    return;
  for (const NameIndex::Use &use : names.getIndex().getUses())
    if (use.declaration == declaration && use.name == target.name)
      if (std::optional<Place> place = names.getPlace(use.loc))
        found.insert({*place, use.name.size()});
}

/// The text of a file as the editor has it.
static Text textOf(const Snapshot &document, const std::string &path) {
  auto open = document.workspace.open->find(path);
  if (open != document.workspace.open->end())
    return Text(open->second);
  auto file = llvm::MemoryBuffer::getFile(path);
  return Text(file ? (*file)->getBuffer().str() : "");
}

static json::Value uriOf(const Snapshot &document, const std::string &path) {
  if (path == document.path)
    return document.uri;
  auto uri = llvm::lsp::URIForFile::fromFile(path);
  if (uri)
    return uri->uri().str();
  llvm::consumeError(uri.takeError());
  return nullptr;
}

static json::Value locationOf(const Snapshot &document,
                              const Occurrence &occurrence) {
  Text text = textOf(document, occurrence.place.path);
  size_t at = occurrence.place.offset;
  return json::Object{{"uri", uriOf(document, occurrence.place.path)},
                      {"range", text.getRange(at, at + occurrence.size)}};
}

/// The module in `use module` at this offset, or null.
static const ModuleInfo *findUsedModule(const Snapshot &document,
                                        size_t offset) {
  const Names &names = *document.names;
  for (const ast::StmtPtr &stmt : names.getMain().tree->statements) {
    auto *use = llvm::dyn_cast_or_null<ast::UseStmt>(stmt.get());
    if (!use)
      continue;
    for (const ast::Name &name : use->modules) {
      size_t begin = names.getMainOffset(name.loc);
      if (offset < begin || offset > begin + name.text.size())
        continue;
      for (const ModuleInfo *module : names.getMain().uses)
        if (module->name == name.text)
          return module;
    }
  }
  return nullptr;
}

Answer pmc::lsp::findDefinition(const Snapshot &document,
                                llvm::lsp::Position position) {
  size_t offset = document.text->getOffset(position);
  if (const ModuleInfo *module = findUsedModule(document, offset))
    return locationOf(document, {{module->path, 0}, 0});
  std::optional<Target> target = findTarget(document, position);
  if (!target)
    return nullptr;
  return locationOf(document, {target->declaration, target->name.size()});
}

static std::set<Occurrence> collectAll(const Snapshot &document,
                                       const Target &target,
                                       llvm::ArrayRef<Snapshot> all) {
  std::set<Occurrence> found;
  collect(document, target, found);
  for (const Snapshot &other : all)
    if (other.path != document.path)
      collect(other, target, found);
  return found;
}

Answer pmc::lsp::findReferences(const Snapshot &document,
                                llvm::lsp::Position position,
                                bool withDeclaration,
                                llvm::ArrayRef<Snapshot> all) {
  std::optional<Target> target = findTarget(document, position);
  if (!target)
    return nullptr;
  json::Array places;
  for (const Occurrence &occurrence : collectAll(document, *target, all))
    if (withDeclaration || !(occurrence.place == target->declaration))
      places.push_back(locationOf(document, occurrence));
  return places;
}

Answer pmc::lsp::highlight(const Snapshot &document,
                           llvm::lsp::Position position) {
  std::optional<Target> target = findTarget(document, position);
  if (!target)
    return nullptr;
  json::Array ranges;
  for (const Occurrence &occurrence : collectAll(document, *target, {})) {
    const Place &place = occurrence.place;
    if (place.path == document.path)
      ranges.push_back(json::Object{
          {"range", document.text->getRange(place.offset,
                                            place.offset + occurrence.size)},
          {"kind", place == target->declaration ? 3 /* write */ : 2}});
  }
  return ranges;
}

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::make_error<llvm::lsp::LSPError>(
      "rename: " + why.str(), llvm::lsp::ErrorCode::InvalidParams);
}

static bool isName(StringRef text) {
  llvm::SourceMgr sources;
  DiagnosticEngine silent(sources, llvm::nulls());
  Lexer lexer(text, silent);
  Token token = lexer.next();
  return token.is(TokenKind::Identifier) && token.text == text;
}

Answer pmc::lsp::prepareRename(const Snapshot &document,
                               llvm::lsp::Position position) {
  const NameIndex::Use *use =
      document.names->findUse(document.text->getOffset(position));
  std::optional<Target> target = findTarget(document, position);
  if (!target || document.workspace.isInLibrary(target->declaration.path))
    return nullptr;
  size_t at = document.names->getMainOffset(use->loc);
  return document.text->getRange(at, at + use->name.size());
}

llvm::Expected<Answer> pmc::lsp::rename(const Snapshot &document,
                                        llvm::lsp::Position position,
                                        const std::string &newName,
                                        llvm::ArrayRef<Snapshot> all) {
  std::optional<Target> target = findTarget(document, position);
  if (!target)
    return refuse("there is no name that the spec declares at this position");
  if (document.workspace.isInLibrary(target->declaration.path))
    return refuse("'" + target->name +
                  "' is declared in the standard library, which cannot be "
                  "edited");
  if (!isName(newName))
    return refuse("'" + newName +
                  "' is not a name: expected letters, digits and '_', not a "
                  "keyword");
  std::map<std::string, std::vector<Occurrence>> byFile;
  for (const Occurrence &occurrence : collectAll(document, *target, all))
    byFile[occurrence.place.path].push_back(occurrence);
  json::Object changes;
  for (const auto &[path, occurrences] : byFile) {
    json::Value uri = uriOf(document, path);
    if (!uri.getAsString())
      continue;
    Text text = textOf(document, path);
    json::Array edits;
    for (const Occurrence &occurrence : occurrences)
      edits.push_back(json::Object{
          {"range", text.getRange(occurrence.place.offset,
                                  occurrence.place.offset + occurrence.size)},
          {"newText", newName}});
    changes[uri.getAsString()->str()] = std::move(edits);
  }
  return json::Object{{"changes", std::move(changes)}};
}
