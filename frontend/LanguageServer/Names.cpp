//===- Names.cpp - The names of a document --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Names.h"

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Names/Resolver.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::SMLoc;
using llvm::StringRef;

OpenFiles Workspace::getOpenFiles() const {
  return [open = open](StringRef path) -> std::unique_ptr<llvm::MemoryBuffer> {
    auto it = open->find(path.str());
    if (it == open->end())
      return nullptr;
    return llvm::MemoryBuffer::getMemBufferCopy(it->second, path);
  };
}

Names::Names(const Workspace &workspace, StringRef path, StringRef text,
             std::optional<size_t> cursor) {
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, path), SMLoc());
  DiagnosticEngine silent(sources, llvm::nulls());
  silent.setErrorLimit(0);
  program = loadProgram(sources, buffer, llvm::sys::path::stem(path),
                        workspace.settings->folders, silent, {},
                        workspace.getOpenFiles());
  syntaxErrors = silent.hasErrors();
  // Messages about unknown names take long to make: one is enough.
  silent.setErrorLimit(1);
  if (cursor)
    index.setCursor(SMLoc::getFromPointer(
        sources.getMemoryBuffer(buffer)->getBufferStart() + *cursor));
  resolveNames(program, silent, &index);
}

bool Names::isInMain(SMLoc loc) const {
  return loc.isValid() && sources.FindBufferContainingLoc(loc) == 1;
}

size_t Names::getMainOffset(SMLoc loc) const {
  return size_t(loc.getPointer() -
                sources.getMemoryBuffer(1)->getBufferStart());
}

const NameIndex::Use *Names::findUse(size_t offset) const {
  const NameIndex::Use *before = nullptr;
  for (const NameIndex::Use &use : index.getUses()) {
    if (!isInMain(use.loc))
      continue;
    size_t begin = getMainOffset(use.loc);
    if (begin <= offset && offset < begin + use.name.size())
      return &use;
    if (offset == begin + use.name.size())
      before = &use;
  }
  return before;
}

std::optional<Place> Names::getPlace(SMLoc loc) const {
  unsigned buffer = loc.isValid() ? sources.FindBufferContainingLoc(loc) : 0;
  if (!buffer)
    return std::nullopt;
  const llvm::MemoryBuffer *file = sources.getMemoryBuffer(buffer);
  return Place{file->getBufferIdentifier().str(),
               size_t(loc.getPointer() - file->getBufferStart())};
}

SMLoc Names::getLoc(const Place &place) const {
  for (unsigned i = 1; i <= sources.getNumBuffers(); ++i) {
    const llvm::MemoryBuffer *file = sources.getMemoryBuffer(i);
    if (file->getBufferIdentifier() == place.path &&
        place.offset <= file->getBufferSize())
      return SMLoc::getFromPointer(file->getBufferStart() + place.offset);
  }
  return {};
}

StringRef Names::getTextAround(SMLoc loc) const {
  unsigned buffer = loc.isValid() ? sources.FindBufferContainingLoc(loc) : 0;
  return buffer ? sources.getMemoryBuffer(buffer)->getBuffer() : StringRef();
}

static Declaration::Kind kindOf(Symbol::Kind kind) {
  switch (kind) {
  case Symbol::Kind::Const:
    return Declaration::Kind::Const;
  case Symbol::Kind::Param:
    return Declaration::Kind::Param;
  case Symbol::Kind::Input:
    return Declaration::Kind::Input;
  case Symbol::Kind::Dim:
    return Declaration::Kind::Dim;
  case Symbol::Kind::Function:
    return Declaration::Kind::Function;
  case Symbol::Kind::Let:
    return Declaration::Kind::Let;
  }
  return Declaration::Kind::Let;
}

std::optional<Declaration> Names::describe(SMLoc declaration,
                                           StringRef name) const {
  if (!declaration.isValid())
    return std::nullopt;
  Declaration result;
  result.name = name.str();
  result.loc = declaration;
  result.function = index.findFunction(declaration);
  if (result.function)
    result.kind = Declaration::Kind::Function;
  for (const auto &module : program.getModules()) {
    auto it = module->symbols.find(name);
    if (it == module->symbols.end() || it->second.loc != declaration)
      continue;
    result.kind = kindOf(it->second.kind);
    result.module = module.get();
    result.stmt = it->second.stmt;
  }
  return result;
}

std::optional<Declaration> Names::findVisible(StringRef name) const {
  auto local = index.getVisible().find(name);
  if (local != index.getVisible().end())
    return describe(local->second, name);
  Lookup found = program.find(program.getMain(), name);
  return found.symbol ? describe(found.symbol->loc, name) : std::nullopt;
}
