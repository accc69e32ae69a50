//===- Library.h - Names of modules that are not used -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H
#define PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H

#include "frontend/LanguageServer/Documents/DocComment.h"
#include "frontend/LanguageServer/Documents/Workspace.h"

namespace pmc::lsp {

/// A function or a const that a spec has after `use module`.
struct LibraryName {
  std::string name, module, text;
  bool isFunction = false;
};

/// All of them in the folders of the settings. The modules are read once, when
/// this is called first.
const std::vector<LibraryName> &listLibrary(const Settings &settings);

/// A function of a module, with its comment.
struct LibraryFunction {
  struct Parameter {
    std::string name, type, defaultValue; ///< as written; empty: none
  };
  std::string name, signature; ///< the signature is without `fn`
  std::string section;         ///< the text of `// ---- text ----` above it
  std::vector<Parameter> parameters;
  std::string comment;     ///< without slashes
  DocComment doc;          ///< the parts of `comment`
  bool isInternal = false; ///< whether the module lists it as such
};

/// A const of a module: the declaration as written, and the documentation
/// string or the comment above it or behind it.
struct LibraryConstant {
  std::string name, text, comment;
};

/// A module of the library: the comment at its beginning, and its constants and
/// functions in the order of the source.
struct LibraryModule {
  std::string name;
  DocComment doc;
  std::vector<LibraryConstant> constants;
  std::vector<LibraryFunction> functions;
};

/// Reads the modules in the folders of the settings, sorted by name. A module
/// with syntax errors lacks the functions behind the first error.
std::vector<LibraryModule> readModules(const Settings &settings);
/// The builtins in the form of a module with the name "builtins", from the page
/// language/builtins.txt of the manual: comments, each above a signature such
/// as `sum(f, over?)`.
LibraryModule readBuiltins(const Settings &settings);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_LIBRARY_H
