//===- pmc.cpp - The compiler's driver ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Compiler.h"
#include "frontend/Tools/Explain.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Flags/Options.h"
#include "frontend/Tools/Language/CheckTool.h"
#include "frontend/Tools/Language/FormatTool.h"
#include "frontend/Tools/Language/LanguageTool.h"
#include "frontend/Tools/Language/LspTool.h"
#include "frontend/Tools/Manual/DocTool.h"
#include "frontend/Tools/Manual/HelpTool.h"
#include "frontend/Tools/Run.h"
#include "frontend/Tools/Tuning/MachineTool.h"
#include "frontend/Tools/Tuning/TuneTool.h"
#include "frontend/Tools/Version.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace pmc;

/// <prefix>/lib, beside the compiler's bin: the runtime, the standard library.
static std::string libraryFolder(const char *argv0) {
  static int anchor;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(argv0, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// The exit code, or 1 if what went to standard output did not arrive.
static int finish(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return code;
  llvm::outs().clear_error(); // or LLVM ends the program
  return fail("[PM1008] cannot write to standard output: " + error.message());
}

int main(int argc, char **argv) {
  // Or the first files opened would take the place of closed streams.
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  if (argc > 1 && llvm::StringRef(argv[1]) == "machine")
    return finish(
        runMachineTool(std::vector<std::string>(argv + 2, argv + argc),
                       libraryFolder(argv[0])));
  if (argc > 1 && llvm::StringRef(argv[1]) == "check")
    return finish(runCheckTool(std::vector<std::string>(argv + 2, argv + argc),
                               libraryFolder(argv[0])));
  if (argc > 1 && llvm::StringRef(argv[1]) == "fmt")
    return finish(
        runFormatTool(std::vector<std::string>(argv + 2, argv + argc)));
  if (argc > 1 && llvm::StringRef(argv[1]) == "lsp")
    return finish(runLspTool(std::vector<std::string>(argv + 2, argv + argc),
                             libraryFolder(argv[0])));
  if (argc > 1 && llvm::StringRef(argv[1]) == "help")
    return finish(runHelpTool(std::vector<std::string>(argv + 2, argv + argc),
                              libraryFolder(argv[0])));
  if (argc > 1 && llvm::StringRef(argv[1]) == "doc")
    return finish(runDocTool(std::vector<std::string>(argv + 2, argv + argc),
                             libraryFolder(argv[0])));
  if (argc > 1 && llvm::StringRef(argv[1]) == "language")
    return finish(
        runLanguageTool(std::vector<std::string>(argv + 2, argv + argc)));
  for (llvm::StringRef tool : {"checkpoint", "report"})
    if (argc > 1 && tool == argv[1]) {
      const std::string folder = libraryFolder(argv[0]) + "/../bin";
      // How the loader finds a package's libraries where there is no /proc.
      setenv("LD_ORIGIN_PATH", folder.c_str(), /*replace=*/1);
      return finish(
          runProgram(folder + "/pmrt_" + tool.str(),
                     std::vector<std::string>(argv + 2, argv + argc)));
    }
  Options options;
  if (std::optional<int> code = Options::parse(argc, argv, options))
    return finish(*code);
  if (options.version)
    return finish(printVersion(options.verbose, libraryFolder(argv[0])));
  Compiler compiler(options, libraryFolder(argv[0]));
  if (options.tune)
    return finish(tune(compiler));
  if (options.explainMemory || !options.explain.empty())
    return finish(explain(compiler));
  return finish(compiler.run());
}
