//===- Reference.cpp - What pmc help finds --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Manual/Reference.h"

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Basic/Unit.h"
#include "frontend/LanguageServer/Describe.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Tools/Flags/CompilerFlags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <CLI/CLI.hpp>

using namespace pmc;
using llvm::StringRef;

static std::string textOf(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

static std::string titleOf(StringRef text) {
  for (StringRef line : llvm::split(text, '\n'))
    if (line.consume_front("# "))
      return line.trim().str();
  return "";
}

static std::vector<ReferencePage> listPages(const std::string &folder) {
  std::vector<ReferencePage> pages;
  std::error_code error;
  llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
  for (; it != end && !error; it.increment(error)) {
    StringRef path = it->path();
    if (!path.ends_with(".md"))
      continue;
    StringRef name = path.drop_front(folder.size() + 1).drop_back(3);
    pages.push_back({name.str(), titleOf(textOf(path.str())), path.str()});
  }
  llvm::sort(pages, [](const ReferencePage &a, const ReferencePage &b) {
    return a.name < b.name;
  });
  return pages;
}

/// The flags of `pmc SPEC`.
static std::vector<ReferenceEntry> listFlags() {
  CLI::App app("", "pmc");
  Options options;
  CompilerFlags values;
  addCompilerFlags(app, options, values);
  std::vector<ReferenceEntry> entries;
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_positional())
      continue;
    ReferenceEntry entry;
    entry.kind = "flag";
    entry.name = option->get_lnames().empty()
                     ? "-" + option->get_snames().front()
                     : "--" + option->get_lnames().front();
    entry.signature = entry.name;
    if (!option->get_snames().empty() && !option->get_lnames().empty())
      entry.signature = "-" + option->get_snames().front() + ", " + entry.name;
    if (std::string type = option->get_type_name(); !type.empty())
      entry.signature += " " + type;
    entry.module = option->get_group();
    entry.text = option->get_description();
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// The flags of every program.
static std::vector<ReferenceEntry> listProgramFlags() {
  std::vector<ReferenceEntry> entries;
  auto add = [&](StringRef name, StringRef form, StringRef text) {
    ReferenceEntry entry;
    entry.kind = "flag";
    entry.name = ("--" + name).str();
    entry.signature = form.str();
    entry.module = "of programs";
    entry.text = text.str();
    entries.push_back(std::move(entry));
  };
#define PMRT_FLAG(NAME, FORM, TEXT) add(NAME, FORM, TEXT);
#include "runtime/include/pmrt/flags.def"
  return entries;
}

std::vector<StringRef> Reference::listKeywords() {
  std::vector<StringRef> words{
#define TOKEN(NAME, TEXT)
#define KEYWORD(NAME, TEXT) TEXT,
#include "frontend/Lexer/Tokens.def"
#define WORD(TEXT) TEXT,
#include "frontend/Parser/Words.def"
#define TYPE(TEXT) TEXT,
#include "frontend/Parser/Words.def"
  };
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
  return words;
}

Reference::Reference(const std::string &libraryFolder) {
  settings.folders = {libraryFolder + "/pmc/stdlib"};
  settings.manual = libraryFolder + "/pmc/doc";
  builtins = lsp::readBuiltins(settings);
  modules = lsp::readModules(settings);
  pages = listPages(settings.manual);
  flags = listFlags();
  programFlags = listProgramFlags();
}

/// "../language/fields.md#reductions" of links in a text of the page
/// "library/spectra": "language/fields".
static std::vector<std::string> linksOf(StringRef text, StringRef page) {
  std::vector<std::string> links;
  while (text.contains("](")) {
    text = text.split("](").second;
    StringRef target = text.split(')').first.split('#').first;
    if (!target.consume_back(".md") || target.contains(':'))
      continue;
    llvm::SmallString<64> path(llvm::sys::path::parent_path(page));
    llvm::sys::path::append(path, target);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (!llvm::is_contained(links, path.str()))
      links.push_back(path.str().str());
  }
  return links;
}

static std::vector<StringRef> wordsOf(StringRef text) {
  std::vector<StringRef> words;
  while (!text.empty()) {
    text = text.drop_until([](char c) { return llvm::isAlnum(c) || c == '_'; });
    StringRef word =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!word.empty())
      words.push_back(word);
    text = text.drop_front(word.size());
  }
  return words;
}

/// The names that a line of `dim`, `let` or `fn` declares.
static std::vector<StringRef> declaredIn(StringRef line) {
  std::vector<StringRef> names;
  if (line.consume_front("dim ")) {
    for (StringRef part : llvm::split(line, ','))
      names.push_back(part.split('=').first.trim());
  } else if (line.consume_front("fn ")) {
    names = wordsOf(line.split('(').first);
  } else if (line.consume_front("let ")) {
    names = wordsOf(line.split('=').first);
  }
  return names;
}

