//===- ParseControl.cpp - Expressions with a keyword or braces ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;
using llvm::SMLoc;

ExprPtr Parser::parseKeywordExpr() {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  if (atCollect())
    return parseBins();
  switch (tok.kind) {
  case Kind::KwIf:
    return parseIf();
  case Kind::KwFor:
    return parseFor();
  case Kind::KwMap:
    return parseMap();
  case Kind::KwBins:
    return parseBins();
  default:
    return parseLoop();
  }
}

ExprPtr Parser::parseLambda() {
  auto lambda = std::make_unique<LambdaExpr>(tok.loc());
  // lambdaAhead has seen that all of this is there.
  auto takeName = [&] {
    Token name = advance();
    lambda->params.push_back({name.text.str(), name.loc()});
  };
  if (accept(Kind::LParen)) {
    while (!accept(Kind::RParen)) {
      takeName();
      accept(Kind::Comma);
    }
  } else {
    takeName();
  }
  advance(); // =>
  llvm::SaveAndRestore<bool> function(inFunction, true);
  llvm::SaveAndRestore<Scope> scope(blockScope, Scope::Function);
  lambda->body = parseExpr();
  if (!lambda->body)
    return nullptr;
  SMLoc start = lambda->loc;
  unsigned height = heightOf(lambda->body);
  return finish(std::move(lambda), start, height);
}

/// `=> expr`, or braces.
ExprPtr Parser::parseBody() {
  if (accept(Kind::FatArrow))
    return parseExpr();
  if (tok.is(Kind::LBrace) && !atNewline())
    return parseBraceExpr();
  InFlight diag = expected("'=>'");
  if (tok.is(Kind::Colon))
    diag.note(
        "write the repeated expression after '=>' or in braces: 'for i in "
        "0 .. 3 { statements }'");
  else
    explainAfterExpr(diag);
  return nullptr;
}

/// The body of a loop, or of a `for`: outside of functions, it may write.
ExprPtr Parser::parseRepeated() {
  llvm::SaveAndRestore<Scope> scope(blockScope,
                                    inFunction ? Scope::Function : Scope::Loop);
  return parseBody();
}

//===----------------------------------------------------------------------===//
// if, for, map, bins, loop
//===----------------------------------------------------------------------===//

ExprPtr Parser::parseIf() {
  SMLoc start = advance().loc();
  ExprPtr condition = parseExpr();
  if (!condition)
    return nullptr;
  return parseIfRest(start, std::move(condition));
}

ExprPtr Parser::parseIfRest(SMLoc start, ExprPtr condition) {
  auto expr = std::make_unique<IfExpr>(start);
  expr->condition = std::move(condition);
  if (!tok.is(Kind::KwThen)) {
    InFlight diag = expected("'then'");
    if (tok.is(Kind::LBrace))
      diag.note("an 'if' with a value is written 'if condition then a else b'");
    else
      explainAfterExpr(diag);
    return nullptr;
  }
  advance();
  expr->thenExpr = parseExpr();
  if (!expr->thenExpr)
    return nullptr;
  if (!tok.is(Kind::KwElse)) {
    InFlight diag = expected("'else'");
    if (previous.text == "elif")
      diag.note("'elif' is written 'else if'");
    else
      explainAfterExpr(diag);
    diag.note(start, "an 'if' with a value has a value for both cases");
    return nullptr;
  }
  advance();
  expr->elseExpr = parseExpr();
  if (!expr->elseExpr)
    return nullptr;
  unsigned height = heightOf(expr->condition, expr->thenExpr, expr->elseExpr);
  return finish(std::move(expr), start, height);
}

ExprPtr Parser::parseFor() {
  auto expr = std::make_unique<ForExpr>(tok.loc());
  SMLoc start = advance().loc();
  if (!expectName(expr->variable, "the name of the loop variable") ||
      !expect(Kind::KwIn))
    return nullptr;
  SMLoc domainStart = tok.loc();
  expr->domain = parseOperand();
  if (!expr->domain)
    return nullptr;
  if (tok.is(Kind::DotDot)) {
    auto range = std::make_unique<RangeExpr>(tok.loc());
    advance();
    range->begin = std::move(expr->domain);
    range->end = parseOperand();
    if (!range->end)
      return nullptr;
    unsigned height = heightOf(range->begin, range->end);
    expr->domain = finish(std::move(range), domainStart, height);
  }
  expr->body = parseRepeated();
  if (!expr->domain || !expr->body)
    return nullptr;
  unsigned height = heightOf(expr->domain, expr->body);
  return finish(std::move(expr), start, height);
}

