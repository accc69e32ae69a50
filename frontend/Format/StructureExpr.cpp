//===- StructureExpr.cpp - The tokens of expressions ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/StructureBuilder.h"

#include <algorithm>

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::format;
using llvm::cast;
using llvm::dyn_cast;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

StructureBuilder::Span StructureBuilder::spanOf(const Expr &expr) const {
  Span span{words.beginningAt(expr.range.Start),
            words.endingAt(expr.range.End)};
  switch (expr.kind) {
  case Expr::Kind::Call:
  case Expr::Kind::Index:
  case Expr::Kind::Member:
  case Expr::Kind::With:
  case Expr::Kind::Binary:
  case Expr::Kind::Stack:
    break;
  default:
    return span;
  }
  // These begin where their first operand does, behind its parentheses.
  for (size_t i = span.first; i <= span.last; ++i)
    if (words[i].token.isAny(Kind::RParen, Kind::RBracket, Kind::RBrace))
      span.first = std::min(span.first, words[i].match);
    else if (words[i].token.isAny(Kind::LParen, Kind::LBracket, Kind::LBrace))
      i = std::min(words[i].match, span.last);
  return span;
}

size_t StructureBuilder::wordBefore(const Expr &expr) const {
  size_t at = spanOf(expr).first;
  while (at > 0 && words[at - 1].is(Kind::LParen))
    --at;
  return at == 0 ? 0 : at - 1;
}

StructureBuilder::Span StructureBuilder::spanBehind(size_t opener,
                                                    const Expr &expr) const {
  Span span = spanOf(expr);
  while (span.first > opener + 1) {
    --span.first;
    span.last = std::max(span.last, words[span.first].match);
  }
  return span;
}

//===----------------------------------------------------------------------===//
// Lists, values and bodies
//===----------------------------------------------------------------------===//

void StructureBuilder::visit(const std::vector<ExprPtr> &exprs) {
  for (const ExprPtr &expr : exprs)
    visit(expr);
}

void StructureBuilder::visitValue(const ExprPtr &value) {
  size_t assign = wordBefore(*value);
  if (words[assign].token.isAny(Kind::Assign, Kind::AddAssign))
    addScope(spanBehind(assign, *value), Indent::Add, /*hasGap=*/true);
  visit(value);
}

void StructureBuilder::visit(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments)
    if (argument.name.text.empty())
      visit(argument.value);
    else
      visitValue(argument.value);
}

void StructureBuilder::visit(const std::vector<RecordField> &fields) {
  for (const RecordField &field : fields) {
    roles[words.beginningAt(field.name.loc)].beginsField = true;
    visitValue(field.value);
  }
}

void StructureBuilder::visitBody(const ExprPtr &body) {
  size_t arrow = wordBefore(*body);
  if (words[arrow].is(Kind::FatArrow)) {
    Span span = spanBehind(arrow, *body);
    addScope(span, Indent::Nested, /*hasGap=*/true);
    // What follows a body in a list is easily taken for a part of it.
    roles[arrow].mayBreakBehind = !words[span.first].is(Kind::LBrace) &&
                                  !words[span.last + 1].is(Kind::Comma);
  }
  visit(body);
}

void StructureBuilder::visitOptimized(const ExprPtr &lambda,
                                      const Pattern &pattern) {
  const auto *function = cast<LambdaExpr>(lambda.get());
  visit(pattern.isTuple ? cast<BlockExpr>(function->body.get())->result
                        : function->body);
}

void StructureBuilder::visitBlock(const BlockExpr &expr) {
  visit(expr.statements);
  if (!expr.result)
    return;
  // The braces of a record are those of `precise`.
  if (expr.isPrecise && llvm::isa<RecordExpr>(expr.result.get()) &&
      spanOf(*expr.result).first == spanOf(expr).first + 1)
    return visit(expr.result);
  markStatement(wordBefore(*expr.result) + 1);
  visit(expr.result);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static unsigned precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Or:
    return 1;
  case BinaryOp::And:
    return 2;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return 5;
  case BinaryOp::Mul:
  case BinaryOp::Div:
    return 6;
  case BinaryOp::Pow:
    return 7;
  default:
    return 4;
  }
}

