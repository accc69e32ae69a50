//===- Library.cpp - Names of modules that are not used -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Library.h"

#include "frontend/LanguageServer/Describe.h"
#include "frontend/LanguageServer/Documents/Guard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;

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

static Names resolveAll(const Settings &settings) {
  return Names({&settings, std::make_shared<OpenTexts>()},
               settings.folders.back() + "/all/modules.pm", useAll(settings));
}

static std::vector<LibraryName> readLibrary(const Settings &settings) {
  std::vector<LibraryName> list;
  const Names names = resolveAll(settings);
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

/// The comment at the beginning of a file, without slashes.
static std::string commentAtBegin(StringRef text) {
  std::string comment;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (!line.consume_front("//"))
      break;
    comment += line.trim().str() + "\n";
  }
  return comment;
}

/// The text of the last `// ---- text ----` before a place.
static StringRef sectionOf(StringRef before) {
  static constexpr StringRef begin = "\n// ---- ";
  const size_t at = before.rfind(begin);
  if (at == StringRef::npos)
    return "";
  StringRef line = before.drop_front(at + begin.size()).split('\n').first;
  return line.split(" --").first.trim();
}

/// "n: int = 2" in its parts.
static LibraryFunction::Parameter parameterOf(StringRef text) {
  auto [head, value] = text.split('=');
  auto [name, type] = head.split(':');
  return {name.trim().rtrim('?').str(), type.trim().str(), value.trim().str()};
}

/// The texts between commas in the parentheses of "sum(f, over?)".
static std::vector<StringRef> parametersIn(StringRef signature) {
  std::vector<StringRef> parameters;
  StringRef list = signature.split('(').second.rsplit(')').first;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= list.size() && !list.empty(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c != ',' || (depth != 0 && i < list.size()))
      continue;
    parameters.push_back(list.slice(begin, i).trim());
    begin = i + 1;
  }
  return parameters;
}

LibraryModule pmc::lsp::readBuiltins(const Settings &settings) {
  LibraryModule module;
  module.name = "builtins";
  auto file =
      llvm::MemoryBuffer::getFile(settings.manual + "/language/builtins.txt");
  if (!file)
    return module;
  StringRef text = (*file)->getBuffer();
  module.doc = parseDocComment(commentAtBegin(text));
  std::string comment;
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.consume_front("//")) {
      comment += line.trim().str() + "\n";
      continue;
    }
    if (!line.empty()) {
      LibraryFunction &entry = module.functions.emplace_back();
      entry.name =
          line.take_until([](char c) { return c == '(' || c == '['; }).str();
      entry.signature = line.str();
      entry.section =
          sectionOf(text.take_front(size_t(line.begin() - text.begin())));
      for (StringRef parameter : parametersIn(line))
        entry.parameters.push_back(parameterOf(parameter));
      entry.comment = StringRef(comment).rtrim().str();
      entry.doc = parseDocComment(comment);
    }
    comment.clear();
  }
  return module;
}

static LibraryConstant readConstant(const Names &names,
                                    const ast::ConstStmt &constant) {
  LibraryConstant entry;
  entry.name = constant.name.text;
  auto declaration = names.describe(constant.name.loc, entry.name);
  if (!declaration)
    return entry;
  entry.text = getDeclarationText(names, *declaration);
  StringRef text = names.getTextAround(constant.name.loc);
  const llvm::SMLoc end = constant.Stmt::range.End; // not that of values
  StringRef behind = text.drop_front(size_t(end.getPointer() - text.begin()));
  behind = behind.split('\n').first.trim();
  entry.comment = behind.consume_front("//")
                      ? behind.trim().str()
                      : getDocumentation(names, *declaration);
  return entry;
}

static LibraryFunction readFunction(const Names &names,
                                    const ast::FunctionStmt &function) {
  LibraryFunction entry;
  entry.name = function.name.text;
  entry.signature =
      StringRef(getSignature(names, function)).drop_front(3).str();
  StringRef text = names.getTextAround(function.name.loc);
  entry.section = sectionOf(
      text.take_front(size_t(function.name.loc.getPointer() - text.begin())));
  for (StringRef parameter : getParameters(function))
    entry.parameters.push_back(parameterOf(parameter));
  if (auto declaration = names.describe(function.name.loc, entry.name)) {
    entry.comment = getComment(names, *declaration);
    entry.doc = parseDocComment(entry.comment);
  }
  return entry;
}

static LibraryModule readModule(const Names &names, const ModuleInfo &module) {
  LibraryModule result;
  result.name = module.name;
  if (module.tree->statements.empty())
    return result;
  result.doc = parseDocComment(commentAtBegin(
      names.getTextAround(module.tree->statements.front()->loc)));
  llvm::SmallVector<StringRef> internal;
  result.doc.getPart("Internal").split(internal, ' ');
  for (const ast::StmtPtr &stmt : module.tree->statements) {
    if (auto *constant = llvm::dyn_cast_or_null<ast::ConstStmt>(stmt.get())) {
      result.constants.push_back(readConstant(names, *constant));
    } else if (auto *function =
                   llvm::dyn_cast_or_null<ast::FunctionStmt>(stmt.get())) {
      result.functions.push_back(readFunction(names, *function));
      result.functions.back().isInternal =
          llvm::is_contained(internal, result.functions.back().name);
    }
  }
  return result;
}

std::vector<LibraryModule> pmc::lsp::readModules(const Settings &settings) {
  std::vector<LibraryModule> modules;
  runGuarded([&] {
    const Names names = resolveAll(settings);
    for (const ModuleInfo *module : names.getMain().uses)
      modules.push_back(readModule(names, *module));
  });
  llvm::sort(modules, [](const LibraryModule &a, const LibraryModule &b) {
    return a.name < b.name;
  });
  return modules;
}
