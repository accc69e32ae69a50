//===- ParseStmt.cpp - Statements and blocks ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;
using llvm::SMLoc;
using llvm::StringRef;

StmtPtr Parser::finish(std::unique_ptr<Stmt> stmt, unsigned height) {
  stmt->range = {stmt->loc, previous.endLoc()};
  stmt->height = height;
  if (height > maxDepth) {
    tooDeep(stmt->loc);
    return nullptr;
  }
  return stmt;
}

//===----------------------------------------------------------------------===//
// Sequences of statements
//===----------------------------------------------------------------------===//

void Parser::parseModule(Module &module) {
  parseStatements(Scope::Top, module.statements);
  module.collects = collects;
}

void Parser::parseStatements(Scope scope, std::vector<StmtPtr> &statements) {
  // The first token of the statement before; there is none.
  Token last = {Kind::Semicolon, true, true, StringRef(textBegin, 0)};
  while (!diags.limitReached()) {
    while (accept(Kind::Semicolon))
      continue;
    if (tok.is(Kind::Eof))
      return;
    if (tok.is(Kind::RBrace) && scope != Scope::Top)
      return;
    if (scope != Scope::Top && blockMissesBrace(scope))
      return;
    size_t before = position;
    statementAt = position;
    Token first = tok;
    StmtPtr stmt;
    if (checkContinuation(last))
      stmt = parseStatement(scope);
    if (!stmt) {
      if (position == before)
        advance();
      skipStatement();
    } else {
      statements.push_back(std::move(stmt));
      if (!atStatementEnd()) {
        if (tok.isAny(Kind::RParen, Kind::RBracket)) {
          error("[PM0110] unmatched " + describe(tok.kind));
        } else {
          InFlight diag = expected("the end of the line");
          explainAfterExpr(diag);
        }
        skipStatement();
      }
    }
    last = first;
  }
}

/// `{ statements }`; reports a missing `}`.
bool Parser::parseBraces(Scope scope, std::vector<StmtPtr> &statements) {
  if (!tok.is(Kind::LBrace)) {
    expected("'{'");
    return false;
  }
  Inside inside(*this, /*newlinesCount=*/true);
  Token open = advance();
  parseStatements(scope, statements);
  if (accept(Kind::RBrace))
    return true;
  expectedBracket("'}'", open);
  return false;
}

/// A declaration at the margin does not belong to the block that is open.
bool Parser::blockMissesBrace(Scope scope) {
  const char *begin = tok.text.begin();
  if (begin != textBegin && begin[-1] != '\n')
    return false;
  bool misplaced = isDeclaration(tok.kind) ||
                   ((scope == Scope::Function || scope == Scope::Loop) &&
                    tok.isAny(Kind::KwOutput, Kind::KwPlot));
  return misplaced && atStatementStart();
}

static size_t columnOf(const char *at, const char *textBegin) {
  const char *begin = at;
  while (begin != textBegin && begin[-1] != '\n')
    --begin;
  return at - begin;
}

/// Whether a statement may begin here. Not if the line looks like the rest of
/// `statement` in the line above, which it is not.
bool Parser::checkContinuation(const Token &statement) {
  switch (tok.kind) {
  case Kind::Plus:
  case Kind::Star:
  case Kind::Slash:
  case Kind::Caret:
  case Kind::EqualEqual:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::Greater:
  case Kind::GreaterEqual:
  case Kind::KwAnd:
  case Kind::KwOr:
    if (!tok.startsLine)
      return true;
    break;
  case Kind::Minus:
  case Kind::LParen:
  case Kind::LBracket:
    if (!tok.startsLine || !statement.startsLine || statement.text.empty() ||
        columnOf(tok.text.begin(), textBegin) <=
            columnOf(statement.text.begin(), textBegin))
      return true;
    break;
  default:
    return true;
  }
  error("[PM0107] this line does not continue the line above")
      .note(
          "a line goes on in the next if it ends with an operator or a comma, "
          "and inside '( )' and '[ ]'");
  return false;
}

//===----------------------------------------------------------------------===//
// What begins a statement
//===----------------------------------------------------------------------===//

bool Parser::isDeclaration(Kind kind) const {
  switch (kind) {
  case Kind::KwUse:
  case Kind::KwConst:
  case Kind::KwParam:
  case Kind::KwInput:
  case Kind::KwDim:
  case Kind::KwMesh:
  case Kind::KwLayout:
    return true;
  default:
    return false;
  }
}

