//===- Elementwise.cpp - Vectors, fields and maps -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Numbers/Integers.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Types/Dims.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Lifting
//===----------------------------------------------------------------------===//

Value Generator::lift(llvm::StringRef what, Elements args, llvm::SMLoc loc,
                      ElementFn fn, Broadcast broadcast) {
  if (llvm::all_of(args, [](const Value &arg) {
        return arg.isNumber() || arg.isBoolLike();
      }))
    return fn(args);
  llvm::SmallVector<Value, 2> values;
  const Value *vector = nullptr;
  for (const Value &arg : args) {
    values.push_back(
        arg.is(Value::Kind::Coordinate) ? expandCoordinate(arg, loc) : arg);
    if (values.back().isPoison())
      return checker ? FreeChecker::unknown() : Value::poison();
  }
  if (!requireOperands(rules(), what, values, broadcast == Broadcast::Union,
                       loc))
    return Value::poison();
  for (const Value &value : values)
    if (value.isRecord())
      return liftRecords(what, values, loc, fn, broadcast);
  for (const Value &value : values)
    if (value.isTuple() && (!vector || vector->getTags().empty()))
      vector = &value;
  if (!vector)
    return liftFields(values, loc, fn, broadcast);
  std::vector<Value> results;
  for (size_t i = 0, n = vector->getElements().size(); i < n; ++i) {
    if (!tick(loc))
      return Value::poison();
    llvm::SmallVector<Value, 2> parts;
    for (const Value &value : values)
      parts.push_back(value.isTuple() ? partsLike(value, *vector)[i] : value);
    results.push_back(lift(what, parts, loc, fn, broadcast));
  }
  return Value::tuple(std::move(results), vector->getTags().vec());
}

/// Of records with the same members, in any order, and of what goes with each
/// member.
Value Generator::liftRecords(llvm::StringRef what, Elements args,
                             llvm::SMLoc loc, ElementFn fn,
                             Broadcast broadcast) {
  const Value *record =
      llvm::find_if(args, [](const Value &arg) { return arg.isRecord(); });
  std::vector<Value> results;
  for (size_t i = 0, n = record->getElements().size(); i < n; ++i) {
    if (!tick(loc))
      return Value::poison();
    llvm::SmallVector<Value, 2> parts;
    for (const Value &arg : args)
      parts.push_back(arg.isRecord() ? *arg.findMember(record->getNames()[i])
                                     : arg);
    results.push_back(lift(what, parts, loc, fn, broadcast));
    if (results.back().isPoison())
      return Value::poison();
  }
  return record->withElements(std::move(results));
}

/// Results of `bins` are over a dim of their own, which other fields with as
/// many cells do not have.
void Generator::warnTwins(DimList a, DimList b, llvm::SMLoc loc) {
  auto twins = findTwins(
      a, b, [&](const Dim &dim) { return binDims.count(dim.name) > 0; });
  if (!twins || checker || !warnedTwins.insert(loc.getPointer()).second)
    return;
  const std::string name = twins->second.getLabel();
  diags.warning(loc, "[PM0517] the bins and '" + name + "' have " +
                         std::to_string(twins->first.extent) +
                         " cells each, and the result has both dims; bins into "
                         "the dim '" +
                         name + "' are over it: bins q in f into " + name);
}

Value Generator::liftFields(Elements args, llvm::SMLoc loc, ElementFn fn,
                            Broadcast broadcast) {
  std::vector<std::vector<Dim>> fields;
  for (const Value &arg : args)
    if (arg.isField())
      fields.push_back(arg.getDims().vec());
  if (fields.empty())
    return fn(args);
  if (frame->element) {
    llvm::SmallVector<Value, 2> values;
    for (const Value &arg : args) {
      values.push_back(element(arg, loc));
      if (values.back().isPoison())
        return Value::poison();
    }
    return fn(values);
  }
  const std::vector<Dim> common =
      pmc::broadcast(fields, broadcast == Broadcast::Union);
  if (broadcast == Broadcast::Union && fields.size() == 2)
    warnTwins(fields[0], fields[1], loc);
  llvm::SmallVector<pm::DimAttr> domain = lower(common);
  return buildMap(domain, loc, [&] {
    llvm::SmallVector<Value, 2> values;
    for (const Value &arg : args) {
      values.push_back(element(arg, loc));
      if (values.back().isPoison())
        return Value::poison();
    }
    return fn(values);
  });
}

