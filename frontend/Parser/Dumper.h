//===- Dumper.h - Prints nodes of the syntax tree ---------------*- C++ -*-===//
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

#ifndef PMC_FRONTEND_PARSER_DUMPER_H
#define PMC_FRONTEND_PARSER_DUMPER_H

#include "frontend/Parser/AST.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pmc::ast {

/// The shortest text that reads back as `value`.
std::string numberText(double value);
/// With its factor: "1e-3 m".
std::string unitText(const Unit &unit);

class Dumper {
public:
  Dumper(llvm::raw_ostream &os, unsigned indent) : os(os), indent(indent) {}

  void expr(const Expr *expr, llvm::StringRef label = "");
  void stmt(const Stmt *stmt, llvm::StringRef label = "");

private:
  /// Begins a line; the rest of it is up to the caller.
  llvm::raw_ostream &line(llvm::StringRef label, llvm::StringRef kind) {
    os.indent(2 * indent);
    if (!label.empty())
      os << label << ": ";
    return os << kind;
  }
  void quoted(llvm::StringRef text) {
    os << '"';
    os.write_escaped(text);
    os << '"';
  }
  void asked(const WrittenUnit &unit) {
    if (unit.loc.isValid())
      os << " in [" << unitText(unit.unit) << ']';
  }
  void names(llvm::ArrayRef<Name> names) {
    os << '(';
    llvm::interleaveComma(names, os,
                          [&](const Name &name) { os << name.text; });
    os << ')';
  }
  void pattern(const Pattern &pattern) {
    if (!pattern.isTuple) {
      os << pattern.names.front().text;
      return;
    }
    os << '(';
    llvm::interleaveComma(pattern.parts, os,
                          [&](const Pattern &part) { this->pattern(part); });
    os << ')';
  }
  void type(const TypeExpr &type);
  void range(const RangeSyntax &range);
  void doc(llvm::StringRef doc) {
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

  void exprs(llvm::ArrayRef<ExprPtr> list, llvm::StringRef label = "") {
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
  void stmts(llvm::ArrayRef<StmtPtr> list, llvm::StringRef label = "") {
    for (const StmtPtr &s : list)
      stmt(s.get(), label);
  }
  void declaration(llvm::StringRef kind, const Name &name,
                   const std::optional<TypeExpr> &declared,
                   const std::optional<RangeSyntax> &allowed,
                   llvm::StringRef text);
  void loop(const LoopExpr &loop, llvm::StringRef label);
  void function(const FunctionStmt &function, llvm::StringRef label);

  llvm::raw_ostream &os;
  unsigned indent;
};

} // namespace pmc::ast

#endif // PMC_FRONTEND_PARSER_DUMPER_H