/// Whether the keyword begins a statement here, or is a name.
bool Parser::isKeywordStatement(Scope scope) {
  if (tok.isAny(Kind::KwLet, Kind::KwFn, Kind::KwPrint, Kind::KwAssert))
    return true;
  if (tok.is(Kind::Identifier) || !isName(tok))
    return false;
  const Token &next = peek();
  // In a loop most of these words are names, as in any block.
  const bool outside = scope == Scope::Top || scope == Scope::TopIf;
  if (next.startsLine || next.isAny(Kind::Eof, Kind::Semicolon, Kind::RBrace))
    return outside;
  switch (next.kind) {
  case Kind::Assign:
  case Kind::Dot:
  case Kind::FatArrow:
    return false;
  case Kind::LParen:
  case Kind::LBracket:
    return outside || (tok.is(Kind::KwPlot) && scope == Scope::Loop);
  case Kind::Minus:
    return tok.is(Kind::KwPlot) && scope != Scope::Function;
  default:
    return isName(next) || outside;
  }
}

StmtPtr Parser::parseKeywordStatement(Scope scope) {
  StringRef keyword = tok.text;
  if (scope != Scope::Top && isDeclaration(tok.kind))
    error("[PM0113] '" + keyword + "' is allowed only at the top level");
  else if (scope == Scope::TopIf && tok.is(Kind::KwFn))
    error("[PM0113] 'fn' is not allowed in an 'if'; define the function before "
          "it");
  else if (scope == Scope::Function && tok.isAny(Kind::KwOutput, Kind::KwPlot))
    error("[PM0113] '" + keyword +
          "' is allowed only at the top level, or in an 'if' or a loop there");
  switch (tok.kind) {
  case Kind::KwUse:
    return parseUse();
  case Kind::KwConst:
    return parseConst();
  case Kind::KwParam:
    return parseParam();
  case Kind::KwInput:
    return parseInput();
  case Kind::KwDim:
    return parseDim();
  case Kind::KwMesh:
    return parseMesh();
  case Kind::KwLayout:
    return parseLayout();
  case Kind::KwFn:
    return parseFunction();
  case Kind::KwLet:
    return parseLet();
  case Kind::KwOutput:
    return parseOutput();
  case Kind::KwPlot:
    return parsePlot();
  case Kind::KwPrint:
    return parsePrint();
  default:
    return parseAssert();
  }
}

/// Statements of other languages. True if nothing is left to parse.
bool Parser::foreignKeyword() {
  const Token &next = peek();
  if (!tok.is(Kind::Identifier) || next.startsLine)
    return false;
  bool operand = isName(next) || next.isAny(Kind::Number, Kind::String);
  StringRef word = tok.text;
  if (word == "return" && (operand || next.isAny(Kind::LParen, Kind::Minus))) {
    error("[PM0111] a block's value is its last expression, without 'return'");
    advance();
    return false;
  }
  if (word == "elif" && (operand || next.is(Kind::LParen))) {
    error("[PM0111] 'elif' is written 'else if'");
    return true;
  }
  if (!operand)
    return false;
  if (word == "def" || word == "func" || word == "function") {
    error("[PM0111] functions are declared with 'fn'")
        .note("as in 'fn square(x) = x^2'");
    return true;
  }
  if (word == "var" || word == "auto") {
    error("[PM0111] names are given with 'let'");
    tok.kind = Kind::KwLet;
    return false;
  }
  if (word == "import" || word == "from" || word == "include") {
    error("[PM0111] modules are named with 'use'")
        .note("as in 'use cosmology, spectra'");
    return true;
  }
  if (word == "save" || word == "write" || word == "export" ||
      word == "savefig" || word == "show") {
    const bool isFigure = word == "savefig" || word == "show";
    error(isFigure ? "[PM0111] figures are drawn with 'plot'"
                   : "[PM0111] results are written with 'output'")
        .note(isFigure ? "as in 'plot f'"
                       : "as in 'output f', which writes a file with the name "
                         "of f, or 'output g = 2 * f'");
    return true;
  }
  if (!isName(next))
    return false;
  static constexpr StringRef keywords[] = {
      "use", "const",  "param", "input", "dim",    "mesh", "layout", "let",
      "fn",  "output", "plot",  "print", "assert", "unit", "units"};
  if (auto near = closestName(word, keywords)) {
    error("[PM0112] '" + word + "' begins no statement")
        .note("did you mean '" + *near + "'?");
    return true;
  }
  return false;
}

StmtPtr Parser::parseStatement(Scope scope) {
  if (atOptimize())
    return parseOptimize(scope);
  if (atUnit())
    return parseUnit(scope);
  if (atUnits())
    return parseUnits(scope);
  if (atWarn())
    return parseAssert();
  if (foreignKeyword())
    return nullptr;
  if (isKeywordStatement(scope))
    return parseKeywordStatement(scope);
  switch (tok.kind) {
  case Kind::At:
    return parseAnnotated(scope);
  case Kind::KwIf:
    return parseIfStatement(scope);
  case Kind::RParen:
  case Kind::RBracket:
  case Kind::RBrace:
    error("[PM0110] unmatched " + describe(tok.kind));
    return nullptr;
  case Kind::KwElse:
  case Kind::KwThen:
    error("[PM0112] '" + tok.text + "' without 'if'");
    return nullptr;
  case Kind::KwWhile:
    error("[PM0112] 'while' begins no statement")
        .note("a loop is written 'loop x = start while condition => next'");
    return nullptr;
  default:
    break;
  }
  if (isName(tok) && peek().is(Kind::Assign)) {
    error("[PM0111] names are given with 'let'")
        .note("write 'let " + tok.text.take_front(40) +
              " = ...'; a name keeps its value");
    return nullptr;
  }
  return parseExprStatement();
}

