//===- Resolver.cpp - Finds what every name stands for --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Names/ResolverImpl.h"

#include "frontend/Sema/Builtins.h"

using namespace pmc;
using llvm::StringRef;

bool pmc::isDimListName(StringRef name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' &&
         llvm::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

StringRef pmc::getDimKind(const ast::Expr &dim) {
  auto *call = llvm::dyn_cast<ast::CallExpr>(&dim);
  auto *callee =
      call ? llvm::dyn_cast<ast::RefExpr>(call->callee.get()) : nullptr;
  if (!callee || (callee->name != "dual" && callee->name != "half") ||
      call->hasDims || call->args.size() != 1 || !call->args[0].value ||
      !call->args[0].name.text.empty())
    return {};
  return callee->name;
}

/// The name in `x`, `dual(x)` or `half(x)`, or null.
static const ast::RefExpr *getDimRef(const ast::Expr &dim) {
  if (!getDimKind(dim).empty())
    return getDimRef(*llvm::cast<ast::CallExpr>(&dim)->args[0].value);
  return llvm::dyn_cast<ast::RefExpr>(&dim);
}

StringRef pmc::getDimName(const ast::Expr &dim) {
  const ast::RefExpr *ref = getDimRef(dim);
  return ref ? StringRef(ref->name) : StringRef();
}

const Captures &Resolution::getCaptures(const void *node) const {
  static const Captures none;
  auto it = captures.find(node);
  return it == captures.end() ? none : it->second;
}

void Resolver::define(const ast::Name &name, bool isDim) {
  if (name.text.empty())
    return;
  auto [it, isNew] =
      scopes.back().try_emplace(name.text, Local{name.loc, isDim});
  // A dim that several types name is declared by the first of them.
  if (!isNew && !(isDim && it->second.isDim))
    it->second = {name.loc, isDim};
  if (names)
    names->add(name.text, name.loc, it->second.loc);
}

/// A `let` or `fn` of a block.
void Resolver::defineNew(const ast::Name &name) {
  if (name.text.empty() || name.text == "_")
    return;
  auto [it, isNew] =
      scopes.back().try_emplace(name.text, Local{name.loc, false});
  if (!isNew)
    diags
        .error(name.loc,
               "[PM0202] '" + name.text + "' is defined twice in this block")
        .note(it->second.loc, "first defined here");
  if (names)
    names->add(name.text, name.loc, name.loc);
}

/// The dim that an index names, `f[x = i]`: what a variable stands for, or else
/// the field's own.
void Resolver::dimName(const ast::Name &dim) {
  StringRef name = dim.text;
  if (capture(name, dim.loc))
    return;
  Lookup found = program.find(*current, name);
  if (names && found.symbol)
    names->add(name, dim.loc, found.symbol->loc);
  if (found.symbol && found.symbol->kind == Symbol::Kind::Let)
    for (const FunctionContext &context : functions)
      resolution.captures[context.node].lets.insert(name);
}

/// False if the name is not that of a local variable.
bool Resolver::capture(StringRef name, llvm::SMLoc loc) {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto local = scopes[i].find(name);
    if (local == scopes[i].end())
      continue;
    if (names)
      names->add(name, loc, local->second.loc);
    for (const FunctionContext &context : functions)
      if (context.firstScope > i)
        resolution.captures[context.node].locals.insert(name);
    return true;
  }
  return false;
}

