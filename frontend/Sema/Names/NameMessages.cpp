//===- NameMessages.cpp - Names that are unknown or ambiguous -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Names/ResolverImpl.h"

#include "frontend/Basic/Unit.h"
#include "frontend/Sema/Builtins.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using llvm::StringRef;

bool Resolver::isKnown(StringRef name) const {
  return findBuiltin(name) || isDefined(name);
}

bool Resolver::isDefined(StringRef name) const {
  return program.find(*current, name).symbol ||
         llvm::any_of(scopes,
                      [&](const Scope &scope) { return scope.count(name); });
}

/// `np.fft.fft`: names of modules are not written in front of functions.
bool Resolver::isModuleOfPython(const ast::MemberExpr &member) {
  const ast::Expr *root = member.base.get();
  while (auto *inner = llvm::dyn_cast<ast::MemberExpr>(root))
    root = inner->base.get();
  auto *ref = llvm::dyn_cast<ast::RefExpr>(root);
  // The builtin 'random' has the name of a module of Python.
  if (!ref ||
      (ref->name == "random" ? isDefined(ref->name) : isKnown(ref->name)))
    return false;
  static constexpr StringRef foreign[] = {"np",    "numpy", "math", "jnp",
                                          "scipy", "torch", "plt",  "random"};
  bool isModule = llvm::any_of(current->uses, [&](const ModuleInfo *used) {
    return used->name == ref->name;
  });
  if (!isModule && !llvm::is_contained(foreign, ref->name))
    return false;
  StringRef name = member.member.text;
  StringRef explanation = explainForeignName(name);
  std::string write = explanation.empty() ? ("write " + name).str() +
                                                (name == "pi" ? "" : "(...)")
                                          : explanation.str();
  diags.error(ref->loc,
              "[PM0207] functions have no module in front, such as '" +
                  ref->name + ".'; " + write);
  return true;
}

/// `2 pc/h`, where no variable is called pc, was to be a number with a unit.
bool Resolver::isUnknownUnit(const ast::BinaryExpr &product) {
  auto *ref = llvm::dyn_cast<ast::RefExpr>(product.rhs.get());
  bool isFactor = product.op == ast::BinaryOp::Mul && ref &&
                  llvm::isa<ast::NumberExpr>(*product.lhs) &&
                  product.loc == ref->loc;
  if (!isFactor || isKnown(ref->name) || !explainForeignName(ref->name).empty())
    return false;
  const char *begin = ref->loc.getPointer(), *end = begin;
  while (llvm::isAlnum(*end) || *end == '_' ||
         ((*end == '/' || *end == '*') && llvm::isAlpha(end[1])))
    ++end;
  StringRef text(begin, end - begin);
  std::string hint;
  llvm::SmallVector<StringRef> names(Unit::atomNames());
  if (llvm::is_contained(names, text)) {
    diags
        .error(ref->loc, "[PM0405] the unit '" + text +
                             "' does not follow a number; join the parts of "
                             "one unit by '*' or '/' without blanks: 3 s^2*mm")
        .range({ref->loc, llvm::SMLoc::getFromPointer(end)});
    unknownUnit = {ref->loc, llvm::SMLoc::getFromPointer(end)};
    return true;
  }
  if (text == "j")
    hint = "; imaginary numbers are written '1i'";
  else if (auto near = closestName(text, names))
    hint = ("; did you mean the unit '" + *near + "'?").str();
  else if (!text.contains('/') && !text.contains('*'))
    return false; // perhaps a variable with a typing error
  unknownUnit = {ref->loc, llvm::SMLoc::getFromPointer(end)};
  diags.error(ref->loc, "[PM0401] there is no unit '" + text + "'" + hint)
      .range(unknownUnit);
  return true;
}

