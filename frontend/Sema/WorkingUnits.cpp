//===- WorkingUnits.cpp - In which units a spec stores numbers ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/WorkingUnits.h"

#include "frontend/Parser/AST.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace pmc;

namespace {

/// Follows the names in an expression to the first number with a metric length.
class LengthFinder {
public:
  explicit LengthFinder(const ModuleInfo &spec) : spec(spec) {}

  /// One of that unit in km; nullopt without a metric length.
  std::optional<double> find(const ast::Expr *expr) {
    if (!expr)
      return std::nullopt;
    if (const auto *number = llvm::dyn_cast<ast::NumberExpr>(expr))
      return number->unit ? lengthOf(*number->unit) : std::nullopt;
    if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr))
      return find(unary->operand.get());
    if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
      std::optional<double> first = find(binary->lhs.get());
      return first ? first : find(binary->rhs.get());
    }
    if (const auto *choice = llvm::dyn_cast<ast::IfExpr>(expr)) {
      std::optional<double> first = find(choice->thenExpr.get());
      return first ? first : find(choice->elseExpr.get());
    }
    if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr))
      return tuple->elements.empty() ? std::nullopt
                                     : find(tuple->elements.front().get());
    if (const auto *ref = llvm::dyn_cast<ast::RefExpr>(expr))
      return findName(ref->name);
    return std::nullopt;
  }

private:
  static std::optional<double> lengthOf(const Unit &unit) {
    Unit metric;
    metric.sixths[Unit::Kilometer] = 6;
    return unit.agrees(metric) ? std::optional(unit.factor) : std::nullopt;
  }

  std::optional<double> findName(llvm::StringRef name) {
    auto it = spec.symbols.find(name);
    if (it == spec.symbols.end() || !seen.insert(it->second.stmt).second)
      return std::nullopt;
    const ast::Stmt *stmt = it->second.stmt;
    if (const auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt))
      return find(constant->value.get());
    if (const auto *let = llvm::dyn_cast<ast::LetStmt>(stmt))
      return find(let->value.get());
    const auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt);
    if (!param)
      return std::nullopt;
    return param->type && param->type->unit ? lengthOf(*param->type->unit)
                                            : find(param->value.get());
  }

  const ModuleInfo &spec;
  llvm::SmallPtrSet<const ast::Stmt *, 8> seen;
};

} // namespace

WorkingUnits pmc::findWorkingUnits(const ModuleInfo &spec) {
  WorkingUnits units;
  bool hasLength = false;
  for (const ast::StmtPtr &stmt : spec.tree->statements)
    if (const auto *listed = llvm::dyn_cast<ast::UnitsStmt>(stmt.get()))
      for (const ast::WrittenUnit &one : listed->units)
        hasLength |= units.use(one.text) == Unit::Kilometer;
  if (hasLength)
    return units;
  for (const ast::StmtPtr &stmt : spec.tree->statements)
    if (const auto *dim = llvm::dyn_cast<ast::DimStmt>(stmt.get()))
      if (auto length = LengthFinder(spec).find(dim->length.get())) {
        units.useLength(*length);
        return units;
      }
  return units;
}
