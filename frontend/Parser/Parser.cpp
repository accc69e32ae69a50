//===- Parser.cpp - Tokens, errors and recovery ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/Parser.h"

#include "frontend/Parser/ParserImpl.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace pmc;
using namespace pmc::detail;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::Twine;
using Kind = TokenKind;

std::unique_ptr<ast::Module> pmc::parseModule(llvm::SourceMgr &sources,
                                              unsigned bufferId,
                                              StringRef moduleName,
                                              DiagnosticEngine &diags,
                                              const WorkingUnits &units) {
  auto module = std::make_unique<ast::Module>();
  module->name = moduleName.str();
  Parser(sources.getMemoryBuffer(bufferId)->getBuffer(), diags, units)
      .parseModule(*module);
  return module;
}

Parser::Parser(StringRef text, DiagnosticEngine &diags,
               const WorkingUnits &units)
    : diags(diags), units(units), lexer(text, diags), textBegin(text.begin()),
      textEnd(text.end()) {
  tok = lexer.next();
  previous = {Kind::Semicolon, true, true, StringRef(text.begin(), 0)};
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

const Token &Parser::peek(unsigned n) {
  while (ahead.size() < n)
    ahead.push_back(lexer.next());
  return ahead[n - 1];
}

Token Parser::advance() {
  if (tok.is(Kind::Eof))
    return tok;
  previous = tok;
  if (ahead.empty()) {
    tok = lexer.next();
  } else {
    tok = ahead.front();
    ahead.pop_front();
  }
  ++position;
  return previous;
}

bool Parser::accept(Kind kind) {
  if (!tok.is(kind))
    return false;
  advance();
  return true;
}

/// A line that ends with one of these goes on in the next.
static bool continuesLine(Kind kind) {
  switch (kind) {
  case Kind::Comma:
  case Kind::Assign:
  case Kind::AddAssign:
  case Kind::FatArrow:
  case Kind::Arrow:
  case Kind::DotDot:
  case Kind::Plus:
  case Kind::Minus:
  case Kind::Star:
  case Kind::Slash:
  case Kind::Caret:
  case Kind::EqualEqual:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::Greater:
  case Kind::GreaterEqual:
  case Kind::KwThen:
  case Kind::KwElse:
  case Kind::KwAnd:
  case Kind::KwOr:
  case Kind::KwNot:
  case Kind::KwIn:
    return true;
  default:
    return false;
  }
}

bool Parser::atNewline() const {
  return newlinesCount && tok.startsLine && !continuesLine(previous.kind);
}

bool Parser::atStatementEnd() const {
  return tok.isAny(Kind::Eof, Kind::Semicolon, Kind::RBrace) || atNewline();
}

bool Parser::atStatementStart() {
  if (!tok.startsLine)
    return false;
  switch (tok.kind) {
  case Kind::KwLet:
  case Kind::KwFn:
  case Kind::KwPrint:
  case Kind::KwAssert:
  case Kind::At:
    return true;
  default:
    return !tok.is(Kind::Identifier) && isName(tok) && isName(peek()) &&
           !peek().startsLine;
  }
}

/// Words that begin a declaration are names everywhere else: `nbody(mesh = 2)`.
bool Parser::isName(const Token &token) const {
  return token.isAny(Kind::Identifier, Kind::KwOutput, Kind::KwPlot) ||
         isDeclaration(token.kind);
}

bool Parser::isWord(StringRef word) const {
  return tok.is(Kind::Identifier) && tok.text == word;
}

bool Parser::acceptWord(StringRef word) {
  if (!isWord(word) || atNewline())
    return false;
  advance();
  return true;
}

/// Options of a plot follow what it draws, and are names before it.
bool Parser::atPlotOption() {
  StringRef word = tok.text;
  if (word == "scale" || word == "xscale" || word == "yscale")
    return true;
  if (word == "xrange" || word == "yrange" || word == "crange")
    return !peek().startsLine &&
           (isName(peek()) ||
            peek().isAny(Kind::LParen, Kind::Number, Kind::Minus));
  if (word == "title" || word == "xlabel" || word == "ylabel" ||
      word == "clabel")
    return peek().is(Kind::String);
  if (word == "colors" || word == "projection")
    return peek().is(Kind::Identifier);
  if (!previous.isAny(Kind::Identifier, Kind::Number, Kind::RParen,
                      Kind::RBracket, Kind::RBrace))
    return false;
  bool begins = !peek().startsLine &&
                (isName(peek()) || peek().isAny(Kind::LParen, Kind::Number));
  return word == "histogram" || word == "shared" ||
         ((word == "points" || word == "contours" || word == "band") &&
          begins) ||
         ((word == "xunit" || word == "yunit" || word == "cunit") && begins) ||
         (word == "labels" && begins && peek().is(Kind::LParen));
}

bool Parser::atStopWord() {
  if (!tok.is(Kind::Identifier) || stopWords == StopNone)
    return false;
  return ((stopWords & StopOver) && tok.text == "over") ||
         ((stopWords & StopBy) && tok.text == "by") ||
         ((stopWords & StopInto) && tok.text == "into") ||
         ((stopWords & StopWhere) && tok.text == "where") ||
         ((stopWords & StopPlot) && atPlotOption()) ||
         ((stopWords & StopOptional) &&
          (tok.text == "optional" || tok.text == "streamed")) ||
         ((stopWords & StopCheckpoint) && tok.text == "checkpoint" &&
          peek().is(Kind::Identifier) && peek().text == "every") ||
         ((stopWords & StopAt) && tok.text == "at" &&
          peek().is(Kind::Identifier) && peek().text == "most") ||
         ((stopWords & StopOptimize) &&
          (tok.text == "minimizing" || tok.text == "with" ||
           tok.text == "iterations" || tok.text == "checkpoint" ||
           tok.text == "history" || tok.text == "every"));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

InFlight Parser::error(SMLoc loc, const Twine &message) {
  // The lexer has said what is wrong with an Error token.
  if (gaveUp || errorAt == position || tok.is(Kind::Error)) {
    errorAt = position;
    return InFlight::silent();
  }
  errorAt = position;
  if (tok.is(Kind::AddAssign) && loc == tok.loc())
    return diags.error(
        loc, "[PM0104] there is no operator '+=' outside of 'f with {[z "
             "= i] += g}'; a name keeps its value");
  return diags.error(loc, message);
}

InFlight Parser::error(const Twine &message) {
  InFlight diag = error(tok.loc(), message);
  diag.range(tok.range());
  return diag;
}

bool Parser::foundEnd() const {
  return tok.is(Kind::Eof) || (tok.startsLine && position != 0 &&
                               (atNewline() || tok.is(Kind::RBrace)));
}

std::string Parser::found() {
  if (tok.is(Kind::Eof))
    return "the end of the file";
  if (position != statementAt && (foundEnd() || atStatementStart()))
    return "the end of the line";
  if (tok.is(Kind::String))
    return "a string";
  StringRef text = tok.text;
  if (text.size() > 40)
    return describe(tok.kind).str();
  return ("'" + text + "'").str();
}

InFlight Parser::expected(const Twine &what) {
  std::string message =
      ("[PM0108] expected " + what + ", found " + found()).str();
  if (position != statementAt && (foundEnd() || atStatementStart()))
    return error(previous.endLoc(), message);
  return error(message);
}

InFlight Parser::expectedBracket(const Twine &what, const Token &open) {
  InFlight diag = expected(what);
  diag.note(open.loc(), "to match this " + describe(open.kind));
  return diag;
}

/// What might be meant by a token that does not go on an expression.
void Parser::explainAfterExpr(InFlight &diag) {
  if (foundEnd())
    return;
  bool afterOperand =
      previous.isAny(Kind::RParen, Kind::RBracket, Kind::Number) ||
      isName(previous);
  if (tok.is(Kind::Assign))
    diag.note("'==' compares; 'let name = value' names a value");
  else if (tok.is(Kind::KwIf))
    diag.note("a choice is written 'if condition then a else b'");
  else if (tok.is(Kind::DotDot))
    diag.note("a range 'a .. b' is allowed after 'in' and as an argument");
  else if (tok.is(Kind::Colon))
    diag.note("a ':' is allowed only between a declared name and its type; "
              "statements that belong together are written in '{ }'");
  else if (tok.is(Kind::KwIn) && afterOperand)
    diag.note("the unit of an output is behind its name: "
              "'output d in mm = f'");
  else if (tok.is(Kind::FatArrow))
    diag.note("before '=>' stands 'name' or '(name, name)'");
  else if (tok.startsLine || !afterOperand)
    return;
  else if (previous.text == "warn")
    diag.note("a warning is written 'warn if condition, \"text\"'");
  else if (previous.is(Kind::Identifier) || previous.is(Kind::Number)
               ? tok.is(Kind::Identifier) && Unit::atom(tok.text)
               : false)
    diag.note("a unit is one word directly behind its number, with the parts "
              "joined by '*' and '/': '2 Mpc/h', '0.1 h/Mpc', '3 km/s'");
  else if (isName(tok)
               ? !isName(peek()) && !peek().isAny(Kind::Number, Kind::String)
               : tok.isAny(Kind::LParen, Kind::Number))
    diag.note("multiply with '*'; only a number directly in front of a name or "
              "'(' multiplies without");
}

bool Parser::expect(Kind kind, const Twine &where) {
  if (tok.is(kind))
    return advance(), true;
  expected(describe(kind) + where);
  return false;
}

bool Parser::expectWord(StringRef word) {
  if (acceptWord(word))
    return true;
  InFlight diag = expected("'" + word + "'");
  explainAfterExpr(diag);
  return false;
}

bool Parser::expectName(ast::Name &name, const Twine &what) {
  if (!isName(tok) || atNewline()) {
    InFlight diag = expected(what);
    if (!foundEnd() && describe(tok.kind).starts_with("'") &&
        llvm::isAlpha(tok.text.front()))
      diag.note("'" + tok.text + "' is a keyword");
    return false;
  }
  name = {tok.text.str(), tok.loc()};
  advance();
  return true;
}

/// The text is generated: one error is enough for it.
void Parser::tooDeep(SMLoc loc) {
  error(loc,
        "[PM0716] nested more than " + Twine(ast::maxDepth) + " levels deep")
      .note("give parts a name with 'let'");
  gaveUp = true;
  ahead.clear();
  tok = {Kind::Eof, true, true, StringRef(textEnd, 0)};
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

void Parser::skip(llvm::function_ref<bool()> stop) {
  llvm::SmallVector<Kind, 16> closers;
  unsigned braces = 0;
  while (!tok.is(Kind::Eof)) {
    if (closers.empty() && stop())
      return;
    if (braces == 0 && (tok.is(Kind::Semicolon) || atStatementStart()))
      return;
    switch (tok.kind) {
    case Kind::LParen:
      closers.push_back(Kind::RParen);
      break;
    case Kind::LBracket:
      closers.push_back(Kind::RBracket);
      break;
    case Kind::LBrace:
      closers.push_back(Kind::RBrace);
      ++braces;
      break;
    case Kind::RParen:
    case Kind::RBracket:
    case Kind::RBrace: {
      // A bracket that nothing here opened belongs to the caller. One that
      // skips over others closes them.
      while (
          !closers.empty() && closers.back() != tok.kind &&
          (tok.is(Kind::RBrace) ? braces != 0 : closers.back() != Kind::RBrace))
        closers.pop_back();
      if (closers.empty())
        return;
      if (closers.back() == tok.kind) {
        closers.pop_back();
        braces -= tok.is(Kind::RBrace);
      } else if (tok.is(Kind::RBrace)) {
        return;
      }
      break;
    }
    default:
      break;
    }
    advance();
  }
}

void Parser::skipToListEnd(Kind closer) {
  skip([&] {
    return tok.is(Kind::Comma) || tok.is(closer) ||
           (newlinesCount && atNewline());
  });
}

void Parser::skipStatement() {
  llvm::SaveAndRestore<bool> lines(newlinesCount, true);
  while (true) {
    skip([&] { return atStatementEnd(); });
    // Brackets that lost their partner in the damage.
    if (!tok.isAny(Kind::RParen, Kind::RBracket) || atNewline())
      return;
    advance();
  }
}

bool Parser::parseList(Kind closer, const Token &open,
                       llvm::function_ref<bool()> parseItem) {
  bool good = true;
  while (!tok.is(closer)) {
    if (tok.is(Kind::Eof) || atStatementStart())
      break;
    if (parseItem()) {
      if (accept(Kind::Comma))
        continue;
      if (tok.is(closer))
        break;
      bool atEnd = foundEnd() || atStatementStart();
      InFlight diag = expected((atEnd ? "" : "',' or ") + describe(closer));
      explainAfterExpr(diag);
      diag.note(open.loc(), "to match this " + describe(open.kind));
    }
    good = false;
    skipToListEnd(closer);
    if (!accept(Kind::Comma))
      break;
  }
  trailingComma = previous.is(Kind::Comma);
  if (accept(closer))
    return good;
  if (good)
    expectedBracket(describe(closer), open);
  return false;
}