/// `k in F`, `q in [x, y, z]`.
bool Parser::parseDomain(Name &variable, ExprPtr &domain,
                         std::vector<ExprPtr> &dims) {
  if (!expectName(variable, "the name of the coordinate") ||
      !expect(Kind::KwIn))
    return false;
  if (!tok.is(Kind::LBracket)) {
    domain = parseOperand();
    return domain != nullptr;
  }
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  return parseExprList(Kind::RBracket, open, dims);
}

ExprPtr Parser::parseMap() {
  auto expr = std::make_unique<MapExpr>(tok.loc());
  SMLoc start = advance().loc();
  if (!parseDomain(expr->variable, expr->domain, expr->dims))
    return nullptr;
  expr->body = parseBody();
  if (!expr->body)
    return nullptr;
  unsigned height =
      std::max(heightOf(expr->domain, expr->body), heightOfAll(expr->dims));
  return finish(std::move(expr), start, height);
}

/// `collect q in F where c into N =>`. `collect` is a name elsewhere.
bool Parser::atCollect() {
  return isWord("collect") && isName(peek()) && !peek().startsLine &&
         peek(2).is(Kind::KwIn);
}

ExprPtr Parser::parseBins() {
  auto expr = std::make_unique<BinsExpr>(tok.loc());
  const bool isCollected = !tok.is(Kind::KwBins);
  collects |= isCollected;
  SMLoc start = advance().loc();
  {
    Stops stops(*this, StopInto | (isCollected ? StopWhere : StopBy));
    if (!parseDomain(expr->variable, expr->domain, expr->dims))
      return nullptr;
    if (isCollected) {
      if (!expectWord("where"))
        return nullptr;
      expr->where = parseOperand();
      if (!expr->where)
        return nullptr;
    }
    if (!expectWord("into"))
      return nullptr;
    expr->count = parseOperand();
    if (!expr->count)
      return nullptr;
    if (!isCollected) {
      if (!expectWord("by"))
        return nullptr;
      expr->index = parseOperand();
      if (!expr->index)
        return nullptr;
    }
  }
  expr->body = parseBody();
  if (!expr->body)
    return nullptr;
  unsigned height = std::max(
      heightOf(expr->domain, expr->where, expr->count, expr->index, expr->body),
      heightOfAll(expr->dims));
  return finish(std::move(expr), start, height);
}

ExprPtr Parser::parseLoop() {
  auto expr = std::make_unique<LoopExpr>(tok.loc());
  SMLoc start = advance().loc();
  if (!parsePattern(expr->carried) || !expect(Kind::Assign))
    return nullptr;
  {
    Stops stops(*this, StopCheckpoint);
    expr->init = parseOperand();
    if (!expr->init || !parseIterations(*expr))
      return nullptr;
  }
  if (acceptClause("checkpoint")) {
    if (!expectWord("every"))
      return nullptr;
    expr->every = parseOperand();
    if (!expr->every)
      return nullptr;
  }
  const bool isBounded = expr->condition && expr->end;
  expr->body = isBounded ? parseRepeated() : parseStacking(parseRepeated());
  if (!expr->body)
    return nullptr;
  unsigned height = heightOf(expr->init, expr->begin, expr->end,
                             expr->condition, expr->every, expr->body);
  return finish(std::move(expr), start, height);
}

/// `each c in f =>`, `each c in (f, g) =>`. `each` is a name elsewhere.
bool Parser::atEach() {
  return isWord("each") && isName(peek()) && !peek().startsLine &&
         peek(2).is(Kind::KwIn);
}