/// Reports blanks within a unit, as in `0.1 h / Mpc` for `0.1 h/Mpc`, if no
/// variable has the name Mpc.
bool Resolver::isUnitApart(const ast::BinaryExpr &expr) {
  auto isUnit = [&](StringRef name) {
    const bool isPart =
        name == "h" || llvm::is_contained(Unit::atomNames(), name);
    return isPart && !isKnown(name);
  };
  // The first part of the unit, such as 'h', can also look like a factor.
  auto *number = llvm::dyn_cast<ast::NumberExpr>(expr.lhs.get());
  auto *product = llvm::dyn_cast<ast::BinaryExpr>(expr.lhs.get());
  auto *factor = product && product->op == ast::BinaryOp::Mul
                     ? llvm::dyn_cast<ast::RefExpr>(product->rhs.get())
                     : nullptr;
  const bool hasUnit = number ? !number->unitText.empty()
                              : factor && product->loc == factor->loc &&
                                    llvm::isa<ast::NumberExpr>(*product->lhs) &&
                                    isUnit(factor->name);
  const ast::Expr *right = expr.rhs.get();
  if (auto *power = llvm::dyn_cast<ast::BinaryExpr>(right);
      power && power->op == ast::BinaryOp::Pow)
    right = power->lhs.get();
  auto *ref = llvm::dyn_cast<ast::RefExpr>(right);
  const bool isProduct =
      expr.op == ast::BinaryOp::Div || expr.op == ast::BinaryOp::Mul;
  if (!isProduct || !hasUnit || !ref || !isUnit(ref->name))
    return false;
  auto textOf = [](const ast::Expr &part) {
    const char *begin = part.range.Start.getPointer();
    return StringRef(begin, part.range.End.getPointer() - begin).str();
  };
  diags
      .error(ref->loc, "[PM0405] a unit has no blanks; write " +
                           textOf(*expr.lhs) +
                           (expr.op == ast::BinaryOp::Div ? "/" : "*") +
                           textOf(*expr.rhs))
      .range(expr.range);
  return true;
}

void Resolver::undefined(StringRef name, llvm::SMLoc loc) {
  if (names && names->isCursor(loc))
    return; // it is being written
  if (diags.limitReached())
    return; // what follows reads the whole library
  if (loc.getPointer() >= unknownUnit.Start.getPointer() &&
      loc.getPointer() < unknownUnit.End.getPointer())
    return; // a part of the unit
  if (StringRef explanation = explainForeignName(name); !explanation.empty()) {
    diags.error(loc, "[PM0201] there is no '" + name + "': " + explanation);
    return;
  }
  for (const FunctionContext &context : functions)
    if (context.name == name) {
      diags.error(loc, "[PM0208] '" + name +
                           "' leads back to itself: recursion is not "
                           "possible, use a loop");
      return;
    }
  llvm::SmallVector<StringRef> candidates;
  for (const Scope &scope : llvm::reverse(scopes))
    for (const auto &entry : scope)
      candidates.push_back(entry.getKey());
  for (const auto &entry : current->symbols)
    candidates.push_back(entry.getKey());
  for (const ModuleInfo *used : current->uses)
    for (const auto &entry : used->symbols)
      candidates.push_back(entry.getKey());
  for (const BuiltinInfo &info : getBuiltins())
    candidates.push_back(info.name);
  llvm::sort(candidates);
  std::string hint, home;
  if (const ModuleInfo *other = program.findElsewhere(name))
    home = other->name;
  else
    home = program.findInLibrary(name);
  const ModuleInfo *hiding = nullptr; // the library's module
  for (const ModuleInfo *used : current->uses)
    if (!used->isLibrary && used->name == home)
      hiding = used;
  if (hiding)
    hint = "; the library's module '" + home + "' has it, but the file '" +
           hiding->path + "' is used in its place: rename that file";
  else if (name == "poisson")
    hint = "; the module 'multigrid' solves Poisson's equation with a function "
           "of that name, and 'poisson_counts' of the module 'random' draws "
           "counts";
  else if (!home.empty())
    hint = "; it is in the module '" + home + "': add 'use " + home + "'";
  else if (llvm::is_contained(Unit::atomNames(), name))
    hint = "; a unit follows a number: 1 " + name.str();
  else if (auto closest = closestName(name, candidates))
    hint = "; did you mean '" + closest->str() + "'?";
  diags.error(loc, "[PM0201] undefined name '" + name + "'" + hint);
}

