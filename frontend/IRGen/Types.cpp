//===- Types.cpp - Dims, field types, declared types ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Types.h"
#include "dialect/IR/Markers/Limits.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Values.h"

#include "llvm/Support/MathExtras.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

Unit Generator::dimUnit(pm::DimAttr dim) const {
  auto it = dims.find(dim.getName());
  return it == dims.end() ? Unit() : it->second.unit;
}

Value Generator::dimLength(pm::DimAttr dim, llvm::SMLoc loc) {
  Value length = typeOfLength(dimOf(dim));
  if (length.isConstNumber())
    return length;
  if (!requireKnown(rules(), !frame->constantsOnly, loc,
                    ", but the length of '" + dim.getName() +
                        "' is known when it runs"))
    return Value::poison();
  return atPrologue(*frame->entry, ("length:" + dim.getName()).str(), [&] {
    return scalarOf(pm::LengthOp::create(builder, getLoc(loc), dim.getName()),
                    length.getUnit());
  });
}

Value Generator::dimSpacing(pm::DimAttr dim, llvm::SMLoc loc) {
  Value length = dimLength(dim, loc);
  if (length.isPoison())
    return length;
  Value cells = Value::real(double(dim.getExtent()));
  if (length.isConstNumber())
    return realBinary(ast::BinaryOp::Div, length, cells, length.getUnit(), loc);
  return atPrologue(*frame->entry, "spacing:" + getSpaceDim(dim).getLabel(),
                    [&] {
                      return realBinary(ast::BinaryOp::Div, length, cells,
                                        length.getUnit(), loc);
                    });
}

/// A dim that the spec does not declare, one for each number of cells.
pm::DimAttr Generator::ownDim(llvm::StringRef base, int64_t cells,
                              llvm::StringMap<int64_t> &known) {
  const size_t before = known.size();
  const std::string name = nameOwnDim(base, cells, known);
  pm::DimAttr dim = pm::DimAttr::get(&context, name, cells);
  if (known.size() == before)
    return dim;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  auto op = pm::DimOp::create(builder, module->getLoc(), name, uint64_t(cells));
  builder.createBlock(&op.getLength());
  pm::YieldOp::create(builder, module->getLoc(),
                      floatConstant(double(cells), f64Type, module->getLoc()));
  return dim;
}

/// The dim of the results of bins.
pm::DimAttr Generator::binDim(int64_t cells) {
  return ownDim("bin", cells, binDims);
}

/// The dim of the history of an optimization.
pm::DimAttr Generator::iterationDim(int64_t cells) {
  return ownDim("iteration", cells, iterationDims);
}

bool Generator::appendDims(const Value &value, llvm::SMLoc loc,
                           llvm::SmallVectorImpl<pm::DimAttr> &list) {
  const auto dims = readDims(rules(), value, loc);
  if (dims)
    llvm::append_range(list, lower(*dims));
  return dims.has_value();
}

bool Generator::evaluateDims(llvm::ArrayRef<ast::ExprPtr> exprs,
                             llvm::SmallVectorImpl<pm::DimAttr> &list) {
  bool ok = true;
  for (const ast::ExprPtr &expr : exprs) {
    if (!expr) {
      ok = false;
      continue;
    }
    llvm::StringRef kind = getDimKind(*expr);
    const ast::Expr &inner =
        kind.empty() ? *expr
                     : *llvm::cast<ast::CallExpr>(expr.get())->args[0].value;
    const size_t before = list.size();
    ok &= appendDims(evaluate(inner), inner.loc, list);
    if (kind.empty())
      continue;
    for (pm::DimAttr &dim : llvm::MutableArrayRef(list).drop_front(before)) {
      const auto made = withModes(
          rules(), dimOf(dim),
          kind == "half" ? Dim::Kind::Half : Dim::Kind::Dual, inner.loc);
      ok &= made.has_value();
      if (!made)
        break;
      dim = lower(*made);
    }
  }
  return ok;
}

pm::FieldType Generator::fieldType(llvm::ArrayRef<pm::DimAttr> list,
                                   mlir::Type element, llvm::SMLoc loc,
                                   size_t most) {
  if (!requireFieldDims(rules(), dimsOf(list), most, loc) ||
      !checkLayout(list, loc))
    return nullptr;
  return pm::FieldType::get(&context, list, element);
}

//===----------------------------------------------------------------------===//
// Declared types
//===----------------------------------------------------------------------===//

