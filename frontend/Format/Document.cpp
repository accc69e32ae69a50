//===- Document.cpp - Text with places to break it ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Document.h"

#include "llvm/Support/Unicode.h"

#include <map>

using namespace pmc::format;
using llvm::StringRef;

unsigned pmc::format::displayWidth(StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? unsigned(text.size()) : unsigned(width);
}

Document::Item &Document::add(Kind kind, StringRef text) {
  Item item;
  item.kind = kind;
  item.text = text.str();
  items.push_back(std::move(item));
  return items.back();
}

void Document::text(StringRef text) {
  add(Kind::Text, text).width = displayWidth(text);
}

void Document::addBreak(Break place) {
  Item &item = add(Kind::Break);
  item.place = place;
  item.depth = depth;
  item.width = displayWidth(place.flat);
}

void Document::open(Indent indent) {
  ++depth;
  add(Kind::Open).indent = indent;
}

void Document::close() {
  --depth;
  add(Kind::Close);
}

void Document::comment(StringRef text) { add(Kind::Comment, text); }

void Document::trail(StringRef text, bool isDoc) {
  add(isDoc ? Kind::Doc : Kind::Tail, text);
}

void Document::declare(bool isDeclaration) {
  add(Kind::Declare).flag = isDeclaration;
}

/// Turns the stream into lines.
class Document::Printer {
public:
  Printer(const std::vector<Item> &items, unsigned width)
      : items(items), width(width) {}

  std::vector<Line> run() {
    scopes.push_back({});
    for (size_t i = 0; i < items.size(); ++i)
      print(i);
    finishLine();
    return std::move(lines);
  }

private:
  struct Scope {
    unsigned indent = 0;
    bool isAligned = false;
  };

  void print(size_t at) {
    const Item &item = items[at];
    switch (item.kind) {
    case Kind::Text:
      line.code += item.text;
      column += item.width;
      beginsLine = false;
      return;
    case Kind::Comment:
      line.code += item.text;
      line.isComment = true;
      return;
    case Kind::Doc:
      line.doc = item.text;
      return;
    case Kind::Tail:
      line.comment = item.text;
      return;
    case Kind::Declare:
      line.isDeclaration = isDeclaration = item.flag;
      return;
    case Kind::Open:
      scopes.push_back(enter(item.indent));
      return;
    case Kind::Close:
      scopes.pop_back();
      return;
    case Kind::Break:
      if (isNewline(at))
        return newline(item.place.hasBlank);
      line.code += item.place.flat;
      column += item.width;
      return;
    }
  }

  Scope enter(Indent indent) const {
    const Scope &outer = scopes.back();
    switch (indent) {
    case Indent::Line:
      return {lineIndent, outer.isAligned};
    case Indent::Nested:
      return {lineIndent + 2, false};
    case Indent::Align:
      return {column, true};
    case Indent::Add:
      return {outer.indent + 2, outer.isAligned};
    case Indent::Back:
      return {outer.indent < 2 ? 0 : outer.indent - 2, outer.isAligned};
    case Indent::Operands:
      if (beginsLine)
        return {column + 2, outer.isAligned};
      return outer.isAligned ? Scope{column, true} : outer;
    case Indent::Clauses:
      if (beginsLine || outer.isAligned)
        return {column + 2, outer.isAligned};
      return outer;
    }
    return outer;
  }

  bool isNewline(size_t at) {
    const Item &item = items[at];
    const Break &place = item.place;
    if (place.isForced)
      return true;
    if (place.group >= 0) {
      auto [known, isNew] = groups.try_emplace(place.group, false);
      if (isNew)
        known->second = !fits(at, column + item.width, place.group);
      return known->second;
    }
    if (fits(at, column + item.width, -1))
      return false;
    return !place.onlyIfFits || fits(at, scopes.back().indent, -1);
  }

  /// Whether the text behind a break fits from a column on: as far as the next
  /// break that may be taken in its place, which none of its own group is.
  bool fits(size_t at, unsigned from, int group) const {
    const unsigned depth = items[at].depth;
    for (size_t i = at + 1; i < items.size() && from <= width; ++i) {
      const Item &item = items[i];
      if (item.kind == Kind::Break) {
        if (item.place.isForced)
          return true;
        if (item.depth <= depth && (group < 0 || item.place.group != group) &&
            !(group >= 0 && item.depth == depth))
          return true;
        from += item.width;
      } else if (item.kind == Kind::Text) {
        from += item.width;
      }
    }
    return from <= width;
  }

  void newline(bool hasBlank) {
    finishLine();
    if (hasBlank)
      lines.emplace_back();
    lineIndent = column = scopes.back().indent;
    line.code.assign(column, ' ');
    line.isDeclaration = isDeclaration;
    beginsLine = true;
  }

  void finishLine() {
    line.code.erase(line.code.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    line = {};
  }

  const std::vector<Item> &items;
  unsigned width;
  std::vector<Scope> scopes;
  std::map<int, bool> groups; // whether its breaks are newlines
  std::vector<Line> lines;
  Line line;
  unsigned column = 0, lineIndent = 0;
  bool beginsLine = true, isDeclaration = false;
};

std::vector<Line> Document::print(unsigned width) const {
  return Printer(items, width).run();
}
