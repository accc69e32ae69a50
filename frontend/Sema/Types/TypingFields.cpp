//===- TypingFields.cpp - Types of maps and fields ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Typing.h"

#include "frontend/Sema/Rules/Builtins.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Matrices.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Rules/Fields/Reductions.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// The field in the unit of `like`, which may be undecided.
static Value inUnitOf(const Value &field, const Value &like) {
  const Value result = field.withUnit(like.getUnit());
  return like.hasAnyUnit() ? result.withAnyUnit() : result;
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
  else if (!element.isScalar())
    return unknown();
  else if (element.isChoice())
    storage = real;
  else if (element.isIntLike())
    storage = Storage::I64;
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
  if (some.empty() && program.areDeclaredTogether(*list))
    some = *list;
  return some.empty() ? unknown() : tupleOf(some);
}

/// refine(x, 2) and coarsen(x, 2) of dims and fields.
Value Typing::views(const Argument &arg, const Argument &factor,
                    const Argument *over, bool isFiner) {
  const Value &of = arg.value;
  const auto times = factor.value.getConstInt();
  if (of.holdsFree() || !times || *times < 1)
    return unknown();
  const bool isList =
      of.isTuple() && !of.getElements().empty() && of.getElements()[0].isDim();
  if (!of.isDim() && !isList)
    return viewed(arg, *times, over, isFiner);
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

Value Typing::viewed(const Argument &arg, int64_t factor, const Argument *over,
                     bool isFiner) {
  const Value &of = arg.value;
  if (of.isTuple() || of.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : of.getElements())
      parts.push_back(viewed(arg.with(part), factor, over, isFiner));
    return of.withElements(std::move(parts));
  }
  if (!of.isField())
    return unknown();
  Argument all = arg;
  all.value = over ? over->value : directions(of);
  if (all.value.holdsFree())
    return unknown();
  const auto positions = placeOver(rules(), of.getDims(), all);
  const auto dims = positions ? viewDims(rules(), of.getDims(), *positions,
                                         isFiner, factor, arg, {})
                              : std::nullopt;
  return dims ? inUnitOf(Value::field(*dims, of.getStorage()), of) : unknown();
}

