//===- Spec.cpp - A spec and what it is made of ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Spec.h"

#include "dialect/IR/Markers/PMDeterministic.h"
#include "dialect/IR/PM.h"
#include "frontend/Lexer/Lexer.h"
#include "frontend/Parser/Parser.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Tuning/ForceChoice.h"

#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace pmc;

bool Spec::load(const Options &options) {
  auto refuse = [&](const llvm::Twine &why) {
    fail("[PM1007] cannot read '" + options.input + "': " + why);
    return false;
  };
  llvm::Expected<std::string> text = readText(options.input);
  if (!text)
    return refuse(llvm::toString(text.takeError()));
  // An empty file is a module; a device or a pipe that gives nothing is none.
  if (llvm::StringRef(*text).trim().empty() &&
      !llvm::sys::fs::is_regular_file(options.input))
    return refuse("it is empty");
  buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(
          *text, options.input == "-" ? "<stdin>" : options.input),
      {});
  name = options.input == "-" ? "spec"
                              : llvm::sys::path::stem(options.input).str();
  isIR = llvm::sys::path::extension(options.input) == ".mlir";
  return true;
}

std::string Spec::findSource(llvm::StringRef path) const {
  for (unsigned i = 1; i <= sources.getNumBuffers(); ++i) {
    llvm::StringRef source = sources.getMemoryBuffer(i)->getBufferIdentifier();
    if (llvm::sys::fs::equivalent(source, path))
      return source.str();
  }
  return "";
}

void Spec::warnWithoutResults(mlir::ModuleOp module) {
  bool hasResult = false;
  module.walk([&](mlir::Operation *op) {
    hasResult |= llvm::isa<pm::OutputOp, pm::PlotOp, pm::PrintOp, pm::AssertOp,
                           pm::SaveOp>(op);
  });
  if (isIR || hasResult)
    return;
  DiagnosticEngine silent(sources, llvm::nulls());
  const llvm::StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
  Lexer lexer(text, silent);
  llvm::SMLoc last;         // the beginning of the last line
  llvm::StringRef variable; // the name in the last 'let'
  Token before = {TokenKind::Semicolon, true, true, {}};
  for (Token token = lexer.next(); !token.is(TokenKind::Eof);
       before = token, token = lexer.next()) {
    if (token.startsLine)
      last = token.loc();
    if (before.is(TokenKind::KwLet) && token.is(TokenKind::Identifier))
      variable = token.text;
  }
  // Without a 'let', the spec has no value to write.
  if (!last.isValid() || variable.empty())
    return;
  diags.warning(last,
                "[PM0705] the program has no result, because the spec "
                "has no 'output', 'plot', 'print', 'assert' or 'warn'; write "
                "'output " +
                    variable + "' to write a value to a file");
}

bool Spec::dump(llvm::raw_ostream &os) {
  std::unique_ptr<ast::Module> module =
      parseModule(sources, buffer, name, diags);
  if (!module || diags.hasErrors())
    return false;
  ast::dump(*module, os);
  return true;
}

mlir::OwningOpRef<mlir::ModuleOp> Spec::compile(const Options &options,
                                                llvm::StringRef library,
                                                mlir::MLIRContext &context,
                                                const LibraryFunction *force) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      read(options, library, context, force);
  if (module && options.deterministic)
    (*module)->setAttr(pm::deterministicName, mlir::UnitAttr::get(&context));
  return module;
}

/// The stage of IR that is not a global view, as a value of --emit; or empty.
static llvm::StringRef findStage(mlir::ModuleOp module) {
  auto isBuffer = [](mlir::Type type) {
    return llvm::isa<pm::BufferType>(type);
  };
  auto isSplit = [](mlir::Type type) {
    pm::FieldType field = pm::getField(type);
    return field && !pm::getAxes(field.getDims()).empty();
  };
  llvm::StringRef stage;
  module.walk([&](mlir::Operation *op) {
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    auto uses = [&](llvm::function_ref<bool(mlir::Type)> is) {
      return llvm::any_of(op->getOperandTypes(), is) ||
             llvm::any_of(op->getResultTypes(), is);
    };
    if (dialect == "pmk" || dialect == "llvm") {
      stage = "kernels";
      return mlir::WalkResult::interrupt();
    }
    if (llvm::isa<pm::PlanOp, pm::AllocOp>(op) || uses(isBuffer))
      stage = "lowered";
    else if (stage.empty() && uses(isSplit))
      stage = "sharded";
    return mlir::WalkResult::advance();
  });
  return stage;
}

