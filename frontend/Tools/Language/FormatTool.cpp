//===- FormatTool.cpp - pmc fmt -------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Language/FormatTool.h"

#include "frontend/Format/Format.h"
#include "frontend/Tools/Files.h"
#include "runtime/Base/Text/Printable.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace pmc;

namespace {

struct Flags {
  std::vector<std::string> files;
  bool check = false, standardInput = false;
};

void addFlags(CLI::App &app, Flags &flags) {
  app.set_help_flag("-h,--help", "Print this and exit");
  app.add_option("file", flags.files,
                 "The files to format; '-' reads a spec from standard input "
                 "and writes it to standard output")
      ->type_name("FILE.pm");
  app.add_flag("--check", flags.check,
               "Write nothing. Print the files that are not formatted, one a "
               "line, and exit with 1 if there are some");
  app.add_flag("--stdin", flags.standardInput, "The same as '-'");
}

/// What one file adds to the exit code.
int formatFile(const std::string &path, const Flags &flags) {
  const bool isStandardInput = path == "-";
  llvm::Expected<std::string> text = readText(path);
  if (!text)
    return fail("[PM1007] cannot read '" + path +
                "': " + llvm::toString(text.takeError()));
  const std::string shown = isStandardInput ? "<stdin>" : path;
  const Formatted formatted = formatSpec(*text, shown, llvm::errs());
  if (formatted.hasErrors)
    return 1;
  if (formatted.changedLine)
    return fail("[PM1010] internal error: formatting '" + shown +
                "' would change the program at line " +
                llvm::Twine(formatted.changedLine) +
                "; the file is unchanged. Please report the text of this "
                "statement");
  if (flags.check) {
    if (formatted.text == *text)
      return 0;
    llvm::outs() << pmrt::printable(shown) << "\n";
    return 1;
  }
  if (!isStandardInput && formatted.text == *text)
    return 0;
  return writeFile(
      path,
      [&](llvm::raw_ostream &os) {
        os << formatted.text;
        return true;
      },
      /*keepsPermissions=*/true);
}

} // namespace

int pmc::runFormatTool(llvm::ArrayRef<std::string> arguments) {
  CLI::App app(
      "pmc fmt: formats .pm files in place. It changes blanks, line "
      "breaks and semicolons at the ends of lines, never the program.\n"
      "Examples:\n"
      "  pmc fmt spec.pm              format a file\n"
      "  pmc fmt --check *.pm         list the files that are not "
      "formatted\n"
      "  pmc fmt - < spec.pm          from standard input to standard "
      "output\n"
      "Exit code: 0, or 1 if a file has syntax errors, cannot be read "
      "or written, or is not formatted (--check).\n"
      "The style: frontend/doc/language/formatting.md.",
      "pmc fmt");
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
                "; see pmc fmt --help");
  }
  if (flags.standardInput)
    flags.files.emplace_back("-");
  if (flags.files.empty())
    return fail(
        "[PM1006] fmt: no file given: pmc fmt spec.pm; see pmc fmt --help");
  if (flags.files.size() > 1 && llvm::is_contained(flags.files, "-"))
    return fail(
        "[PM1006] fmt: standard input is formatted alone, found other files; "
        "leave '-' or the files out");
  int code = 0;
  for (const std::string &path : flags.files)
    code |= formatFile(path, flags);
  return code;
}
