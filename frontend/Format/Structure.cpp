//===- Structure.cpp - The tokens of statements ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Structure.h"

#include "frontend/Format/StructureBuilder.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::format;
using llvm::cast;

Structure::Structure(const Words &words, const Module &module)
    : roles(words.size()) {
  StructureBuilder(words, *this).visit(module.statements);
}

size_t StructureBuilder::markStatement(size_t first) {
  roles[first].beginsStatement = true;
  return first;
}

StructureBuilder::Span StructureBuilder::spanOf(const Stmt &stmt) const {
  return {words.beginningAt(stmt.loc), words.endingAt(stmt.range.End)};
}

void StructureBuilder::visit(const std::vector<StmtPtr> &statements) {
  for (const StmtPtr &stmt : statements)
    visit(*stmt);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void StructureBuilder::visit(const TypeExpr &type) {
  visit(type.dims);
  for (const TypeExpr::Column &column : type.columns)
    visitWritten(column.unit);
  if (!type.columns.empty())
    roles[words.beginningAt(type.loc) + 1].isTightBefore = true;
  for (const TypeExpr::Column &axis : type.axes)
    visitWritten(axis.unit);
  if (type.value)
    visitWritten(type.value->unit);
  // `table(k, z)`: nothing before the parenthesis.
  if (!type.axes.empty())
    roles[words.beginningAt(type.axes.front().name.loc) - 2].isTightAfter =
        true;
  if (!type.unitRange.isValid())
    return;
  const size_t first = words.beginningAt(type.unitRange.Start);
  const size_t last = words.endingAt(type.unitRange.End);
  roles[first].literalEnd = last + 1;
}

void StructureBuilder::visit(const std::optional<RangeSyntax> &range) {
  if (!range)
    return;
  visit(range->min);
  visit(range->max);
  // `inf` is not in the tree, and neither is its sign.
  const size_t open = words.beginningAt(range->loc);
  for (size_t i = open; i < words[open].match; ++i)
    if (words[i].is(Kind::Minus) &&
        words[i - 1].token.isAny(Kind::LParen, Kind::LBracket, Kind::Comma))
      roles[i].isTightAfter = true;
}

void StructureBuilder::markDoc(const ExprPtr &value, Span span) {
  if (words[span.last].is(Kind::String) &&
      (!value || words.endingAt(value->range.End) < span.last))
    roles[span.last].isDoc = true;
}

template <typename Setting>
void StructureBuilder::visitSetting(const Setting &setting, Span span) {
  visit(setting.type);
  visit(setting.range);
  visit(setting.value);
  markDoc(setting.value, span);
}

void StructureBuilder::visitFunction(const FunctionStmt &stmt, Span span) {
  // Each `@adjoint(g)` and `@tangent(h, f2)` has a line of its own.
  for (size_t at = span.first;;) {
    const size_t size = at >= 7 && words[at - 3].is(Kind::Comma) ? 7 : 5;
    if (at < size || !words[at - size].is(Kind::At))
      break;
    at = markStatement(at - size);
    roles[at].isTightAfter = true;
    roles[at + 2].isTightBefore = true;
  }
  size_t open = words.beginningAt(stmt.name.loc) + 1;
  if (words[open].is(Kind::LBracket)) {
    roles[open].isTightBefore = true;
    open = words[open].match + 1;
  }
  roles[open].isTightBefore = true;
  for (const FnParam &param : stmt.params) {
    visit(param.type);
    if (param.defaultValue)
      visitValue(param.defaultValue);
  }
  visit(stmt.resultType);
  const size_t assign = wordBefore(*stmt.body);
  if (words[assign].is(Kind::Assign))
    roles[assign].mayBreakBehind = !words[assign + 1].is(Kind::LBrace);
  else
    roles[assign + 1].isBody = true;
  visit(stmt.body);
}

void StructureBuilder::visitUnit(const UnitStmt &stmt, Span span) {
  const size_t number = words.beginningAt(stmt.name.loc) + 2;
  if (span.last > number)
    roles[number].literalEnd = span.last + 1;
}

/// Its words stay together.
void StructureBuilder::visitWritten(const WrittenUnit &written) {
  if (written.loc.isValid())
    roles[words.beginningAt(written.range.Start)].literalEnd =
        words.endingAt(written.range.End) + 1;
}

//===----------------------------------------------------------------------===//
// Statements with clauses
//===----------------------------------------------------------------------===//

void StructureBuilder::visitOptimize(const OptimizeStmt &stmt) {
  visit(stmt.start);
  const Expr &loss = *stmt.objective;
  markClause(wordBefore(loss));
  visitOptimized(stmt.objective, stmt.pattern);
  const size_t with = wordBefore(*stmt.method);
  markClause(with);
  visit(stmt.method);
  size_t loop = spanOf(*stmt.method).last;
  while (!words[loop].is(Kind::KwFor))
    ++loop;
  markClause(loop);
  for (const ExprPtr *part :
       {&stmt.stages, &stmt.iterations, &stmt.begin, &stmt.end})
    visit(*part);
  if (stmt.condition)
    visitOptimized(stmt.condition, stmt.pattern);
  if (stmt.every) {
    markClause(wordBefore(*stmt.every) - 1);
    visit(stmt.every);
  }
  if (!stmt.history.text.empty())
    markClause(words.beginningAt(stmt.history.loc) - 1);
  visit(stmt.historyCells);
  if (stmt.historyCells)
    roles[words.beginningAt(stmt.history.loc) + 1].isTightBefore = true;
  if (stmt.interval) {
    markClause(wordBefore(*stmt.interval));
    visit(stmt.interval);
    visitOptimized(stmt.check, stmt.pattern);
  }
}

void StructureBuilder::visitPlot(const PlotStmt &stmt) {
  for (const WrittenUnit *unit : {&stmt.asked, &stmt.xunit, &stmt.yunit,
                                  &stmt.cunit, &stmt.contoursAsked})
    visitWritten(*unit);
  visit(stmt.value);
  visit(stmt.points);
  visit(stmt.contours);
  visit(stmt.bands);
  visit(stmt.xrange);
  visit(stmt.yrange);
  visit(stmt.crange);
}

void StructureBuilder::visit(const Stmt &stmt) {
  Span span = spanOf(stmt);
  markStatement(span.first);
  addScope(span, Indent::Nested, /*hasGap=*/false);
  // What is between commas begins behind the keyword.
  auto alignList = [&] {
    addScope({span.first + 1, span.last}, Indent::Align, /*hasGap=*/false);
  };
  switch (stmt.kind) {
  case Stmt::Kind::Use:
  case Stmt::Kind::Layout:
    roles[span.first].isDeclaration = true;
    return alignList();
  case Stmt::Kind::Const:
    roles[span.first].isDeclaration = true;
    return visitSetting(cast<ConstStmt>(stmt), span);
  case Stmt::Kind::Param:
    roles[span.first].isDeclaration = true;
    return visitSetting(cast<ParamStmt>(stmt), span);
  case Stmt::Kind::Input: {
    const auto &input = cast<InputStmt>(stmt);
    roles[span.first].isDeclaration = true;
    if (input.like)
      visit(input.like);
    else
      visit(input.type);
    return markDoc(input.like, span);
  }
  case Stmt::Kind::Dim: {
    const auto &dim = cast<DimStmt>(stmt);
    roles[span.first].isDeclaration = true;
    alignList();
    for (const DimStmt::Entry &entry : dim.entries)
      visitValue(entry.cells);
    return visit(dim.length);
  }
  case Stmt::Kind::Mesh: {
    const auto &mesh = cast<MeshStmt>(stmt);
    roles[span.first].isDeclaration = true;
    roles[words.beginningAt(mesh.name.loc) + 1].isTightBefore = true;
    for (const MeshStmt::Axis &axis : mesh.axes)
      visitValue(axis.extent);
    return;
  }
  case Stmt::Kind::Units:
    roles[span.first].isDeclaration = true;
    for (const WrittenUnit &one : cast<UnitsStmt>(stmt).units)
      visitWritten(one);
    return;
  case Stmt::Kind::Unit:
    roles[span.first].isDeclaration = true;
    return visitUnit(cast<UnitStmt>(stmt), span);
  case Stmt::Kind::Function:
    return visitFunction(cast<FunctionStmt>(stmt), span);
  case Stmt::Kind::Let: {
    const auto &let = cast<LetStmt>(stmt);
    const size_t assign = wordBefore(*let.value);
    roles[assign].mayBreakBehind = !words[assign + 1].is(Kind::LBrace);
    return visit(let.value);
  }
  case Stmt::Kind::Output: {
    const auto &output = cast<OutputStmt>(stmt);
    visitWritten(output.asked);
    for (const WrittenUnit &one : output.columnUnits)
      visitWritten(one);
    if (!output.value)
      return;
    const size_t assign = wordBefore(*output.value);
    roles[assign].mayBreakBehind = !words[assign + 1].is(Kind::LBrace);
    return visit(output.value);
  }
  case Stmt::Kind::Plot:
    // Options cannot begin lines, so that breaks in lists separate them from
    // what they belong to.
    for (size_t i = span.first + 1; i <= span.last; ++i)
      roles[i].isUnbroken = true;
    return visitPlot(cast<PlotStmt>(stmt));
  case Stmt::Kind::Print:
    alignList();
    for (const WrittenUnit &one : cast<PrintStmt>(stmt).asked)
      visitWritten(one);
    return visit(cast<PrintStmt>(stmt).values);
  case Stmt::Kind::Assert: {
    const auto &assertion = cast<AssertStmt>(stmt);
    alignList();
    for (const WrittenUnit &one : assertion.asked)
      visitWritten(one);
    visit(assertion.condition);
    return visit(assertion.values);
  }
  case Stmt::Kind::If: {
    const auto &choice = cast<IfStmt>(stmt);
    visit(choice.condition);
    size_t brace = spanOf(*choice.condition).last + 1;
    while (words[brace].is(Kind::RParen))
      ++brace;
    roles[brace].isBody = true;
    visit(choice.thenBody);
    // `} else {` and `} else if`, which is not a statement of its own.
    const size_t otherwise = words[brace].match + 1;
    if (otherwise > span.last)
      return;
    Role &next = roles[otherwise + 1];
    roles[otherwise].isJoined = next.isJoined = true;
    next.isBody = words[otherwise + 1].is(Kind::LBrace);
    visit(choice.elseBody);
    if (!next.isBody)
      next.beginsStatement = false;
    return;
  }
  case Stmt::Kind::Optimize:
    return visitOptimize(cast<OptimizeStmt>(stmt));
  case Stmt::Kind::Expr:
    return visit(cast<ExprStmt>(stmt).expr);
  }
}
