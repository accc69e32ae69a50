//===- Layout.cpp - From tokens to a document -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Layout.h"

#include <algorithm>
#include <map>

using namespace pmc;
using namespace pmc::format;
using llvm::StringRef;
using Kind = TokenKind;

namespace {

bool isOpener(const Word &word) {
  return word.token.isAny(Kind::LParen, Kind::LBracket, Kind::LBrace);
}
bool isCloser(const Word &word) {
  return word.token.isAny(Kind::RParen, Kind::RBracket, Kind::RBrace);
}

/// Words that begin a declaration are names elsewhere, but not at the beginning
/// of a line if another name follows.
bool isSafeInFront(const Word &word) {
  switch (word.token.kind) {
  case Kind::KwUse:
  case Kind::KwConst:
  case Kind::KwParam:
  case Kind::KwInput:
  case Kind::KwDim:
  case Kind::KwMesh:
  case Kind::KwLayout:
  case Kind::KwOutput:
  case Kind::KwPlot:
    return false;
  default:
    return true;
  }
}

class Layout {
public:
  Layout(const Words &words, const Structure &structure)
      : words(words), roles(structure.roles) {
    addBrackets();
    for (const Scope &scope : structure.scopes)
      addScope(scope);
  }

  Document run();

private:
  void addScope(const Scope &scope) {
    (scope.hasGap ? before : behind)[scope.first].push_back(scope);
  }
  void addBrackets();
  void addBraces(size_t open);
  void openAll(std::map<size_t, std::vector<Scope>> &starts, size_t at);
  void closeAll(size_t last);
  void closeBracket(size_t at);
  void addComments(size_t at);
  void addGap(size_t at);
  bool addStatementGap(size_t at);
  Break breakAt(size_t at) const;
  bool isTight(size_t at) const;
  size_t addWord(size_t at);
  const Role &role(size_t at) const { return roles[at]; }
  bool isRecord(size_t brace) const {
    return roles[std::min(brace, words[brace].match)].isRecord;
  }

  const Words &words;
  const std::vector<Role> &roles;
  std::map<size_t, std::vector<Scope>> before, behind; // their gap's end
  std::map<size_t, int> groups; // of braces in one line, by the opening one
  std::vector<size_t> open;     // the last words of open scopes
  std::vector<size_t> braces;   // open ones
  Document document;
};

} // namespace

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Layout::addBrackets() {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!isOpener(words[i]))
      continue;
    const size_t close = words[i].match;
    // A body is indented as its statement, whose head may have several lines.
    addScope({i, close, role(i).isBody ? Indent::Back : Indent::Line,
              /*hasGap=*/false});
    if (close > i + 1)
      addScope({i + 1, close - 1,
                role(i).isBody ? Indent::Add
                : words[i + 1].startsLine ||
                        (words[i].is(Kind::LBrace) && !isRecord(i))
                    ? Indent::Nested
                    : Indent::Align,
                /*hasGap=*/true});
    if (words[i].is(Kind::LBrace) && !isRecord(i))
      addBraces(i);
  }
}

/// Statements in braces are in one line, or each has its own.
void Layout::addBraces(size_t open) {
  const size_t close = words[open].match;
  bool isOneLine = !words[open + 1].startsLine && !words[close].startsLine &&
                   close > open + 1;
  for (size_t i = open + 1; i < close && isOneLine; ++i) {
    isOneLine = !role(i).beginsStatement || !words[i].startsLine;
    if (isOpener(words[i]))
      i = words[i].match;
  }
  if (isOneLine)
    groups[open] = int(open);
}

void Layout::openAll(std::map<size_t, std::vector<Scope>> &starts, size_t at) {
  auto found = starts.find(at);
  if (found == starts.end())
    return;
  std::stable_sort(
      found->second.begin(), found->second.end(),
      [](const Scope &a, const Scope &b) { return a.last > b.last; });
  for (const Scope &scope : found->second) {
    document.open(scope.indent);
    open.push_back(scope.last);
  }
}

void Layout::closeAll(size_t last) {
  while (!open.empty() && open.back() <= last) {
    document.close();
    open.pop_back();
  }
}

/// Comments in front of a closing bracket are indented as the bracket's
/// content.
void Layout::closeBracket(size_t at) {
  if (words[at].match + 1 == at) {
    document.open(Indent::Nested);
    addComments(at);
    document.close();
    return;
  }
  for (; open.size() > 1 && open[open.size() - 2] < at; open.pop_back())
    document.close();
  addComments(at);
  closeAll(at - 1);
}

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

/// The break that the author wrote: a newline, or an empty line between things
/// of one kind.
Break Layout::breakAt(size_t at) const {
  Break place;
  place.isForced = words[at].startsLine;
  const bool isItem = role(at).beginsStatement || role(at).beginsField ||
                      words[at].is(Kind::Eof) ||
                      (at > 0 && words[at - 1].is(Kind::Comma));
  const bool isFirst = isOpener(words[at - 1]) && words[at].comments.empty();
  place.hasBlank = words[at].hasBlank && isItem && !isFirst;
  return place;
}

void Layout::addComments(size_t at) {
  const Word &word = words[at];
  const Break kept = at > 0 ? breakAt(at) : Break();
  const bool isItem =
      at > 0 &&
      (kept.hasBlank || role(at).beginsStatement || role(at).beginsField ||
       isCloser(word) || word.is(Kind::Eof) || words[at - 1].is(Kind::Comma));
  bool isFirst = at > 0 && isOpener(words[at - 1]);
  for (const Comment &comment : word.comments) {
    if (comment.isTrailing) {
      document.trail(comment.text, /*isDoc=*/false);
      continue;
    }
    if (at > 0 || &comment != word.comments.data()) {
      Break place;
      place.isForced = true;
      place.hasBlank = comment.hasBlank && !isFirst && (isItem || at == 0);
      document.addBreak(place);
    }
    document.comment(comment.text);
    isFirst = false;
  }
}

