//===- TypingCells.cpp - Types of indexed values --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include "llvm/Support/SaveAndRestore.h"

#include <functional>

using namespace pmc;
using ast::BinaryOp;

/// `x + 1`, `8 * X + u - 2`, `7 - x`, and expressions without dims.
Typing::Sum Typing::sumOf(const ast::Expr &expr) {
  auto *negated = llvm::dyn_cast<ast::UnaryExpr>(&expr);
  if (negated && negated->op == ast::UnaryOp::Neg) {
    Sum sum = sumOf(*negated->operand);
    for (auto &[dim, number] : sum.terms)
      number = -number;
    sum.value = unary(negated->op, sum.value);
    return sum;
  }
  auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr);
  const bool isSum =
      binary && llvm::is_contained(
                    {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul}, binary->op);
  if (!isSum) {
    Sum sum{{}, evaluate(expr)};
    if (sum.value.isDim()) {
      sum.terms.push_back({sum.value.getDim(), 1});
      sum.value = Value::integer(0);
    }
    return sum;
  }
  Sum lhs = sumOf(*binary->lhs), rhs = sumOf(*binary->rhs);
  int64_t number = 1;
  if (binary->op == BinaryOp::Mul &&
      !(lhs.terms.empty() && rhs.terms.empty())) {
    const auto known = (lhs.terms.empty() ? lhs : rhs).value.getConstInt();
    if (!known || (!lhs.terms.empty() && !rhs.terms.empty()))
      return {{}, unknown()};
    number = *known;
  }
  Sum sum{{}, this->binary(binary->op, lhs.value, rhs.value)};
  for (const auto &[dim, times] : lhs.terms)
    sum.terms.push_back({dim, times * number});
  for (const auto &[dim, times] : rhs.terms)
    sum.terms.push_back(
        {dim, times * (binary->op == BinaryOp::Sub ? -number : number)});
  return sum;
}

static bool holdsField(const Value &value) {
  return value.isField() || ((value.isTuple() || value.isRecord()) &&
                             llvm::any_of(value.getElements(), holdsField));
}

Value Typing::component(const Value &base, const Value &index,
                        llvm::SMLoc loc) {
  const bool isOne = index.isTuple() && index.getElements().size() == 1;
  const Value &at = isOne ? index.getElements()[0] : index;
  if (base.is(Value::Kind::Coordinate))
    return at.isDim() ? coordinate(base, at.getDim(), /*isIndex=*/false)
                      : component(expanded(base), at, loc);
  if (!base.isTuple())
    return unknown();
  const llvm::ArrayRef<Value> parts = base.getElements();
  if (at.isDim()) {
    const auto part = componentOf(rules(), base, at.getDim(), {}, loc);
    return part ? *part : unknown();
  }
  if (const auto position = at.getConstInt())
    return *position >= 0 && *position < int64_t(parts.size())
               ? parts[size_t(*position)]
               : unknown();
  if (parts.empty() || base.holdsFree())
    return unknown();
  if (at.isFieldOf(Storage::I64) && !place.isElement)
    return componentsAt(base, at, loc);
  if (!at.isFieldOf(Storage::I64) && !(at.isScalar() && at.isIntLike()))
    return unknown();
  // In a map, or without fields, the result is one of several numbers.
  const bool isSelected = place.isElement || llvm::none_of(parts, holdsField);
  llvm::SaveAndRestore<bool> selects(place.isElement, isSelected);
  Value shape = isSelected ? element(parts[0]) : parts[0];
  for (const Value &part : parts.drop_front())
    shape = either(shape, isSelected ? element(part) : part);
  return shape;
}

/// The type of components that a field of ints selects.
Value Typing::componentsAt(const Value &base, const Value &at,
                           llvm::SMLoc loc) {
  const llvm::ArrayRef<Value> parts = base.getElements();
  const Value &first = parts[0];
  auto isLikeFirst = [&](const Value &part) {
    return part.getKind() == first.getKind() &&
           part.getElements().size() == first.getElements().size() &&
           (!part.isRecord() || hasSameMembers(part, first));
  };
  if (first.isTuple() || first.isRecord()) {
    if (!llvm::all_of(parts, isLikeFirst))
      return unknown();
    std::vector<Value> results;
    for (size_t i = 0, n = first.getElements().size(); i < n; ++i) {
      std::vector<Value> choices;
      for (const Value &part : parts)
        choices.push_back(partsLike(part, first)[i]);
      results.push_back(
          componentsAt(Value::tuple(std::move(choices)), at, loc));
    }
    return first.withElements(std::move(results));
  }
  std::vector<std::vector<Dim>> fields{at.getDims().vec()};
  for (const Value &part : parts)
    if (part.isField())
      fields.push_back(part.getDims().vec());
  const std::vector<Dim> domain = broadcast(fields, /*isUnion=*/true);
  return domain.empty() ? unknown() : mapped(domain, [&] {
    return component(base, element(at), loc);
  });
}

