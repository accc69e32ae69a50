//===- ParseExpr.cpp - Operators, calls and what they join --------------===//
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

ExprPtr Parser::finish(std::unique_ptr<Expr> expr, SMLoc start,
                       unsigned childHeight) {
  expr->range = {start, previous.endLoc()};
  expr->height = childHeight + 1;
  if (expr->height > maxDepth) {
    tooDeep(expr->loc);
    return nullptr;
  }
  return expr;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

ExprPtr Parser::parseExpr() {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  return lambdaAhead() ? parseLambda() : parseOperand();
}

ExprPtr Parser::parseExprOrRange() {
  SMLoc start = tok.loc();
  ExprPtr begin = parseExpr();
  if (!begin || !tok.is(Kind::DotDot))
    return begin;
  auto range = std::make_unique<RangeExpr>(tok.loc());
  advance();
  range->begin = std::move(begin);
  range->end = parseExpr();
  if (!range->end)
    return nullptr;
  unsigned height = heightOf(range->begin, range->end);
  return finish(std::move(range), start, height);
}

/// `a => ...`, `(a, b) => ...`.
bool Parser::lambdaAhead() {
  if (isName(tok))
    return peek().is(Kind::FatArrow);
  if (!tok.is(Kind::LParen))
    return false;
  unsigned n = 1;
  while (isName(peek(n))) {
    ++n;
    if (!peek(n).is(Kind::Comma))
      break;
    ++n;
  }
  return peek(n).is(Kind::RParen) && peek(n + 1).is(Kind::FatArrow);
}

namespace {
struct Operator {
  unsigned precedence = 0; // 0: no binary operator
  BinaryOp op = BinaryOp::Add;
};
constexpr unsigned notPrecedence = 3;
constexpr unsigned comparisonPrecedence = 4;
} // namespace

static Operator binaryOperator(TokenKind kind) {
  switch (kind) {
  case TokenKind::KwOr:
    return {1, BinaryOp::Or};
  case TokenKind::KwAnd:
    return {2, BinaryOp::And};
  case TokenKind::EqualEqual:
    return {comparisonPrecedence, BinaryOp::Eq};
  case TokenKind::NotEqual:
    return {comparisonPrecedence, BinaryOp::Ne};
  case TokenKind::Less:
    return {comparisonPrecedence, BinaryOp::Lt};
  case TokenKind::LessEqual:
    return {comparisonPrecedence, BinaryOp::Le};
  case TokenKind::Greater:
    return {comparisonPrecedence, BinaryOp::Gt};
  case TokenKind::GreaterEqual:
    return {comparisonPrecedence, BinaryOp::Ge};
  case TokenKind::Plus:
    return {5, BinaryOp::Add};
  case TokenKind::Minus:
    return {5, BinaryOp::Sub};
  case TokenKind::Star:
    return {6, BinaryOp::Mul};
  case TokenKind::Slash:
    return {6, BinaryOp::Div};
  default:
    return {};
  }
}

ExprPtr Parser::parseBinary(unsigned minPrecedence) {
  SMLoc start = tok.loc();
  ExprPtr lhs = tok.is(Kind::KwNot) && minPrecedence <= notPrecedence
                    ? parseNot()
                    : parseUnary(/*inExponent=*/false);
  bool compared = false;
  while (lhs && !atNewline()) {
    Operator next = binaryOperator(tok.kind);
    if (next.precedence == 0 || next.precedence < minPrecedence)
      return lhs;
    if (next.precedence == comparisonPrecedence) {
      if (compared)
        error("[PM0109] comparisons are not chained")
            .note("join them with 'and': 'a < b and b < c'");
      compared = true;
    } else {
      compared = false;
    }
    auto binary = std::make_unique<BinaryExpr>(tok.loc());
    advance();
    binary->op = next.op;
    binary->lhs = std::move(lhs);
    const Token first = tok;
    binary->rhs = parseBinary(next.precedence + 1);
    if (!binary->rhs)
      return nullptr;
    warnProduct(*binary, first);
    unsigned height = heightOf(binary->lhs, binary->rhs);
    lhs = finish(std::move(binary), start, height);
  }
  return lhs;
}

/// `3/7 D` divides by the product `7 D`, which looks like a fraction times D.
void Parser::warnProduct(const BinaryExpr &division, const Token &first) {
  auto *product = llvm::dyn_cast<BinaryExpr>(division.rhs.get());
  if (division.op != BinaryOp::Div || !first.is(Kind::Number) ||
      !llvm::isa<NumberExpr>(*division.lhs) || !product ||
      product->op != BinaryOp::Mul || product->lhs->loc != first.loc())
    return;
  auto textOf = [](const Expr &expr) {
    const char *begin = expr.range.Start.getPointer();
    return llvm::StringRef(begin, expr.range.End.getPointer() - begin);
  };
  llvm::StringRef number = textOf(*division.lhs), by = textOf(*product->lhs),
                  factor = textOf(*product->rhs);
  std::string other = factor.str();
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(product->rhs.get());
      sum && sum->op != BinaryOp::Pow)
    other = "(" + other + ")";
  if (other.size() > 20 || factor.contains('\n'))
    other = "…";
  diags
      .warning(division.loc, "[PM0115] " + number + "/" + by + " " + other +
                                 " divides by the product; write " + number +
                                 "/" + by + " * " + other + ", or " + number +
                                 "/(" + by + " * " + other + ")")
      .range(division.rhs->range);
}

