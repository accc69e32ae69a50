//===- TypingFields.cpp - Types of maps and fields ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Typing.h"

#include "frontend/Sema/Rules/Fields.h"
#include "frontend/Sema/Rules/Neighbors.h"
#include "frontend/Sema/Type.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// The field in the unit of `like`, which may be undecided.
static Value inUnitOf(const Value &field, const Value &like) {
  const Value result = field.withUnit(like.getUnit());
  return like.hasAnyUnit() ? result.withAnyUnit() : result;
}

static Storage complexOf(Storage real) {
  return real == Storage::F32 ? Storage::ComplexF32 : Storage::ComplexF64;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

Value Typing::map(const ast::MapExpr &expr) {
  if (place.isElement)
    return unknown();
  const auto domain =
      expr.domain
          ? readDomain(rules(), {"", {}, evaluate(*expr.domain), {}, {}})
          : listDims(expr.dims);
  if (!domain || domain->empty())
    return unknown();
  return mapped(*domain, [&] {
    Scope scope(place.scope);
    llvm::SaveAndRestore<const Scope *> saved(place.scope, &scope);
    scope.names[expr.variable.text] = Value::coordinate(place.map);
    return evaluate(*expr.body);
  });
}

Value Typing::mapped(const std::vector<Dim> &domain,
                     llvm::function_ref<Value()> body) {
  Place inner = place;
  inner.isElement = true;
  inner.domain = &domain;
  inner.map = ++maps;
  llvm::SaveAndRestore<Place> saved(place, inner);
  llvm::SaveAndRestore<bool> wide(readsWide, false);
  return fieldsOf(element(body()), domain);
}

/// The fields in which Generator::appendYields stores such elements.
Value Typing::fieldsOf(const Value &element, const std::vector<Dim> &domain) {
  if (element.isTuple() || element.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : element.getElements())
      parts.push_back(fieldsOf(part, domain));
    return element.withElements(std::move(parts));
  }
  Storage storage = real;
  if (element.isComplex())
    storage = complexOf(real);
  else if (element.isBoolLike())
    storage = Storage::I1;
  else if (element.isConstNumber())
    storage = element.isElement() ? Storage::I64 : real;
  else if (!element.isScalar() || element.isIntLike())
    return unknown(); // constants count as reals among ints
  else if (readsWide)
    storage = element.getStorage();
  return inUnitOf(Value::field(domain, storage), element);
}

Value Typing::coordinate(const Value &of, const Dim &wanted, bool isIndex) {
  if (!of.is(Value::Kind::Coordinate) || !place.domain ||
      of.getCoordinateMap() != place.map)
    return unknown();
  const auto dim = coordinateDim(rules(), *place.domain, wanted, {});
  if (!dim)
    return unknown();
  Value index = Value::scalar(Storage::F64);
  if (isIndex)
    return index;
  const Value length = facts.length(*dim);
  const Value step =
      dim->isSpace()
          ? binary(ast::BinaryOp::Div, length, Value::real(double(dim->extent)))
          : binary(ast::BinaryOp::Div, Value::real(2 * 3.14159265358979323846),
                   length);
  if (step.isPoison())
    return unknown();
  return step.isConstNumber() && *step.getConstReal() == 1
             ? index
             : binary(ast::BinaryOp::Mul, index, step);
}