/// Whether all dims are space dims. Neighbors along them can be read outside of
/// maps.
static bool isInSpace(const Value &value) {
  if (value.isTuple() || value.isRecord())
    return !value.getElements().empty() &&
           llvm::all_of(value.getElements(), isInSpace);
  return value.isField() && llvm::all_of(value.getDims(), [](const Dim &dim) {
           return dim.isSpace();
         });
}

/// Whether an edge is given by a name such as "zero". Then values beyond the
/// edge have the type of the field.
static bool isNamed(const Value &edge) {
  return edge.isTuple() ? llvm::all_of(edge.getElements(), isNamed)
                        : edge.is(Value::Kind::String);
}

Value Typing::index(const ast::IndexExpr &expr) {
  const Value base = evaluate(*expr.base);
  if (llvm::is_contained(expr.indices, nullptr) || base.isPoison())
    return unknown();
  if (base.is(Value::Kind::Builtin)) {
    const auto dims = listDims(expr.indices);
    return base.getBuiltin() == BuiltinId::Zeros && dims && !place.isElement
               ? Value::field(*dims, real).withAnyUnit()
               : unknown();
  }
  if (base.isStream())
    return sample(base, expr);
  if (expr.edge && !isNamed(evaluate(*expr.edge)))
    return unknown();
  if (!expr.cells.empty())
    return expr.indices.empty() ? cells(base, expr) : unknown();
  std::vector<Sum> sums;
  for (const ast::ExprPtr &index : expr.indices)
    sums.push_back(sumOf(*index));
  const bool isSum =
      !sums.empty() && llvm::isa<ast::BinaryExpr>(*expr.indices.front());
  if (sums.size() == 1 && !expr.edge && !(isSum && !sums[0].terms.empty())) {
    const bool isDim = !sums[0].terms.empty();
    return component(base,
                     isDim ? Value::dim(sums[0].terms[0].first) : sums[0].value,
                     expr.loc);
  }
  // Reading neighbors gives a field of the same type.
  auto isMoved = [](const Sum &sum) {
    return sum.terms.size() == 1 && sum.value.getConstInt();
  };
  return isInSpace(base) && llvm::all_of(sums, isMoved) ? base : unknown();
}

//===----------------------------------------------------------------------===//
// f[x = i]
//===----------------------------------------------------------------------===//

std::optional<unsigned> Typing::findDim(const Value &field,
                                        const ast::Name &name) {
  const Value *local = place.scope ? place.scope->find(name.text) : nullptr;
  if (!local && place.lets)
    if (auto it = place.lets->find(name.text); it != place.lets->end())
      local = &it->second;
  return placeOfName(rules(), field, name, local);
}

/// The type of one cell of a dim. The result lacks this dim.
Value Typing::sliced(const Value &field, unsigned position) {
  std::vector<Dim> kept = field.getDims().vec();
  kept.erase(kept.begin() + position);
  Value cell = Value::scalar(Storage::F64, field.getUnit());
  const bool isComplexHere = isComplex(field.getStorage());
  if (!kept.empty())
    cell = Value::field(std::move(kept),
                        isComplexHere                   ? complexOf(real)
                        : field.isFieldOf(Storage::F64) ? Storage::F64
                                                        : real,
                        field.getUnit());
  else if (isComplexHere)
    cell =
        Value::complex(cell.withUnit({}), cell.withUnit({}), field.getUnit());
  return field.hasAnyUnit() ? cell.withAnyUnit() : cell;
}

Value Typing::cells(const Value &base, const ast::IndexExpr &expr) {
  CellIndexes indexes;
  for (const ast::Argument &cell : expr.cells) {
    if (!cell.value)
      return unknown();
    indexes.push_back({&cell.name, sumOf(*cell.value)});
    Value &value = indexes.back().sum.value;
    if (value.isPoison())
      return unknown();
    if (const auto known = value.getConstInt())
      value = Value::integer(*known);
  }
  return cellsOf(base, indexes, expr.edge != nullptr);
}

/// Whether the modes may be picked. Those of half a spectrum are picked along
/// all transformed dims, or along none.
bool Typing::mayPick(const Value &field, const CellIndexes &indexes) {
  const DimList dims = field.getDims();
  if (llvm::none_of(dims, [](const Dim &dim) { return dim.isHalf(); }))
    return true;
  size_t modes = 0;
  for (const CellIndex &index : indexes) {
    const auto position = findDim(field, *index.name);
    if (!position)
      return false;
    if (!dims[*position].isSpace())
      modes += index.sum.terms.empty() && index.sum.value.isRealNumber();
  }
  const size_t all =
      llvm::count_if(dims, [](const Dim &dim) { return !dim.isSpace(); });
  return modes == 0 || (modes == all && indexes.size() == all);
}