/// The example behind those lines of the module's setup that it needs. The
/// lines of `use` are all there.
static std::string exampleOf(const lsp::LibraryModule &module,
                             const lsp::LibraryFunction &function,
                             StringRef use) {
  std::string text = function.doc.getPart("Example").str();
  if (text.empty())
    return "";
  llvm::SmallVector<StringRef> setup;
  module.doc.getPart("Setup").split(setup, '\n', -1, /*KeepEmpty=*/false);
  std::string uses = use.str();
  for (StringRef line : setup)
    if (line.starts_with("use "))
      uses += line.str() + "\n";
  for (StringRef line : llvm::reverse(setup)) {
    std::vector<StringRef> used = wordsOf(text);
    if (llvm::any_of(declaredIn(line), [&](StringRef name) {
          return llvm::is_contained(used, name);
        }))
      text = line.str() + "\n" + text;
  }
  return uses + text;
}

void Reference::addBuiltin(StringRef name,
                           std::vector<ReferenceEntry> &found) const {
  std::optional<BuiltinId> id = findBuiltin(name);
  if (!id)
    return;
  ReferenceEntry entry;
  entry.kind = "builtin";
  entry.name = name.str();
  entry.signature = lsp::getBuiltinSignature(name);
  const lsp::LibraryFunction *function = nullptr;
  for (const lsp::LibraryFunction &each : builtins.functions)
    if (each.name == name)
      function = &each;
  if (function) {
    entry.signature = function->signature;
    entry.doc = function->doc;
    entry.example = exampleOf(builtins, *function, "");
  }
  // The names are those of the compiler, so that a test finds stale texts.
  for (StringRef param : getBuiltinInfo(*id).params) {
    lsp::LibraryFunction::Parameter &parameter =
        entry.parameters.emplace_back();
    parameter.name = param.str();
    if (!function)
      continue;
    for (const auto &each : function->parameters)
      if (each.name == param)
        parameter = each;
  }
  entry.pages.push_back("language/builtins");
  found.push_back(std::move(entry));
}

void Reference::addLibrary(StringRef name,
                           std::vector<ReferenceEntry> &found) const {
  for (const lsp::LibraryModule &module : modules) {
    if (module.name == name) {
      ReferenceEntry entry;
      entry.kind = "module";
      entry.name = module.name;
      entry.signature = "use " + module.name;
      entry.doc = module.doc;
      for (const lsp::LibraryFunction &function : module.functions)
        if (!function.isInternal && !function.doc.summary.empty())
          entry.text +=
              "- `" + function.signature + "`: " + function.doc.summary + "\n";
      entry.pages.push_back("library/" + module.name);
      found.push_back(std::move(entry));
    }
    for (const lsp::LibraryConstant &constant : module.constants) {
      if (constant.name != name)
        continue;
      ReferenceEntry entry;
      entry.kind = "constant";
      entry.name = constant.name;
      entry.signature = constant.text;
      entry.module = module.name;
      entry.text = constant.comment;
      entry.pages.push_back("library/" + module.name);
      found.push_back(std::move(entry));
    }
    for (const lsp::LibraryFunction &function : module.functions) {
      if (function.name != name)
        continue;
      ReferenceEntry entry;
      entry.kind = function.isInternal ? "internal function" : "function";
      entry.name = function.name;
      entry.signature = function.signature;
      entry.module = module.name;
      entry.parameters = function.parameters;
      entry.doc = function.doc;
      entry.example = exampleOf(module, function, "use " + module.name + "\n");
      entry.pages.push_back("library/" + module.name);
      found.push_back(std::move(entry));
    }
  }
}

void Reference::addRow(StringRef name, StringRef kind, StringRef page,
                       std::vector<ReferenceEntry> &found) const {
  for (const lsp::ManualRow &row :
       lsp::readRows(settings.manual + "/" + page.str() + ".md")) {
    if (!llvm::is_contained(row.getCodes(), name))
      continue;
    ReferenceEntry entry;
    entry.kind = kind.str();
    entry.name = entry.signature = name.str();
    entry.text = row.meaning;
    entry.pages = linksOf(row.meaning, page);
    if (!llvm::is_contained(entry.pages, page))
      entry.pages.push_back(page.str());
    found.push_back(std::move(entry));
    return;
  }
}

void Reference::addPages(StringRef name,
                         std::vector<ReferenceEntry> &found) const {
  for (const ReferencePage &page : pages) {
    if (page.name != name && llvm::sys::path::filename(page.name) != name)
      continue;
    ReferenceEntry entry;
    entry.kind = "page";
    entry.name = page.name;
    entry.signature = page.title;
    entry.text = textOf(page.path);
    found.push_back(std::move(entry));
  }
}

static bool isCode(StringRef name) {
  return name.size() == 6 && name.take_front(2).equals_insensitive("PM") &&
         llvm::all_of(name.drop_front(2), llvm::isDigit);
}