ExprPtr Parser::parseNot() {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  auto unary = std::make_unique<UnaryExpr>(tok.loc());
  advance();
  unary->op = UnaryOp::Not;
  unary->operand =
      tok.is(Kind::KwNot) ? parseNot() : parseBinary(comparisonPrecedence);
  if (!unary->operand)
    return nullptr;
  SMLoc start = unary->loc;
  unsigned height = heightOf(unary->operand);
  return finish(std::move(unary), start, height);
}

ExprPtr Parser::parseUnary(bool inExponent) {
  switch (tok.kind) {
  case Kind::KwIf:
  case Kind::KwFor:
  case Kind::KwMap:
  case Kind::KwBins:
  case Kind::KwLoop:
    return parseKeywordExpr();
  case Kind::Minus:
    break;
  default:
    if (atCollect())
      return parseKeywordExpr();
    return atEach() ? parseEach() : parseProduct(inExponent);
  }
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  auto unary = std::make_unique<UnaryExpr>(tok.loc());
  advance();
  unary->op = UnaryOp::Neg;
  unary->operand = parseUnary(inExponent);
  if (!unary->operand)
    return nullptr;
  SMLoc start = unary->loc;
  unsigned height = heightOf(unary->operand);
  return finish(std::move(unary), start, height);
}

/// A name or `(` on the line of the number before it, which it multiplies.
bool Parser::atFactor() {
  if (tok.startsLine || atStopWord())
    return false;
  if (tok.is(Kind::LParen))
    return true;
  if (!isName(tok))
    return false;
  return !(isWord("with") && peek().is(Kind::LBrace)) && !isWord("stacking");
}

ExprPtr Parser::parseProduct(bool inExponent) {
  if (!tok.is(Kind::Number))
    return parsePower();
  SMLoc start = tok.loc();
  ExprPtr number = parseNumber(/*mayHaveUnit=*/!inExponent);
  if (!number)
    return nullptr;
  if (tok.is(Kind::Caret) && !atNewline())
    return parsePowerOf(std::move(number));
  if (inExponent || !atFactor())
    return number;
  auto product = std::make_unique<BinaryExpr>(tok.loc());
  product->op = BinaryOp::Mul;
  product->lhs = std::move(number);
  product->rhs = parsePower();
  if (!product->rhs)
    return nullptr;
  unsigned height = heightOf(product->lhs, product->rhs);
  return finish(std::move(product), start, height);
}

ExprPtr Parser::parsePower() {
  ExprPtr base = parsePostfix();
  if (!base || !tok.is(Kind::Caret) || atNewline())
    return base;
  return parsePowerOf(std::move(base));
}

ExprPtr Parser::parsePowerOf(ExprPtr base) {
  Level level(*this);
  if (level.tooDeep()) {
    tooDeep(tok.loc());
    return nullptr;
  }
  auto power = std::make_unique<BinaryExpr>(tok.loc());
  advance();
  SMLoc start = base->range.Start;
  power->op = BinaryOp::Pow;
  power->lhs = std::move(base);
  power->rhs = parseUnary(/*inExponent=*/true);
  if (!power->rhs)
    return nullptr;
  unsigned height = heightOf(power->lhs, power->rhs);
  return finish(std::move(power), start, height);
}

//===----------------------------------------------------------------------===//
// Calls, elements and members
//===----------------------------------------------------------------------===//

