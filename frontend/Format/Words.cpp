//===- Words.cpp - Tokens and what is between them ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Words.h"

#include "frontend/Basic/Diagnostics.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace pmc;
using namespace pmc::format;
using llvm::SMLoc;
using llvm::StringRef;

Words::Words(StringRef text) {
  llvm::SourceMgr sources;
  DiagnosticEngine diags(sources, llvm::nulls());
  Lexer lexer(text, diags);
  // Semicolons in parentheses are rows of a plot; others separate.
  std::vector<TokenKind> open;
  const char *end = text.begin();
  if (text.starts_with("\xEF\xBB\xBF"))
    end += 3;
  for (bool isDone = false; !isDone;) {
    Token token = lexer.next();
    if (token.isAny(TokenKind::LParen, TokenKind::LBracket, TokenKind::LBrace))
      open.push_back(token.kind);
    else if (token.isAny(TokenKind::RParen, TokenKind::RBracket,
                         TokenKind::RBrace) &&
             !open.empty())
      open.pop_back();
    else if (token.is(TokenKind::Semicolon) &&
             (open.empty() || open.back() != TokenKind::LParen))
      continue;
    Word word;
    word.token = token;
    addGap(word, StringRef(end, token.text.begin() - end));
    end = token.text.end();
    isDone = token.is(TokenKind::Eof);
    words.push_back(std::move(word));
  }
  matchBrackets();
}

void Words::addGap(Word &word, StringRef gap) const {
  unsigned newlines = words.empty() ? 1 : 0; // before the next thing
  while (!gap.empty()) {
    if (gap.starts_with("//")) {
      Comment comment;
      comment.text = gap.take_until([](char c) { return c == '\n'; });
      comment.isTrailing = newlines == 0;
      comment.hasBlank = newlines > 1;
      gap = gap.drop_front(comment.text.size());
      comment.text = comment.text.rtrim();
      word.comments.push_back(comment);
      newlines = 0;
      continue;
    }
    newlines += gap.front() == '\n';
    word.isSeparated |= gap.front() == ';';
    gap = gap.drop_front();
    word.startsLine |= newlines > 0;
  }
  word.startsLine |= newlines > 0 || !word.comments.empty();
  word.hasBlank = newlines > 1;
}

void Words::matchBrackets() {
  std::vector<size_t> open;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].token.isAny(TokenKind::LParen, TokenKind::LBracket,
                             TokenKind::LBrace)) {
      open.push_back(i);
    } else if (words[i].token.isAny(TokenKind::RParen, TokenKind::RBracket,
                                    TokenKind::RBrace) &&
               !open.empty()) {
      words[i].match = open.back();
      words[open.back()].match = i;
      open.pop_back();
    }
  }
}

size_t Words::beginningAt(SMLoc loc) const {
  return std::partition_point(words.begin(), words.end(),
                              [&](const Word &word) {
                                return word.token.text.begin() <
                                       loc.getPointer();
                              }) -
         words.begin();
}

size_t Words::endingAt(SMLoc loc) const {
  return std::partition_point(words.begin(), words.end(),
                              [&](const Word &word) {
                                return word.token.text.end() < loc.getPointer();
                              }) -
         words.begin();
}
