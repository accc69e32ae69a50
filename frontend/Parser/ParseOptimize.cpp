//===- ParseOptimize.cpp - optimize s from … minimizing … -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   optimize s from start
//     minimizing loss(s, r) with adam(rate = 0.1)
//     for r in (4, 2, 1), 100 iterations each
//     checkpoint every 20
//     history losses
//
// or, with the number of a step in sight,
//
//     minimizing loss(w, i) with adamw(schedule = cosine_rate(1000))
//     for i in 0 .. n while checks.stale < 5
//     history losses[100]
//     every 50: checks = error(w)
//
// Its words are names everywhere else; its clauses may begin lines.
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;
using llvm::SMLoc;

/// `optimize a from`, `optimize (a, b) from`.
bool Parser::atOptimize() {
  if (!isWord("optimize") || peek().startsLine)
    return false;
  unsigned ahead = 1;
  if (isName(peek())) {
    ahead = 2;
  } else if (peek().is(Kind::LParen)) {
    do {
      if (!isName(peek(++ahead)))
        return false;
      ++ahead;
    } while (peek(ahead).is(Kind::Comma));
    if (!peek(ahead).is(Kind::RParen))
      return false;
    ++ahead;
  }
  const Token &word = peek(ahead);
  return ahead > 1 && word.is(Kind::Identifier) && word.text == "from";
}

/// A word that begins a clause, also in a line of its own.
bool Parser::acceptClause(llvm::StringRef word) {
  if (!isWord(word))
    return false;
  advance();
  return true;
}

/// A function of what is optimized. A tuple is taken apart in its body.
static ExprPtr ofOptimized(const Pattern &pattern, ExprPtr value) {
  SMLoc loc = value->loc;
  auto lambda = std::make_unique<LambdaExpr>(loc);
  lambda->range = value->range;
  lambda->height = value->height + 3;
  if (!pattern.isTuple) {
    lambda->params = pattern.names;
    lambda->body = std::move(value);
    return lambda;
  }
  // No name that a spec can contain.
  Name whole{"(optimized)", pattern.names[0].loc};
  auto ref = std::make_unique<RefExpr>(loc);
  ref->name = whole.text;
  auto let = std::make_unique<LetStmt>(loc);
  let->pattern = pattern;
  let->value = std::move(ref);
  let->height = 1;
  auto block = std::make_unique<BlockExpr>(loc);
  block->range = value->range;
  block->height = value->height + 1;
  block->statements.push_back(std::move(let));
  block->result = std::move(value);
  lambda->params = {std::move(whole)};
  lambda->body = std::move(block);
  return lambda;
}

/// `100 iterations`, `r in (4, 2), 100 iterations each`, `i in a .. b`, and
/// after the latter `while c`.
bool Parser::parseSpan(OptimizeStmt &stmt) {
  if (isName(tok) && peek().is(Kind::KwIn)) {
    Name name{tok.text.str(), tok.loc()};
    advance();
    advance();
    ExprPtr first = parseExpr();
    if (!first)
      return false;
    if (accept(Kind::DotDot)) {
      stmt.counter = std::move(name);
      stmt.begin = std::move(first);
      stmt.end = parseExpr();
      if (!stmt.end || !tok.is(Kind::KwWhile))
        return stmt.end != nullptr;
      advance();
      ExprPtr condition = parseExpr();
      if (!condition)
        return false;
      stmt.condition = ofOptimized(stmt.pattern, std::move(condition));
      return true;
    }
    stmt.stage = std::move(name);
    stmt.stages = std::move(first);
    if (!expect(Kind::Comma))
      return false;
  }
  stmt.iterations = parseExpr();
  if (!stmt.iterations || !expectWord("iterations"))
    return false;
  if (stmt.stages)
    acceptWord("each");
  return true;
}

/// `losses`, and of steps `losses[100]`.
bool Parser::parseHistory(OptimizeStmt &stmt) {
  if (!expectName(stmt.history, "a name"))
    return false;
  if (!stmt.counter || !tok.is(Kind::LBracket) || tok.startsLine)
    return true;
  Inside inside(*this, /*newlinesCount=*/false);
  advance();
  stmt.historyCells = parseExpr();
  return stmt.historyCells && expect(Kind::RBracket);
}

/// `50: checks = e`.
bool Parser::parseCheck(OptimizeStmt &stmt) {
  stmt.interval = parseExpr();
  if (!stmt.interval || !expect(Kind::Colon) ||
      !expectName(stmt.checked, "a name") || !expect(Kind::Assign))
    return false;
  ExprPtr check = parseExpr();
  if (!check)
    return false;
  stmt.check = ofOptimized(stmt.pattern, std::move(check));
  return true;
}

StmtPtr Parser::parseOptimize(Scope scope) {
  auto stmt = std::make_unique<OptimizeStmt>(tok.loc());
  if (scope != Scope::Top)
    error("[PM0113] 'optimize' is allowed only at the top level");
  advance();
  if (!parsePattern(stmt->pattern))
    return nullptr;
  // What is minimized is a function, and so is the method.
  llvm::SaveAndRestore<bool> function(inFunction, true);
  advance(); // from
  Stops stops(*this, StopOptimize);
  stmt->start = parseExpr();
  if (!stmt->start)
    return nullptr;
  if (!acceptClause("minimizing")) {
    expected("'minimizing'")
        .note("as in 'optimize s from start minimizing loss(s) with adam() for "
              "100 iterations'");
    return nullptr;
  }
  ExprPtr objective = parseExpr();
  if (!objective)
    return nullptr;
  stmt->objective = ofOptimized(stmt->pattern, std::move(objective));
  if (!acceptClause("with")) {
    expected("'with' and an optimizer")
        .note("as in 'with adam(rate = 0.1)', of the module 'optim'");
    return nullptr;
  }
  stmt->method = parseExpr();
  if (!stmt->method)
    return nullptr;
  if (!tok.is(Kind::KwFor)) {
    expected("'for' and a number of iterations")
        .note("as in 'for 100 iterations', or 'for r in (4, 2), 100 iterations "
              "each'");
    return nullptr;
  }
  advance();
  if (!parseSpan(*stmt))
    return nullptr;
  if (acceptClause("checkpoint")) {
    if (!expectWord("every"))
      return nullptr;
    stmt->every = parseExpr();
    if (!stmt->every)
      return nullptr;
  }
  if (acceptClause("history") && !parseHistory(*stmt))
    return nullptr;
  if (stmt->counter && acceptClause("every") && !parseCheck(*stmt))
    return nullptr;
  unsigned height =
      1 + std::max({heightOf(stmt->start), heightOf(stmt->objective),
                    heightOf(stmt->method), heightOf(stmt->stages),
                    heightOf(stmt->iterations), heightOf(stmt->every),
                    heightOf(stmt->begin, stmt->end, stmt->condition),
                    heightOf(stmt->historyCells, stmt->interval, stmt->check)});
  return finish(std::move(stmt), height);
}
