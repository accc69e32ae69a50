//===- Spelling.cpp - How operators are written ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/AST.h"

using namespace pmc::ast;
using llvm::StringRef;

bool pmc::ast::isForStatement(const Expr &expr) {
  const auto *each = llvm::dyn_cast<ForExpr>(&expr);
  if (!each || !each->body)
    return false;
  const auto *body = llvm::dyn_cast<BlockExpr>(each->body.get());
  return body && (!body->result || isForStatement(*body->result));
}

StringRef pmc::ast::spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::Pow:
    return "^";
  case BinaryOp::Eq:
    return "==";
  case BinaryOp::Ne:
    return "!=";
  case BinaryOp::Lt:
    return "<";
  case BinaryOp::Le:
    return "<=";
  case BinaryOp::Gt:
    return ">";
  case BinaryOp::Ge:
    return ">=";
  case BinaryOp::And:
    return "and";
  case BinaryOp::Or:
    return "or";
  }
  return "?";
}