/// What is before a token on its line, where no newline may be.
bool Layout::isTight(size_t at) const {
  const Word &left = words[at - 1], &right = words[at];
  if (left.token.isAny(Kind::LParen, Kind::LBracket, Kind::At, Kind::Dot) ||
      right.token.isAny(Kind::RParen, Kind::RBracket, Kind::Comma,
                        Kind::Semicolon, Kind::Colon, Kind::Dot))
    return true;
  if (left.is(Kind::LBrace) && right.is(Kind::RBrace))
    return true;
  if (left.is(Kind::LBrace))
    return isRecord(at - 1);
  if (right.is(Kind::RBrace))
    return isRecord(at);
  if (role(at).isTightBefore || role(at - 1).isTightAfter)
    return true;
  if (left.is(Kind::Caret) || right.is(Kind::Caret))
    return true;
  // 1/2 and 1 / 2 are as the author likes.
  if (right.is(Kind::Slash))
    return !right.token.spaceBefore && !words[at + 1].token.spaceBefore;
  if (left.is(Kind::Slash))
    return !left.token.spaceBefore && !right.token.spaceBefore;
  if (right.is(Kind::LBracket))
    return left.token.isAny(Kind::RParen, Kind::RBracket) ||
           (left.is(Kind::Identifier) && !role(at).beginsField);
  return false;
}

/// The gap before a statement, or a brace of statements. False if it is
/// something else.
bool Layout::addStatementGap(size_t at) {
  const Word &left = words[at - 1], &right = words[at];
  const bool opens = left.is(Kind::LBrace) && !isRecord(at - 1);
  const bool closes = right.is(Kind::RBrace) && !isRecord(at);
  if (opens && closes) {
    if (!right.comments.empty())
      document.addBreak(breakAt(at));
    return true;
  }
  if (!opens && !closes && !role(at).beginsStatement)
    return false;
  Break place = breakAt(at);
  const size_t brace = opens            ? at - 1
                       : closes         ? right.match
                       : braces.empty() ? words.size()
                                        : braces.back();
  auto group = groups.find(brace);
  if (!opens && !closes)
    place.flat = "; ";
  if (group != groups.end())
    place.group = group->second;
  else if (opens || closes)
    place.isForced = true;
  // An annotation has a line of its own.
  if (!opens && !closes && !right.isSeparated && !left.is(Kind::LBrace))
    place.isForced = true;
  document.addBreak(place);
  return true;
}

void Layout::addGap(size_t at) {
  const Word &left = words[at - 1], &right = words[at];
  if (addStatementGap(at))
    return;
  if (right.is(Kind::Eof))
    return;
  if (role(at).isDoc && right.comments.empty())
    return;
  if (role(at).isJoined && right.comments.empty())
    return document.text(" ");
  Break place = breakAt(at);
  const bool tight = isTight(at);
  place.flat = tight ? "" : " ";
  if (place.isForced)
    return document.addBreak(place);
  if (role(at).beginsField && right.isSeparated)
    place.flat = "; ";
  const bool isOptional =
      (left.is(Kind::Comma) || role(at).beginsClause ||
       role(at - 1).mayBreakBehind || (role(at - 1).isOperator && !tight) ||
       (role(at).beginsField && right.isSeparated)) &&
      !role(at).isUnbroken && isSafeInFront(right) && !isCloser(right);
  place.group = role(at).group;
  place.onlyIfFits = role(at - 1).mayBreakBehind && !left.is(Kind::Comma);
  if (isOptional)
    document.addBreak(place);
  else
    document.text(place.flat);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Adds a word or a whole literal; the word behind it.
size_t Layout::addWord(size_t at) {
  const Role &role = roles[at];
  if (!role.literalEnd) {
    document.text(words[at].token.text);
    return at + 1;
  }
  // A number and its unit, which keeps its spelling. `1/mm` is a unit alone.
  const size_t end = role.literalEnd;
  const bool hasNumber =
      words[at].is(Kind::Number) && !words[at + 1].is(Kind::Slash);
  const size_t unit = hasNumber ? at + 1 : at;
  std::string text;
  if (unit > at)
    text = (words[at].token.text + " ").str();
  const char *from = words[unit].token.text.begin();
  text += StringRef(from, words[end - 1].token.text.end() - from);
  document.text(text);
  return end;
}

Document Layout::run() {
  for (size_t at = 0; at < words.size();) {
    const Word &word = words[at];
    if (isCloser(word))
      closeBracket(at);
    openAll(before, at);
    if (!isCloser(word))
      addComments(at);
    if (at > 0 || !word.comments.empty()) {
      if (at > 0) {
        addGap(at);
      } else {
        Break place;
        place.isForced = true;
        place.hasBlank = word.hasBlank && !word.is(Kind::Eof);
        document.addBreak(place);
      }
    }
    openAll(behind, at);
    if (role(at).beginsStatement && braces.empty())
      document.declare(role(at).isDeclaration);
    if (word.is(Kind::Eof))
      break;
    if (word.is(Kind::LBrace))
      braces.push_back(at);
    else if (word.is(Kind::RBrace))
      braces.pop_back();
    size_t next = at + 1;
    if (role(at).isDoc)
      document.trail(word.token.text, /*isDoc=*/true);
    else
      next = addWord(at);
    // The gap behind a closed scope belongs to the scope around it.
    if (next < words.size() && !isCloser(words[next]))
      closeAll(next - 1);
    at = next;
  }
  return std::move(document);
}

Document format::layOut(const Words &words, const Structure &structure) {
  return Layout(words, structure).run();
}