/// `each c in f => e` goes through the cells of c, in which f is its slice, and
/// gives a field along c: `(loop _ = 0.0 for i in c => _ stacking { let f =
/// f[c = i]; e })[1]`, with names that cannot occur in a spec.
ExprPtr Parser::parseEach() {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  const SMLoc start = advance().loc();
  Name dim;
  if (!expectName(dim, "the name of a dim") || !expect(Kind::KwIn))
    return nullptr;
  Pattern fields;
  if (!parsePattern(fields))
    return nullptr;
  ExprPtr body = parseBody();
  if (!body)
    return nullptr;
  unsigned height = heightOf(body);
  auto made = [&](auto node) {
    return finish(std::move(node), start, ++height);
  };
  auto reference = [&](const std::string &name, SMLoc loc) {
    auto ref = std::make_unique<RefExpr>(loc);
    ref->name = name;
    return finish(std::move(ref), loc, 0);
  };
  const std::string counter = "each " + dim.text, nothing = "each";
  auto block = std::make_unique<BlockExpr>(start);
  for (const Name &field : fields.names) {
    auto slice = std::make_unique<IndexExpr>(field.loc);
    slice->base = reference(field.text, field.loc);
    slice->cells.push_back(
        {Name{dim.text, dim.loc}, reference(counter, dim.loc)});
    auto let = std::make_unique<LetStmt>(field.loc);
    let->pattern.names = {field};
    let->value = finish(std::move(slice), field.loc, 1);
    block->statements.push_back(finish(std::move(let), 1));
  }
  block->result = std::move(body);
  auto stack = std::make_unique<StackExpr>(start);
  stack->next = reference(nothing + " 0", start);
  stack->stacked = made(std::move(block));
  auto loop = std::make_unique<LoopExpr>(start);
  loop->carried.names = {Name{nothing + " 0", start}};
  auto zero = std::make_unique<NumberExpr>(start);
  loop->init = finish(std::move(zero), start, 0);
  loop->counter = Name{counter, dim.loc};
  loop->begin = reference(dim.text, dim.loc);
  loop->body = made(std::move(stack));
  auto second = std::make_unique<IndexExpr>(start);
  second->base = made(std::move(loop));
  auto one = std::make_unique<NumberExpr>(start);
  one->value = 1;
  one->integer = 1;
  one->isInteger = true;
  second->indices.push_back(finish(std::move(one), start, 0));
  return made(std::move(second));
}

/// `next stacking f`, or just `next`.
ExprPtr Parser::parseStacking(ExprPtr next) {
  if (!next || !isWord("stacking") || atNewline())
    return next;
  auto stack = std::make_unique<StackExpr>(tok.loc());
  SMLoc start = next->range.Start;
  advance();
  stack->next = std::move(next);
  stack->stacked = parseExpr();
  if (!stack->stacked)
    return nullptr;
  unsigned height = heightOf(stack->next, stack->stacked);
  return finish(std::move(stack), start, height);
}

/// `for i in a .. b`, `for i in z`, `while c`.
bool Parser::parseIterations(LoopExpr &expr) {
  if (accept(Kind::KwWhile)) {
    Stops stops(*this, StopAt | StopCheckpoint);
    expr.condition = parseOperand();
    if (!expr.condition || !isWord("at"))
      return expr.condition != nullptr;
    advance();
    if (!expectWord("most"))
      return false;
    expr.end = parseOperand();
    return expr.end != nullptr;
  }
  if (accept(Kind::KwFor)) {
    Name counter;
    if (!expectName(counter, "the name of the counter") || !expect(Kind::KwIn))
      return false;
    expr.counter = std::move(counter);
    expr.begin = parseOperand();
    if (!expr.begin)
      return false;
    if (tok.is(Kind::FatArrow) || isWord("checkpoint"))
      return true;
    if (!tok.is(Kind::DotDot)) {
      expected("'..'").note("a loop counts 'for i in 0 .. n', or the cells of "
                            "a dim, 'for i in z'");
      return false;
    }
    advance();
    expr.end = parseOperand();
    return expr.end != nullptr;
  }
  InFlight diag = expected("'for' or 'while'");
  explainAfterExpr(diag);
  return false;
}

//===----------------------------------------------------------------------===//
// Braces
//===----------------------------------------------------------------------===//

/// `{ name = `.
bool Parser::recordAhead() {
  return isName(peek(1)) && peek(2).is(Kind::Assign);
}

ExprPtr Parser::parseBraceExpr() {
  if ((isName(peek(1)) || peek(1).is(Kind::String)) &&
      peek(2).is(Kind::Colon)) {
    advance();
    advance();
    error("[PM0108] the members of a record have '=', found ':'; write "
          "'{name = value}'");
    skip([&] { return tok.is(Kind::RBrace); });
    accept(Kind::RBrace);
    return nullptr;
  }
  if (!recordAhead())
    return parseBlock();
  auto record = std::make_unique<RecordExpr>(tok.loc());
  Token open = advance();
  if (!parseRecordFields(open, record->fields))
    return nullptr;
  unsigned height = 0;
  for (const RecordField &field : record->fields)
    height = std::max(height, heightOf(field.value));
  return finish(std::move(record), open.loc(), height);
}

/// `precise {`, unless a variable has this name.
bool Parser::atPrecise() {
  return isWord("precise") && peek().is(Kind::LBrace) && !peek().startsLine &&
         !isVariable("precise");
}

