//===- Types.cpp - Declared types -----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Types.h"

#include "frontend/Sema/Names/Resolver.h"

using namespace pmc;
using Base = ast::TypeExpr::Base;

static bool hasUnit(const ast::TypeExpr::Column &column) {
  return column.unit.loc.isValid();
}

static std::string describeColumn(const ast::TypeExpr::Column &column) {
  return column.name.text +
         (hasUnit(column) ? " in " + column.unit.unit.str() : "");
}

/// "(k in h/Mpc, z -> P)", if there are units.
static std::string describeAxes(const ast::TypeExpr &type) {
  if (llvm::none_of(type.axes, hasUnit) &&
      !(type.value && hasUnit(*type.value)))
    return "";
  std::string text;
  for (const ast::TypeExpr::Column &axis : type.axes)
    text += (text.empty() ? "(" : ", ") + describeColumn(axis);
  return text + (type.value ? " -> " + describeColumn(*type.value) : "") + ")";
}

std::string pmc::describe(const ast::TypeExpr &type) {
  using Base = ast::TypeExpr::Base;
  std::string text = type.isVector ? "vector " : "";
  switch (type.base) {
  case Base::F64:
    text += "f64";
    break;
  case Base::Int:
    text += "int";
    break;
  case Base::U64:
    text += "u64";
    break;
  case Base::Bool:
    text += "bool";
    break;
  case Base::String:
    text += "string";
    break;
  case Base::Complex:
    text += "complex";
    break;
  case Base::Table:
    text += "table";
    if (!type.columns.empty())
      text += "(" + describeColumn(type.columns[0]) + ", " +
              describeColumn(type.columns[1]) + ")";
    if (!type.axes.empty())
      text += " over " + std::to_string(type.axes.size()) + " axes" +
              describeAxes(type);
    break;
  case Base::Field: {
    text += type.isComplexField ? "complex " : type.isIntField ? "int " : "";
    text += "field[";
    bool first = true;
    for (const ast::ExprPtr &dim : type.dims) {
      if (!first)
        text += ", ";
      first = false;
      llvm::StringRef name = dim ? getDimName(*dim) : "";
      llvm::StringRef kind = dim ? getDimKind(*dim) : "";
      text += name.empty()   ? "…"
              : kind.empty() ? name.str()
                             : (kind + "(" + name + ")").str();
    }
    text += "]";
    break;
  }
  }
  if (type.unit && !type.unit->isNumber())
    text += " in " + type.unit->str();
  return text;
}