ExprPtr Parser::parsePostfix() {
  ExprPtr expr = parsePrimary();
  while (expr) {
    if (tok.is(Kind::Dot))
      expr = parseMember(std::move(expr));
    else if (atNewline())
      break;
    else if (tok.is(Kind::LParen))
      expr = parseCall(std::move(expr));
    else if (tok.is(Kind::LBracket))
      expr = parseIndex(std::move(expr));
    else if (isWord("with") && peek().is(Kind::LBrace))
      expr = parseWith(std::move(expr));
    else
      break;
  }
  return expr;
}

bool Parser::parseExprList(Kind closer, const Token &open,
                           std::vector<ExprPtr> &list) {
  if (tok.is(closer)) {
    expected("an expression");
    advance();
    return false;
  }
  return parseList(closer, open, [&] {
    ExprPtr item = parseExpr();
    if (!item)
      return false;
    list.push_back(std::move(item));
    return true;
  });
}

ExprPtr Parser::parseCall(ExprPtr callee) {
  auto call = std::make_unique<CallExpr>(callee->loc);
  SMLoc start = callee->range.Start;
  if (auto *index = llvm::dyn_cast<IndexExpr>(callee.get())) {
    if (index->edge)
      error(index->edge->loc,
            "[PM0511] only fields have an edge, and this is a call");
    else if (!index->cells.empty())
      error(index->cells[0].name.loc,
            "[PM0511] only fields have cells, and this is a call");
    call->dims = std::move(index->indices);
    call->hasDims = true;
    ExprPtr base = std::move(index->base);
    callee = std::move(base);
  }
  call->callee = std::move(callee);

  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  bool named = false;
  bool good = parseList(Kind::RParen, open, [&] {
    Argument argument;
    if (isName(tok) && peek().is(Kind::Assign)) {
      Token name = advance();
      argument.name = {name.text.str(), name.loc()};
      advance();
      named = true;
    } else if (named) {
      error("[PM0116] a positional argument behind a named one");
    }
    argument.value = parseExprOrRange();
    if (!argument.value)
      return false;
    call->args.push_back(std::move(argument));
    return true;
  });
  if (!good)
    return nullptr;
  unsigned height = std::max(heightOf(call->callee), heightOfAll(call->dims));
  for (const Argument &argument : call->args)
    height = std::max(height, heightOf(argument.value));
  return finish(std::move(call), start, height);
}

ExprPtr Parser::parseIndex(ExprPtr base) {
  auto index = std::make_unique<IndexExpr>(base->loc);
  SMLoc start = base->range.Start;
  index->base = std::move(base);
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  if (tok.is(Kind::RBracket)) {
    expected("an expression");
    advance();
    return nullptr;
  }
  bool isNamed = false;
  bool good = parseList(Kind::RBracket, open, [&] {
    if (isName(tok) && peek().is(Kind::Assign)) {
      isNamed = true;
      return parseIndexOption(*index);
    }
    if (isNamed)
      error("[PM0116] a positional index behind a named one");
    ExprPtr item = tok.is(Kind::Colon) ? nullptr : parseExpr();
    if (tok.is(Kind::Colon)) {
      error("[PM0511] an index has no ':'; name the dim: slice(f, x = 0 .. 5) "
            "is a mean "
            "over cells of x, and f[x = p] a part over a dim p");
      skip([&] { return tok.is(Kind::RBracket) || atStatementEnd(); });
      return false;
    }
    if (!item)
      return false;
    index->indices.push_back(std::move(item));
    return true;
  });
  if (!good)
    return nullptr;
  unsigned height =
      std::max(heightOf(index->base), heightOfAll(index->indices));
  if (index->edge)
    height = std::max(height, heightOf(index->edge));
  for (const Argument &cell : index->cells)
    height = std::max(height, heightOf(cell.value));
  return finish(std::move(index), start, height);
}

/// `edge = e`, or the cell of a dim, `z = 3`.
bool Parser::parseIndexOption(IndexExpr &index) {
  auto isGiven = [&](const Argument &cell) {
    return cell.name.text == tok.text;
  };
  bool isEdge = tok.text == "edge";
  if ((isEdge && index.edge) || llvm::any_of(index.cells, isGiven)) {
    error("[PM0117] '" + tok.text + "' is given twice");
    advance();
    advance();
    if (parseExprOrRange()) {
      skip([&] { return tok.is(Kind::RBracket) || atStatementEnd(); });
      accept(Kind::RBracket);
    }
    return false;
  }
  Argument cell;
  cell.name = {tok.text.str(), tok.loc()};
  advance();
  advance();
  ExprPtr value = isEdge ? parseExpr() : parseExprOrRange();
  bool good = bool(value);
  if (isEdge) {
    index.edge = std::move(value);
  } else {
    cell.value = std::move(value);
    index.cells.push_back(std::move(cell));
  }
  return good;
}

