//===- Manual.cpp - What the manual says about builtins -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Manual.h"

#include "frontend/Sema/Builtins.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;

/// "[text](page.md)" becomes "text", because the editor does not show the pages
/// of the manual.
static std::string withoutLinks(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [before, link] = text.split('[');
    size_t middle = link.find("]("), end = link.find(')');
    // Not "constant[x, y](v)", which is code.
    const bool isLink = middle != StringRef::npos && end != StringRef::npos &&
                        middle < end && link.find('[') > middle &&
                        link.slice(middle, end).contains(".md");
    result += before;
    if (!isLink) {
      if (before.size() < text.size())
        result += '[';
      text = link;
      continue;
    }
    result += link.take_front(middle);
    text = link.drop_front(end + 1);
  }
  return result;
}

/// The cells of a row of a table; a `\|` is part of a cell.
static std::vector<std::string> cellsOf(StringRef row) {
  std::vector<std::string> cells(1);
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && row.substr(i + 1).starts_with("|"))
      cells.back() += row[++i];
    else if (row[i] == '|')
      cells.emplace_back();
    else
      cells.back() += row[i];
  }
  return cells;
}

static llvm::StringMap<std::string> readManual(const std::string &path) {
  llvm::StringMap<std::string> texts;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return texts;
  for (StringRef row : llvm::split((*file)->getBuffer(), '\n')) {
    std::vector<std::string> cells = cellsOf(row);
    if (cells.size() != 4)
      continue;
    StringRef forms = StringRef(cells[1]).trim();
    std::string text =
        withoutLinks((forms + ": " + StringRef(cells[2]).trim()).str());
    // A row may be about several builtins, and a builtin in several rows.
    for (StringRef rest = forms; !rest.empty();) {
      rest = rest.drop_until([](char c) { return llvm::isAlpha(c); });
      StringRef word =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      rest = rest.drop_front(word.size());
      if (!findBuiltin(word))
        continue;
      std::string &known = texts[word];
      if (!StringRef(known).ends_with(text))
        known += (known.empty() ? "" : "\n\n") + text;
    }
  }
  return texts;
}

std::string pmc::lsp::getBuiltinDocumentation(const Settings &settings,
                                              StringRef name) {
  static const llvm::StringMap<std::string> texts = readManual(settings.manual);
  return texts.lookup(name);
}
