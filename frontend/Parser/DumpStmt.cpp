//===- DumpStmt.cpp - Printing statements ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/Dumper.h"

using namespace pmc;
using namespace pmc::ast;
using llvm::StringRef;

void Dumper::declaration(StringRef kind, const Name &name,
                         const std::optional<TypeExpr> &declared,
                         const std::optional<RangeSyntax> &allowed,
                         StringRef text) {
  line("", kind) << ' ' << name.text;
  if (declared) {
    os << ": ";
    type(*declared);
  }
  if (allowed)
    range(*allowed);
  doc(text);
  Deeper deeper(*this);
  if (declared)
    exprs(declared->dims, "dim");
  if (allowed) {
    expr(allowed->min.get(), "min");
    expr(allowed->max.get(), "max");
  }
}

void Dumper::function(const FunctionStmt &function, StringRef label) {
  line(label, "Fn ") << function.name.text;
  if (!function.dimParams.empty()) {
    os << '[';
    llvm::interleaveComma(function.dimParams, os,
                          [&](const Name &name) { os << name.text; });
    os << ']';
  }
  if (function.resultType) {
    os << " -> ";
    type(*function.resultType);
  }
  if (!function.adjoint.text.empty())
    os << " adjoint " << function.adjoint.text;
  if (!function.tangent.text.empty())
    os << " tangent " << function.tangent.text;
  if (!function.again.text.empty())
    os << " again " << function.again.text;
  os << '\n';
  Deeper deeper(*this);
  for (const FnParam &param : function.params) {
    line("", "Param ") << param.name.text;
    if (param.type) {
      os << ": ";
      type(*param.type);
    }
    os << '\n';
    Deeper further(*this);
    if (param.type)
      exprs(param.type->dims, "dim");
    expr(param.defaultValue.get(), "default");
  }
  if (function.resultType)
    exprs(function.resultType->dims, "result dim");
  expr(function.body.get(), "body");
}