ExprPtr Parser::parseMember(ExprPtr base) {
  SMLoc start = base->range.Start;
  advance();
  auto member = std::make_unique<MemberExpr>(tok.loc());
  if (!expectName(member->member, "the name of a member"))
    return nullptr;
  member->base = std::move(base);
  unsigned height = heightOf(member->base);
  return finish(std::move(member), start, height);
}

//===----------------------------------------------------------------------===//
// Names, literals and parentheses
//===----------------------------------------------------------------------===//

ExprPtr Parser::parsePrimary() {
  switch (tok.kind) {
  case Kind::Number:
    return parseNumber(/*mayHaveUnit=*/true);
  case Kind::String: {
    auto string = std::make_unique<StringExpr>(tok.loc());
    string->value = Lexer::stringValue(tok, diags);
    advance();
    SMLoc start = string->loc;
    return finish(std::move(string), start, 0);
  }
  case Kind::KwTrue:
  case Kind::KwFalse: {
    auto boolean = std::make_unique<BoolExpr>(tok.loc());
    boolean->value = tok.is(Kind::KwTrue);
    advance();
    SMLoc start = boolean->loc;
    return finish(std::move(boolean), start, 0);
  }
  case Kind::LParen:
    return parseParens();
  case Kind::LBrace:
    return parseBraceExpr();
  default:
    if (atPrecise())
      return parsePrecise();
    if (isName(tok) && !atStopWord() && !atStatementStart())
      return parseName();
    break;
  }

  InFlight diag = expected("an expression");
  if (foundEnd())
    return nullptr;
  if (tok.is(Kind::LBracket))
    diag.note("a list is written '(a, b, c)'");
  else if (tok.is(Kind::KwNot))
    diag.note("put 'not ...' in parentheses here");
  else if (tok.is(Kind::KwWhile))
    diag.note("a loop is written 'loop x = start while condition => next'");
  else if (tok.isAny(Kind::KwPrint, Kind::KwAssert, Kind::KwLet))
    diag.note("'" + tok.text +
              "' begins a statement: write it in '{ }', before a "
              "value");
  return nullptr;
}

ExprPtr Parser::parseName() {
  // What Python calls them.
  if (tok.text == "True" || tok.text == "False") {
    bool value = tok.text == "True";
    error(value ? "[PM0111] write 'true'" : "[PM0111] write 'false'");
    auto boolean = std::make_unique<BoolExpr>(tok.loc());
    boolean->value = value;
    advance();
    SMLoc start = boolean->loc;
    return finish(std::move(boolean), start, 0);
  }
  if (tok.text == "lambda" && isName(peek()) && !peek().startsLine) {
    error("[PM0111] a function without a name is written 'x => value'");
    return nullptr;
  }
  auto ref = std::make_unique<RefExpr>(tok.loc());
  ref->name = tok.text.str();
  advance();
  SMLoc start = ref->loc;
  return finish(std::move(ref), start, 0);
}

ExprPtr Parser::parseNumber(bool mayHaveUnit) {
  auto number = std::make_unique<NumberExpr>(tok.loc());
  NumberValue value = Lexer::numberValue(tok, diags);
  number->value = value.value;
  number->integer = value.integer;
  number->isInteger = value.isInteger;
  number->isImaginary = value.isImaginary;
  advance();
  if (mayHaveUnit && !atStopWord())
    number->unit = acceptUnit(number->unitText);
  SMLoc start = number->loc;
  return finish(std::move(number), start, 0);
}

ExprPtr Parser::parseParens() {
  auto tuple = std::make_unique<TupleExpr>(tok.loc());
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  const bool isPlot = open.loc() == panelsAt;
  auto element = [&] {
    tuple->elements.push_back(parseExpr());
    return tuple->elements.back() != nullptr;
  };
  auto row = [&] {
    if (!element())
      return false;
    while (isPlot && accept(Kind::Semicolon)) {
      tuple->rows.push_back(tuple->elements.size());
      if (!element())
        return false;
    }
    return true;
  };
  if (tok.is(Kind::RParen)) {
    expected("an expression");
    advance();
    return nullptr;
  }
  if (!parseList(Kind::RParen, open, row))
    return nullptr;
  // `(a,)` is a tuple of one element.
  if (tuple->elements.size() == 1 && !trailingComma)
    return std::move(tuple->elements.front());
  unsigned height = heightOfAll(tuple->elements);
  return finish(std::move(tuple), open.loc(), height);
}
