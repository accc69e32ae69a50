//===- Evaluation.cpp - Diagnostics and values of a document --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Evaluation.h"

#include "frontend/IRGen/Compile.h"
#include "frontend/IRGen/Observer.h"
#include "frontend/LanguageServer/Documents/Guard.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;
namespace json = llvm::json;

/// An evaluation ends after this time, so that no edit waits for it for ever.
static constexpr std::chrono::seconds longest(20);

/// Its values refer to types of the context, so it keeps all of them.
class Evaluation::Compilation : public EvaluationObserver {
public:
  explicit Compilation(Evaluation &owner)
      : owner(owner), context(mlir::MLIRContext::Threading::DISABLED),
        diags(sources, llvm::nulls()) {}

  void run();
  bool isLate() const { return late; }

  const Value *findValue(size_t begin, size_t end) const {
    auto it = values.find({begin, end});
    return it == values.end() ? nullptr : &it->second;
  }
  Expression findSmallest(size_t offset) const {
    Expression found;
    for (const auto &[range, value] : values)
      if (range.first <= offset && offset < range.second &&
          (!found.value ||
           range.second - range.first < found.end - found.begin))
        found = {range.first, range.second, &value};
    return found;
  }
  const Value *findBound(size_t offset) const {
    auto it = names.find(offset);
    return it == names.end() ? nullptr : &it->second;
  }

  void evaluated(llvm::SMRange range, const Value &value) override {
    if (isInDocument(range.Start))
      values.try_emplace({offsetOf(range.Start), offsetOf(range.End)}, value);
  }
  void bound(llvm::SMLoc name, const Value &value) override {
    if (isInDocument(name))
      names.try_emplace(offsetOf(name), value);
  }
  bool isCancelled() override {
    late = late || std::chrono::steady_clock::now() - begin > longest;
    return late || owner.isCancelled();
  }

private:
  bool isInDocument(llvm::SMLoc loc) const {
    return document && loc.getPointer() >= document->getBufferStart() &&
           loc.getPointer() <= document->getBufferEnd();
  }
  size_t offsetOf(llvm::SMLoc loc) const {
    return size_t(loc.getPointer() - document->getBufferStart());
  }

  Evaluation &owner;
  std::chrono::steady_clock::time_point begin;
  bool late = false;
  llvm::SourceMgr sources;
  const llvm::MemoryBuffer *document = nullptr;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<std::pair<size_t, size_t>, Value> values;
  std::map<size_t, Value> names;

public:
  DiagnosticEngine diags;
};

void Evaluation::Compilation::run() {
  begin = std::chrono::steady_clock::now();
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(owner.text.str(), owner.path), {});
  document = sources.getMemoryBuffer(buffer);
  diags.setConsumer([&](const Diagnostic &diagnostic) {
    if (!isCancelled())
      owner.convert(diagnostic);
  });
  FrontendOptions options;
  const Settings &settings = *owner.workspace.settings;
  options.defines = settings.defines;
  options.modulePaths = settings.folders;
  options.layout = settings.layout;
  options.f64 = settings.f64;
  options.openFiles = owner.workspace.getOpenFiles();
  options.observer = this;
  options.verifies = false;
  module = compileSource(sources, buffer, llvm::sys::path::stem(owner.path),
                         options, context, diags, &owner.files);
}

Evaluation::Evaluation(Workspace workspace, std::string path, std::string text,
                       int64_t version)
    : workspace(std::move(workspace)), path(std::move(path)),
      text(std::move(text)), version(version) {}

Evaluation::~Evaluation() = default;

void Evaluation::run() {
  compilation = std::make_unique<Compilation>(*this);
  bool finished = runGuarded([&] { compilation->run(); });
  Diagnostic failure;
  failure.severity = Severity::Warning;
  if (!finished) {
    // Its parts may be broken, so that freeing them could crash as well.
    (void)compilation.release();
    failure.message = "pmc crashed while it compiled this spec, so messages "
                      "may be missing; please report the spec";
  } else if (compilation->isLate()) {
    failure.message =
        "the spec was not evaluated to its end within " +
        std::to_string(longest.count()) +
        " s, so messages may be missing; use smaller loops or consts";
  }
  if (!failure.message.empty()) {
    failure.file = path;
    convert(failure);
  }
}

