//===- Modules.h - The modules of a program and what they declare -*- C++ -*-=//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_MODULES_H
#define PMC_FRONTEND_SEMA_NAMES_MODULES_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Parser/AST.h"
#include "frontend/Sema/Types/Dims.h"

#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace pmc {

/// What a name at the top level of a module stands for.
struct Symbol {
  enum class Kind { Const, Param, Input, Dim, Function, Let };
  Kind kind;
  const ast::Stmt *stmt;
  unsigned index = 0; // the entry of a dim statement, the name of a pattern
  llvm::SMLoc loc;
};

/// "const", "param", …
llvm::StringRef describe(Symbol::Kind kind);

struct ModuleInfo {
  std::string name;
  std::string path; // as opened
  bool isMain = false;
  bool isLibrary = false; // from a search path, not from beside the spec
  std::unique_ptr<ast::Module> tree;
  llvm::StringMap<Symbol> symbols;
  std::vector<const ModuleInfo *> uses;
};

/// Where a name leads: `module` declares `symbol`.
struct Lookup {
  const ModuleInfo *module = nullptr;
  const Symbol *symbol = nullptr;
  const ModuleInfo *rival = nullptr; // a second module that declares it
};

class Program {
public:
  const ModuleInfo &getMain() const { return *modules.front(); }
  llvm::ArrayRef<std::unique_ptr<ModuleInfo>> getModules() const {
    return modules;
  }
  /// In the module itself, else in those it uses.
  Lookup find(const ModuleInfo &from, llvm::StringRef name) const;
  /// The module of the library, if it is loaded, or null.
  const ModuleInfo *findLibraryModule(llvm::StringRef name) const;
  /// Whether one statement of the spec declares all these dims.
  bool areDeclaredTogether(DimList dims) const;
  /// A loaded module that declares a function of that name, or null.
  const ModuleInfo *findElsewhere(llvm::StringRef name) const;
  /// The module of the library that `collect` counts with, if one is there.
  const ModuleInfo *getCounting() const { return counting; }
  /// The name of a module of the library that declares it, loaded or not; empty
  /// if there is none. Reads the library: for messages.
  std::string findInLibrary(llvm::StringRef name) const;
  /// Whether the place is in a module of the library.
  bool isInLibrary(llvm::StringRef file) const;

private:
  friend class ModuleLoader;
  std::vector<std::unique_ptr<ModuleInfo>> modules; // the spec first
  std::vector<std::string> libraryFolders;
  const ModuleInfo *counting = nullptr;
};

/// The text of a file that is open in an editor, which counts in place of the
/// file's own; null if the file is not open.
using OpenFiles =
    std::function<std::unique_ptr<llvm::MemoryBuffer>(llvm::StringRef path)>;

/// Loads the spec in buffer `mainBuffer` and all modules it uses, directly or
/// not, and `more` that are not used: from the spec's folder, then from
/// `searchPaths`. Errors are reported.
Program loadProgram(llvm::SourceMgr &sources, unsigned mainBuffer,
                    llvm::StringRef programName,
                    llvm::ArrayRef<std::string> searchPaths,
                    DiagnosticEngine &diags,
                    llvm::ArrayRef<std::string> more = {},
                    const OpenFiles &open = nullptr);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_MODULES_H