void Resolver::reference(StringRef name, llvm::SMLoc loc) {
  if (names && names->isCursor(loc))
    indexCursor();
  if (capture(name, loc))
    return;
  Lookup found = program.find(*current, name);
  if (names && (found.symbol || findBuiltin(name)))
    names->add(name, loc, found.symbol ? found.symbol->loc : llvm::SMLoc());
  if (!found.symbol) {
    if (!findBuiltin(name))
      undefined(name, loc);
    return;
  }
  if (found.rival) {
    diags
        .error(loc, "[PM0206] '" + name + "' is in two of the modules used, '" +
                        found.module->name + "' and '" + found.rival->name +
                        "'")
        .note(found.symbol->loc, "this one")
        .note(found.rival->symbols.find(name)->second.loc, "or this one");
    return;
  }
  if (found.symbol->kind == Symbol::Kind::Param)
    resolution.usedParams.insert(found.symbol->stmt);
  // An input that every run reads is read once, and handed to functions.
  if (found.symbol->kind == Symbol::Kind::Input &&
      !llvm::cast<ast::InputStmt>(found.symbol->stmt)->optional)
    for (const FunctionContext &context : functions)
      resolution.captures[context.node].lets.insert(name);
  if (found.symbol->kind == Symbol::Kind::Let) {
    for (const FunctionContext &context : functions)
      resolution.captures[context.node].lets.insert(name);
    // In a function's body the order is that of the calls.
    if (functions.empty() && !definedLets.contains(name))
      diags.error(loc, "[PM0203] '" + name + "' is used before it is defined")
          .note(found.symbol->loc, "defined here");
  }
  if (found.symbol->kind == Symbol::Kind::Function)
    for (const FunctionContext &context : functions)
      graph.add(context.node, llvm::cast<ast::FunctionStmt>(found.symbol->stmt),
                loc);
}

/// Dims of a parameter's type: plain names bind variables, others are used.
void Resolver::typeDims(const ast::TypeExpr &type, bool binding) {
  for (const ast::ExprPtr &dim : type.dims) {
    if (!dim)
      continue;
    StringRef name = getDimName(*dim);
    if (binding && !name.empty())
      define({name.str(), getDimRef(*dim)->loc}, /*isDim=*/true);
    else if (!binding || name.empty())
      expr(dim.get());
  }
}

/// A first dim that is not declared has as many cells as there are samples.
void Resolver::streamDims(const ast::TypeExpr &type) {
  for (const auto &[i, dim] : llvm::enumerate(type.dims)) {
    StringRef name = dim ? getDimName(*dim) : "";
    if (i > 0 || name.empty() || program.find(*current, name).symbol != nullptr)
      expr(dim.get());
  }
}

/// Dims of an input without 'streamed'.
void Resolver::inputDims(const ast::TypeExpr &type) {
  const ast::Expr *first = type.dims.empty() ? nullptr : type.dims[0].get();
  const ast::RefExpr *ref = first ? getDimRef(*first) : nullptr;
  const bool isReported = ref && type.dims.size() > 1 && reportSamples(*ref);
  for (const ast::ExprPtr &dim : type.dims)
    if (dim.get() != first || !isReported)
      expr(dim.get());
}

void Resolver::function(const ast::FunctionStmt &fn) {
  functions.push_back({&fn, scopes.size(), fn.name.text});
  resolution.captures[&fn];
  resolution.bodies.push_back({&fn, nullptr, current, !scopes.empty()});
  scopes.emplace_back();
  for (const ast::Name &dim : fn.dimParams)
    define(dim, /*isDim=*/true);
  for (const ast::FnParam &param : fn.params)
    if (param.type)
      for (const ast::ExprPtr &dim : param.type->dims)
        if (dim && !getDimName(*dim).empty())
          define({getDimName(*dim).str(), getDimRef(*dim)->loc},
                 /*isDim=*/true);
  llvm::StringMap<llvm::SMLoc> seen;
  for (const ast::FnParam &param : fn.params) {
    if (param.type)
      for (const ast::ExprPtr &dim : param.type->dims)
        if (dim && getDimName(*dim).empty())
          expr(dim.get());
    expr(param.defaultValue.get());
    auto [it, isNew] = seen.try_emplace(param.name.text, param.name.loc);
    if (!isNew && !param.name.text.empty())
      diags
          .error(param.name.loc,
                 "[PM0202] two parameters are called '" + param.name.text + "'")
          .note(it->second, "the first one");
    define(param.name);
  }
  if (fn.resultType)
    typeDims(*fn.resultType, /*binding=*/false);
  expr(fn.body.get());
  byHand(fn, fn.adjoint, "adjoint");
  byHand(fn, fn.tangent, "tangent");
  byHand(fn, fn.again, "second part of the tangent");
  scopes.pop_back();
  functions.pop_back();
}