bool Generator::matchDims(const ast::TypeExpr &type,
                          llvm::ArrayRef<pm::DimAttr> actual,
                          const Argument &arg, llvm::StringRef what,
                          Scope &scope, const llvm::StringSet<> &variables) {
  auto isFree = [&](const ast::ExprPtr &dim) {
    const Value *bound = dim ? scope.find(getDimName(*dim)) : nullptr;
    return bound && bound->isFree();
  };
  if (checker && llvm::any_of(type.dims, isFree)) {
    FreeChecker::bindDims(type, scope, variables);
    return true;
  }
  bool isWhole = false;
  if (!bindDims(rules(), type, dimsOf(actual), arg, what, scope, variables,
                isWhole))
    return false;
  if (isWhole)
    return true;
  Scope *saved = frame->scope;
  frame->scope = &scope;
  llvm::SmallVector<pm::DimAttr> expected;
  bool ok = evaluateDims(type.dims, expected);
  frame->scope = saved;
  if (!ok)
    return false;
  return requireDims(rules(), type, dimsOf(expected), dimsOf(actual), arg,
                     what);
}

Value Generator::matchScalar(const ast::TypeExpr &type, const Argument &arg,
                             llvm::StringRef what) {
  using Base = ast::TypeExpr::Base;
  const Value &value = arg.value;
  if (!checkScalar(rules(), type, arg, what))
    return Value::poison();
  switch (type.base) {
  case Base::Int:
  case Base::U64:
    if (value.isScalar() && type.base == Base::U64)
      return value.asUnsigned();
    return value.isIntLike() ? value : Value::integer(*value.getConstInt());
  case Base::F64:
  case Base::Complex: {
    Unit unit = type.unit && value.hasAnyUnit() ? *type.unit : value.getUnit();
    if (value.isComplex())
      return value.withUnit(unit);
    if (type.base == Base::Complex)
      return Value::complex(value, Value::integer(0), unit);
    if (value.is(Value::Kind::Int))
      return Value::real(double(value.getInt()), unit);
    if (value.isIntLike())
      return scalarOf(materialize(value, f64Type, getLoc(arg.loc)), unit);
    return value.withUnit(unit);
  }
  default:
    return value;
  }
}

Value Generator::matchType(const ast::TypeExpr &type, const Argument &arg,
                           llvm::StringRef what, Scope &scope,
                           const llvm::StringSet<> &variables) {
  if (checker && arg.value.holdsFree() && !arg.value.isFunction())
    return checker->match(type, arg, what);
  // Ints become real numbers where these are wanted.
  bool isReal = type.base == ast::TypeExpr::Base::Field && !type.isIntField &&
                !type.isComplexField;
  Value value = isReal ? withReals(arg.value, arg.loc) : arg.value;
  if (value.isPoison())
    return value;
  if (type.isVector) {
    Value vector = value.is(Value::Kind::Coordinate)
                       ? expandCoordinate(value, arg.loc)
                       : value;
    if (vector.isPoison())
      return vector;
    if (!requireType(rules(), type, arg.with(value), what, vector.isTuple()))
      return Value::poison();
    ast::TypeExpr component;
    component.loc = type.loc;
    component.base = type.base;
    component.isComplexField = type.isComplexField;
    component.isIntField = type.isIntField;
    component.unit = type.unit;
    std::vector<Value> elements;
    std::vector<Dim> tags = vector.getTags().vec();
    for (const Value &element : vector.getElements()) {
      if (type.base == ast::TypeExpr::Base::Field) {
        if (!checkElements(rules(), type, element, arg.with(value), what) ||
            !matchDims(type, lowerField(element).getDims(), arg, what, scope,
                       variables))
          return Value::poison();
        if (tags.empty() &&
            vector.getElements().size() == element.getDims().size())
          for (const Dim &dim : element.getDims())
            tags.push_back(dim.getSpaceDim());
        elements.push_back(type.unit ? element.withUnit(*type.unit) : element);
        continue;
      }
      Argument part = arg;
      part.value = element;
      Value matched = matchScalar(component, part, what);
      if (matched.isPoison())
        return matched;
      elements.push_back(std::move(matched));
    }
    return Value::tuple(std::move(elements), std::move(tags));
  }
  if (type.base != ast::TypeExpr::Base::Field) {
    if (!frame || !frame->element || !value.isField())
      return matchScalar(type, arg, what);
    Argument one = arg;
    one.value = element(value, arg.loc);
    return one.value.isPoison() ? one.value : matchScalar(type, one, what);
  }
  if (!checkElements(rules(), type, value, arg.with(value), what) ||
      !matchDims(type, lowerField(value).getDims(), arg, what, scope,
                 variables))
    return Value::poison();
  return type.unit ? value.withUnit(*type.unit) : value;
}