StmtPtr Parser::parseExprStatement() {
  auto stmt = std::make_unique<ExprStmt>(tok.loc());
  stmt->expr = parseStacking(parseExpr());
  if (!stmt->expr)
    return nullptr;
  unsigned height = heightOf(stmt->expr);
  return finish(std::move(stmt), height);
}

//===----------------------------------------------------------------------===//
// let
//===----------------------------------------------------------------------===//

/// `a`, `(a, b)`, `(a, (b, c))`.
bool Parser::parsePattern(Pattern &pattern) {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return false;
  }
  Name name;
  if (!tok.is(Kind::LParen) || atNewline()) {
    if (!expectName(name, "a name"))
      return false;
    pattern.names.push_back(std::move(name));
    return true;
  }
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  if (tok.is(Kind::RParen)) {
    expected("a name");
    return false;
  }
  pattern.isTuple = true;
  return parseList(Kind::RParen, open, [&] {
    Pattern part;
    if (!parsePattern(part))
      return false;
    pattern.names.insert(pattern.names.end(), part.names.begin(),
                         part.names.end());
    pattern.parts.push_back(std::move(part));
    return true;
  });
}

StmtPtr Parser::parseLet() {
  auto stmt = std::make_unique<LetStmt>(tok.loc());
  advance();
  if (!parsePattern(stmt->pattern))
    return nullptr;
  if (tok.is(Kind::Colon)) {
    error("[PM0114] 'let' takes no type; it is that of the value");
    advance();
    if (!parseType())
      return nullptr;
  }
  if (tok.is(Kind::LParen) && !atNewline() && !stmt->pattern.isTuple) {
    expected("'='").note("functions are declared with 'fn'");
    return nullptr;
  }
  if (tok.is(Kind::Comma) && !atNewline() && !stmt->pattern.isTuple) {
    std::string names = stmt->pattern.names[0].text;
    for (unsigned n = 1; isName(peek(n)); n += 2) {
      names += ", " + peek(n).text.str();
      if (!peek(n + 1).is(Kind::Comma))
        break;
    }
    error("[PM0114] write several names in parentheses: let (" + names +
          ") = ...");
    return nullptr;
  }
  if (!expect(Kind::Assign))
    return nullptr;
  stmt->value = parseExpr();
  if (!stmt->value)
    return nullptr;
  unsigned height = heightOf(stmt->value);
  return finish(std::move(stmt), height);
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

/// `if c { ... } else { ... }`; `if c then a else b` is an expression.
StmtPtr Parser::parseIfStatement(Scope scope) {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  auto stmt = std::make_unique<IfStmt>(tok.loc());
  SMLoc start = advance().loc();
  bool good = true;
  stmt->condition = parseExpr();
  if (!stmt->condition) {
    // Look at the body all the same.
    good = false;
    skip([&] { return tok.is(Kind::LBrace) || atStatementEnd(); });
    if (!tok.is(Kind::LBrace))
      return nullptr;
  }
  if (good && tok.is(Kind::KwThen)) {
    auto expr = std::make_unique<ExprStmt>(start);
    expr->expr = parseStacking(parseIfRest(start, std::move(stmt->condition)));
    if (!expr->expr)
      return nullptr;
    unsigned height = heightOf(expr->expr);
    return finish(std::move(expr), height);
  }
  if (!tok.is(Kind::LBrace) || atNewline()) {
    InFlight diag = expected("'{' or 'then'");
    if (tok.is(Kind::Colon))
      diag.note("write 'if condition { statements }'");
    else
      explainAfterExpr(diag);
    return nullptr;
  }
  Scope inner = scope == Scope::Top ? Scope::TopIf : scope;
  good &= parseBraces(inner, stmt->thenBody);
  if (tok.is(Kind::KwElse)) {
    advance();
    if (tok.is(Kind::KwIf)) {
      StmtPtr nested = parseIfStatement(scope);
      good &= nested != nullptr;
      if (nested)
        stmt->elseBody.push_back(std::move(nested));
    } else {
      good &= parseBraces(inner, stmt->elseBody);
    }
  }
  if (!good)
    return nullptr;
  unsigned height =
      1 + std::max({heightOf(stmt->condition), heightOfAll(stmt->thenBody),
                    heightOfAll(stmt->elseBody)});
  return finish(std::move(stmt), height);
}
