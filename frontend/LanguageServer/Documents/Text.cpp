//===- Text.cpp - The text of a document and its positions ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Text.h"

#include <algorithm>

using namespace pmc::lsp;
using llvm::lsp::Position;

namespace {

/// The bytes of the character that begins with `lead`, and its UTF-16 units.
/// A byte that begins no character counts as one of its own.
struct Character {
  explicit Character(unsigned char lead)
      : bytes(lead >= 0xF0   ? 4
              : lead >= 0xE0 ? 3
              : lead >= 0xC0 ? 2
                             : 1),
        units(lead >= 0xF0 ? 2 : 1) {}
  size_t bytes;
  int units;
};

} // namespace

Text::Text(std::string content) : content(std::move(content)) { findLines(); }

void Text::findLines() {
  lines.assign(1, 0);
  for (size_t at = 0; at < content.size(); ++at)
    if (content[at] == '\n')
      lines.push_back(at + 1);
}

size_t Text::getOffset(Position position) const {
  if (position.line < 0)
    return 0;
  if (size_t(position.line) >= lines.size())
    return content.size();
  size_t at = lines[size_t(position.line)];
  for (int units = 0; units < position.character && at < content.size() &&
                      content[at] != '\n';) {
    Character character(static_cast<unsigned char>(content[at]));
    units += character.units;
    at = std::min(at + character.bytes, content.size());
  }
  return at;
}

Position Text::getPosition(size_t offset) const {
  offset = std::min(offset, content.size());
  auto next = std::upper_bound(lines.begin(), lines.end(), offset);
  size_t line = size_t(next - lines.begin()) - 1;
  int units = 0;
  for (size_t at = lines[line]; at < offset;) {
    Character character(static_cast<unsigned char>(content[at]));
    units += character.units;
    at += character.bytes;
  }
  return {int(line), units};
}

size_t Text::getOffset(unsigned line, unsigned column) const {
  if (line == 0 || line > lines.size())
    return line == 0 ? 0 : content.size();
  return std::min(lines[line - 1] + (column ? column - 1 : 0), content.size());
}

size_t Text::getLineBegin(size_t offset) const {
  return *std::prev(std::upper_bound(lines.begin(), lines.end(), offset));
}

void Text::apply(const llvm::lsp::TextDocumentContentChangeEvent &change) {
  if (!change.range) {
    content = change.text;
  } else {
    size_t begin = getOffset(change.range->start);
    size_t end = std::max(begin, getOffset(change.range->end));
    content.replace(begin, end - begin, change.text);
  }
  findLines();
}