const Value *Evaluation::findValue(size_t begin, size_t end) const {
  return compilation ? compilation->findValue(begin, end) : nullptr;
}

Evaluation::Expression Evaluation::findSmallest(size_t offset) const {
  return compilation ? compilation->findSmallest(offset) : Expression();
}

const Value *Evaluation::findBound(size_t offset) const {
  return compilation ? compilation->findBound(offset) : nullptr;
}

static int severityOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Remark:
  case Severity::Note:
    return 3;
  }
  return 1;
}

static llvm::lsp::Range rangeIn(const Text &text, const Diagnostic &at) {
  return text.getRange(text.getOffset(at.line, at.column),
                       text.getOffset(at.endLine, at.endColumn));
}

/// The range in the document: a message about a module is shown where the
/// module is used, a message without a place at the beginning.
llvm::lsp::Range Evaluation::rangeOf(const Diagnostic &diagnostic) const {
  if (diagnostic.file == path && diagnostic.line > 0)
    return rangeIn(text, diagnostic);
  StringRef module = llvm::sys::path::stem(diagnostic.file);
  for (size_t begin = 0; begin < text.str().size();) {
    StringRef line = text.str().substr(begin).split('\n').first;
    size_t word = line.find(module);
    if (line.ltrim().starts_with("use ") && !module.empty() &&
        word != StringRef::npos)
      return text.getRange(begin + word, begin + word + module.size());
    begin += line.size() + 1;
  }
  return {};
}

/// A place with a message; null without a place.
static json::Value related(const Workspace &workspace, const Text &document,
                           StringRef path, const Diagnostic &at) {
  if (at.line == 0)
    return nullptr;
  std::optional<Text> other;
  if (at.file != path) {
    auto open = workspace.open->find(at.file);
    if (open != workspace.open->end())
      other.emplace(open->second);
    else if (auto file = llvm::MemoryBuffer::getFile(at.file))
      other.emplace((*file)->getBuffer().str());
  }
  if (at.file != path && !other)
    return nullptr;
  auto uri = llvm::lsp::URIForFile::fromFile(at.file);
  if (!uri) {
    llvm::consumeError(uri.takeError());
    return nullptr;
  }
  return json::Object{
      {"location",
       json::Object{{"uri", uri->uri().str()},
                    {"range", rangeIn(other ? *other : document, at)}}},
      {"message", json::fixUTF8(at.message)}};
}

/// X of "…: add 'use X'".
static std::string missingModule(StringRef message) {
  return message.split("add 'use ").second.split("'").first.str();
}

void Evaluation::convert(const Diagnostic &diagnostic) {
  errors |= diagnostic.severity == Severity::Error;
  Finding finding;
  finding.range = rangeOf(diagnostic);
  std::string message = diagnostic.message;
  json::Array relatedPlaces;
  auto add = [&](const Diagnostic &at) {
    if (json::Value place = related(workspace, text, path, at);
        place.kind() != json::Value::Null)
      relatedPlaces.push_back(std::move(place));
    else
      message += "\n" + at.message;
  };
  const bool isElsewhere = diagnostic.line > 0 && diagnostic.file != path;
  if (isElsewhere) {
    Diagnostic here = diagnostic;
    here.message = "found here";
    add(here);
  }
  for (const Diagnostic &note : diagnostic.notes)
    add(note);
  json::Object object{{"range", finding.range},
                      {"severity", severityOf(diagnostic.severity)},
                      {"source", "pmc"},
                      {"message", json::fixUTF8(message)}};
  if (!relatedPlaces.empty())
    object["relatedInformation"] = std::move(relatedPlaces);
  if (!isElsewhere) {
    finding.replacement = diagnostic.suggestion;
    finding.module = missingModule(diagnostic.message);
  }
  // Editors recognize a fix by `code`. Therefore the code of the mistake is
  // also in the data.
  json::Object data;
  if (!diagnostic.code.empty()) {
    object["code"] = diagnostic.code;
    data["code"] = diagnostic.code;
  }
  if (!finding.replacement.empty()) {
    object["code"] = "did-you-mean";
    data["replacement"] = finding.replacement;
  } else if (!finding.module.empty()) {
    object["code"] = "missing-use";
    data["module"] = finding.module;
  }
  if (!data.empty())
    object["data"] = std::move(data);
  finding.json = std::move(object);
  findings.push_back(std::move(finding));
}
