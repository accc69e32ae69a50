//===- Dump.cpp - Printing the syntax tree --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/Dumper.h"

#include "frontend/Parser/Parser.h"

#include <charconv>

using namespace pmc;
using namespace pmc::ast;
using llvm::StringRef;

std::string ast::numberText(double value) {
  char text[64];
  auto [end, code] = std::to_chars(text, text + sizeof(text), value);
  return code == std::errc() ? std::string(text, end) : "?";
}

std::string ast::unitText(const Unit &unit) {
  if (unit.factor == 1)
    return unit.str();
  return numberText(unit.factor) + " " + unit.str();
}

static StringRef baseText(TypeExpr::Base base) {
  switch (base) {
  case TypeExpr::Base::F64:
    return "f64";
  case TypeExpr::Base::Int:
    return "int";
  case TypeExpr::Base::U64:
    return "u64";
  case TypeExpr::Base::Bool:
    return "bool";
  case TypeExpr::Base::String:
    return "string";
  case TypeExpr::Base::Complex:
    return "complex";
  case TypeExpr::Base::Field:
    return "field";
  case TypeExpr::Base::Table:
    return "table";
  }
  return "?";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void Dumper::type(const TypeExpr &type) {
  if (type.isVector)
    os << "vector ";
  if (type.isComplexField)
    os << "complex ";
  if (type.isIntField)
    os << "int ";
  os << baseText(type.base);
  if (type.base == TypeExpr::Base::Field)
    os << '/' << type.dims.size();
  if (!type.axes.empty())
    os << '/' << type.axes.size();
  const bool hasUnits = llvm::any_of(
      type.axes, [](const auto &axis) { return axis.unit.loc.isValid(); });
  if (type.unit)
    os << " [" << unitText(*type.unit) << ']';
  auto write = [&](const TypeExpr::Column &column) {
    os << ' ' << column.name.text;
    asked(column.unit);
  };
  llvm::for_each(type.columns, write);
  if (hasUnits || type.value)
    llvm::for_each(type.axes, write);
  if (type.value) {
    os << " ->";
    write(*type.value);
  }
}

void Dumper::range(const RangeSyntax &range) {
  os << " in ";
  if (!range.choices.empty()) {
    os << '(';
    llvm::interleaveComma(range.choices, os,
                          [&](const std::string &text) { quoted(text); });
    os << ')';
    return;
  }
  os << (range.minOpen ? '(' : '[') << (range.min ? "min" : "-inf") << ", "
     << (range.max ? "max" : "inf") << (range.maxOpen ? ')' : ']');
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Dumper::loop(const LoopExpr &loop, StringRef label) {
  line(label, "Loop ");
  pattern(loop.carried);
  if (loop.counter)
    os << " for " << loop.counter->text;
  os << '\n';
  Deeper deeper(*this);
  expr(loop.init.get(), "init");
  if (loop.counter) {
    expr(loop.begin.get(), "begin");
    expr(loop.end.get(), "end");
  } else {
    expr(loop.condition.get(), "while");
    expr(loop.end.get(), "most");
  }
  expr(loop.every.get(), "every");
  expr(loop.body.get(), "body");
}

void Dumper::expr(const Expr *node, StringRef label) {
  if (!node)
    return;
  switch (node->kind) {
  case Expr::Kind::Number: {
    const auto &number = *llvm::cast<NumberExpr>(node);
    line(label, "Number ");
    if (number.isInteger)
      os << number.integer;
    else
      os << numberText(number.value);
    if (number.isImaginary)
      os << 'i';
    if (number.unit)
      os << " [" << unitText(*number.unit) << ']';
    os << '\n';
    return;
  }
  case Expr::Kind::String:
    line(label, "String ");
    quoted(llvm::cast<StringExpr>(node)->value);
    os << '\n';
    return;
  case Expr::Kind::Bool:
    line(label, "Bool ") << (llvm::cast<BoolExpr>(node)->value ? "true"
                                                               : "false")
                         << '\n';
    return;
  case Expr::Kind::Ref:
    line(label, "Ref ") << llvm::cast<RefExpr>(node)->name << '\n';
    return;
  case Expr::Kind::Unary: {
    const auto &unary = *llvm::cast<UnaryExpr>(node);
    line(label, "Unary ") << (unary.op == UnaryOp::Neg ? "-" : "not") << '\n';
    Deeper deeper(*this);
    expr(unary.operand.get());
    return;
  }
  case Expr::Kind::Binary: {
    const auto &binary = *llvm::cast<BinaryExpr>(node);
    line(label, "Binary ") << spelling(binary.op) << '\n';
    Deeper deeper(*this);
    expr(binary.lhs.get());
    expr(binary.rhs.get());
    return;
  }
  case Expr::Kind::If: {
    const auto &branch = *llvm::cast<IfExpr>(node);
    line(label, "If\n");
    Deeper deeper(*this);
    expr(branch.condition.get());
    expr(branch.thenExpr.get(), "then");
    expr(branch.elseExpr.get(), "else");
    return;
  }
  case Expr::Kind::Call: {
    const auto &call = *llvm::cast<CallExpr>(node);
    line(label, "Call\n");
    Deeper deeper(*this);
    expr(call.callee.get(), "callee");
    exprs(call.dims, "dim");
    for (const Argument &argument : call.args)
      expr(argument.value.get(), argument.name.text);
    return;
  }
  case Expr::Kind::Index: {
    const auto &index = *llvm::cast<IndexExpr>(node);
    line(label, "Index\n");
    Deeper deeper(*this);
    expr(index.base.get());
    exprs(index.indices, "index");
    cells(index.cells);
    expr(index.edge.get(), "edge");
    return;
  }
  case Expr::Kind::Member: {
    const auto &member = *llvm::cast<MemberExpr>(node);
    line(label, "Member .") << member.member.text << '\n';
    Deeper deeper(*this);
    expr(member.base.get());
    return;
  }
  case Expr::Kind::With: {
    const auto &with = *llvm::cast<WithExpr>(node);
    line(label, "With\n");
    Deeper deeper(*this);
    expr(with.base.get());
    fields(with.fields);
    for (const CellUpdate &update : with.updates) {
      line(update.adds ? "add" : "update", "Cells\n");
      Deeper inside(*this);
      cells(update.cells);
      expr(update.value.get());
    }
    return;
  }
  case Expr::Kind::Tuple: {
    const auto &tuple = *llvm::cast<TupleExpr>(node);
    line(label, "Tuple");
    for (size_t row : tuple.rows)
      os << (row == tuple.rows.front() ? " rows at " : ", ") << row;
    os << '\n';
    Deeper deeper(*this);
    exprs(tuple.elements);
    return;
  }
  case Expr::Kind::Record: {
    line(label, "Record\n");
    Deeper deeper(*this);
    fields(llvm::cast<RecordExpr>(node)->fields);
    return;
  }
  case Expr::Kind::Lambda: {
    const auto &lambda = *llvm::cast<LambdaExpr>(node);
    line(label, "Lambda ");
    names(lambda.params);
    os << '\n';
    Deeper deeper(*this);
    expr(lambda.body.get());
    return;
  }
  case Expr::Kind::Block: {
    const auto &block = *llvm::cast<BlockExpr>(node);
    line(label, block.isPrecise ? "Precise\n" : "Block\n");
    Deeper deeper(*this);
    stmts(block.statements);
    expr(block.result.get(), "result");
    return;
  }
  case Expr::Kind::For: {
    const auto &loop = *llvm::cast<ForExpr>(node);
    line(label, "For ") << loop.variable.text << '\n';
    Deeper deeper(*this);
    expr(loop.domain.get(), "in");
    expr(loop.body.get(), "body");
    return;
  }
  case Expr::Kind::Map: {
    const auto &map = *llvm::cast<MapExpr>(node);
    line(label, "Map ") << map.variable.text << '\n';
    Deeper deeper(*this);
    expr(map.domain.get(), "in");
    exprs(map.dims, "dim");
    expr(map.body.get(), "body");
    return;
  }
  case Expr::Kind::Bins: {
    const auto &bins = *llvm::cast<BinsExpr>(node);
    line(label, bins.where ? "Collect " : "Bins ")
        << bins.variable.text << '\n';
    Deeper deeper(*this);
    expr(bins.domain.get(), "in");
    exprs(bins.dims, "dim");
    expr(bins.where.get(), "where");
    expr(bins.count.get(), "into");
    expr(bins.index.get(), "by");
    expr(bins.body.get(), "body");
    return;
  }
  case Expr::Kind::Loop:
    return loop(*llvm::cast<LoopExpr>(node), label);
  case Expr::Kind::Stack: {
    const auto &stack = *llvm::cast<StackExpr>(node);
    line(label, "Stack\n");
    Deeper deeper(*this);
    expr(stack.next.get(), "next");
    expr(stack.stacked.get(), "stacked");
    return;
  }
  case Expr::Kind::Range: {
    const auto &range = *llvm::cast<RangeExpr>(node);
    line(label, "Range\n");
    Deeper deeper(*this);
    expr(range.begin.get());
    expr(range.end.get());
    return;
  }
  }
}

void ast::dump(const Module &module, llvm::raw_ostream &os) {
  os << "Module " << module.name << '\n';
  Dumper dumper(os, 1);
  for (const StmtPtr &stmt : module.statements)
    dumper.stmt(stmt.get());
}

void ast::dump(const Expr &expr, llvm::raw_ostream &os, unsigned indent) {
  Dumper(os, indent).expr(&expr);
}
