//===- NameIndex.h - Where names are declared and used ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Resolver fills it for tools that follow names, such as the language
// server. The compiler itself does not need it.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_NAMEINDEX_H
#define PMC_FRONTEND_SEMA_NAMES_NAMEINDEX_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace pmc {

namespace ast {
struct FunctionStmt;
} // namespace ast

class NameIndex {
public:
  /// A name in the text, at its declaration or elsewhere. Of builtins the
  /// declaration is invalid.
  struct Use {
    std::string name;
    llvm::SMLoc loc, declaration;
  };

  /// The names that are visible at this place are collected, if a name is
  /// there.
  void setCursor(llvm::SMLoc loc) { cursor = loc; }
  bool isCursor(llvm::SMLoc loc) const {
    return cursor.isValid() && cursor == loc;
  }
  void setVisible(llvm::StringMap<llvm::SMLoc> locals) {
    visible = std::move(locals);
    foundCursor = true;
  }
  /// Local names at the cursor, with their declarations.
  const llvm::StringMap<llvm::SMLoc> &getVisible() const { return visible; }
  bool hasFoundCursor() const { return foundCursor; }

  /// Adds the use if the text at `loc` is the name: names that the parser makes
  /// up are not.
  void add(llvm::StringRef name, llvm::SMLoc loc, llvm::SMLoc declaration);
  void addFunction(const ast::FunctionStmt &function);
  /// The function whose name is declared at this place, or null.
  const ast::FunctionStmt *findFunction(llvm::SMLoc declaration) const;

  const std::vector<Use> &getUses() const { return uses; }

private:
  std::vector<Use> uses;
  llvm::DenseSet<const char *> known; // places of uses
  llvm::DenseMap<const char *, const ast::FunctionStmt *> functions;
  llvm::StringMap<llvm::SMLoc> visible;
  llvm::SMLoc cursor;
  bool foundCursor = false;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_NAMEINDEX_H