void StructureBuilder::visitBinary(const BinaryExpr &expr, Span span) {
  const size_t at = words.beginningAt(expr.loc);
  // `2 x` has no token for its product.
  const bool isWritten = words[at].token.isAny(
      Kind::Star, Kind::Slash, Kind::Plus, Kind::Minus, Kind::Caret,
      Kind::EqualEqual, Kind::NotEqual, Kind::Less, Kind::LessEqual,
      Kind::Greater, Kind::GreaterEqual, Kind::KwAnd, Kind::KwOr);
  if (!isWritten || expr.op == BinaryOp::Pow) {
    visit(expr.lhs);
    visit(expr.rhs);
    return;
  }
  addScope(span, Indent::Operands, /*hasGap=*/false);
  // The chain a + b - c is one list of operands.
  std::vector<const ExprPtr *> operands{&expr.rhs};
  roles[at].isOperator = true;
  const ExprPtr *left = &expr.lhs;
  while (const auto *more = dyn_cast<BinaryExpr>(left->get())) {
    const size_t next = words.beginningAt(more->loc);
    // Not if it is in parentheses, and not if its product is not written.
    if (precedenceOf(more->op) != precedenceOf(expr.op) ||
        spanOf(*more).first != span.first || wordBefore(*more->rhs) != next ||
        !words[next].token.isAny(Kind::Star, Kind::Slash, Kind::Plus,
                                 Kind::Minus, Kind::KwAnd, Kind::KwOr))
      break;
    roles[next].isOperator = true;
    operands.push_back(&more->rhs);
    left = &more->lhs;
  }
  visit(*left);
  for (const ExprPtr *operand : llvm::reverse(operands))
    visit(*operand);
}

void StructureBuilder::visitIf(const IfExpr &expr) {
  addScope(spanOf(expr), Indent::Align, /*hasGap=*/false);
  const size_t first = spanOf(expr).first;
  for (const IfExpr *choice = &expr;;) {
    visit(choice->condition);
    const size_t then = wordBefore(*choice->thenExpr);
    const size_t otherwise = wordBefore(*choice->elseExpr);
    roles[then].mayBreakBehind = true;
    roles[otherwise].beginsClause = true;
    roles[otherwise].group = int(first);
    addScope(spanBehind(then, *choice->thenExpr), Indent::Add, /*hasGap=*/true);
    visit(choice->thenExpr);
    const auto *next = dyn_cast<IfExpr>(choice->elseExpr.get());
    if (next && spanOf(*next).first == otherwise + 1 &&
        !words[otherwise + 1].startsLine) {
      choice = next;
      continue;
    }
    roles[otherwise].mayBreakBehind = true;
    addScope(spanBehind(otherwise, *choice->elseExpr), Indent::Add,
             /*hasGap=*/true);
    return visit(choice->elseExpr);
  }
}

//===----------------------------------------------------------------------===//
// Calls, elements, records
//===----------------------------------------------------------------------===//

void StructureBuilder::visitCall(const CallExpr &expr, Span span) {
  const size_t open = words[span.last].match;
  roles[open].isTightBefore = true;
  if (expr.hasDims)
    roles[words[open - 1].match].isTightBefore = true;
  visit(expr.callee);
  visit(expr.dims);
  visit(expr.args);
}

void StructureBuilder::visitIndex(const IndexExpr &expr, Span span) {
  // `each c in f => e`, which the parser has written as a loop.
  const auto *loop = dyn_cast<LoopExpr>(expr.base.get());
  if (loop && loop->counter &&
      llvm::StringRef(loop->counter->text).starts_with("each ")) {
    span.first = words.beginningAt(expr.range.Start);
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    const auto *stack = cast<StackExpr>(loop->body.get());
    return visitBody(cast<BlockExpr>(stack->stacked.get())->result);
  }
  roles[words[span.last].match].isTightBefore = true;
  visit(expr.base);
  visit(expr.indices);
  visit(expr.cells);
  if (expr.edge)
    visitValue(expr.edge);
}

