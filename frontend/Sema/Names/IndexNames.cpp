//===- IndexNames.cpp - What the Resolver adds to the index of names ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Names/ResolverImpl.h"

using namespace pmc;
using llvm::StringRef;

/// Names of the top level, of all modules: the spec comes first, but calls
/// functions of the modules behind it.
void Resolver::indexDeclarations() {
  for (const auto &info : program.getModules())
    for (const auto &[name, symbol] : info->symbols) {
      names->add(name, symbol.loc, symbol.loc);
      if (symbol.kind == Symbol::Kind::Function)
        names->addFunction(*llvm::cast<ast::FunctionStmt>(symbol.stmt));
    }
}

void Resolver::indexCursor() {
  llvm::StringMap<llvm::SMLoc> visible;
  for (const Scope &scope : llvm::reverse(scopes))
    for (const auto &[name, local] : scope)
      visible.try_emplace(name, local.loc);
  names->setVisible(std::move(visible));
}

/// Dims and axes of the mesh.
void Resolver::indexLayout(const ast::LayoutStmt &layout) {
  llvm::StringMap<llvm::SMLoc> axes;
  for (const ast::StmtPtr &stmt : current->tree->statements)
    if (auto *mesh = llvm::dyn_cast<ast::MeshStmt>(stmt.get()))
      for (const ast::MeshStmt::Axis &axis : mesh->axes) {
        axes.try_emplace(axis.name.text, axis.name.loc);
        names->add(axis.name.text, axis.name.loc, axis.name.loc);
      }
  for (const ast::LayoutStmt::Entry &entry : layout.entries) {
    Lookup found = program.find(*current, entry.dim.text);
    if (found.symbol)
      names->add(entry.dim.text, entry.dim.loc, found.symbol->loc);
    for (const ast::Name &axis : entry.axes)
      if (auto it = axes.find(axis.text); it != axes.end())
        names->add(axis.text, axis.loc, it->second);
  }
}

/// The function that a name stands for; null if it is unknown here.
const ast::FunctionStmt *Resolver::findFunction(const ast::Expr *callee) const {
  auto *ref = llvm::dyn_cast_or_null<ast::RefExpr>(callee);
  if (!ref)
    return nullptr;
  for (const Scope &scope : llvm::reverse(scopes))
    if (auto it = scope.find(ref->name); it != scope.end())
      return names->findFunction(it->second.loc);
  Lookup found = program.find(*current, ref->name);
  return found.symbol ? names->findFunction(found.symbol->loc) : nullptr;
}

void Resolver::indexParameter(const ast::FunctionStmt *function, StringRef name,
                              llvm::SMLoc loc) {
  if (!function)
    return;
  for (const ast::FnParam &param : function->params)
    if (param.name.text == name)
      names->add(name, loc, param.name.loc);
}

/// The names of parameters in `f(a = 1)` and in `grad(f, wrt = a)`.
void Resolver::indexArguments(const ast::CallExpr &call, bool isDerivative) {
  if (!isDerivative) {
    const ast::FunctionStmt *function = findFunction(call.callee.get());
    for (const ast::Argument &arg : call.args)
      if (!arg.name.text.empty())
        indexParameter(function, arg.name.text, arg.name.loc);
    return;
  }
  const ast::FunctionStmt *function = nullptr;
  for (const ast::Argument &arg : call.args)
    if (!function && arg.name.text != "wrt")
      function = findFunction(arg.value.get());
  auto add = [&](const ast::Expr *e) {
    if (auto *ref = llvm::dyn_cast_or_null<ast::RefExpr>(e))
      indexParameter(function, ref->name, ref->loc);
  };
  for (const ast::Argument &arg : call.args)
    if (arg.name.text == "wrt") {
      add(arg.value.get());
      if (auto *all = llvm::dyn_cast_or_null<ast::TupleExpr>(arg.value.get()))
        for (const ast::ExprPtr &element : all->elements)
          add(element.get());
    }
}