void Reference::addCode(StringRef name,
                        std::vector<ReferenceEntry> &found) const {
  if (!isCode(name))
    return;
  const std::string code = name.upper();
  for (const ReferencePage &page : pages) {
    if (!StringRef(page.name).starts_with("errors/"))
      continue;
    const std::string text = "\n" + textOf(page.path);
    auto [before, section] = StringRef(text).split("\n## " + code + ": ");
    if (section.empty())
      continue;
    section = section.split("\n## ").first;
    ReferenceEntry entry;
    entry.kind = "code";
    entry.name = code;
    entry.signature = code + ": " + section.split('\n').first.str();
    entry.text = section.split('\n').second.trim().str() + "\n";
    entry.pages.push_back(page.name);
    found.push_back(std::move(entry));
    return;
  }
}

std::vector<StringRef> Reference::listNames(bool areFlags) const {
  std::vector<StringRef> names = listKeywords();
  llvm::append_range(names, Unit::atomNames());
  for (const BuiltinInfo &builtin : getBuiltins())
    names.push_back(builtin.name);
  for (const lsp::LibraryModule &module : modules) {
    names.push_back(module.name);
    for (const lsp::LibraryFunction &function : module.functions)
      if (!function.isInternal)
        names.push_back(function.name);
  }
  for (const auto *list : {&flags, &programFlags})
    for (const ReferenceEntry &flag : *list)
      names.push_back(areFlags ? StringRef(flag.name)
                               : StringRef(flag.name).ltrim('-'));
  for (const ReferencePage &page : pages) {
    names.push_back(page.name);
    names.push_back(llvm::sys::path::filename(page.name));
  }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

std::vector<ReferenceEntry> Reference::find(StringRef name) const {
  std::vector<ReferenceEntry> found = findExact(name);
  if (!found.empty())
    return found;
  // Without an exact match, the case of letters is ignored.
  for (StringRef other : listNames(name.starts_with("-")))
    if (other.equals_insensitive(name))
      llvm::append_range(found, findExact(other));
  return found;
}

std::vector<ReferenceEntry> Reference::findExact(StringRef name) const {
  std::vector<ReferenceEntry> found;
  addBuiltin(name, found);
  addLibrary(name, found);
  if (llvm::is_contained(listKeywords(), name))
    addRow(name, "keyword", "language/keywords", found);
  if (llvm::is_contained(Unit::atomNames(), name))
    addRow(name, "unit", "language/units", found);
  for (const auto *list : {&flags, &programFlags})
    for (const ReferenceEntry &flag : *list)
      if (flag.name == name || StringRef(flag.name).ltrim('-') == name)
        found.push_back(flag);
  addPages(name, found);
  addCode(name, found);
  return found;
}

std::string Reference::suggest(StringRef name) const {
  if (StringRef foreign = explainForeignName(name); !foreign.empty())
    return ("; " + foreign).str();
  if (isCode(name))
    return "; pmc help errors/index lists the codes of messages";
  if (std::optional<StringRef> closest =
          closestName(name, listNames(name.starts_with("-"))))
    return "; did you mean '" + closest->str() + "'?";
  return name.starts_with("-") ? "; PROGRAM --help lists the flags of programs"
                               : "; pmc help lists the topics";
}

/// Whether the words occur in the text, in any case, and not as parts of
/// others.
static bool contains(StringRef text, StringRef words) {
  for (size_t from = 0;;) {
    const size_t at = text.find_insensitive(words, from);
    if (at == StringRef::npos)
      return false;
    const size_t end = at + words.size();
    if ((at == 0 || !llvm::isAlnum(text[at - 1])) &&
        (end == text.size() || !llvm::isAlnum(text[end])))
      return true;
    from = at + 1;
  }
}

std::vector<PageHit> Reference::search(StringRef words) const {
  std::vector<PageHit> ranked[3];
  for (const ReferencePage &page : pages) {
    if (StringRef(page.name).starts_with("errors/") || page.name == "changelog")
      continue;
    const std::string text = textOf(page.path);
    StringRef heading = page.title, first;
    bool isHeading = false, isCode = false;
    for (StringRef line : llvm::split(StringRef(text), '\n')) {
      isCode ^= line.starts_with("```");
      const bool begins = line.starts_with("#") && !isCode;
      if (begins)
        heading = line.ltrim("# ");
      if (isHeading || !contains(line, words))
        continue;
      isHeading = begins;
      if (isHeading || first.empty())
        first = heading;
    }
    if (!first.empty())
      ranked[contains(page.title, words) ? 0
             : isHeading                 ? 1
                                         : 2]
          .push_back({&page, first.str()});
  }
  std::vector<PageHit> found;
  for (std::vector<PageHit> &hits : ranked)
    llvm::append_range(found, hits);
  return found;
}
