//===- DocTool.cpp - pmc doc ----------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Manual/DocTool.h"

#include "frontend/Tools/Files.h"
#include "frontend/Tools/Manual/DocPages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace pmc;

namespace {

struct Flags {
  std::vector<std::string> names;
  std::string out, update, check, library, manual;
};

void addFlags(CLI::App &app, Flags &flags) {
  app.set_help_flag("-h,--help", "Print this and exit");
  app.add_option("module", flags.names,
                 "The modules, and 'builtins' (default: all)")
      ->type_name("MODULE");
  app.add_option("-o", flags.out,
                 "Write a page for each module and index.md there (default: "
                 "to standard output)")
      ->type_name("FOLDER");
  app.add_option("--update", flags.update,
                 "Fill the marked tables in the pages of the manual in this "
                 "folder (frontend/doc)")
      ->type_name("FOLDER");
  app.add_option("--check", flags.check,
                 "Write nothing. Report marked tables that differ, and "
                 "comments that are not complete; exit with 1 if there are "
                 "some")
      ->type_name("FOLDER")
      ->excludes("--update");
  app.add_option("--library", flags.library,
                 "Read the modules of this folder (default: the standard "
                 "library of pmc)")
      ->type_name("FOLDER");
  app.add_option("--manual", flags.manual,
                 "Read language/builtins.txt of this folder (default: the "
                 "manual of pmc)")
      ->type_name("FOLDER");
}

int write(const std::string &path, const std::string &text) {
  return writeFile(path, [&](llvm::raw_pwrite_stream &out) {
    out << text;
    return true;
  });
}

int writePages(const std::vector<lsp::LibraryModule> &modules,
               const std::string &folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail("[PM1008] doc: cannot make the folder '" + folder +
                "': " + error.message());
  for (const lsp::LibraryModule &module : modules)
    if (int code =
            write(folder + "/" + module.name + ".md", getModulePage(module)))
      return code;
  return write(folder + "/index.md", getIndexPage(modules));
}

/// The exit code.
int updatePage(const lsp::LibraryModule &module, const std::string &folder,
               bool checksOnly) {
  const std::string path = folder + "/" + getPageName(module) + ".md";
  llvm::Expected<std::string> text = readText(path);
  if (!text)
    return fail("[PM1007] doc: cannot read '" + path +
                "': " + llvm::toString(text.takeError()));
  std::vector<std::string> complaints = listGaps(module);
  const std::string filled = fillRegions(*text, module, complaints);
  for (const std::string &complaint : complaints)
    llvm::errs() << module.name << ": " << complaint << "\n";
  if (filled == *text)
    return complaints.empty() ? 0 : 1;
  if (checksOnly)
    return fail("[PM1012] doc: the tables of '" + path +
                "' differ from the comments of the module; run pmc doc "
                "--update " +
                folder);
  const int code = write(path, filled);
  return complaints.empty() ? code : 1;
}

int run(const Flags &flags, const std::string &libraryFolder) {
  lsp::Settings settings;
  settings.folders = {flags.library.empty() ? libraryFolder + "/pmc/stdlib"
                                            : flags.library};
  settings.manual = libraryFolder + "/pmc/doc";
  if (!flags.manual.empty())
    settings.manual = flags.manual;
  std::vector<lsp::LibraryModule> modules = lsp::readModules(settings);
  modules.push_back(lsp::readBuiltins(settings));
  for (const std::string &name : flags.names)
    if (!llvm::any_of(modules,
                      [&](const auto &module) { return module.name == name; }))
      return fail("[PM1012] doc: there is no module '" + name + "' in " +
                  settings.folders.front());
  if (!flags.names.empty())
    llvm::erase_if(modules, [&](const lsp::LibraryModule &module) {
      return !llvm::is_contained(flags.names, module.name);
    });
  if (!flags.out.empty())
    return writePages(modules, flags.out);
  int code = 0;
  for (const lsp::LibraryModule &module : modules)
    if (!flags.check.empty())
      code |= updatePage(module, flags.check, /*checksOnly=*/true);
    else if (!flags.update.empty())
      code |= updatePage(module, flags.update, /*checksOnly=*/false);
    else
      llvm::outs() << getModulePage(module);
  return code;
}

} // namespace

int pmc::runDocTool(llvm::ArrayRef<std::string> arguments,
                    const std::string &libraryFolder) {
  CLI::App app(
      "pmc doc: makes the reference of the library from the comments "
      "in its modules.\n"
      "Examples:\n"
      "  pmc doc fields                        print a page\n"
      "  pmc doc -o pages                      write all pages and an "
      "index\n"
      "  pmc doc --update frontend/doc          fill the tables of the "
      "manual\n"
      "The form of comments: frontend/Stdlib/README.md.",
      "pmc doc");
  Flags flags;
  addFlags(app, flags);
  std::vector<std::string> own(arguments.rbegin(), arguments.rend());
  try {
    app.parse(own); // from the last to the first
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return fail("[PM1001] " + llvm::Twine(error.what()) +
                "; see pmc doc --help");
  }
  return run(flags, libraryFolder);
}
