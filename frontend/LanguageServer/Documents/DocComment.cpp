//===- DocComment.cpp - The comment above a function ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/DocComment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;

/// "Value: a field" is ("Value", "a field"); of other lines, the name is empty.
static std::pair<StringRef, StringRef> splitPart(StringRef line) {
  static constexpr StringRef names[] = {
      "Value", "Formula", "Cost", "Source", "Example", "Setup", "Internal"};
  auto [name, text] = line.split(':');
  if (llvm::is_contained(names, name) && name.size() < line.size())
    return {name, text.trim()};
  return {};
}

/// "- f: a field" is ("f", "a field"); of other lines, the name is empty.
static std::pair<StringRef, StringRef> splitArgument(StringRef line) {
  if (!line.consume_front("- "))
    return {};
  auto [name, text] = line.split(':');
  const bool isName = llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == ',' || c == ' ';
  });
  if (!isName || name.size() == line.size())
    return {};
  return {name.trim(), text.trim()};
}

namespace {

/// Appends lines to the item that is open.
class Reader {
public:
  void read(StringRef line) {
    if (line.empty())
      open.clear();
    else if (auto [name, rest] = splitPart(line); !name.empty())
      addPart(name, rest);
    else if (auto [names, rest] = splitArgument(line); !names.empty())
      addArguments(names, rest);
    else if (open.empty())
      addParagraph(line);
    else
      for (std::string *text : open)
        *text += (text->empty() ? "" : joint) + line.str();
  }

  DocComment doc;

private:
  void addPart(StringRef name, StringRef text) {
    doc.parts.push_back({name.str(), text.str()});
    open = {&doc.parts.back().text};
    joint = name == "Setup" || name == "Example" ? "\n" : " ";
  }

  /// "- a, b: numbers" describes two arguments.
  void addArguments(StringRef names, StringRef text) {
    const size_t first = doc.arguments.size();
    for (StringRef name : llvm::split(names, ','))
      doc.arguments.push_back({name.trim().str(), text.str()});
    open.clear();
    for (size_t i = first; i < doc.arguments.size(); ++i)
      open.push_back(&doc.arguments[i].text);
    joint = " ";
  }

  void addParagraph(StringRef line) {
    std::string &paragraph =
        doc.summary.empty() ? doc.summary : doc.notes.emplace_back();
    paragraph = line.str();
    open = {&paragraph};
    joint = " ";
  }

  std::vector<std::string *> open; // what the next line continues
  std::string joint;
};

} // namespace

DocComment pmc::lsp::parseDocComment(StringRef text) {
  Reader reader;
  for (StringRef line : llvm::split(text, '\n'))
    reader.read(line.trim());
  return std::move(reader.doc);
}

static StringRef findText(llvm::ArrayRef<DocComment::Item> items,
                          StringRef name) {
  for (const DocComment::Item &item : items)
    if (item.name == name)
      return item.text;
  return "";
}

StringRef DocComment::getPart(StringRef name) const {
  return findText(parts, name);
}

StringRef DocComment::getArgument(StringRef name) const {
  return findText(arguments, name);
}

std::string pmc::lsp::toMarkdown(StringRef text) {
  std::string result;
  bool inList = false;
  for (StringRef line : llvm::split(text, '\n')) {
    const bool isItem = line.starts_with("- ");
    const bool isPart = !splitPart(line).first.empty();
    if (!result.empty())
      result += (isItem && !inList) || isPart ? "\n\n" : "\n";
    inList = isItem || (inList && !isPart && !line.empty());
    result += line;
  }
  return result;
}