mlir::OwningOpRef<mlir::ModuleOp> Spec::read(const Options &options,
                                             llvm::StringRef library,
                                             mlir::MLIRContext &context,
                                             const LibraryFunction *force) {
  this->library = library.str();
  if (isIR) {
    // Its text is the first buffer of a source manager that may grow.
    auto shared = std::make_shared<llvm::SourceMgr>();
    shared->AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(
            sources.getMemoryBuffer(buffer)->getBuffer(), options.input),
        {});
    mlir::SourceMgrDiagnosticHandler errors(*shared, &context);
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(shared, &context);
    const llvm::StringRef stage = module ? findStage(*module) : "";
    if (stage.empty())
      return module;
    fail("[PM1007] '" + options.input + "' is IR of the stage --emit=" + stage +
         ", which pmc does not read; compile the spec, or the output of "
         "--emit=pm; pm-opt runs passes on later stages");
    return nullptr;
  }
  FrontendOptions frontend;
  frontend.defines = options.defines;
  frontend.modulePaths = options.include;
  frontend.modulePaths.push_back(library.str());
  frontend.layout = options.layout;
  frontend.alternatives = getForceMakers();
  frontend.alternative = force;
  frontend.calls = &forces;
  frontend.f64 = options.precision == "f64";
  frontend.checksFinite = options.checksFinite;
  frontend.verifies = options.verifies;
  frontend.snapshots = options.getSnapshots();
  frontend.marksSchedules = options.tune && !options.isScheduleGiven;
  frontend.schedule = frontend.snapshots > 0          ? pm::Schedule::Revolve
                      : options.schedule == "reverse" ? pm::Schedule::Reverse
                                                      : pm::Schedule::Keep;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      compileSource(sources, buffer, name, frontend, context, diags);
  if (diags.hasErrors())
    return nullptr;
  return module;
}

std::string Spec::hash(const Options &options) const {
  llvm::SHA256 sha;
  // Lengths keep what follows one another apart.
  auto add = [&](llvm::StringRef text) {
    sha.update(std::to_string(text.size()) + ":");
    sha.update(text);
  };
  for (unsigned i = 1; i <= sources.getNumBuffers(); ++i)
    add(sources.getMemoryBuffer(i)->getBuffer());
  for (const auto &[key, value] : options.defines) {
    add(key);
    add(value);
  }
  add(options.layout);
  add(options.precision);
  add(options.schedule);
  for (const DerivativeEntry &entry : options.derivatives) {
    add(entry.kind);
    for (const auto *names : {&entry.wrt, &entry.of})
      for (const std::string &name : *names)
        add(name);
  }
  add(options.cpu);
  add(std::to_string(options.optimization));
  add(options.sanitize);
  add(codegen::stringifyTarget(options.target));
  add(options.deterministic ? "deterministic" : "");
  add(options.checksFinite ? "check-finite" : "");
  add(options.paint);
  add(options.sizes);
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

static std::string shortHash(llvm::StringRef text) {
  llvm::SHA256 sha;
  sha.update(text);
  return llvm::toHex(sha.final(), /*LowerCase=*/true).substr(0, 16);
}

std::string Spec::describe(const Options &options) const {
  std::string text = "spec=" + shortHash(getSource());
  // No value has a blank in it.
  auto add = [&](llvm::StringRef key, llvm::StringRef value) {
    text += " ";
    for (llvm::StringRef part : {key, llvm::StringRef("="), value})
      llvm::copy_if(part, std::back_inserter(text),
                    [](char letter) { return !llvm::isSpace(letter); });
  };
  for (unsigned i = 1; i <= sources.getNumBuffers(); ++i) {
    const llvm::MemoryBuffer *source = sources.getMemoryBuffer(i);
    const llvm::StringRef path = source->getBufferIdentifier();
    if (i != buffer && !(!library.empty() && path.starts_with(library)))
      add(llvm::sys::path::filename(path), shortHash(source->getBuffer()));
  }
  for (const auto &[key, value] : options.defines)
    add(("-D" + key), value);
  if (!options.layout.empty())
    add("layout", options.layout);
  add("precision", options.precision);
  add("schedule", options.schedule);
  add("target", codegen::stringifyTarget(options.target));
  return text;
}

std::string Spec::describeBuild(const Options &options) const {
  llvm::SHA256 modules;
  for (unsigned i = 1; i <= sources.getNumBuffers(); ++i)
    if (const llvm::MemoryBuffer *source = sources.getMemoryBuffer(i);
        !library.empty() && source->getBufferIdentifier().starts_with(library))
      modules.update(source->getBuffer());
  std::string text =
      "pmc=" PMC_VERSION " -O" + std::to_string(options.optimization) +
      " cpu=" + options.cpu + " library=" +
      llvm::toHex(modules.final(), /*LowerCase=*/true).substr(0, 16);
  if (!options.sanitize.empty())
    text += " sanitize=" + options.sanitize;
  if (options.deterministic)
    text += " deterministic";
  if (options.paint != "auto")
    text += " paint=" + options.paint;
  if (!options.sizes.empty())
    text += " sizes=" + options.sizes;
  return text;
}
