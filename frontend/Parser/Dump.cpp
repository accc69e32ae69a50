//===- Dump.cpp - Printing the syntax tree --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One node a line, its parts below it, two columns further in. A part that
// could be taken for another carries a label: `then: Ref a`.
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

using namespace pmc;
using namespace pmc::ast;
using llvm::StringRef;

static StringRef spelling(TypeExpr::Base base) {
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

/// The shortest text that reads back as `value`.
static std::string numberText(double value) {
  char text[64];
  auto [end, code] = std::to_chars(text, text + sizeof(text), value);
  return code == std::errc() ? std::string(text, end) : "?";
}

static std::string unitText(const Unit &unit) {
  if (unit.factor == 1)
    return unit.str();
  return numberText(unit.factor) + " " + unit.str();
}

namespace {

class Dumper {
public:
  Dumper(llvm::raw_ostream &os, unsigned indent) : os(os), indent(indent) {}

  void expr(const Expr *expr, StringRef label = "");
  void stmt(const Stmt *stmt, StringRef label = "");

private:
  /// Begins a line; the rest of it is up to the caller.
  llvm::raw_ostream &line(StringRef label, StringRef kind) {
    os.indent(2 * indent);
    if (!label.empty())
      os << label << ": ";
    return os << kind;
  }
  void quoted(StringRef text) {
    os << '"';
    os.write_escaped(text);
    os << '"';
  }
  void names(llvm::ArrayRef<Name> names) {
    os << '(';
    llvm::interleaveComma(names, os,
                          [&](const Name &name) { os << name.text; });
    os << ')';
  }
  void pattern(const Pattern &pattern) {
    if (pattern.isTuple)
      names(pattern.names);
    else
      os << pattern.names.front().text;
  }
  void type(const TypeExpr &type);
  void range(const RangeSyntax &range);
  void doc(StringRef doc) {
    if (!doc.empty()) {
      os << ' ';
      quoted(doc);
    }
    os << '\n';
  }

  struct Deeper {
    explicit Deeper(Dumper &dumper) : dumper(dumper) { ++dumper.indent; }
    ~Deeper() { --dumper.indent; }
    Dumper &dumper;
  };

  void exprs(llvm::ArrayRef<ExprPtr> list, StringRef label = "") {
    for (const ExprPtr &e : list)
      expr(e.get(), label);
  }
  void cells(llvm::ArrayRef<Argument> cells) {
    for (const Argument &cell : cells)
      expr(cell.value.get(), "cell " + cell.name.text);
  }
  void fields(llvm::ArrayRef<RecordField> fields) {
    for (const RecordField &field : fields)
      expr(field.value.get(), field.name.text);
  }
  void stmts(llvm::ArrayRef<StmtPtr> list, StringRef label = "") {
    for (const StmtPtr &s : list)
      stmt(s.get(), label);
  }
  void declaration(StringRef kind, const Name &name,
                   const std::optional<TypeExpr> &declared,
                   const std::optional<RangeSyntax> &allowed, StringRef text);
  void loop(const LoopExpr &loop, StringRef label);
  void function(const FunctionStmt &function, StringRef label);

  llvm::raw_ostream &os;
  unsigned indent;
};

} // namespace

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
  os << spelling(type.base);
  if (type.base == TypeExpr::Base::Field)
    os << '/' << type.dims.size();
  if (type.unit)
    os << " [" << unitText(*type.unit) << ']';
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
    line(label, "Block\n");
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

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

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
    }
    os << (output.flatten ? " flatten\n" : "\n");
    Deeper deeper(*this);
    expr(output.value.get());
    return;
  }
  case Stmt::Kind::Plot: {
    const auto &plot = *llvm::cast<PlotStmt>(node);
    line(label, "Plot");
    if (!plot.name.text.empty())
      os << ' ' << plot.name.text;
    if (!plot.title.empty())
      os << " title \"" << plot.title << '"';
    for (auto [word, choice] : {std::pair("scale", &plot.scale),
                                {"xscale", &plot.xscale},
                                {"yscale", &plot.yscale},
                                {"colors", &plot.colors},
                                {"projection", &plot.projection}})
      if (!choice->text.empty())
        os << ' ' << word << ' ' << choice->text;
    for (const Name *word : {&plot.histogram, &plot.shared})
      if (!word->text.empty())
        os << ' ' << word->text;
    os << '\n';
    Deeper deeper(*this);
    expr(plot.value.get());
    if (plot.points)
      expr(plot.points.get(), "points");
    for (const ExprPtr &band : plot.bands)
      expr(band.get(), "band");
    if (plot.contours)
      expr(plot.contours.get(), "contours");
    return;
  }
  case Stmt::Kind::Print: {
    const auto &print = *llvm::cast<PrintStmt>(node);
    line(label, "Print ");
    quoted(print.format);
    os << '\n';
    Deeper deeper(*this);
    exprs(print.values);
    return;
  }
  case Stmt::Kind::Assert: {
    const auto &assertion = *llvm::cast<AssertStmt>(node);
    line(label, "Assert ");
    quoted(assertion.format);
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

void ast::dump(const Module &module, llvm::raw_ostream &os) {
  os << "Module " << module.name << '\n';
  Dumper dumper(os, 1);
  for (const StmtPtr &stmt : module.statements)
    dumper.stmt(stmt.get());
}

void ast::dump(const Expr &expr, llvm::raw_ostream &os, unsigned indent) {
  Dumper(os, indent).expr(&expr);
}
