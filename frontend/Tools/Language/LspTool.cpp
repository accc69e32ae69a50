//===- LspTool.cpp - pmc lsp ----------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Language/LspTool.h"

#include "frontend/LanguageServer/Server.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Flags/FrontEndFlags.h"
#include "frontend/Tools/Flags/Options.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace pmc;

namespace {

void addFlags(CLI::App &app, Options &options,
              std::vector<std::string> &defines, bool &isStdio) {
  app.set_help_flag("-h,--help", "Print this and exit");
  addFrontEndFlags(app, options, defines);
  app.add_flag("--stdio", isStdio, "The only transport, and the default");
}

} // namespace

int pmc::runLspTool(llvm::ArrayRef<std::string> arguments,
                    const std::string &libraryFolder) {
  CLI::App app("pmc lsp: a language server for .pm specs. An editor starts it "
               "and sends requests of the Language Server Protocol to its "
               "standard input.\n"
               "It offers diagnostics, fixes, formatting, an outline, "
               "definitions, references, renaming, hover, completion, "
               "signatures, semantic colors and inlay hints.\n"
               "Settings of editors: frontend/Editors/README.md.",
               "pmc lsp");
  Options options;
  std::vector<std::string> defines;
  bool isStdio = true; // editors pass the flag, which changes nothing
  addFlags(app, options, defines, isStdio);
  std::vector<std::string> own(arguments.rbegin(), arguments.rend());
  try {
    app.parse(own); // from the last to the first
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return fail("[PM1001] " + llvm::Twine(error.what()) +
                "; see pmc lsp --help");
  }
  if (options.precision != "f32" && options.precision != "f64")
    return fail("[PM1002] --precision must be f32 or f64, found '" +
                options.precision + "'");
  if (int code = options.addDefines(defines))
    return code;
  lsp::Settings settings;
  settings.defines = options.defines;
  settings.layout = options.layout;
  settings.manual = libraryFolder + "/pmc/doc";
  settings.f64 = options.precision == "f64";
  for (const std::string &folder : options.include) {
    llvm::SmallString<256> path(folder);
    (void)llvm::sys::fs::make_absolute(path); // URIs have absolute paths
    settings.folders.push_back(path.str().str());
  }
  settings.folders.push_back(libraryFolder + "/pmc/stdlib");
  return lsp::serve(settings, stdin, llvm::outs());
}
