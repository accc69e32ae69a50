//===- Types.cpp - Dims, field types, declared types ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Limits.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/DimMessages.h"

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
  auto it = dims.find(dim.getName());
  if (it == dims.end() || it->second.lengthIsCells) {
    if (it != dims.end() && it->second.dim)
      return Value::real(double(it->second.dim.getExtent()));
    // As long as the dim that it refines has cells.
    int64_t factor = dim.getRefine();
    return Value::real(factor > 0 ? double(dim.getExtent()) / double(factor)
                                  : double(dim.getExtent() * -factor));
  }
  if (frame->constantsOnly)
    return error(loc, "this must be known when the spec is compiled, but the "
                      "length of '" +
                          dim.getName() + "' is known when it runs");
  return atPrologue(*frame->entry, ("length:" + dim.getName()).str(), [&] {
    return scalarOf(pm::LengthOp::create(builder, getLoc(loc), dim.getName()),
                    it->second.unit);
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

/// Null after an error.
/// A dim that the spec does not declare, one for each number of cells.
pm::DimAttr Generator::ownDim(llvm::StringRef base, int64_t cells,
                              llvm::StringMap<int64_t> &known) {
  std::string name = base.str();
  for (const auto &entry : known)
    if (entry.second == cells)
      return pm::DimAttr::get(&context, entry.getKey(), cells);
  if (known.count(name) || dims.count(name))
    name += std::to_string(cells);
  while (dims.count(name) || known.count(name))
    name += "_";
  known[name] = cells;
  pm::DimAttr dim = pm::DimAttr::get(&context, name, cells);
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
  const bool isSomething = value.isFree() && value.getKnown().isKnown() &&
                           !value.getKnown().is(Type::Kind::Dim);
  if ((value.isPoison() || (checker && value.holdsFree())) && !isSomething)
    return false;
  if (value.isDim()) {
    list.push_back(lower(value.getDim()));
    return true;
  }
  if (value.isTuple() && !value.getElements().empty() &&
      llvm::all_of(value.getElements(),
                   [](const Value &e) { return e.isDim(); })) {
    for (const Value &element : value.getElements())
      list.push_back(lower(element.getDim()));
    return true;
  }
  error(loc, "this must be a dim, not " + value.describeType());
  return false;
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
      if (!dim.isSpace()) {
        error(inner.loc, "'" + dim.getLabel() + "' is a dim of modes already");
        ok = false;
        break;
      }
      dim =
          dim.withKind(kind == "half" ? pm::DimKind::Half : pm::DimKind::Dual);
    }
  }
  return ok;
}

pm::FieldType Generator::fieldType(llvm::ArrayRef<pm::DimAttr> list,
                                   mlir::Type element, llvm::SMLoc loc,
                                   size_t most) {
  std::string problem = findFieldProblem(dimsOf(list), most);
  if (!problem.empty()) {
    error(loc, problem);
    return nullptr;
  }
  if (!checkLayout(list, loc))
    return nullptr;
  return pm::FieldType::get(&context, list, element);
}