/// piece(x, n).
Value Typing::piece(const Value &of, const Argument &count) {
  const auto cells = readInt(rules(), count, "", 1, 1 << 30);
  if (!of.isDim() || !of.getDim().isSpace() || !cells)
    return unknown();
  return Value::dim(pieceOf(of.getDim(), *cells));
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

/// The dims of the values that particles of a lattice read from a mesh. Dims of
/// the mesh that have no coordinate in the positions are a batch: each particle
/// has a value for each of their cells. Empty if the dims are not known.
std::vector<Dim> Typing::dimsOfReadout(DimList mesh, DimList lattice,
                                       const Value &positions) {
  const size_t count = positions.isTuple() ? positions.getElements().size() : 1;
  if (mesh.size() < count)
    return {};
  std::vector<bool> named, measured;
  for (const Dim &dim : mesh) {
    named.push_back(positions.isTuple() &&
                    llvm::any_of(positions.getTags(), [&](const Dim &tag) {
                      return tag.name == dim.name;
                    }));
    measured.push_back(facts.hasLength(dim.name));
  }
  const auto numNamed = size_t(llvm::count(named, true));
  const auto numMeasured = size_t(llvm::count(measured, true));
  auto isBatch = [&](size_t d) {
    return numNamed == count      ? !named[d]
           : numMeasured == count ? !measured[d]
                                  : d + count < mesh.size();
  };
  if (mesh.size() > count && numNamed != count && numMeasured != count &&
      numMeasured != 0)
    return {};
  std::vector<Dim> dims;
  for (const auto &[d, dim] : llvm::enumerate(mesh))
    if (mesh.size() > count && isBatch(d) && !llvm::is_contained(lattice, dim))
      dims.push_back(dim);
  llvm::append_range(dims, lattice);
  return dims;
}

Value Typing::readOut(Bound args) {
  const Value &source = args[0]->value, &positions = args[1]->value;
  const Value *lattice = firstField(positions), *mesh = firstField(source);
  if (place.isElement || source.holdsFree() || !lattice || !mesh ||
      !isPeriodic(rules(), args[4]))
    return unknown();
  const std::vector<Dim> dims =
      dimsOfReadout(mesh->getDims(), lattice->getDims(), positions);
  if (dims.empty())
    return unknown();
  auto read = [&](const Value &one) {
    const bool isComplexHere = one.isField() && isComplex(one.getStorage());
    return inUnitOf(Value::field(dims, isComplexHere ? complexOf(real) : real),
                    one);
  };
  if (source.isField())
    return read(source);
  std::vector<Value> parts;
  for (const Value &one : source.getElements())
    parts.push_back(read(one));
  return source.withElements(std::move(parts));
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

Value Typing::transformed(bool isForward, const Argument &field,
                          const Argument *over) {
  const Value &value = field.value;
  if (value.isTuple()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(transformed(isForward, field.with(part), over));
    return value.withElements(std::move(parts));
  }
  if (place.isElement || !value.isField() || value.isFieldOf(Storage::I1))
    return unknown();
  const bool isComplexHere = isComplex(value.getStorage());
  if (!isForward && !isComplexHere)
    return unknown();
  const auto positions = placeTransformed(rules(), isForward, field, over);
  if (!positions || positions->empty())
    return unknown();
  std::vector<Dim> dims = value.getDims().vec();
  bool isReal = isForward && !isComplexHere;
  for (const unsigned position : *positions) {
    isReal |= !isForward && dims[position].isHalf();
    dims[position].kind = isForward ? Dim::Kind::Dual : Dim::Kind::Space;
  }
  if (isForward && isReal)
    dims[*llvm::max_element(*positions)].kind = Dim::Kind::Half;
  const Storage storage = isReal && !isForward ? real : complexOf(real);
  return inUnitOf(Value::field(std::move(dims), storage), value);
}

//===----------------------------------------------------------------------===//
// Maps of functions, bins, updates and orders
//===----------------------------------------------------------------------===//

static void appendFields(const Value &value, std::vector<Value> &fields) {
  if (value.isField())
    fields.push_back(value);
  else if (value.isTuple() || value.isRecord())
    for (const Value &part : value.getElements())
      appendFields(part, fields);
}

/// elementwise(f, a).
Value Typing::elementwise(const Argument &function, const Argument &args) {
  if (args.value.holdsFree())
    return unknown();
  Argument given = args;
  given.name = {};
  auto work = [&] {
    return apply(function.value, given, std::nullopt, args.loc);
  };
  std::vector<Value> fields;
  appendFields(args.value, fields);
  if (fields.empty() || place.isElement)
    return work();
  const auto domain = domainOfFields(rules(), fields, args);
  return domain ? mapped(*domain, work) : unknown();
}

Value Typing::bins(const ast::BinsExpr &expr) {
  const Argument count{"", {}, evaluate(*expr.count), expr.count->loc, {}};
  if (place.isElement || count.value.isPoison())
    return unknown();
  const auto domain =
      expr.domain
          ? readDomain(rules(), {"", {}, evaluate(*expr.domain), {}, {}})
          : listDims(expr.dims);
  auto list = readBins(rules(), count, "bins");
  if (!domain || domain->empty() || !list)
    return unknown();
  if (list->dims.empty())
    list->dims.push_back(facts.bins(list->count));
  Value sums = unknown();
  (void)mapped(*domain, [&] {
    Scope scope(place.scope);
    llvm::SaveAndRestore<const Scope *> saved(place.scope, &scope);
    scope.names[expr.variable.text] = Value::coordinate(place.map);
    const Value value = element(evaluate(*expr.body));
    auto summed = [&](const Value &part) {
      return part.isRealNumber() || part.isBoolLike()
                 ? Value::field(list->dims, Storage::F64, part.getUnit())
                 : unknown();
    };
    if (!value.isTuple()) {
      sums = summed(value);
      return value;
    }
    std::vector<Value> parts;
    for (const Value &part : value.getElements())
      parts.push_back(summed(part));
    sums = Value::tuple(std::move(parts));
    return value;
  });
  return expr.where ? Value::tuple({sums, Value::scalar(Storage::I64)}) : sums;
}

/// `with`: some cells of a field get the value, or the value is added to them.
Value Typing::updatedCells(const Value &base, const Value &value, bool adds) {
  if (base.isTuple() || base.isRecord()) {
    const auto given = partsOfUpdate(rules(), base, {"", {}, value, {}, {}});
    if (!given)
      return unknown();
    std::vector<Value> parts;
    for (auto [part, own] : llvm::zip_equal(base.getElements(), *given))
      parts.push_back(updatedCells(part, own, adds));
    return base.withElements(std::move(parts));
  }
  if (!base.isField() || place.isElement)
    return unknown();
  return mapped(base.getDims().vec(), [&]() -> Value {
    const Value before = element(base), after = element(value);
    if (after.isPoison() || !after.isElementwise())
      return unknown();
    if (!adds)
      return either(after, before);
    const Value added =
        join(after, Value::integer(0).withUnit(after.getUnit()), "", real)
            .shape;
    return added.isPoison() ? unknown()
                            : binary(ast::BinaryOp::Add, before, added);
  });
}

Value Typing::updated(const ast::WithExpr &expr) {
  Value field = evaluate(*expr.base);
  for (const ast::CellUpdate &update : expr.updates) {
    const Value value = evaluate(*update.value);
    if (field.holdsFree() || value.holdsFree())
      return unknown();
    field = updatedCells(field, value, update.adds);
  }
  return field;
}

Value Typing::sorted(BuiltinId id, Bound args, llvm::SMLoc loc) {
  const Value &field = args[0]->value;
  if (place.isElement || !acceptCall(rules(), id, args, false, loc) ||
      !field.isField())
    return unknown();
  return id == BuiltinId::Sort
             ? field
             : Value::field(field.getDims().vec(), Storage::I64);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// lapack(name, a, rows, columns), as IRGen/Fields/Matrices.cpp compiles it.
Value Typing::matrices(Bound args, llvm::SMLoc loc) {
  if (place.isElement ||
      !acceptCall(rules(), BuiltinId::Lapack, args, false, loc))
    return unknown();
  const auto function = readMatrixFunction(
      rules(), *args[0], args[4].has_value(), args[5].has_value(), loc);
  const Argument &matrix = *args[1];
  if (!function || !matrix.value.isField())
    return unknown();
  const auto dims = readMatrixDims(rules(), *function, matrix, *args[2],
                                   *args[3], args[4] ? &*args[4] : nullptr);
  if (!dims)
    return unknown();
  bool isComplexHere = false;
  for (const std::optional<Argument> *arg : {&args[1], &args[5]})
    isComplexHere |= *arg && isComplex((*arg)->value.getStorage());
  auto over = [&](llvm::ArrayRef<Dim> own, Unit unit, bool isReal = false) {
    std::vector<Dim> all = dims->batch;
    llvm::append_range(all, own);
    return Value::field(std::move(all),
                        isComplexHere && !isReal ? complexOf(real) : real,
                        unit);
  };
  const Dim &rows = dims->rows, &columns = dims->columns;
  const Unit unit = matrix.value.getUnit();
  switch (*function) {
  case MatrixFunction::Cholesky: {
    const auto root = rootOfMatrix(rules(), matrix);
    return root ? over({rows, columns}, *root) : unknown();
  }
  case MatrixFunction::LogDet:
  case MatrixFunction::DetSign:
    return over({columns}, {}, /*isReal=*/true);
  case MatrixFunction::Eigh:
    return Value::tuple(
        {over({columns}, unit, /*isReal=*/true), over({rows, columns}, {})});
  case MatrixFunction::Svd:
    return Value::tuple({over({rows, *dims->kept}, {}),
                         over({*dims->kept}, unit, /*isReal=*/true),
                         over({columns, *dims->kept}, {})});
  default:
    break;
  }
  const auto others = placeRightHandSide(rules(), *dims, *args[5]);
  if (!others)
    return unknown();
  std::vector<Dim> own{columns};
  llvm::append_range(own, *others);
  return over(own, args[5]->value.getUnit() / unit);
}
