//===- StructureBuilder.h - Walks the tree for its tokens -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_STRUCTUREBUILDER_H
#define PMC_FRONTEND_FORMAT_STRUCTUREBUILDER_H

#include "frontend/Format/Structure.h"

#include <optional>

namespace pmc::format {

/// Fills a Structure. Expressions are in StructureExpr.cpp, statements in
/// Structure.cpp.
class StructureBuilder {
public:
  StructureBuilder(const Words &words, Structure &structure)
      : words(words), roles(structure.roles), scopes(structure.scopes) {}

  void visit(const std::vector<ast::StmtPtr> &statements);

private:
  using Kind = TokenKind;
  struct Span {
    size_t first, last;
  };

  // Statements.
  void visit(const ast::Stmt &stmt);
  void visitFunction(const ast::FunctionStmt &stmt, Span span);
  void visitOptimize(const ast::OptimizeStmt &stmt);
  void visitPlot(const ast::PlotStmt &stmt);
  void visitUnit(const ast::UnitStmt &stmt, Span span);
  void visitWritten(const ast::WrittenUnit &written);
  void visit(const ast::TypeExpr &type);
  void visit(const std::optional<ast::TypeExpr> &type) {
    if (type)
      visit(*type);
  }
  void visit(const std::optional<ast::RangeSyntax> &range);
  template <typename Setting>
  void visitSetting(const Setting &setting, Span span);
  void markDoc(const ast::ExprPtr &value, Span span);
  void markClause(size_t at) { roles[at].beginsClause = true; }
  Span spanOf(const ast::Stmt &stmt) const;
  size_t markStatement(size_t first);

  // Expressions.
  void visit(const ast::ExprPtr &expr);
  void visit(const std::vector<ast::ExprPtr> &exprs);
  void visit(const std::vector<ast::Argument> &arguments);
  void visit(const std::vector<ast::RecordField> &fields);
  void visitBinary(const ast::BinaryExpr &expr, Span span);
  void visitIf(const ast::IfExpr &expr);
  void visitIndex(const ast::IndexExpr &expr, Span span);
  void visitCall(const ast::CallExpr &expr, Span span);
  void visitWith(const ast::WithExpr &expr, Span span);
  void visitBlock(const ast::BlockExpr &expr);
  void visitLiteral(const ast::NumberExpr &expr);
  /// What an optimizer minimizes, which the parser has made a function.
  void visitOptimized(const ast::ExprPtr &lambda, const ast::Pattern &pattern);
  /// A body behind `=>`, or in braces.
  void visitBody(const ast::ExprPtr &body);
  /// A value behind `=` in a list: a scope of its own.
  void visitValue(const ast::ExprPtr &value);

  /// The words of an expression, without parentheses around it.
  Span spanOf(const ast::Expr &expr) const;
  /// The same with those parentheses that are behind `opener`.
  Span spanBehind(size_t opener, const ast::Expr &expr) const;
  /// The last word before an expression that is not a parenthesis around it.
  size_t wordBefore(const ast::Expr &expr) const;
  void addScope(Span span, Indent indent, bool hasGap) {
    scopes.push_back({span.first, span.last, indent, hasGap});
  }

  const Words &words;
  std::vector<Role> &roles;
  std::vector<Scope> &scopes;
};

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_STRUCTUREBUILDER_H