static void appendFields(const Value &value,
                         llvm::SmallVectorImpl<Value> &fields) {
  if (value.isField())
    fields.push_back(value);
  else if (value.isTuple() || value.isRecord())
    for (const Value &part : value.getElements())
      appendFields(part, fields);
}

/// elementwise(f, a): f(a) for numbers, and in a map; else a map of it over the
/// dims of the fields in a.
Value Generator::callElementwise(BuiltinCall &call) {
  llvm::SmallVector<Value> fields;
  appendFields(call[1].value, fields);
  auto work = [&] {
    return apply(
        call[0].value,
        {{{"", {}, call[1].value, call[1].loc, call[1].range}}, call.loc});
  };
  if (fields.empty() || frame->element)
    return work();
  const auto domain = domainOfFields(rules(), fields, call[1]);
  return domain ? buildMap(lower(*domain), call.loc, work) : Value::poison();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

std::unique_ptr<mlir::Block> Generator::buildBody(
    llvm::ArrayRef<pm::DimAttr> domain, llvm::SMLoc loc, ElementState &state,
    llvm::function_ref<bool(llvm::SmallVectorImpl<mlir::Value> &)> fn) {
  auto block = std::make_unique<mlir::Block>();
  state.id = ++numMaps;
  state.domain.assign(domain.begin(), domain.end());
  state.prologue.block = block.get();
  state.loc = loc;
  state.outside = builder.saveInsertionPoint();
  Frame inner = *frame;
  inner.element = &state;
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block.get());
  llvm::SmallVector<mlir::Value> yields;
  if (!fn(yields)) {
    block->dropAllReferences();
    block->dropAllDefinedValueUses();
    return nullptr;
  }
  pm::YieldOp::create(builder, getLoc(loc), yields);
  return block;
}

/// The field with its dims in the order in which they are in the domain.
mlir::Value Generator::inOrderOf(llvm::ArrayRef<pm::DimAttr> domain,
                                 mlir::Value field, mlir::Location at) {
  auto type = llvm::cast<pm::FieldType>(field.getType());
  llvm::ArrayRef<pm::DimAttr> own = type.getDims();
  llvm::SmallVector<pm::DimAttr> wanted;
  llvm::copy_if(domain, std::back_inserter(wanted),
                [&](pm::DimAttr dim) { return llvm::is_contained(own, dim); });
  if (own == llvm::ArrayRef(wanted))
    return field;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(frame->element->outside);
  llvm::SmallVector<mlir::Attribute> terms;
  for (pm::DimAttr dim : own)
    terms.push_back(builder.getDenseI64ArrayAttr(
        {int64_t(llvm::find(wanted, dim) - wanted.begin()), 1}));
  llvm::SmallVector<int64_t> offsets(own.size(), 0);
  llvm::SmallVector<pm::Edge> edges(own.size(), pm::Edge::Periodic);
  return pm::ViewOp::create(
      builder, at, pm::FieldType::get(&context, wanted, type.getElementType()),
      field, mlir::ValueRange(), builder.getDenseI64ArrayAttr(offsets),
      pm::getEdges(&context, edges), builder.getArrayAttr(terms),
      mlir::UnitAttr());
}

Value Generator::element(const Value &value, llvm::SMLoc loc) {
  if (!value.isField())
    return value;
  ElementState &state = *frame->element;
  auto known = state.elements.find(getSSA(value));
  if (known != state.elements.end())
    return known->second;
  if (!requireElement(rules(), dimsOf(state.domain), value, loc))
    return Value::poison();
  mlir::Type type = lowerField(value).getElementType();
  mlir::Location at = getLoc(loc);
  mlir::Value argument = state.prologue.block->addArgument(type, at);
  state.inputs.push_back(inOrderOf(state.domain, getSSA(value), at));
  Value result;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    state.prologue.setInsertionPoint(builder);
    Value re = scalarOf(
        preciseElement(mlir::complex::ReOp::create(builder, at, argument), at));
    Value im = scalarOf(
        preciseElement(mlir::complex::ImOp::create(builder, at, argument), at));
    state.prologue.update(builder);
    result = Value::complex(re, im, value.getUnit());
  } else {
    mlir::OpBuilder::InsertionGuard guard(builder);
    state.prologue.setInsertionPoint(builder);
    result = scalarOf(preciseElement(argument, at), value.getUnit());
    state.prologue.update(builder);
    state.wide |= type == f64Type && realType != f64Type;
  }
  if (value.hasAnyUnit())
    result = result.withAnyUnit();
  state.elements[getSSA(value)] = result;
  return result;
}

