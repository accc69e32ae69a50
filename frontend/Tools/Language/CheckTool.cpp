//===- CheckTool.cpp - pmc check ------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Language/CheckTool.h"

#include "frontend/Tools/Files.h"
#include "frontend/Tools/Flags/FrontEndFlags.h"
#include "frontend/Tools/Flags/Options.h"
#include "frontend/Tools/Spec.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace pmc;

namespace {

struct Flags {
  std::vector<std::string> specs, defines;
  bool json = false;
};

void addFlags(CLI::App &app, Options &options, Flags &flags) {
  app.set_help_flag("-h,--help", "Print this and exit");
  app.add_option("spec", flags.specs, "The spec; '-' is standard input")
      ->type_name("SPEC.pm");
  addFrontEndFlags(app, options, flags.defines);
  app.add_flag("--json", flags.json,
               "Print the messages to standard output, each as a JSON object "
               "in a line of its own, in place of text to standard error");
}

llvm::StringRef nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  return "error";
}

/// What a message and a note have in common.
void writePlace(llvm::json::OStream &json, const Diagnostic &diagnostic) {
  json.attribute("file", llvm::json::fixUTF8(diagnostic.file));
  json.attribute("line", diagnostic.line);
  json.attribute("column", diagnostic.column);
  json.attribute("end_line", diagnostic.endLine);
  json.attribute("end_column", diagnostic.endColumn);
  json.attribute("message", llvm::json::fixUTF8(diagnostic.message));
}

void write(const Diagnostic &diagnostic) {
  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attribute("severity", nameOf(diagnostic.severity));
    writePlace(json, diagnostic);
    if (!diagnostic.code.empty())
      json.attribute("code", diagnostic.code);
    json.attributeArray("notes", [&] {
      for (const Diagnostic &note : diagnostic.notes)
        json.object([&] { writePlace(json, note); });
    });
    if (!diagnostic.suggestion.empty())
      json.attribute("suggestion", llvm::json::fixUTF8(diagnostic.suggestion));
  });
  llvm::outs() << "\n";
}

int check(const Options &options, const Flags &flags,
          const std::string &libraryFolder) {
  Spec spec;
  if (flags.json)
    spec.getDiagnostics().setConsumer(write);
  if (!spec.load(options))
    return 1;
  // The process ends after the check, so that freeing the IR would only take
  // time. Static pointers show leak checkers that it is kept on purpose.
  static auto *context =
      new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
  static mlir::ModuleOp module;
  module =
      spec.compile(options, libraryFolder + "/pmc/stdlib", *context).release();
  return module ? 0 : 1;
}

} // namespace

int pmc::runCheckTool(llvm::ArrayRef<std::string> arguments,
                      const std::string &libraryFolder) {
  CLI::App app("pmc check: reports the mistakes of a spec, as pmc does, and "
               "makes nothing. It stops before derivatives are taken and code "
               "is generated.\n"
               "Examples:\n"
               "  pmc check spec.pm              messages as text\n"
               "  pmc check --json spec.pm       for editors\n"
               "  pmc check -D n=256 spec.pm     with another const\n"
               "Exit code: 0, or 1 after errors. Warnings are no errors.\n"
               "The fields of --json: frontend/README.md.",
               "pmc check");
  Options options;
  options.verifies = false;
  Flags flags;
  addFlags(app, options, flags);
  std::vector<std::string> own(arguments.rbegin(), arguments.rend());
  try {
    app.parse(own); // from the last to the first
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return fail("[PM1001] " + llvm::Twine(error.what()) +
                "; see pmc check --help");
  }
  if (flags.specs.empty())
    return fail(
        "[PM1006] check: no spec given: pmc check spec.pm; see pmc check "
        "--help");
  if (flags.specs.size() > 1)
    return fail("[PM1006] check: expected one spec, found '" + flags.specs[0] +
                "' and '" + flags.specs[1] + "'");
  options.input = flags.specs[0];
  if (llvm::sys::path::extension(options.input) == ".mlir")
    return fail("[PM1006] check: expected a .pm spec, found '" + options.input +
                "'");
  if (options.precision != "f32" && options.precision != "f64")
    return fail("[PM1002] --precision requires f32 or f64, not '" +
                options.precision + "'");
  if (int code = options.addDefines(flags.defines))
    return code;
  return check(options, flags, libraryFolder);
}