Value Typing::expanded(const Value &value) {
  if (!value.is(Value::Kind::Coordinate))
    return value;
  if (!place.domain)
    return unknown();
  std::vector<Value> components;
  std::vector<Dim> tags;
  for (const Dim &dim : *place.domain) {
    components.push_back(coordinate(value, dim, /*isIndex=*/false));
    tags.push_back(dim.getSpaceDim());
  }
  return Value::tuple(std::move(components), std::move(tags));
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

std::optional<std::vector<Dim>>
Typing::listDims(const std::vector<ast::ExprPtr> &exprs) {
  std::vector<Dim> list;
  for (const ast::ExprPtr &expr : exprs) {
    if (!expr)
      return std::nullopt;
    const llvm::StringRef kind = getDimKind(*expr);
    const ast::Expr &inner =
        kind.empty() ? *expr
                     : *llvm::cast<ast::CallExpr>(expr.get())->args[0].value;
    const Value value = evaluate(inner);
    if (value.holdsFree())
      return std::nullopt;
    const auto listed = readDims(rules(), value, inner.loc);
    if (!listed)
      return std::nullopt;
    for (const Dim &dim : *listed) {
      const auto made =
          kind.empty()
              ? std::optional(dim)
              : withModes(rules(), dim,
                          kind == "half" ? Dim::Kind::Half : Dim::Kind::Dual,
                          inner.loc);
      if (!made)
        return std::nullopt;
      list.push_back(*made);
    }
  }
  return list;
}

static Value tupleOf(DimList dims) {
  std::vector<Value> values;
  for (const Dim &dim : dims)
    values.push_back(Value::dim(dim));
  return Value::tuple(std::move(values));
}

Value Typing::dimQuery(BuiltinId id, const Value &dims) {
  if (dims.holdsFree() || (!dims.isDim() && !dims.isTuple()))
    return unknown();
  const auto list = readDims(rules(), dims, {});
  if (!list)
    return unknown();
  std::vector<Value> results;
  std::vector<Dim> tags;
  for (const Dim &dim : *list) {
    tags.push_back(dim.getSpaceDim());
    if (id == BuiltinId::Cells)
      results.push_back(Value::integer(dim.extent));
    else if (id == BuiltinId::Length)
      results.push_back(facts.length(dim));
    else
      results.push_back(binary(ast::BinaryOp::Div, facts.length(dim),
                               Value::real(double(dim.extent))));
  }
  return dims.isDim() ? results[0]
                      : Value::tuple(std::move(results), std::move(tags));
}

Value Typing::dimsOf(const Value &of) {
  const bool isVector = of.isTuple() && !of.getElements().empty();
  const Value &field = isVector ? of.getElements()[0] : of;
  std::vector<Dim> dims;
  if (field.is(Value::Kind::Coordinate) && place.domain)
    dims = *place.domain;
  else if (field.isField())
    dims = field.getDims().vec();
  if (dims.empty())
    return unknown();
  for (Dim &dim : dims)
    dim = dim.getSpaceDim();
  return tupleOf(dims);
}

/// Unknown if no dim has a length: the declarations decide then, and Typing
/// does not read them.
Value Typing::directions(const Value &of) {
  const bool isVector = of.isTuple() && !of.getElements().empty();
  const Value &first = isVector ? of.getElements()[0] : of;
  const Value whole = first.isDim() ? of : dimsOf(of);
  if (whole.holdsFree() || (!whole.isTuple() && !whole.isDim()))
    return unknown();
  const auto list = readDims(rules(), whole, {});
  if (!list)
    return unknown();
  DimList own;
  if (first.isField())
    own = first.getDims();
  else if (first.is(Value::Kind::Coordinate))
    own = *place.domain;
  std::vector<Dim> some;
  for (const Dim &dim : own)
    if (!dim.isSpace())
      some.push_back(dim.getSpaceDim());
  if (some.empty())
    for (const Dim &dim : *list)
      if (facts.hasLength(dim.name))
        some.push_back(dim.getSpaceDim());
  return some.empty() ? unknown() : tupleOf(some);
}

/// refine(x, 2) and coarsen(x, 2) of dims.
Value Typing::views(const Value &of, const Argument &factor, bool isFiner) {
  const bool isList =
      of.isTuple() && !of.getElements().empty() && of.getElements()[0].isDim();
  const auto times = factor.value.getConstInt();
  if (of.holdsFree() || (!of.isDim() && !isList) || !times || *times < 1)
    return unknown();
  const auto list = readDims(rules(), of, {});
  if (!list)
    return unknown();
  std::vector<Dim> made;
  for (const Dim &dim : *list) {
    const auto view = viewOf(rules(), dim, isFiner, *times, {});
    if (!view)
      return unknown();
    made.push_back(*view);
  }
  return of.isDim() ? Value::dim(made[0]) : tupleOf(made);
}

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

/// The first component of positions; null if these are not fields.
static const Value *firstField(const Value &positions) {
  const bool isVector = positions.isTuple() && !positions.getElements().empty();
  const Value &first = isVector ? positions.getElements()[0] : positions;
  return first.isField() ? &first : nullptr;
}

/// Whether the particles are in a periodic box.
static bool isPeriodic(const RuleContext &context,
                       const std::optional<Argument> &edge) {
  return !edge || readChoice<Edge>(context, *edge, particleEdgeOption) ==
                      std::optional(Edge::Periodic);
}

Value Typing::painted(Bound args, std::optional<std::vector<Dim>> mesh) {
  const Value *lattice = firstField(args[0]->value);
  if (place.isElement || !lattice || !isPeriodic(rules(), args[4]))
    return unknown();
  if (!mesh)
    mesh = lattice->getDims().vec();
  Value field = Value::field(*mesh, real);
  if (!args[2])
    return field;
  const Value &weight = args[2]->value;
  if (weight.holdsFree())
    return unknown();
  if (weight.isTuple() || weight.isRecord()) {
    std::vector<Value> parts;
    for (const Value &one : weight.getElements())
      parts.push_back(one.isRealNumber() || one.isFieldOf(real)
                          ? inUnitOf(field, one)
                          : unknown());
    return weight.withElements(std::move(parts));
  }
  if (weight.isField())
    return isComplex(weight.getStorage())
               ? inUnitOf(Value::field(*mesh, complexOf(real)), weight)
               : inUnitOf(field, weight);
  if (weight.isConstNumber() && *weight.getConstReal() == 1)
    return field.withUnit(weight.getUnit());
  return binary(ast::BinaryOp::Mul, weight, field);
}

Value Typing::readOut(Bound args) {
  const Value &source = args[0]->value, &positions = args[1]->value;
  const Value *lattice = firstField(positions), *mesh = firstField(source);
  const size_t directions =
      positions.isTuple() ? positions.getElements().size() : 1;
  // A mesh with more dims has a batch. Typing does not know its values.
  if (place.isElement || source.holdsFree() || !lattice || !mesh ||
      mesh->getDims().size() != directions || !isPeriodic(rules(), args[4]))
    return unknown();
  auto read = [&](const Value &one) {
    const bool isComplexHere = one.isField() && isComplex(one.getStorage());
    return inUnitOf(Value::field(lattice->getDims().vec(),
                                 isComplexHere ? complexOf(real) : real),
                    one);
  };
  if (source.isField())
    return read(source);
  std::vector<Value> parts;
  for (const Value &one : source.getElements())
    parts.push_back(read(one));
  return source.withElements(std::move(parts));
}