void Dumper::stmt(const Stmt *node, StringRef label) {
  switch (node->kind) {
  case Stmt::Kind::Use:
    line(label, "Use ");
    names(llvm::cast<UseStmt>(node)->modules);
    os << '\n';
    return;
  case Stmt::Kind::Const: {
    const auto &decl = *llvm::cast<ConstStmt>(node);
    declaration("Const", decl.name, decl.type, decl.range, decl.doc);
    Deeper deeper(*this);
    expr(decl.value.get());
    return;
  }
  case Stmt::Kind::Param: {
    const auto &decl = *llvm::cast<ParamStmt>(node);
    declaration("Param", decl.name, decl.type, decl.range, decl.doc);
    Deeper deeper(*this);
    expr(decl.value.get());
    return;
  }
  case Stmt::Kind::Input: {
    const auto &input = *llvm::cast<InputStmt>(node);
    line(label, "Input ") << input.name.text << ": ";
    if (input.like)
      os << "like";
    else
      type(input.type);
    if (input.streamed)
      os << " streamed";
    if (input.optional)
      os << " optional";
    doc(input.doc);
    Deeper deeper(*this);
    exprs(input.type.dims, "dim");
    return;
  }
  case Stmt::Kind::Dim: {
    const auto &dim = *llvm::cast<DimStmt>(node);
    line(label, "Dim\n");
    Deeper deeper(*this);
    for (const DimStmt::Entry &entry : dim.entries)
      expr(entry.cells.get(), entry.name.text);
    expr(dim.length.get(), "over");
    return;
  }
  case Stmt::Kind::Mesh: {
    const auto &mesh = *llvm::cast<MeshStmt>(node);
    line(label, "Mesh ") << mesh.name.text << '\n';
    Deeper deeper(*this);
    for (const MeshStmt::Axis &axis : mesh.axes)
      expr(axis.extent.get(), axis.name.text);
    return;
  }
  case Stmt::Kind::Units:
    line(label, "Units");
    for (const WrittenUnit &one : llvm::cast<UnitsStmt>(node)->units)
      os << ' ' << one.text;
    os << '\n';
    return;
  case Stmt::Kind::Unit:
    line(label, "Unit ") << llvm::cast<UnitStmt>(node)->name.text << " ["
                         << unitText(llvm::cast<UnitStmt>(node)->unit) << "]\n";
    return;
  case Stmt::Kind::Layout: {
    line(label, "Layout ");
    llvm::interleaveComma(llvm::cast<LayoutStmt>(node)->entries, os,
                          [&](const LayoutStmt::Entry &entry) {
                            os << entry.dim.text << " -> ";
                            names(entry.axes);
                          });
    os << '\n';
    return;
  }
  case Stmt::Kind::Function:
    return function(*llvm::cast<FunctionStmt>(node), label);
  case Stmt::Kind::Let: {
    const auto &let = *llvm::cast<LetStmt>(node);
    line(label, "Let ");
    pattern(let.pattern);
    os << '\n';
    Deeper deeper(*this);
    expr(let.value.get());
    return;
  }
  case Stmt::Kind::Optimize: {
    const auto &optimize = *llvm::cast<OptimizeStmt>(node);
    line(label, "Optimize ");
    pattern(optimize.pattern);
    if (!optimize.history.text.empty())
      os << " history " << optimize.history.text;
    os << '\n';
    Deeper deeper(*this);
    expr(optimize.start.get(), "from");
    expr(optimize.objective.get(), "minimizing");
    expr(optimize.method.get(), "with");
    if (optimize.stage)
      expr(optimize.stages.get(), "for " + optimize.stage->text);
    if (optimize.counter)
      expr(optimize.begin.get(), "for " + optimize.counter->text);
    expr(optimize.end.get(), "to");
    expr(optimize.condition.get(), "while");
    expr(optimize.iterations.get(), "iterations");
    expr(optimize.every.get(), "every");
    expr(optimize.historyCells.get(), "history cells");
    expr(optimize.interval.get(), "check every");
    expr(optimize.check.get(), "check " + optimize.checked.text);
    return;
  }
  case Stmt::Kind::Output: {
    const auto &output = *llvm::cast<OutputStmt>(node);
    line(label, "Output ") << output.name.text;
    if (!output.columns.empty()) {
      os << ' ';
      names(output.columns);
      for (const WrittenUnit &one : output.columnUnits)
        asked(one);
    }
    os << (output.flatten ? " flatten" : "");
    asked(output.asked);
    os << '\n';
    Deeper deeper(*this);
    expr(output.value.get());
    return;
  }
  case Stmt::Kind::Plot: {
    const auto &plot = *llvm::cast<PlotStmt>(node);
    line(label, "Plot");
    if (!plot.name.text.empty())
      os << ' ' << plot.name.text;
    for (auto [word, text] : {std::pair("title", &plot.title),
                              {"xlabel", &plot.xlabel},
                              {"ylabel", &plot.ylabel},
                              {"clabel", &plot.clabel}})
      if (!text->text.empty())
        os << ' ' << word << " \"" << text->text << '"';
    for (auto [word, choice] : {std::pair("scale", &plot.scale),
                                {"xscale", &plot.xscale},
                                {"yscale", &plot.yscale},
                                {"colors", &plot.colors},
                                {"projection", &plot.projection}})
      if (!choice->text.empty())
        os << ' ' << word << ' ' << choice->text;
    asked(plot.asked);
    for (auto [word, unit] : {std::pair("xunit", &plot.xunit),
                              {"yunit", &plot.yunit},
                              {"cunit", &plot.cunit},
                              {"contours", &plot.contoursAsked}})
      if (unit->loc.isValid()) {
        os << ' ' << word;
        asked(*unit);
      }
    for (const Name *word : {&plot.histogram, &plot.shared})
      if (!word->text.empty())
        os << ' ' << word->text;
    for (const Name &text : plot.labels)
      os << " label \"" << text.text << '"';
    os << '\n';
    Deeper deeper(*this);
    expr(plot.value.get());
    if (plot.points)
      expr(plot.points.get(), "points");
    for (const ExprPtr &band : plot.bands)
      expr(band.get(), "band");
    if (plot.contours)
      expr(plot.contours.get(), "contours");
    for (auto [word, range] : {std::pair("xrange", &plot.xrange),
                               {"yrange", &plot.yrange},
                               {"crange", &plot.crange}})
      if (*range)
        expr(range->get(), word);
    return;
  }
  case Stmt::Kind::Print: {
    const auto &print = *llvm::cast<PrintStmt>(node);
    line(label, "Print ");
    quoted(print.format);
    for (const WrittenUnit &one : print.asked)
      asked(one);
    os << '\n';
    Deeper deeper(*this);
    exprs(print.values);
    return;
  }
  case Stmt::Kind::Assert: {
    const auto &assertion = *llvm::cast<AssertStmt>(node);
    line(label, assertion.isWarning ? "Warn " : "Assert ");
    quoted(assertion.format);
    for (const WrittenUnit &one : assertion.asked)
      asked(one);
    os << '\n';
    Deeper deeper(*this);
    expr(assertion.condition.get());
    exprs(assertion.values, "value");
    return;
  }
  case Stmt::Kind::If: {
    const auto &branch = *llvm::cast<IfStmt>(node);
    line(label, "If\n");
    Deeper deeper(*this);
    expr(branch.condition.get());
    stmts(branch.thenBody, "then");
    stmts(branch.elseBody, "else");
    return;
  }
  case Stmt::Kind::Expr: {
    line(label, "Value\n");
    Deeper deeper(*this);
    expr(llvm::cast<ExprStmt>(node)->expr.get());
    return;
  }
  }
}
