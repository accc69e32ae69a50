//===- ResolverImpl.h - The walk that resolves names ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_RESOLVERIMPL_H
#define PMC_FRONTEND_SEMA_NAMES_RESOLVERIMPL_H

#include "frontend/Sema/Names/FunctionGraph.h"
#include "frontend/Sema/Names/NameIndex.h"
#include "frontend/Sema/Names/Resolver.h"

#include "llvm/ADT/StringSet.h"

namespace pmc {

class Resolver {
public:
  Resolver(const Program &program, DiagnosticEngine &diags, NameIndex *names)
      : program(program), diags(diags), names(names) {}

  Resolution run();

private:
  struct FunctionContext {
    const void *node;
    size_t firstScope;    // its own scopes begin here
    llvm::StringRef name; // of a lambda: empty
  };
  struct Local {
    llvm::SMLoc loc;
    bool isDim; // known to be one from its declaration
  };
  using Scope = llvm::StringMap<Local>;

  void module(const ModuleInfo &info);
  void function(const ast::FunctionStmt &fn);
  void byHand(const ast::FunctionStmt &fn, const ast::Name &hand,
              llvm::StringRef what);
  void typeDims(const ast::TypeExpr &type, bool binding);
  void streamDims(const ast::TypeExpr &type);
  void inputDims(const ast::TypeExpr &type);
  bool reportSamples(const ast::RefExpr &dim);
  void statement(const ast::Stmt &stmt);
  void body(const std::vector<ast::StmtPtr> &statements);
  void range(const ast::RangeSyntax &range);
  llvm::SMLoc findVariable(llvm::StringRef name) const;
  void checkUnitName(const ast::NumberExpr &number);
  void dimName(const ast::Name &dim);
  void expr(const ast::Expr *e);
  void map(const ast::Name &variable, const ast::Expr *domain,
           const std::vector<ast::ExprPtr> &dims,
           llvm::ArrayRef<const ast::Expr *> bodies);
  bool isDerivative(const ast::Expr &callee) const;
  // For the index of names (IndexNames.cpp).
  void indexDeclarations();
  void indexCursor();
  void indexLayout(const ast::LayoutStmt &layout);
  void indexArguments(const ast::CallExpr &call, bool isDerivative);
  void indexParameter(const ast::FunctionStmt *function, llvm::StringRef name,
                      llvm::SMLoc loc);
  const ast::FunctionStmt *findFunction(const ast::Expr *callee) const;
  bool capture(llvm::StringRef name, llvm::SMLoc loc = {});
  void reference(llvm::StringRef name, llvm::SMLoc loc);
  void undefined(llvm::StringRef name, llvm::SMLoc loc);
  bool isKnown(llvm::StringRef name) const;
  /// Whether the spec, its modules or a block define the name.
  bool isDefined(llvm::StringRef name) const;
  bool isModuleOfPython(const ast::MemberExpr &member);
  bool isUnknownUnit(const ast::BinaryExpr &product);
  bool isUnitApart(const ast::BinaryExpr &expr);
  void define(const ast::Name &name, bool isDim = false);
  void defineNew(const ast::Name &name);

  const Program &program;
  DiagnosticEngine &diags;
  NameIndex *names; // null: not asked for
  Resolution resolution;
  const ModuleInfo *current = nullptr;
  llvm::StringSet<> definedLets; // so far, of the module
  llvm::SMRange unknownUnit;     // the last one that was reported
  std::vector<Scope> scopes;
  std::vector<FunctionContext> functions;
  FunctionGraph graph;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_RESOLVERIMPL_H