/// Fields hold the program's precision, except for those made from f64 ones.
bool Generator::appendYields(const Value &value, bool wide, llvm::SMLoc loc,
                             llvm::SmallVectorImpl<mlir::Value> &yields) {
  mlir::Location at = getLoc(loc);
  switch (value.getKind()) {
  case Value::Kind::Poison:
    return false;
  case Value::Kind::Tuple:
  case Value::Kind::Record: {
    bool ok = true;
    for (const Value &component : value.getElements())
      ok &= appendYields(component, wide, loc, yields);
    return ok;
  }
  case Value::Kind::Complex: {
    mlir::Value re = materialize(value.getRe(), realType, at);
    mlir::Value im = materialize(value.getIm(), realType, at);
    yields.push_back(mlir::complex::CreateOp::create(
        builder, at, mlir::ComplexType::get(realType), re, im));
    return true;
  }
  case Value::Kind::Bool:
    yields.push_back(materialize(value, i1Type, at));
    return true;
  case Value::Kind::Int:
  case Value::Kind::Real:
    yields.push_back(
        materialize(value, value.isElement() ? i64Type : realType, at));
    return true;
  case Value::Kind::Scalar: {
    mlir::Type type = lowerType(value);
    bool keep = type == i1Type || (wide && type == f64Type) ||
                (type == i64Type && !isMadeOfConstants(getSSA(value)));
    yields.push_back(materialize(value, keep ? type : realType, at));
    return true;
  }
  default:
    return requireNumbers(rules(), value, /*isNumber=*/false, loc);
  }
}

/// Looks at fields and coordinates through aggregates.
static bool needsElements(const Value &value) {
  if (value.isField() || value.is(Value::Kind::Coordinate))
    return true;
  return (value.isTuple() || value.isRecord()) &&
         llvm::any_of(value.getElements(), needsElements);
}

Value Generator::elements(const Value &value, llvm::SMLoc loc) {
  if (value.isField())
    return element(value, loc);
  if (value.is(Value::Kind::Coordinate))
    return expandCoordinate(value, loc);
  if (!needsElements(value))
    return value;
  std::vector<Value> parts;
  for (const Value &part : value.getElements())
    parts.push_back(elements(part, loc));
  return value.withElements(std::move(parts));
}

Value Generator::capturedElements(const Value &value, llvm::SMLoc loc) {
  if (!value.isClosure() && !value.is(Value::Kind::Derivative) &&
      !value.isTuple() && !value.isRecord())
    return elements(value, loc);
  std::vector<Value> parts;
  for (const Value &part : value.getElements()) {
    parts.push_back(capturedElements(part, loc));
    if (parts.back().isPoison())
      return Value::poison();
  }
  return value.withElements(std::move(parts));
}

Value Generator::fieldsLike(const Value &shape, mlir::ResultRange results,
                            unsigned &next) {
  if (shape.isTuple() || shape.isRecord()) {
    std::vector<Value> fields;
    for (const Value &component : shape.getElements())
      fields.push_back(fieldsLike(component, results, next));
    return shape.withElements(std::move(fields));
  }
  Value field = fieldOf(results[next++], shape.getUnit());
  return shape.hasAnyUnit() ? field.withAnyUnit() : field;
}

Value Generator::buildMap(llvm::ArrayRef<pm::DimAttr> domain, llvm::SMLoc loc,
                          llvm::function_ref<Value()> body) {
  if (!requireWholeFields(rules(), "this", loc))
    return Value::poison();
  ElementState state;
  Value shape;
  llvm::SmallVector<mlir::Type> types;
  auto block = buildBody(domain, loc, state, [&](auto &yields) {
    shape = body();
    if (!requireBodyValue(rules(), shape, loc))
      shape = Value::poison();
    shape = elements(shape, loc); // what the body only passes on
    if (!appendYields(shape, state.wide, loc, yields))
      return false;
    if (!requireNumbers(rules(), shape, !yields.empty(), loc))
      return false;
    for (mlir::Value yield : yields) {
      pm::FieldType type =
          fieldType(domain, yield.getType(), loc, pm::mostProductDims);
      if (!type)
        return false;
      types.push_back(type);
    }
    return true;
  });
  if (!block)
    return Value::poison();
  auto op = pm::MapOp::create(builder, getLoc(loc), types,
                              pm::DimsAttr::get(&context, domain), state.inputs,
                              mlir::ValueRange());
  op.getBody().push_back(block.release());
  unsigned next = 0;
  return fieldsLike(shape, op.getResults(), next);
}

