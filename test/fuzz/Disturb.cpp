//===- Disturb.cpp - Other blanks between the same tokens -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Lexer/Lexer.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::fuzz;
using llvm::StringRef;
using Kind = TokenKind;

/// A line that ends with one of these goes on in the next.
static bool goesOn(const Token &token) {
  return token.isAny(Kind::Comma, Kind::Assign, Kind::AddAssign, Kind::FatArrow,
                     Kind::Arrow, Kind::DotDot, Kind::Plus, Kind::Minus,
                     Kind::Star, Kind::Slash, Kind::Caret) ||
         token.isAny(Kind::EqualEqual, Kind::NotEqual, Kind::Less,
                     Kind::LessEqual, Kind::Greater, Kind::GreaterEqual,
                     Kind::KwThen, Kind::KwElse, Kind::KwAnd, Kind::KwOr,
                     Kind::KwNot, Kind::KwIn);
}

static bool mayFollowNewline(const Token &token) {
  return token.isAny(Kind::KwElse, Kind::KwThen, Kind::FatArrow, Kind::Dot,
                     Kind::RBrace, Kind::Eof);
}

std::string fuzz::disturb(Random &random, StringRef text) {
  static const std::vector<std::string> lines{
      "\n",         "\n\n\n",           " // a\n",     "\n // b\n",
      "//c \n\n//", "\n\n  // d\n// e", " \t\n    \n", "// f\r\n"};
  llvm::SourceMgr sources;
  DiagnosticEngine diags(sources, llvm::nulls());
  Lexer lexer(text, diags);
  std::string result;
  std::vector<Kind> open;
  Token last{Kind::Semicolon, true, true, text.take_front(0)};
  while (true) {
    const Token token = lexer.next();
    StringRef gap(last.text.end(), token.text.begin() - last.text.end());
    const bool inBrackets = !open.empty() && open.back() != Kind::LBrace;
    const bool breaks = token.startsLine || inBrackets || goesOn(last) ||
                        last.is(Kind::LBrace) || mayFollowNewline(token);
    // A unit stays behind its number.
    const bool isUnit = last.is(Kind::Number) || gap.empty();
    if (breaks && random.oneIn(isUnit ? 40 : 6)) {
      std::string line = random.pick(lines);
      if (StringRef(line).rsplit('\n').second.contains("//"))
        line += "\n";
      // What is a comment stays one.
      result += (gap.contains("//") ? gap.str() + "\n" : "") + line;
    } else if (!gap.empty() && gap.trim(' ').empty() && random.oneIn(4)) {
      result += "   ";
    } else {
      result += gap;
    }
    result += token.text;
    if (token.is(Kind::Eof))
      return result;
    if (token.isAny(Kind::LParen, Kind::LBracket, Kind::LBrace))
      open.push_back(token.kind);
    else if (token.isAny(Kind::RParen, Kind::RBracket, Kind::RBrace) &&
             !open.empty())
      open.pop_back();
    last = token;
  }
}