/// The adjoint, or tangent, may call the function: that is no recursion. But it
/// needs the lets that the function hands it.
void Resolver::byHand(const ast::FunctionStmt &fn, const ast::Name &hand,
                      llvm::StringRef what) {
  if (hand.text.empty())
    return;
  Lookup found = program.find(*current, hand.text);
  if (!found.symbol)
    return undefined(hand.text, hand.loc);
  if (found.symbol->kind != Symbol::Kind::Function) {
    diags.error(hand.loc, "[PM0806] the " + what + " of '" + fn.name.text +
                              "' is a function, but '" + hand.text + "' is a " +
                              describe(found.symbol->kind));
    return;
  }
  if (names)
    names->add(hand.text, hand.loc, found.symbol->loc);
  graph.addAdjoint(&fn, llvm::cast<ast::FunctionStmt>(found.symbol->stmt));
}

void Resolver::range(const ast::RangeSyntax &range) {
  expr(range.min.get());
  expr(range.max.get());
}

void Resolver::body(const std::vector<ast::StmtPtr> &statements) {
  scopes.emplace_back();
  for (const ast::StmtPtr &stmt : statements)
    if (stmt)
      statement(*stmt);
  scopes.pop_back();
}

void Resolver::statement(const ast::Stmt &stmt) {
  bool topLevel = scopes.empty();
  auto bind = [&](const ast::Name &name) {
    if (topLevel)
      definedLets.insert(name.text);
    else
      defineNew(name);
  };
  switch (stmt.kind) {
  case ast::Stmt::Kind::Use:
  case ast::Stmt::Kind::Unit:
  case ast::Stmt::Kind::Units:
    return;
  case ast::Stmt::Kind::Layout:
    if (names)
      indexLayout(llvm::cast<ast::LayoutStmt>(stmt));
    return;
  case ast::Stmt::Kind::Const: {
    auto &s = llvm::cast<ast::ConstStmt>(stmt);
    if (s.range)
      range(*s.range);
    return expr(s.value.get());
  }
  case ast::Stmt::Kind::Param: {
    auto &s = llvm::cast<ast::ParamStmt>(stmt);
    if (s.range)
      range(*s.range);
    return expr(s.value.get());
  }
  case ast::Stmt::Kind::Input: {
    auto &s = llvm::cast<ast::InputStmt>(stmt);
    if (s.streamed)
      return streamDims(s.type);
    if (!s.like)
      return inputDims(s.type);
    expr(s.like.get());
    return bind(s.name);
  }
  case ast::Stmt::Kind::Dim: {
    auto &s = llvm::cast<ast::DimStmt>(stmt);
    for (const auto &entry : s.entries)
      expr(entry.cells.get());
    return expr(s.length.get());
  }
  case ast::Stmt::Kind::Mesh:
    for (const auto &axis : llvm::cast<ast::MeshStmt>(stmt).axes)
      expr(axis.extent.get());
    return;
  case ast::Stmt::Kind::Function: {
    auto &fn = llvm::cast<ast::FunctionStmt>(stmt);
    if (names)
      names->addFunction(fn);
    function(fn);
    if (!topLevel)
      defineNew(fn.name);
    return;
  }
  case ast::Stmt::Kind::Let: {
    auto &s = llvm::cast<ast::LetStmt>(stmt);
    expr(s.value.get());
    for (const ast::Name &name : s.pattern.names)
      bind(name);
    return;
  }
  case ast::Stmt::Kind::Output: {
    auto &s = llvm::cast<ast::OutputStmt>(stmt);
    if (s.value) {
      expr(s.value.get());
      if (topLevel)
        definedLets.insert(s.name.text);
      else if (!s.name.text.empty())
        define(s.name);
      for (const ast::Name &column : s.columns)
        if (const Symbol *symbol = program.find(*current, column.text).symbol;
            topLevel && symbol && symbol->loc == column.loc)
          definedLets.insert(column.text);
    } else if (!s.name.text.empty()) {
      reference(s.name.text, s.name.loc);
    }
    return;
  }
  case ast::Stmt::Kind::Plot: {
    auto &s = llvm::cast<ast::PlotStmt>(stmt);
    expr(s.value.get());
    expr(s.points.get());
    for (const ast::ExprPtr &band : s.bands)
      expr(band.get());
    for (const ast::ExprPtr *range : {&s.xrange, &s.yrange, &s.crange})
      expr(range->get());
    return expr(s.contours.get());
  }
  case ast::Stmt::Kind::Print:
    for (const auto &value : llvm::cast<ast::PrintStmt>(stmt).values)
      expr(value.get());
    return;
  case ast::Stmt::Kind::Assert: {
    auto &s = llvm::cast<ast::AssertStmt>(stmt);
    expr(s.condition.get());
    for (const auto &value : s.values)
      expr(value.get());
    return;
  }
  case ast::Stmt::Kind::If: {
    auto &s = llvm::cast<ast::IfStmt>(stmt);
    expr(s.condition.get());
    body(s.thenBody);
    return body(s.elseBody);
  }
  case ast::Stmt::Kind::Optimize: {
    auto &s = llvm::cast<ast::OptimizeStmt>(stmt);
    for (const ast::ExprPtr *part :
         {&s.start, &s.method, &s.stages, &s.iterations, &s.begin, &s.end,
          &s.every, &s.historyCells, &s.interval})
      expr(part->get());
    scopes.emplace_back();
    for (const std::optional<ast::Name> &name : {s.stage, s.counter})
      if (name)
        define(*name);
    expr(s.objective.get());
    expr(s.check.get());
    if (s.check)
      define(s.checked);
    expr(s.condition.get());
    scopes.pop_back();
    for (const ast::Name &name : s.pattern.names)
      bind(name);
    for (const ast::Name *name : {&s.history, &s.checked})
      if (!name->text.empty())
        bind(*name);
    return;
  }
  case ast::Stmt::Kind::Expr:
    return expr(llvm::cast<ast::ExprStmt>(stmt).expr.get());
  }
}