void StructureBuilder::visitWith(const WithExpr &expr, Span span) {
  roles[words[span.last].match].isRecord = true;
  visit(expr.base);
  visit(expr.fields);
  for (const CellUpdate &update : expr.updates) {
    roles[words.beginningAt(update.loc)].beginsField = true;
    visit(update.cells);
    visitValue(update.value);
  }
}

void StructureBuilder::visitLiteral(const NumberExpr &expr) {
  if (!expr.unit)
    return;
  const size_t first = words.beginningAt(expr.range.Start);
  const size_t last = words.endingAt(expr.range.End);
  roles[first].literalEnd = last + 1;
}

void StructureBuilder::visit(const ExprPtr &expr) {
  if (!expr)
    return;
  const Span span = spanOf(*expr);
  switch (expr->kind) {
  case Expr::Kind::Number:
    return visitLiteral(*cast<NumberExpr>(expr.get()));
  case Expr::Kind::String:
  case Expr::Kind::Bool:
  case Expr::Kind::Ref:
    return;
  case Expr::Kind::Unary: {
    const auto *unary = cast<UnaryExpr>(expr.get());
    roles[span.first].isTightAfter = unary->op == UnaryOp::Neg;
    return visit(unary->operand);
  }
  case Expr::Kind::Binary:
    return visitBinary(*cast<BinaryExpr>(expr.get()), span);
  case Expr::Kind::If:
    return visitIf(*cast<IfExpr>(expr.get()));
  case Expr::Kind::Call:
    return visitCall(*cast<CallExpr>(expr.get()), span);
  case Expr::Kind::Index:
    return visitIndex(*cast<IndexExpr>(expr.get()), span);
  case Expr::Kind::Member:
    return visit(cast<MemberExpr>(expr.get())->base);
  case Expr::Kind::With:
    return visitWith(*cast<WithExpr>(expr.get()), span);
  case Expr::Kind::Stack: {
    const auto *stack = cast<StackExpr>(expr.get());
    visit(stack->next);
    return visit(stack->stacked);
  }
  case Expr::Kind::Tuple:
    return visit(cast<TupleExpr>(expr.get())->elements);
  case Expr::Kind::Record:
    roles[span.first].isRecord = true;
    return visit(cast<RecordExpr>(expr.get())->fields);
  case Expr::Kind::Block:
    return visitBlock(*cast<BlockExpr>(expr.get()));
  case Expr::Kind::Range: {
    const auto *range = cast<RangeExpr>(expr.get());
    visit(range->begin);
    return visit(range->end);
  }
  case Expr::Kind::Lambda:
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    return visitBody(cast<LambdaExpr>(expr.get())->body);
  case Expr::Kind::For: {
    const auto *loop = cast<ForExpr>(expr.get());
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    visit(loop->domain);
    return visitBody(loop->body);
  }
  case Expr::Kind::Map: {
    const auto *map = cast<MapExpr>(expr.get());
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    visit(map->domain);
    visit(map->dims);
    return visitBody(map->body);
  }
  case Expr::Kind::Bins: {
    const auto *bins = cast<BinsExpr>(expr.get());
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    visit(bins->domain);
    visit(bins->dims);
    visit(bins->where);
    visit(bins->count);
    visit(bins->index);
    return visitBody(bins->body);
  }
  case Expr::Kind::Loop: {
    const auto *loop = cast<LoopExpr>(expr.get());
    addScope(span, Indent::Clauses, /*hasGap=*/false);
    for (const ExprPtr *part : {&loop->init, &loop->begin, &loop->end,
                                &loop->condition, &loop->every})
      visit(*part);
    if (const auto *stack = dyn_cast<StackExpr>(loop->body.get())) {
      visitBody(stack->next);
      return visit(stack->stacked);
    }
    return visitBody(loop->body);
  }
  }
}
