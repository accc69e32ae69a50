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

#include "frontend/IRGen/Declarations/Streams.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Types/Shapes.h"

using namespace pmc;

/// Whether a loop may carry another type than that of its initial value: a
/// number of any unit, an int, an f64 in expressions with elements of f32, or a
/// record, which may lose members.
static bool mayChange(const Value &shape, bool hasNarrowElements) {
  if (shape.isRecord())
    return true;
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

Value LoopTypes::typeOf(const Lookup &found, llvm::StringRef name) {
  Value unknown = Value::free(Type());
  switch (found.symbol->kind) {
  case Symbol::Kind::Const: {
    const auto *stmt = llvm::cast<ast::ConstStmt>(found.symbol->stmt);
    // The library has no mistakes, which would be reported here.
    if (!g.constValues.count(stmt) && !found.module->isLibrary)
      return unknown;
    const Value value = g.constValue(*found.module, *stmt);
    return value.isPoison() ? unknown : value;
  }
  case Symbol::Kind::Dim: {
    auto it = g.dims.find(name);
    return it != g.dims.end() && it->second.dim ? valueOf(it->second.dim)
                                                : unknown;
  }
  case Symbol::Kind::Param: {
    auto it = g.params.find(name);
    if (it == g.params.end() || !it->second.type)
      return unknown;
    const ParamInfo &info = it->second;
    if (info.count)
      return Value::tuple(std::vector<Value>(
          size_t(info.count), Value::scalar(Storage::F64, info.unit)));
    const Value value = Value::scalar(storageOf(info.type), info.unit);
    return info.isUnsigned ? value.asUnsigned() : value;
  }
  case Symbol::Kind::Input: {
    const auto *stmt = llvm::cast<ast::InputStmt>(found.symbol->stmt);
    const mlir::Type declared = g.inputs.lookup(name);
    if (!declared || !stmt->type.axes.empty())
      return unknown;
    if (stmt->streamed)
      return Streams(g).get(name, *stmt);
    const auto type = llvm::dyn_cast<pm::FieldType>(declared);
    if (!type) {
      const auto &columns = stmt->type.columns;
      return columns.empty()
                 ? Value::table({}, {})
                 : Value::table(columns[0].unit.unit, columns[1].unit.unit);
    }
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

/// The type of the length of a piece that is not declared yet. Free for other
/// dims.
Value LoopTypes::lengthOfPiece(const Dim &dim) const {
  const auto base = findBaseOfPiece(dim);
  if (!base || !g.dims.count(base->name))
    return Value::free(Type());
  const DimInfo &info = g.dims.find(base->name)->second;
  if (g.hasLength(base->name) || base->refine != 1)
    return Value::scalar(Storage::F64, info.unit);
  return Value::real(dim.refine > 0 ? double(dim.extent) / double(dim.refine)
                                    : double(dim.extent * -dim.refine));
}

/// Evaluates types with the names and the precision at the Generator's place.
Value LoopTypes::ask(
    llvm::function_ref<Value(Typing &, Typing::Place &)> question) {
  auto symbols = [&](const Lookup &found, llvm::StringRef name) {
    return typeOf(found, name);
  };
  // The body can declare dims, such as pieces, that have no length yet.
  auto length = [&](const Dim &dim) {
    const bool isMade =
        g.dims.count(dim.name) || dim.name.find('.') == std::string::npos;
    return isMade ? g.typeOfLength(dim) : lengthOfPiece(dim);
  };
  auto isLong = [&](llvm::StringRef dim) { return g.hasLength(dim); };
  // The body declares dims of bins. The Generator does not have them yet.
  llvm::StringMap<int64_t> made = g.binDims;
  auto bins = [&](int64_t cells) {
    return Dim{g.nameOwnDim("bin", cells, made), cells};
  };
  // Lengths of dims are declared before the main function is made.
  KnownResults early;
  Typing typing(
      g.program, g.resolution,
      {g.isPrecise() ? Storage::F32 : g.realStorage(), g.realStorage()},
      symbols, {length, isLong, bins}, g.mainFunction ? known : early);
  std::vector<Dim> domain;
  Typing::Place place;
  place.module = g.frame->module;
  place.lets = g.frame->lets;
  if (const ElementState *element = g.frame->element) {
    domain = dimsOf(element->domain);
    place.isElement = true;
    place.readsWide = element->wide;
    place.domain = &domain;
    place.map = element->id;
  }
  return question(typing, place);
}

Value LoopTypes::evaluate(const ast::LoopExpr &expr, const Value &carried,
                          bool settles) {
  return ask([&](Typing &typing, Typing::Place &place) {
    auto body = [&](const Value &from) {
      Scope scope(g.frame->scope);
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
  });
}

Value LoopTypes::optimized(const ast::OptimizeStmt &stmt, const Value &method,
                           const Unit &stage, const Value &initial) {
  return ask([&](Typing &typing, Typing::Place &place) {
    Scope scope(g.frame->scope);
    if (stmt.counter)
      scope.names[stmt.counter->text] = Value::scalar(Storage::I64);
    if (stmt.stage)
      scope.names[stmt.stage->text] = Value::scalar(Storage::F64, stage);
    place.scope = &scope;
    return typing.settle(initial, [&](const Value &carried) {
      return typing.optimizedStep(stmt, method, carried, place);
    });
  });
}

Value LoopTypes::carried(const ast::LoopExpr &expr, const Value &init) {
  const bool hasNarrowElements =
      (g.frame->element || g.frame->scalarsOnly) && g.realType != g.f64Type;
  const Value start = carriedShape(init, g.realStorage()).shape;
  return start.isPoison() || !mayChange(start, hasNarrowElements)
             ? Value::poison()
             : evaluate(expr, start, /*settles=*/true);
}
