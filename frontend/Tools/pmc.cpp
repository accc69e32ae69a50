//===- pmc.cpp - The compiler's driver ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input and output only: the stages are libraries.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Compile.h"
#include "frontend/Lexer/Diagnostics.h"
#include "frontend/Parser/Parser.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;

namespace {

enum class Stage { AST, PM };

struct Options {
  cl::OptionCategory category{"pmc options"};
  cl::opt<std::string> input{cl::Positional, cl::Required, cl::desc("spec.pm"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("Where the result goes (default: standard output)"),
      cl::value_desc("file"), cl::init("-"), cl::cat(category)};
  cl::opt<Stage> emit{
      "emit", cl::desc("The stage to print"), cl::Required,
      cl::values(clEnumValN(Stage::AST, "ast", "the syntax tree"),
                 clEnumValN(Stage::PM, "pm", "the pm dialect, global view")),
      cl::cat(category)};
  cl::list<std::string> defines{"D", cl::Prefix, cl::value_desc("name=value"),
                                cl::desc("Override a compile-time const"),
                                cl::cat(category)};
  cl::list<std::string> include{
      "I", cl::Prefix, cl::value_desc("folder"),
      cl::desc("Look for modules there, before the standard library"),
      cl::cat(category)};
  cl::opt<std::string> layout{"layout", cl::value_desc("x->row, y->col"),
                              cl::desc("Replace the spec's layout"),
                              cl::cat(category)};
  cl::opt<std::string> precision{
      "precision", cl::value_desc("f32|f64"), cl::init("f32"),
      cl::desc("Precision of fields (default: f32)"), cl::cat(category)};
  cl::opt<bool> debug{"g", cl::desc("Print locations"), cl::cat(category)};
};

/// The standard library stands beside the compiler: <prefix>/lib/pmc/stdlib.
std::string standardLibrary(const char *argv0) {
  static int anchor;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(argv0, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "pmc", "stdlib");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

int fail(const llvm::Twine &message) {
  llvm::errs() << "pmc: error: " << message << "\n";
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "pmc " PMC_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          argc, argv, "pmc: a compiler for particle-mesh pipelines\n",
          &llvm::errs()))
    return 1;
  if (options.precision != "f32" && options.precision != "f64")
    return fail("--precision is f32 or f64, not '" + options.precision + "'");

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!file)
    return fail("cannot read '" + options.input +
                "': " + file.getError().message());

  llvm::SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(std::move(*file), {});
  llvm::StringRef name = llvm::sys::path::stem(options.input);
  pmc::DiagnosticEngine diags(sources);

  std::error_code error;
  llvm::ToolOutputFile out(options.output, error, llvm::sys::fs::OF_Text);
  if (error)
    return fail("cannot write '" + options.output + "': " + error.message());

  if (options.emit == Stage::AST) {
    std::unique_ptr<pmc::ast::Module> module =
        pmc::parseModule(sources, buffer, name, diags);
    if (!module || diags.hasErrors())
      return 1;
    pmc::ast::dump(*module, out.os());
    out.keep();
    return 0;
  }

  pmc::FrontendOptions frontend;
  for (const std::string &define : options.defines) {
    auto [key, value] = llvm::StringRef(define).split('=');
    frontend.defines.emplace_back(key.str(), value.str());
  }
  frontend.modulePaths.assign(options.include.begin(), options.include.end());
  frontend.modulePaths.push_back(standardLibrary(argv[0]));
  frontend.layout = options.layout;
  frontend.f64 = options.precision == "f64";

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      pmc::compileSource(sources, buffer, name, frontend, context, diags);
  if (!module || diags.hasErrors())
    return 1;
  mlir::OpPrintingFlags flags;
  if (options.debug)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  module->print(out.os(), flags);
  out.keep();
  return 0;
}
