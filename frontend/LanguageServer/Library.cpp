//===- Library.cpp - Names of modules that are not used -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Library.h"

#include "frontend/LanguageServer/Describe.h"
#include "frontend/LanguageServer/Guard.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace pmc;
using namespace pmc::lsp;

/// A spec that uses every module in the folders.
static std::string useAll(const Settings &settings) {
  std::string text;
  for (const std::string &folder : settings.folders) {
    std::error_code error;
    llvm::sys::fs::directory_iterator it(folder, error), end;
    for (unsigned count = 0; it != end && !error && count < 1000;
         it.increment(error), ++count)
      if (llvm::sys::path::extension(it->path()) == ".pm")
        text += "use " + llvm::sys::path::stem(it->path()).str() + "\n";
  }
  return text;
}

static std::vector<LibraryName> readLibrary(const Settings &settings) {
  std::vector<LibraryName> list;
  const Names names({&settings, std::make_shared<OpenTexts>()},
                    settings.folders.back() + "/all/modules.pm",
                    useAll(settings));
  for (const ModuleInfo *module : names.getMain().uses)
    for (const auto &[name, symbol] : module->symbols) {
      const bool isFunction = symbol.kind == Symbol::Kind::Function;
      if (!isFunction && symbol.kind != Symbol::Kind::Const)
        continue;
      if (auto declaration = names.describe(symbol.loc, name))
        list.push_back({name.str(), module->name,
                        getDeclarationText(names, *declaration), isFunction});
    }
  return list;
}

const std::vector<LibraryName> &
pmc::lsp::listLibrary(const Settings &settings) {
  static const std::vector<LibraryName> list = [&] {
    std::vector<LibraryName> read;
    runGuarded([&] { read = readLibrary(settings); });
    return read;
  }();
  return list;
}
