//===- HelpTool.cpp - pmc help --------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Manual/HelpTool.h"

#include "frontend/Basic/Unit.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/Manual/Reference.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using llvm::StringRef;

namespace {

constexpr size_t width = 80;

/// A paragraph in lines of at most `width` columns behind an indent.
void writeWrapped(StringRef text, unsigned indent, StringRef first = "") {
  auto columns = [](StringRef word) {
    return size_t(std::max(0, llvm::sys::unicode::columnWidthUTF8(word)));
  };
  std::string line = std::string(indent, ' ');
  if (!first.empty())
    line.replace(2, std::min(first.size(), line.size() - 2), first.str());
  if (first.size() + 3 > indent && !first.empty()) {
    llvm::outs() << "  " << first << "\n";
    line = std::string(indent, ' ');
  }
  size_t used = indent;
  bool isEmpty = true;
  for (StringRef rest = text; !rest.empty();) {
    auto [word, after] = rest.split(' ');
    rest = after;
    if (!isEmpty && used + 1 + columns(word) > width) {
      llvm::outs() << line << "\n";
      line = std::string(indent, ' ');
      used = indent;
      isEmpty = true;
    }
    line += (isEmpty ? "" : " ") + word.str();
    used += columns(word) + !isEmpty;
    isEmpty = false;
  }
  llvm::outs() << line << "\n";
}

void writeLines(StringRef text, unsigned indent, StringRef first) {
  for (StringRef line : llvm::split(text, '\n')) {
    llvm::outs() << "  " << first;
    llvm::outs().indent(unsigned(indent - 2 - first.size())) << line << "\n";
    first = "";
  }
}

/// Without the comments of tests.
void writePage(StringRef text) {
  bool isComment = false;
  for (StringRef line : llvm::split(text.rtrim(), '\n')) {
    isComment |= line.starts_with("<!--");
    if (!isComment)
      llvm::outs() << line << "\n";
    isComment &= !line.ends_with("-->");
  }
}

void writeParameters(const ReferenceEntry &entry) {
  size_t indent = 0;
  for (const auto &parameter : entry.parameters)
    indent = std::max(indent, parameter.name.size());
  indent = std::min<size_t>(indent, 16) + 4;
  bool isFirst = true;
  for (const auto &parameter : entry.parameters) {
    StringRef text = entry.doc.getArgument(parameter.name);
    if (text.empty())
      continue;
    std::string all = text.str();
    if (!parameter.defaultValue.empty())
      all += " (default: " + parameter.defaultValue + ")";
    if (isFirst)
      llvm::outs() << "\n";
    isFirst = false;
    writeWrapped(all, unsigned(indent), parameter.name);
  }
}

void writePages(const ReferenceEntry &entry) {
  std::string pages;
  for (const std::string &page : entry.pages)
    pages += (pages.empty() ? "pmc help " : ", pmc help ") + page;
  if (!pages.empty())
    writeWrapped(pages, 11, "See");
}

void write(const ReferenceEntry &entry) {
  std::string kind = entry.kind;
  if (!entry.module.empty())
    kind += (entry.kind == "flag" ? ": " : " of the module ") + entry.module;
  llvm::outs() << entry.signature << "\n  [" << kind << "]\n\n";
  if (!entry.doc.summary.empty())
    writeWrapped(lsp::withoutLinks(entry.doc.summary), 2);
  for (const std::string &note : entry.doc.notes) {
    llvm::outs() << "\n";
    writeWrapped(lsp::withoutLinks(note), 2);
  }
  if (!entry.doc.summary.empty() && !entry.text.empty())
    llvm::outs() << "\n";
  for (StringRef line : llvm::split(StringRef(entry.text).rtrim(), '\n'))
    if (!entry.text.empty() && entry.kind == "flag")
      llvm::outs() << "  " << line << "\n"; // as in --help
    else if (!entry.text.empty())
      writeWrapped(lsp::withoutLinks(line), line.starts_with("- ") ? 4 : 2);
  writeParameters(entry);
  llvm::outs() << "\n";
  for (const auto &part : entry.doc.parts)
    if (part.name == "Setup")
      writeLines(part.text, 11, "Examples");
    else if (part.name != "Example" && part.name != "Internal")
      writeWrapped(part.text, 11, part.name);
  if (!entry.example.empty())
    writeLines(entry.example, 11, "Example");
  writePages(entry);
}

/// The section of a code: wrapped text, and indented examples in place of
/// fences.
void writeCode(const ReferenceEntry &entry) {
  llvm::outs() << entry.signature << "\n\n";
  std::string paragraph;
  auto finish = [&] {
    if (!paragraph.empty())
      writeWrapped(lsp::withoutLinks(paragraph), 2);
    paragraph.clear();
  };
  bool isExample = false;
  for (StringRef line : llvm::split(StringRef(entry.text).rtrim(), '\n')) {
    if (line.starts_with("```")) {
      isExample = !isExample;
    } else if (!line.empty() && !isExample) {
      paragraph += (paragraph.empty() ? "" : " ") + line.str();
    } else {
      finish();
      llvm::outs().indent(line.empty() ? 0 : 6) << line << "\n";
    }
  }
  finish();
  llvm::outs() << "\n";
  writePages(entry);
}

void writeJson(llvm::json::OStream &json, const ReferenceEntry &entry) {
  auto attribute = [&](StringRef name, StringRef text) {
    if (!text.empty())
      json.attribute(name, llvm::json::fixUTF8(text));
  };
  json.object([&] {
    attribute("kind", entry.kind);
    attribute("name", entry.name);
    attribute("signature", entry.signature);
    attribute(entry.kind == "flag" ? "group" : "module", entry.module);
    attribute("summary", entry.doc.summary);
    if (!entry.doc.notes.empty())
      json.attributeArray("notes", [&] {
        for (const std::string &note : entry.doc.notes)
          json.value(llvm::json::fixUTF8(note));
      });
    attribute("text", entry.text);
    json.attributeArray("arguments", [&] {
      for (const auto &parameter : entry.parameters)
        json.object([&] {
          attribute("name", parameter.name);
          attribute("type", parameter.type);
          attribute("default", parameter.defaultValue);
          attribute("text", entry.doc.getArgument(parameter.name));
        });
    });
    for (const auto &part : entry.doc.parts)
      if (part.name != "Example")
        attribute(StringRef(part.name).lower(), part.text);
    attribute("example", entry.example);
    json.attributeArray("pages", [&] {
      for (const std::string &page : entry.pages)
        json.value(page);
    });
  });
}

/// Names in lines behind a title.
template <typename Names> void writeNames(StringRef title, const Names &names) {
  llvm::outs() << title << "\n";
  writeWrapped(llvm::join(names, ", "), 2);
  llvm::outs() << "\n";
}

void writeTopics(const Reference &reference) {
  llvm::outs() << "pmc help NAME explains a builtin, a function or module of "
                  "the library, a keyword,\na unit, a flag, the code of a "
                  "message such as PM0201, or a page.\n\n";
  llvm::outs() << "Modules of the library (pmc help MODULE lists functions)\n";
  for (const lsp::LibraryModule &module : reference.getModules())
    writeWrapped(lsp::withoutLinks(module.doc.summary), 15, module.name);
  llvm::outs() << "\n";
  std::vector<std::string> builtins, flags;
  for (const BuiltinInfo &builtin : getBuiltins())
    builtins.push_back(builtin.name.str());
  llvm::sort(builtins);
  writeNames("Builtins", builtins);
  writeNames("Keywords", Reference::listKeywords());
  writeNames("Units", Unit::atomNames());
  for (const ReferenceEntry &flag : reference.getFlags())
    flags.push_back(flag.name);
  writeNames("Flags of pmc", flags);
  flags.clear();
  for (const ReferenceEntry &flag : reference.getProgramFlags())
    flags.push_back(flag.name);
  writeNames("Flags of programs (PROGRAM --help also lists its params)", flags);
  llvm::outs() << "Pages of the manual\n";
  for (const ReferencePage &page : reference.getPages())
    writeWrapped(page.title, 30, page.name);
}

/// Reports a name without an entry. Prints the pages that contain all names as
/// one phrase, or else this name. If there are none, suggests a similar name.
/// The pages are on standard output, so that they can be piped.
int failUnknown(const Reference &reference, const std::string &name,
                llvm::ArrayRef<std::string> names) {
  constexpr size_t mostPages = 8;
  const bool isFlag = name.starts_with("-");
  for (const std::string &words : {llvm::join(names, " "), name}) {
    const std::vector<PageHit> hits = reference.search(words);
    if (isFlag || hits.empty() || !explainForeignName(name).empty())
      continue;
    fail("[PM1011] help: unknown name '" + name + "'; pages that mention '" +
         words + "':");
    for (const PageHit &hit : llvm::ArrayRef(hits).take_front(mostPages)) {
      llvm::outs() << "  pmc help " << hit.page->name << "  ("
                   << hit.page->title;
      if (hit.heading != hit.page->title)
        llvm::outs() << ": " << hit.heading;
      llvm::outs() << ")\n";
    }
    if (hits.size() > mostPages)
      llvm::outs() << "  and " << hits.size() - mostPages << " more\n";
    return 1;
  }
  return fail("[PM1011] help: unknown name '" + name + "'" +
              reference.suggest(name));
}

int help(const Reference &reference, llvm::ArrayRef<std::string> names,
         bool asJson) {
  std::vector<ReferenceEntry> entries;
  for (const std::string &name : names) {
    std::vector<ReferenceEntry> found = reference.find(name);
    if (found.empty())
      return failUnknown(reference, name, names);
    llvm::append_range(entries, found);
  }
  if (asJson) {
    llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
    json.array([&] {
      for (const ReferenceEntry &entry : entries)
        writeJson(json, entry);
    });
    llvm::outs() << "\n";
    return 0;
  }
  bool isFirst = true;
  for (const ReferenceEntry &entry : entries) {
    if (!isFirst)
      llvm::outs() << "\n";
    isFirst = false;
    // A page is long: beside other entries, it is only named.
    if (entry.kind == "code")
      writeCode(entry);
    else if (entry.kind != "page")
      write(entry);
    else if (entries.size() == 1)
      writePage(entry.text);
    else
      llvm::outs() << "pmc help " << entry.name << "\n  [page] "
                   << entry.signature << "\n";
  }
  return 0;
}

} // namespace

int pmc::runHelpTool(llvm::ArrayRef<std::string> arguments,
                     const std::string &libraryFolder) {
  std::vector<std::string> names;
  bool asJson = false;
  for (const std::string &argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      llvm::outs()
          << "pmc help: explains names of the language offline.\n"
             "Examples:\n"
             "  pmc help                 list the topics\n"
             "  pmc help smooth          a function of the library\n"
             "  pmc help sqrt layout     a builtin and a keyword\n"
             "  pmc help --emit          a flag of pmc\n"
             "  pmc help --resume        a flag of every program\n"
             "  pmc help PM0201          the code of a message\n"
             "  pmc help howto/plot      a page of the manual\n"
             "  pmc help bigfile         pages that mention a word\n"
             "  pmc help --json smooth   for programs: an array of objects\n"
             "Names are found in any case. Exit code: 0, or 1 if a name is "
             "unknown.\n";
      return 0;
    }
    if (argument == "--json")
      asJson = true;
    else
      names.push_back(argument);
  }
  if (names.empty() && asJson)
    return fail("[PM1006] help: no name given: pmc help --json NAME");
  const Reference reference(libraryFolder);
  if (names.empty()) {
    writeTopics(reference);
    return 0;
  }
  return help(reference, names, asJson);
}
