//===- LoopTypes.cpp - The types that loops carry -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a loop decides whether an initial `0` is an int or an f64, and in
// what unit. Sema evaluates it on types before any op is made.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Typing.h"

using namespace pmc;

/// Whether a loop that begins with such a value may carry another type: a
/// number of any unit, an int, or an f64 that may meet elements of f32.
static bool mayChange(const Value &shape, bool hasNarrowElements) {
  if (!shape.isScalar() && !shape.isField())
    return llvm::any_of(shape.getElements(), [&](const Value &part) {
      return mayChange(part, hasNarrowElements);
    });
  if (shape.hasAnyUnit())
    return true;
  return shape.isScalar() &&
         (shape.isIntLike() ||
          (hasNarrowElements && shape.getStorage() == Storage::F64));
}

Value Generator::typeOfSymbol(const Lookup &found, llvm::StringRef name) {
  Value unknown = Value::free(Type());
  switch (found.symbol->kind) {
  case Symbol::Kind::Const: {
    const auto *stmt = llvm::cast<ast::ConstStmt>(found.symbol->stmt);
    // The library has no mistakes, which would be reported here.
    if (!constValues.count(stmt) && !found.module->isLibrary)
      return unknown;
    const Value value = constValue(*found.module, *stmt);
    return value.isPoison() ? unknown : value;
  }
  case Symbol::Kind::Dim: {
    auto it = dims.find(name);
    return it != dims.end() && it->second.dim ? valueOf(it->second.dim)
                                              : unknown;
  }
  case Symbol::Kind::Param: {
    auto it = params.find(name);
    if (it == params.end() || !it->second.type || it->second.count)
      return unknown;
    const ParamInfo &info = it->second;
    const Value value = Value::scalar(storageOf(info.type), info.unit);
    return info.isUnsigned ? value.asUnsigned() : value;
  }
  case Symbol::Kind::Input: {
    const auto *stmt = llvm::cast<ast::InputStmt>(found.symbol->stmt);
    const auto type =
        llvm::dyn_cast_or_null<pm::FieldType>(inputs.lookup(name));
    if (stmt->streamed || !type)
      return unknown;
    return Value::field(dimsOf(type.getDims()),
                        storageOf(type.getElementType()),
                        stmt->type.unit.value_or(Unit()));
  }
  default:
    return unknown;
  }
}

Value Generator::typeOfLength(const Dim &dim) const {
  auto it = dims.find(dim.name);
  if (it == dims.end() || it->second.lengthIsCells) {
    if (it != dims.end() && it->second.dim)
      return Value::real(double(it->second.dim.getExtent()));
    // The length is the number of cells of the dim that was refined.
    return Value::real(dim.refine > 0 ? double(dim.extent) / double(dim.refine)
                                      : double(dim.extent * -dim.refine));
  }
  return Value::scalar(Storage::F64, it->second.unit);
}

Value Generator::typeBody(const ast::LoopExpr &expr, const Value &carried,
                          bool settles) {
  auto symbols = [&](const Lookup &found, llvm::StringRef name) {
    return typeOfSymbol(found, name);
  };
  auto length = [&](const Dim &dim) { return typeOfLength(dim); };
  auto isLong = [&](llvm::StringRef dim) { return hasLength(dim); };
  Typing typing(program, resolution, realStorage(), symbols, {length, isLong});
  std::vector<Dim> domain;
  Typing::Place place;
  place.module = frame->module;
  place.lets = frame->lets;
  if (const ElementState *element = frame->element) {
    domain = dimsOf(element->domain);
    place.isElement = true;
    place.domain = &domain;
    place.map = element->id;
  }
  auto body = [&](const Value &from) {
    Scope scope(frame->scope);
    Typing::bind(expr.carried, from, scope);
    if (expr.counter)
      scope.names[expr.counter->text] = Value::scalar(Storage::I64);
    place.scope = &scope;
    return typing.evaluate(*expr.body, place);
  };
  if (!settles)
    return body(carried);
  const bool stacks = Typing::findStacking(*expr.body);
  return typing.settle(carried, [&](const Value &from) {
    const Value next = body(from);
    return stacks && next.isTuple() ? next.getElements()[0] : next;
  });
}

Value Generator::typeLoop(const ast::LoopExpr &expr, const Value &init) {
  const bool hasNarrowElements = frame->element && realType != f64Type;
  const Value start = carriedShape(init, realStorage()).shape;
  return checker || start.isPoison() || !mayChange(start, hasNarrowElements)
             ? Value::poison()
             : typeBody(expr, start, /*settles=*/true);
}
