//===- NameIndex.cpp - Where names are declared and used ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Names/NameIndex.h"

#include "frontend/Parser/AST.h"

#include <cstring>

using namespace pmc;

void NameIndex::add(llvm::StringRef name, llvm::SMLoc loc,
                    llvm::SMLoc declaration) {
  const char *at = loc.getPointer();
  // Buffers end with a null character, so strncmp stays within them.
  if (!at || name.empty() || std::strncmp(at, name.data(), name.size()) != 0)
    return;
  if (known.insert(at).second)
    uses.push_back({name.str(), loc, declaration});
}

void NameIndex::addFunction(const ast::FunctionStmt &function) {
  functions[function.name.loc.getPointer()] = &function;
}

const ast::FunctionStmt *
NameIndex::findFunction(llvm::SMLoc declaration) const {
  return functions.lookup(declaration.getPointer());
}
