//===- Corpus.cpp - The parts of real specs -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"

#include "frontend/Lexer/Lexer.h"
#include "frontend/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>

using namespace pmc;
using namespace pmc::fuzz;
using llvm::cast;
using llvm::StringRef;

void Corpus::add(StringRef folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code code;
  for (fs::recursive_directory_iterator it(folder.str(), code), end;
       !code && it != end; it.increment(code))
    if (it->path().extension() == ".pm")
      paths.push_back(it->path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    Sample sample;
    sample.path = path;
    sample.text = (*buffer)->getBuffer().str();
    analyse(sample);
    if (sample.parses)
      good.push_back(samples.size());
    samples.push_back(std::move(sample));
  }
}

namespace {

class Walker {
public:
  explicit Walker(Sample &sample, const char *base)
      : sample(sample), base(base) {}

  void walk(const ast::ExprPtr &expr) {
    if (!expr)
      return;
    sample.exprs.push_back(span(expr->range));
    switch (expr->kind) {
    case ast::Expr::Kind::Number:
    case ast::Expr::Kind::String:
    case ast::Expr::Kind::Bool:
    case ast::Expr::Kind::Ref:
      return;
    case ast::Expr::Kind::Unary:
      return walk(cast<ast::UnaryExpr>(expr.get())->operand);
    case ast::Expr::Kind::Binary: {
      const auto *binary = cast<ast::BinaryExpr>(expr.get());
      return walk({&binary->lhs, &binary->rhs}, /*list=*/true);
    }
    case ast::Expr::Kind::If: {
      const auto *branch = cast<ast::IfExpr>(expr.get());
      walk(branch->condition);
      return walk({&branch->thenExpr, &branch->elseExpr}, /*list=*/true);
    }
    case ast::Expr::Kind::Call: {
      const auto *call = cast<ast::CallExpr>(expr.get());
      walk(call->callee);
      walk(call->dims);
      std::vector<Span> list;
      for (const ast::Argument &argument : call->args) {
        walk(argument.value);
        llvm::SMRange range = argument.value->range;
        if (!argument.name.text.empty())
          range.Start = argument.name.loc;
        list.push_back(span(range));
      }
      addList(std::move(list));
      return;
    }
    case ast::Expr::Kind::Index: {
      const auto *index = cast<ast::IndexExpr>(expr.get());
      walk(index->base);
      walk(index->indices);
      for (const ast::Argument &cell : index->cells)
        walk(cell.value);
      if (index->edge)
        walk(index->edge);
      return;
    }
    case ast::Expr::Kind::Member:
      return walk(cast<ast::MemberExpr>(expr.get())->base);
    case ast::Expr::Kind::With: {
      const auto *with = cast<ast::WithExpr>(expr.get());
      walk(with->base);
      for (const ast::CellUpdate &update : with->updates) {
        for (const ast::Argument &cell : update.cells)
          walk(cell.value);
        walk(update.value);
      }
      return walk(with->fields);
    }
    case ast::Expr::Kind::Stack: {
      const auto *stack = cast<ast::StackExpr>(expr.get());
      return walk({&stack->next, &stack->stacked});
    }
    case ast::Expr::Kind::Tuple:
      return walk(cast<ast::TupleExpr>(expr.get())->elements);
    case ast::Expr::Kind::Record:
      return walk(cast<ast::RecordExpr>(expr.get())->fields);
    case ast::Expr::Kind::Lambda:
      return walk(cast<ast::LambdaExpr>(expr.get())->body);
    case ast::Expr::Kind::Block: {
      const auto *block = cast<ast::BlockExpr>(expr.get());
      walk(block->statements);
      return walk(block->result);
    }
    case ast::Expr::Kind::Range: {
      const auto *range = cast<ast::RangeExpr>(expr.get());
      return walk({&range->begin, &range->end}, /*list=*/true);
    }
    case ast::Expr::Kind::For: {
      const auto *loop = cast<ast::ForExpr>(expr.get());
      return walk({&loop->domain, &loop->body});
    }
    case ast::Expr::Kind::Map: {
      const auto *map = cast<ast::MapExpr>(expr.get());
      walk(map->dims);
      return walk({&map->domain, &map->body});
    }
    case ast::Expr::Kind::Bins: {
      const auto *bins = cast<ast::BinsExpr>(expr.get());
      walk(bins->dims);
      return walk({&bins->domain, &bins->where, &bins->count, &bins->index,
                   &bins->body});
    }
    case ast::Expr::Kind::Loop: {
      const auto *loop = cast<ast::LoopExpr>(expr.get());
      return walk({&loop->init, &loop->begin, &loop->end, &loop->condition,
                   &loop->body});
    }
    }
  }