Value Typing::cellsOf(const Value &base, const CellIndexes &indexes,
                      bool hasEdge) {
  if (base.isTuple() || base.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : base.getElements())
      parts.push_back(cellsOf(part, indexes, hasEdge));
    return base.withElements(std::move(parts));
  }
  if (!base.isField() || !mayPick(base, indexes))
    return unknown();
  Value field = base;
  CellIndexes rest;
  bool isGathered = false;
  for (const CellIndex &index : indexes) {
    const auto &[terms, value] = index.sum;
    const bool isKnown = value.is(Value::Kind::Int);
    const bool isReversed =
        llvm::any_of(terms, [](const auto &term) { return term.second < 0; });
    const bool isExact = value.isRealNumber() && !value.isUnsigned() &&
                         base.isFieldOf(Storage::I64);
    // In a map, a computed index usually depends on the element. If it does
    // not, the value is a number of f64, and IR generation finds a wider type
    // than this one.
    const bool isHere = value.isField() || isExact || isReversed ||
                        (place.isElement && !isKnown && value.isRealNumber()) ||
                        (hasEdge && !terms.empty() && !isKnown);
    if (place.isElement && !isKnown && !isHere)
      return unknown();
    isGathered |= isHere;
    if (isHere || !terms.empty()) {
      rest.push_back(index);
      continue;
    }
    const auto position = findDim(field, *index.name);
    if (!position)
      return unknown();
    field = sliced(field, *position);
    if (!field.isField() && &index != &indexes.back())
      return unknown();
  }
  if (rest.empty())
    return field;
  std::vector<const CellIndex *> along(field.getDims().size(), nullptr);
  for (const CellIndex &index : rest) {
    const auto position = findDim(field, *index.name);
    if (!position)
      return unknown();
    along[*position] = &index;
  }
  if (place.isElement && isGathered)
    return element(field);
  std::vector<Dim> dims;
  auto add = [&](const Dim &dim) {
    if (!isGathered || !llvm::is_contained(dims, dim))
      dims.push_back(dim);
  };
  for (auto [dim, index] : llvm::zip_equal(field.getDims(), along)) {
    if (!index) {
      add(dim);
      continue;
    }
    for (const auto &[own, times] : index->sum.terms)
      add(own);
    if (index->sum.value.isField())
      for (const Dim &own : index->sum.value.getDims())
        add(own);
  }
  if (dims.empty())
    return Value::scalar(Storage::I64, field.getUnit());
  const Value read =
      Value::field(std::move(dims), field.getStorage(), field.getUnit());
  return field.hasAnyUnit() ? read.withAnyUnit() : read;
}

/// slice(f, z = a .. b), the mean over some cells, and shift(f, x = 1).
Value Typing::slice(const ast::CallExpr &expr, Arguments args) {
  if (args.size() != 2 || place.isElement)
    return unknown();
  std::function<Value(const Value &)> part = [&](const Value &of) -> Value {
    if (of.isTuple() || of.isRecord()) {
      std::vector<Value> parts;
      for (const Value &one : of.getElements())
        parts.push_back(part(one));
      return of.withElements(std::move(parts));
    }
    const auto position = isInSpace(of) && !of.isFieldOf(Storage::I64)
                              ? findDim(of, expr.args[1].name)
                              : std::nullopt;
    return position ? sliced(of, *position) : unknown();
  };
  return part(args[0].value);
}

Value Typing::shift(Arguments args) {
  for (const Argument &arg : args)
    if (arg.name == "edge" && !isNamed(arg.value))
      return unknown();
  return !args.empty() && isInSpace(args[0].value) ? args[0].value : unknown();
}

/// The number of samples of a stream. Other functions of dims do not accept
/// streams.
Value Typing::sampleCount(BuiltinId id, const Value &stream) {
  if (id != BuiltinId::Cells)
    return unknown();
  const Dim *counted = stream.getCounted();
  return counted ? Value::integer(counted->extent)
                 : Value::scalar(Storage::I64);
}

/// stream[t = i], or for a field of numbers of samples.
Value Typing::sample(const Value &stream, const ast::IndexExpr &expr) {
  if (expr.cells.size() != 1 || !expr.cells[0].value || place.isElement ||
      !isFloat(stream.getStorage()))
    return unknown();
  const Sum sum = sumOf(*expr.cells[0].value);
  if (sum.value.isPoison())
    return unknown();
  std::vector<Dim> dims;
  auto add = [&](const Dim &dim) {
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
  };
  for (const auto &[dim, times] : sum.terms)
    add(dim);
  if (sum.value.isField())
    for (const Dim &dim : sum.value.getDims())
      add(dim);
  llvm::append_range(dims, stream.getDims());
  return Value::field(std::move(dims), stream.getStorage(), stream.getUnit());
}