ExprPtr Parser::parsePrecise() {
  const SMLoc start = advance().loc();
  ExprPtr body = parseBraceExpr();
  if (!body)
    return nullptr;
  if (auto *block = llvm::dyn_cast<BlockExpr>(body.get())) {
    block->isPrecise = true;
    block->loc = block->range.Start = start;
    return body;
  }
  auto block = std::make_unique<BlockExpr>(start); // of a record
  block->isPrecise = true;
  const unsigned height = heightOf(body);
  block->result = std::move(body);
  return finish(std::move(block), start, height);
}

ExprPtr Parser::parseWith(ExprPtr base) {
  auto with = std::make_unique<WithExpr>(tok.loc());
  SMLoc start = base->range.Start;
  with->base = std::move(base);
  advance();
  Token open = advance();
  if (tok.is(Kind::LBracket) ? !parseUpdates(open, with->updates)
                             : !parseRecordFields(open, with->fields))
    return nullptr;
  unsigned height = heightOf(with->base);
  for (const RecordField &field : with->fields)
    height = std::max(height, heightOf(field.value));
  for (const CellUpdate &update : with->updates) {
    height = std::max(height, heightOf(update.value));
    for (const Argument &cell : update.cells)
      height = std::max(height, heightOf(cell.value));
  }
  return finish(std::move(with), start, height);
}

/// `[z = i] = e`, `[z = i] += e` between commas, semicolons or newlines, and
/// the `}`.
bool Parser::parseUpdates(const Token &open, std::vector<CellUpdate> &updates) {
  Inside inside(*this, /*newlinesCount=*/true);
  do {
    if (tok.is(Kind::RBrace))
      break;
    if (!tok.is(Kind::LBracket)) {
      error("[PM0108] expected '[dim = cell] = value'");
      return false;
    }
    CellUpdate update;
    update.loc = tok.loc();
    IndexExpr index(tok.loc());
    {
      Inside brackets(*this, /*newlinesCount=*/false);
      Token bracket = advance();
      bool good = parseList(Kind::RBracket, bracket, [&] {
        if (isName(tok) && peek().is(Kind::Assign) && tok.text != "edge")
          return parseIndexOption(index);
        error("[PM0108] expected 'dim = cell'");
        return false;
      });
      if (!good)
        return false;
    }
    update.cells = std::move(index.cells);
    update.adds = accept(Kind::AddAssign);
    if (!update.adds && !expect(Kind::Assign))
      return false;
    update.value = parseExpr();
    if (!update.value)
      return false;
    updates.push_back(std::move(update));
  } while (accept(Kind::Comma) || accept(Kind::Semicolon) || atNewline());
  if (accept(Kind::RBrace))
    return true;
  expectedBracket("'}'", open);
  return false;
}

/// `name = value` between commas, semicolons or newlines, and the `}`.
bool Parser::parseRecordFields(const Token &open,
                               std::vector<RecordField> &fields) {
  Inside inside(*this, /*newlinesCount=*/true);
  bool good = true;
  while (!tok.is(Kind::RBrace) && !tok.is(Kind::Eof)) {
    size_t before = position;
    RecordField field;
    if (!isName(tok) || !peek().is(Kind::Assign)) {
      error("[PM0108] expected 'name = value'")
          .note(open.loc(), "in the record that begins here; in a block, names "
                            "are given with 'let'");
    } else {
      field.name = {tok.text.str(), tok.loc()};
      advance();
      advance();
      field.value = parseExpr();
      if (field.value) {
        fields.push_back(std::move(field));
        if (accept(Kind::Comma) || accept(Kind::Semicolon) || atStatementEnd())
          continue;
        InFlight diag = expected("',' or '}'");
        explainAfterExpr(diag);
        diag.note(open.loc(), "to match this '{'");
      }
    }
    good = false;
    if (position == before)
      advance();
    skip([&] { return tok.is(Kind::Comma) || atStatementEnd(); });
    if (!accept(Kind::Comma) && !accept(Kind::Semicolon) && !atNewline())
      break;
    if (atStatementStart() || blockMissesBrace(Scope::Function))
      break;
  }
  if (accept(Kind::RBrace))
    return good;
  if (good)
    expectedBracket("'}'", open);
  return false;
}

ExprPtr Parser::parseBlock() {
  auto block = std::make_unique<BlockExpr>(tok.loc());
  SMLoc start = tok.loc();
  if (!parseBraces(blockScope, block->statements))
    return nullptr;
  unsigned height = heightOfAll(block->statements);
  if (!block->statements.empty())
    if (auto *last = llvm::dyn_cast<ExprStmt>(block->statements.back().get())) {
      block->result = std::move(last->expr);
      block->statements.pop_back();
    }
  return finish(std::move(block), start, height);
}