  void walk(const std::vector<ast::StmtPtr> &statements) {
    for (const ast::StmtPtr &stmt : statements) {
      sample.statements.push_back(span(stmt->range));
      walk(*stmt);
    }
  }

private:
  Span span(llvm::SMRange range) const {
    return {size_t(range.Start.getPointer() - base),
            size_t(range.End.getPointer() - base)};
  }
  void addList(std::vector<Span> list) {
    if (list.size() > 1)
      sample.lists.push_back(std::move(list));
  }
  void walk(std::initializer_list<const ast::ExprPtr *> exprs,
            bool list = false) {
    std::vector<Span> spans;
    for (const ast::ExprPtr *expr : exprs) {
      walk(*expr);
      if (*expr)
        spans.push_back(span((*expr)->range));
    }
    if (list)
      addList(std::move(spans));
  }
  void walk(const std::vector<ast::ExprPtr> &exprs) {
    std::vector<Span> list;
    for (const ast::ExprPtr &expr : exprs) {
      walk(expr);
      list.push_back(span(expr->range));
    }
    addList(std::move(list));
  }
  void walk(const std::vector<ast::RecordField> &fields) {
    std::vector<Span> list;
    for (const ast::RecordField &field : fields) {
      walk(field.value);
      list.push_back(span({field.name.loc, field.value->range.End}));
    }
    addList(std::move(list));
  }
  void walk(const std::optional<ast::TypeExpr> &type) {
    if (type)
      walk(type->dims);
  }
  void walk(const std::optional<ast::RangeSyntax> &range) {
    if (!range)
      return;
    walk(range->min);
    walk(range->max);
  }

  void walk(const ast::Stmt &stmt) {
    switch (stmt.kind) {
    case ast::Stmt::Kind::Use:
    case ast::Stmt::Kind::Layout:
    case ast::Stmt::Kind::Unit:
    case ast::Stmt::Kind::Units:
      return;
    case ast::Stmt::Kind::Const: {
      const auto &decl = *cast<ast::ConstStmt>(&stmt);
      walk(decl.range);
      return walk(decl.value);
    }
    case ast::Stmt::Kind::Param: {
      const auto &decl = *cast<ast::ParamStmt>(&stmt);
      walk(decl.range);
      return walk(decl.value);
    }
    case ast::Stmt::Kind::Input:
      walk(cast<ast::InputStmt>(&stmt)->like);
      return walk(cast<ast::InputStmt>(&stmt)->type.dims);
    case ast::Stmt::Kind::Dim: {
      const auto &dim = *cast<ast::DimStmt>(&stmt);
      std::vector<Span> list;
      for (const auto &entry : dim.entries) {
        walk(entry.cells);
        list.push_back(span({entry.name.loc, entry.cells->range.End}));
      }
      addList(std::move(list));
      return walk(dim.length);
    }
    case ast::Stmt::Kind::Mesh: {
      std::vector<Span> list;
      for (const auto &axis : cast<ast::MeshStmt>(&stmt)->axes) {
        walk(axis.extent);
        list.push_back(span({axis.name.loc, axis.extent->range.End}));
      }
      return addList(std::move(list));
    }
    case ast::Stmt::Kind::Function: {
      const auto &function = *cast<ast::FunctionStmt>(&stmt);
      for (const ast::FnParam &param : function.params) {
        walk(param.type);
        walk(param.defaultValue);
      }
      walk(function.resultType);
      return walk(function.body);
    }
    case ast::Stmt::Kind::Let:
      return walk(cast<ast::LetStmt>(&stmt)->value);
    case ast::Stmt::Kind::Optimize: {
      const auto &optimize = *cast<ast::OptimizeStmt>(&stmt);
      for (const ast::ExprPtr *part :
           {&optimize.start, &optimize.method, &optimize.stages,
            &optimize.iterations, &optimize.begin, &optimize.end,
            &optimize.every, &optimize.historyCells, &optimize.interval})
        walk(*part);
      return;
    }
    case ast::Stmt::Kind::Output:
      return walk(cast<ast::OutputStmt>(&stmt)->value);
    case ast::Stmt::Kind::Plot:
      return walk(cast<ast::PlotStmt>(&stmt)->value);
    case ast::Stmt::Kind::Print:
      return walk(cast<ast::PrintStmt>(&stmt)->values);
    case ast::Stmt::Kind::Assert: {
      const auto &assertion = *cast<ast::AssertStmt>(&stmt);
      walk(assertion.condition);
      return walk(assertion.values);
    }
    case ast::Stmt::Kind::If: {
      const auto &branch = *cast<ast::IfStmt>(&stmt);
      walk(branch.condition);
      walk(branch.thenBody);
      return walk(branch.elseBody);
    }
    case ast::Stmt::Kind::Expr:
      return walk(cast<ast::ExprStmt>(&stmt)->expr);
    }
  }

  Sample &sample;
  const char *base;
};

} // namespace

void Corpus::analyse(Sample &sample) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(sample.text, sample.path), {});
  DiagnosticEngine diags(sources, llvm::nulls());
  const char *base = sample.text.data();

  Lexer lexer(sample.text, diags);
  for (Token token = lexer.next(); !token.is(TokenKind::Eof);
       token = lexer.next()) {
    Span span = {size_t(token.text.begin() - base),
                 size_t(token.text.end() - base)};
    switch (token.kind) {
    case TokenKind::Identifier:
      sample.names.push_back(span);
      break;
    case TokenKind::Number:
      sample.numbers.push_back(span);
      break;
    case TokenKind::String:
      sample.strings.push_back(span);
      break;
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::Caret:
    case TokenKind::EqualEqual:
    case TokenKind::NotEqual:
    case TokenKind::Less:
    case TokenKind::LessEqual:
    case TokenKind::Greater:
    case TokenKind::GreaterEqual:
    case TokenKind::KwAnd:
    case TokenKind::KwOr:
      sample.operators.push_back(span);
      break;
    default:
      sample.keywords.push_back(span);
      break;
    }
  }

  auto module = parseModule(sources, id, "fuzz", diags);
  sample.parses = !diags.hasErrors();
  if (sample.parses)
    Walker(sample, base).walk(module->statements);
}