std::optional<int64_t> Generator::constInt(const Argument &arg,
                                           llvm::StringRef what, int64_t min,
                                           int64_t max) {
  if (arg.value.isPoison())
    return std::nullopt;
  auto value = arg.value.getConstInt();
  if (!value) {
    if (arg.value.isConstNumber())
      error(arg, what + " is an int, not " + arg.value.describe());
    else if (arg.value.isRealNumber())
      error(arg, what + " must be known when the spec is compiled");
    else
      error(arg, what + " is an int, not " + arg.value.describeType());
    return std::nullopt;
  }
  if (*value < min || *value > max) {
    error(arg, what + " must be from " + llvm::Twine(min) + " to " +
                   llvm::Twine(max) + ", not " + llvm::Twine(*value));
    return std::nullopt;
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Declared types
//===----------------------------------------------------------------------===//

std::string Generator::describe(const ast::TypeExpr &type) const {
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
  auto mismatch = [&](const llvm::Twine &more) {
    error(arg, what + " must be " + describe(type) + ", not " +
                   arg.value.describe() + more);
    return false;
  };
  // `D` alone stands for all the dims.
  llvm::StringRef only =
      type.dims.size() == 1 && type.dims[0] && getDimKind(*type.dims[0]).empty()
          ? getDimName(*type.dims[0])
          : "";
  if (isDimListName(only) && variables.contains(only) &&
      !scope.names.count(only)) {
    std::vector<Value> list;
    for (pm::DimAttr dim : actual)
      list.push_back(valueOf(dim));
    scope.names[only] = Value::tuple(std::move(list));
    return true;
  }
  // Bind the plain names that are free, then compare the whole list.
  bool allPlain = llvm::all_of(type.dims, [&](const ast::ExprPtr &dim) {
    if (!dim)
      return false;
    const Value *bound = scope.find(getDimName(*dim));
    return !bound || bound->isDim();
  });
  if (allPlain && type.dims.size() == actual.size())
    for (auto [expr, dim] : llvm::zip_equal(type.dims, actual)) {
      llvm::StringRef name = getDimName(*expr);
      if (variables.contains(name) && !scope.names.count(name))
        scope.names[name] =
            valueOf(getDimKind(*expr).empty() ? dim : getSpaceDim(dim));
    }
  for (const ast::ExprPtr &expr : type.dims)
    if (expr && variables.contains(getDimName(*expr)) &&
        !scope.names.count(getDimName(*expr)))
      return mismatch("");
  Scope *saved = frame->scope;
  frame->scope = &scope;
  llvm::SmallVector<pm::DimAttr> expected;
  bool ok = evaluateDims(type.dims, expected);
  frame->scope = saved;
  if (!ok)
    return false;
  if (llvm::ArrayRef<pm::DimAttr>(expected) == actual)
    return true;
  return mismatch("; here its dims are " +
                  tellApart(dimsOf(expected), dimsOf(actual)));
}

Value Generator::matchScalar(const ast::TypeExpr &type, const Argument &arg,
                             llvm::StringRef what) {
  using Base = ast::TypeExpr::Base;
  const Value &value = arg.value;
  auto mismatch = [&]() -> Value {
    return error(arg, what + " must be " + describe(type) + ", not " +
                          value.describe());
  };
  switch (type.base) {
  case Base::Bool:
    return value.isBoolLike() ? value : mismatch();
  case Base::String:
    return value.is(Value::Kind::String) ? value : mismatch();
  case Base::Table:
    return value.is(Value::Kind::Table) ? value : mismatch();
  case Base::Int:
  case Base::U64:
    if (value.isUnsigned() && type.base == Base::Int)
      return mismatch();
    if (value.isScalar() && value.isIntLike() && type.base == Base::U64)
      return value.asUnsigned();
    if (value.isIntLike())
      return value;
    if (auto constant = value.getConstInt())
      return Value::integer(*constant);
    return mismatch();
  case Base::F64:
  case Base::Complex: {
    bool fits = value.isRealNumber() ||
                (type.base == Base::Complex && value.isComplex());
    if (!fits)
      return mismatch();
    if (type.unit && !value.hasAnyUnit() && !type.unit->agrees(value.getUnit()))
      return mismatch();
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
  case Base::Field:
    break;
  }
  return mismatch();
}

/// Whether a field has the elements that the type says. Bools pass as numbers.
static bool isOfKind(const ast::TypeExpr &type, const Value &field) {
  return isComplex(field.getStorage()) == type.isComplexField &&
         field.isFieldOf(Storage::I64) == type.isIntField;
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
  auto mismatch = [&]() -> Value {
    return error(arg, what + " must be " + describe(type) + ", not " +
                          value.describe());
  };
  if (type.isVector) {
    Value vector = value.is(Value::Kind::Coordinate)
                       ? expandCoordinate(value, arg.loc)
                       : value;
    if (vector.isPoison())
      return vector;
    if (!vector.isTuple())
      return mismatch();
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
        if (!element.isField())
          return mismatch();
        if (!isOfKind(type, element))
          return mismatch();
        if (type.unit && !element.hasAnyUnit() &&
            !type.unit->agrees(element.getUnit()))
          return mismatch();
        if (!matchDims(type, lowerField(element).getDims(), arg, what, scope,
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
  if (!value.isField())
    return mismatch();
  if (!isOfKind(type, value))
    return mismatch();
  if (type.unit && !value.hasAnyUnit() && !type.unit->agrees(value.getUnit()))
    return mismatch();
  if (!matchDims(type, lowerField(value).getDims(), arg, what, scope,
                 variables))
    return Value::poison();
  return type.unit ? value.withUnit(*type.unit) : value;
}
