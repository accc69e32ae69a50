//===- Manual.cpp - What the manual says about builtins -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Manual.h"

#include "frontend/LanguageServer/Documents/Library.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pmc;
using namespace pmc::lsp;
using llvm::StringRef;

std::string pmc::lsp::withoutLinks(StringRef text) {
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

std::vector<ManualRow> pmc::lsp::readRows(const std::string &path) {
  std::vector<ManualRow> rows;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return rows;
  for (StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    std::vector<std::string> cells = cellsOf(line);
    if (cells.size() >= 4 && cells.front().empty())
      rows.push_back(
          {StringRef(cells[1]).trim().str(), StringRef(cells[2]).trim().str()});
  }
  return rows;
}

std::vector<std::string> ManualRow::getCodes() const {
  std::vector<std::string> codes;
  auto [before, rest] = StringRef(forms).split('`');
  while (!rest.empty()) {
    auto [code, after] = rest.split('`');
    codes.push_back(code.str());
    rest = after.split('`').second;
  }
  return codes;
}

static llvm::StringMap<std::string> readTexts(const Settings &settings) {
  llvm::StringMap<std::string> texts;
  for (const LibraryFunction &builtin : readBuiltins(settings).functions)
    texts[builtin.name] = "`" + builtin.signature + "`\n\n" +
                          toMarkdown(withoutLinks(builtin.comment));
  return texts;
}

std::string pmc::lsp::getBuiltinDocumentation(const Settings &settings,
                                              StringRef name) {
  static const llvm::StringMap<std::string> texts = readTexts(settings);
  return texts.lookup(name);
}