/// Whether this is `grad` or its like: the builtin, not what hides it.
bool Resolver::isDerivative(const ast::Expr &callee) const {
  auto *ref = llvm::dyn_cast<ast::RefExpr>(&callee);
  if (!ref || llvm::any_of(scopes, [&](const Scope &scope) {
        return scope.count(ref->name);
      }))
    return false;
  auto id = findBuiltin(ref->name);
  return id && takesParameterNames(*id) &&
         !program.find(*current, ref->name).symbol;
}

void Resolver::map(const ast::Name &variable, const ast::Expr *domain,
                   const std::vector<ast::ExprPtr> &dims,
                   llvm::ArrayRef<const ast::Expr *> bodies) {
  expr(domain);
  for (const ast::ExprPtr &dim : dims)
    expr(dim.get());
  scopes.emplace_back();
  define(variable);
  for (const ast::Expr *e : bodies)
    expr(e);
  scopes.pop_back();
}

void Resolver::expr(const ast::Expr *e) {
  using Kind = ast::Expr::Kind;
  if (!e)
    return;
  switch (e->kind) {
  case Kind::Number:
    return checkUnitName(*llvm::cast<ast::NumberExpr>(e));
  case Kind::String:
  case Kind::Bool:
    return;
  case Kind::Ref:
    return reference(llvm::cast<ast::RefExpr>(e)->name, e->loc);
  case Kind::Unary:
    return expr(llvm::cast<ast::UnaryExpr>(e)->operand.get());
  case Kind::Binary: {
    auto *b = llvm::cast<ast::BinaryExpr>(e);
    if (isUnknownUnit(*b) || isUnitApart(*b))
      return;
    expr(b->lhs.get());
    return expr(b->rhs.get());
  }
  case Kind::If: {
    auto *i = llvm::cast<ast::IfExpr>(e);
    expr(i->condition.get());
    expr(i->thenExpr.get());
    return expr(i->elseExpr.get());
  }
  case Kind::Call: {
    auto *c = llvm::cast<ast::CallExpr>(e);
    expr(c->callee.get());
    for (const ast::ExprPtr &dim : c->dims)
      expr(dim.get());
    bool derivative = isDerivative(*c->callee);
    auto *callee = llvm::dyn_cast<ast::RefExpr>(c->callee.get());
    bool namesDims =
        callee && (callee->name == "shift" || callee->name == "slice");
    for (const ast::Argument &arg : c->args)
      if (namesDims && !arg.name.text.empty())
        dimName(arg.name);
    if (names)
      indexArguments(*c, derivative);
    for (const ast::Argument &arg : c->args)
      if (!derivative || arg.name.text != "wrt")
        expr(arg.value.get());
    return;
  }
  case Kind::Index: {
    auto *i = llvm::cast<ast::IndexExpr>(e);
    expr(i->base.get());
    for (const ast::ExprPtr &index : i->indices)
      expr(index.get());
    for (const ast::Argument &cell : i->cells) {
      dimName(cell.name);
      expr(cell.value.get());
    }
    if (i->edge)
      expr(i->edge.get());
    return;
  }
  case Kind::Member:
    if (isModuleOfPython(*llvm::cast<ast::MemberExpr>(e)))
      return;
    return expr(llvm::cast<ast::MemberExpr>(e)->base.get());
  case Kind::With: {
    auto *w = llvm::cast<ast::WithExpr>(e);
    expr(w->base.get());
    for (const ast::RecordField &field : w->fields)
      expr(field.value.get());
    for (const ast::CellUpdate &update : w->updates) {
      for (const ast::Argument &cell : update.cells) {
        dimName(cell.name);
        expr(cell.value.get());
      }
      expr(update.value.get());
    }
    return;
  }
  case Kind::Tuple:
    for (const auto &element : llvm::cast<ast::TupleExpr>(e)->elements)
      expr(element.get());
    return;
  case Kind::Record:
    for (const auto &field : llvm::cast<ast::RecordExpr>(e)->fields)
      expr(field.value.get());
    return;
  case Kind::Lambda: {
    auto *l = llvm::cast<ast::LambdaExpr>(e);
    functions.push_back({l, scopes.size(), {}});
    resolution.captures[l];
    resolution.bodies.push_back({nullptr, l, current, true});
    scopes.emplace_back();
    for (const ast::Name &param : l->params)
      define(param);
    expr(l->body.get());
    scopes.pop_back();
    functions.pop_back();
    return;
  }
  case Kind::Block: {
    auto *b = llvm::cast<ast::BlockExpr>(e);
    scopes.emplace_back();
    for (const ast::StmtPtr &stmt : b->statements)
      if (stmt)
        statement(*stmt);
    expr(b->result.get());
    scopes.pop_back();
    return;
  }
  case Kind::For: {
    auto *f = llvm::cast<ast::ForExpr>(e);
    return map(f->variable, f->domain.get(), {}, {f->body.get()});
  }
  case Kind::Map: {
    auto *m = llvm::cast<ast::MapExpr>(e);
    return map(m->variable, m->domain.get(), m->dims, {m->body.get()});
  }
  case Kind::Bins: {
    auto *b = llvm::cast<ast::BinsExpr>(e);
    expr(b->count.get());
    return map(b->variable, b->domain.get(), b->dims,
               {b->where.get(), b->index.get(), b->body.get()});
  }
  case Kind::Loop: {
    auto *l = llvm::cast<ast::LoopExpr>(e);
    expr(l->init.get());
    expr(l->begin.get());
    expr(l->end.get());
    expr(l->every.get());
    scopes.emplace_back();
    for (const ast::Name &name : l->carried.names)
      define(name);
    if (l->counter)
      define(*l->counter);
    expr(l->condition.get());
    expr(l->body.get());
    scopes.pop_back();
    return;
  }
  case Kind::Stack: {
    auto *s = llvm::cast<ast::StackExpr>(e);
    expr(s->next.get());
    return expr(s->stacked.get());
  }
  case Kind::Range: {
    auto *r = llvm::cast<ast::RangeExpr>(e);
    expr(r->begin.get());
    return expr(r->end.get());
  }
  }
}

void Resolver::module(const ModuleInfo &info) {
  current = &info;
  definedLets.clear();
  for (const ast::StmtPtr &stmt : info.tree->statements)
    if (stmt)
      statement(*stmt);
}

Resolution Resolver::run() {
  if (names)
    indexDeclarations();
  for (const auto &info : program.getModules())
    module(*info);
  graph.reportRecursion(diags);
  graph.closeOverLets(resolution);
  return std::move(resolution);
}

Resolution pmc::resolveNames(const Program &program, DiagnosticEngine &diags,
                             NameIndex *names) {
  return Resolver(program, diags, names).run();
}