bool pmc::requireType(const RuleContext &context, const ast::TypeExpr &type,
                      const Argument &arg, llvm::StringRef what, bool fits,
                      const llvm::Twine &more) {
  return fits ||
         context.refuse(arg, "[PM0304] " + what + " must be " + describe(type) +
                                 ", not " + arg.value.describe() + more);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool fitsUnit(const ast::TypeExpr &type, const Value &value) {
  return !type.unit || value.hasAnyUnit() || type.unit->agrees(value.getUnit());
}

/// A column without a unit fits any.
static bool fitsColumn(const ast::TypeExpr::Column &column, const Unit &unit) {
  return !hasUnit(column) || column.unit.unit.agrees(unit);
}

static bool fitsColumns(const ast::TypeExpr &type, const Value &table) {
  return table.is(Value::Kind::Table) &&
         (type.columns.empty() ||
          (fitsColumn(type.columns[0], table.getXUnit()) &&
           fitsColumn(type.columns[1], table.getUnit())));
}

static bool fitsAxes(const ast::TypeExpr &type, const Value &grid) {
  if (!grid.isGrid() || grid.getAxisCount() != type.axes.size())
    return false;
  for (auto [axis, table] : llvm::zip(type.axes, grid.getElements()))
    if (!fitsColumn(axis, table.getXUnit()))
      return false;
  return !type.value ||
         fitsColumn(*type.value, grid.getElements().back().getUnit());
}

static bool fitsScalar(const ast::TypeExpr &type, const Value &value) {
  switch (type.base) {
  case Base::Bool:
    return value.isBoolLike();
  case Base::String:
    return value.is(Value::Kind::String);
  case Base::Table:
    if (!type.axes.empty())
      return fitsAxes(type, value);
    return fitsColumns(type, value);
  case Base::Int:
    return !value.isUnsigned() && (value.isIntLike() || value.getConstInt());
  case Base::U64:
    return value.isIntLike() || value.getConstInt();
  case Base::F64:
    return value.isRealNumber() && fitsUnit(type, value);
  case Base::Complex:
    return value.isNumber() && fitsUnit(type, value);
  case Base::Field:
    return false;
  }
  return false;
}

bool pmc::checkScalar(const RuleContext &context, const ast::TypeExpr &type,
                      const Argument &arg, llvm::StringRef what) {
  return requireType(context, type, arg, what, fitsScalar(type, arg.value));
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

bool pmc::checkElements(const RuleContext &context, const ast::TypeExpr &type,
                        const Value &field, const Argument &arg,
                        llvm::StringRef what) {
  // Bools pass as numbers.
  const bool fits =
      field.isField() && isComplex(field.getStorage()) == type.isComplexField &&
      field.isFieldOf(Storage::I64) == type.isIntField && fitsUnit(type, field);
  return requireType(context, type, arg, what, fits);
}

bool pmc::bindDims(const RuleContext &context, const ast::TypeExpr &type,
                   DimList dims, const Argument &arg, llvm::StringRef what,
                   Scope &scope, const llvm::StringSet<> &variables,
                   bool &isWhole) {
  // `D` alone stands for all the dims.
  llvm::StringRef only =
      type.dims.size() == 1 && type.dims[0] && getDimKind(*type.dims[0]).empty()
          ? getDimName(*type.dims[0])
          : "";
  if (isDimListName(only) && variables.contains(only) &&
      !scope.names.count(only)) {
    std::vector<Value> list;
    for (const Dim &dim : dims)
      list.push_back(Value::dim(dim));
    scope.names[only] = Value::tuple(std::move(list));
    isWhole = true;
    return true;
  }
  // Bind the plain names that are free, then compare the whole list.
  bool allPlain = llvm::all_of(type.dims, [&](const ast::ExprPtr &dim) {
    if (!dim)
      return false;
    const Value *bound = scope.find(getDimName(*dim));
    return !bound || bound->isDim();
  });
  if (allPlain && type.dims.size() == dims.size())
    for (auto [expr, dim] : llvm::zip_equal(type.dims, dims)) {
      llvm::StringRef name = getDimName(*expr);
      if (variables.contains(name) && !scope.names.count(name))
        scope.names[name] =
            Value::dim(getDimKind(*expr).empty() ? dim : dim.getSpaceDim());
    }
  for (const ast::ExprPtr &expr : type.dims)
    if (expr && variables.contains(getDimName(*expr)) &&
        !scope.names.count(getDimName(*expr)))
      return requireType(context, type, arg, what, false);
  return true;
}

bool pmc::requireDims(const RuleContext &context, const ast::TypeExpr &type,
                      DimList expected, DimList dims, const Argument &arg,
                      llvm::StringRef what) {
  return expected == dims ||
         requireType(context, type, arg, what, /*fits=*/false,
                     "; here its dims are " + tellApart(expected, dims));
}

//===----------------------------------------------------------------------===//
// Free values
//===----------------------------------------------------------------------===//

Value pmc::checkFree(const RuleContext &context, const ast::TypeExpr &type,
                     const Argument &arg, llvm::StringRef what, bool isInMap) {
  const Type wanted = Type::declared(type, describe(type));
  const Value &value = arg.value;
  const Type known = typeOf(value, /*named=*/true);
  const bool isList = value.isTuple() || value.isRecord();
  const bool isRight = isList ? value.isTuple() && wanted.is(Type::Kind::Vector)
                              : fits(known, wanted, isInMap);
  (void)requireType(context, type, arg, what, isRight);
  if (isList && isRight)
    return value;
  return Value::free(wanted.getQuantity().isUnknown()
                         ? wanted.withQuantity(known.getQuantity())
                         : wanted);
}