/// Where a variable of this name is defined; invalid if none is. A number is
/// never multiplied by a dim.
llvm::SMLoc Resolver::findVariable(StringRef name) const {
  for (const Scope &scope : llvm::reverse(scopes))
    if (auto it = scope.find(name); it != scope.end())
      return it->second.isDim ? llvm::SMLoc() : it->second.loc;
  Lookup found = program.find(*current, name);
  if (!found.symbol || found.symbol->kind == Symbol::Kind::Dim)
    return {};
  return found.symbol->loc;
}

/// `2 m^2` where `m` is a variable, too.
void Resolver::checkUnitName(const ast::NumberExpr &number) {
  StringRef unit = number.unitText;
  StringRef name = unit.split('^').first.rtrim();
  llvm::SMLoc variable = name.empty() ? llvm::SMLoc() : findVariable(name);
  if (!variable.isValid())
    return;
  diags
      .error(number.loc, "[PM0407] '" + name +
                             "' is a unit and a variable here: write '* " +
                             name +
                             "' for the variable; for the unit, give the "
                             "variable another name")
      .range(number.range)
      .note(variable, "the variable is defined here");
}

/// Reports the undeclared first dim of an input, whose cells may be samples.
/// False if the dim is declared, or if its name resembles that of another dim.
bool Resolver::reportSamples(const ast::RefExpr &dim) {
  llvm::SmallVector<StringRef> dims;
  for (const auto &entry : current->symbols)
    if (entry.getValue().kind == Symbol::Kind::Dim)
      dims.push_back(entry.getKey());
  if (isKnown(dim.name) || closestName(dim.name, dims))
    return false;
  diags.error(dim.loc,
              "[PM0201] undefined name '" + dim.name + "'; declare 'dim " +
                  dim.name +
                  " = N', or write 'streamed' behind the type if the file "
                  "determines the number of its cells");
  return true;
}

/// The first dims whose length is a number without a unit.
static const ast::DimStmt *findPureLength(const ModuleInfo &spec) {
  for (const ast::StmtPtr &stmt : spec.tree->statements) {
    auto *dims = llvm::dyn_cast_or_null<ast::DimStmt>(stmt.get());
    auto *length =
        dims ? llvm::dyn_cast_or_null<ast::NumberExpr>(dims->length.get())
             : nullptr;
    if (length && length->unitText.empty())
      return dims;
  }
  return nullptr;
}

static bool isLength(const ast::ParamStmt &param) {
  auto *value = llvm::dyn_cast_or_null<ast::NumberExpr>(param.value.get());
  const std::optional<Unit> unit = param.type && param.type->unit
                                       ? param.type->unit
                                   : value ? value->unit
                                           : std::nullopt;
  return unit &&
         (unit->agrees(Unit::length()) || unit->agrees(*Unit::atom("Mpc")) ||
          unit->agrees(*Unit::atom("km")));
}

void pmc::warnOfUnusedParams(const Program &program,
                             const Resolution &resolution,
                             DiagnosticEngine &diags) {
  const ModuleInfo &spec = program.getMain();
  for (const ast::StmtPtr &stmt : spec.tree->statements) {
    auto *param = llvm::dyn_cast_or_null<ast::ParamStmt>(stmt.get());
    if (!param || param->name.text.empty() || resolution.isUsed(*param))
      continue;
    const ast::DimStmt *dims =
        isLength(*param) ? findPureLength(spec) : nullptr;
    diags.warning(
        param->name.loc,
        "[PM0705] the param '" + param->name.text + "' is not used" +
            (dims && !dims->entries.empty()
                 ? "; the length of the dim '" + dims->entries[0].name.text +
                       "' is a number: write 'over " + param->name.text + "'"
                 : std::string("; remove it, or use it in the spec")));
  }
}