//===----------------------------------------------------------------------===//
// Domains and coordinates
//===----------------------------------------------------------------------===//

bool Generator::domainOf(const Argument &domain,
                         llvm::SmallVectorImpl<pm::DimAttr> &list) {
  const auto dims = readDomain(rules(), domain);
  if (dims)
    llvm::append_range(list, lower(*dims));
  return dims.has_value();
}

bool Generator::evaluateDomain(const ast::Expr *domain,
                               llvm::ArrayRef<ast::ExprPtr> dimExprs,
                               llvm::SMLoc loc,
                               llvm::SmallVectorImpl<pm::DimAttr> &list) {
  if (!requireWholeFields(rules(), "a map", loc))
    return false;
  if (domain) {
    if (!domainOf(evaluateArgument(*domain), list))
      return false;
  } else if (!evaluateDims(dimExprs, list)) {
    return false;
  }
  // Refuses what no field can have.
  return bool(fieldType(list, realType, loc, pm::mostProductDims));
}

Value Generator::mapExpr(const ast::MapExpr &expr) {
  llvm::SmallVector<pm::DimAttr> domain;
  if (!evaluateDomain(expr.domain.get(), expr.dims, expr.loc, domain)) {
    if (checker)
      return checker->map(expr.variable, {expr.body.get()});
    return Value::poison();
  }
  return buildMap(domain, expr.loc, [&] {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    scope.names[expr.variable.text] = Value::coordinate(frame->element->id);
    return evaluate(*expr.body);
  });
}

Value Generator::expandCoordinate(const Value &coordinate, llvm::SMLoc loc) {
  const bool isOwn =
      frame->element && frame->element->id == coordinate.getCoordinateMap();
  if (!requireOwnMap(rules(), isOwn, loc))
    return Value::poison();
  std::vector<Value> components;
  std::vector<Dim> tags;
  for (pm::DimAttr dim : frame->element->domain) {
    components.push_back(coordinateOf(coordinate, dim, loc, false));
    tags.push_back(dimOf(getSpaceDim(dim)));
  }
  return Value::tuple(std::move(components), std::move(tags));
}

/// Position, wave number or index of the element along a dim of the domain,
/// which may be called by its space dim or by the unrefined one.
Value Generator::coordinateOf(const Value &coordinate, pm::DimAttr wanted,
                              llvm::SMLoc loc, bool indexOnly) {
  ElementState *state = frame->element;
  const bool isOwn = state && state->id == coordinate.getCoordinateMap();
  if (!requireOwnMap(rules(), isOwn, loc))
    return Value::poison();
  const auto own =
      coordinateDim(rules(), dimsOf(state->domain), dimOf(wanted), loc);
  if (!own)
    return Value::poison();
  const pm::DimAttr dim = lower(*own);
  std::string label = dim.getLabel();
  Value index = atPrologue(state->prologue, "index:" + label, [&] {
    return scalarOf(pm::CoordinateOp::create(builder, getLoc(loc), label));
  });
  if (indexOnly)
    return index;
  Value step;
  if (dim.isSpace()) {
    step = dimSpacing(dim, loc);
  } else {
    Value length = dimLength(dim, loc);
    Value turn = Value::real(2 * 3.14159265358979323846);
    Unit unit = Unit() / length.getUnit();
    if (length.isScalar())
      step = atPrologue(*frame->entry, ("mode:" + dim.getName()).str(), [&] {
        return realBinary(ast::BinaryOp::Div, turn, length, unit, loc);
      });
    else
      step = realBinary(ast::BinaryOp::Div, turn, length, unit, loc);
  }
  if (step.isPoison())
    return step;
  if (step.isConstNumber() && *step.getConstReal() == 1)
    return index;
  return atPrologue(state->prologue, "position:" + label, [&] {
    return realBinary(ast::BinaryOp::Mul, index, step, step.getUnit(), loc);
  });
}
