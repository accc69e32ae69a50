//===- ParticleEdges.cpp - What particles meet beyond a mesh --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `readout_at(f, pos, edge = "clamp")` reads a field that has more cells at
// both ends, as the edge says. A paint is the transpose of that. Functions of
// the library's module `fields` do it, of the dims and the reach of the window.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Particles/Windows.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Particles.h"

using namespace pmc;

Value pmc::alignedWith(const Value &vector, DimList mesh) {
  if (!vector.isTuple() ||
      vector.getTags().size() != vector.getElements().size())
    return vector;
  std::vector<Dim> named;
  for (const Dim &dim : mesh)
    if (llvm::any_of(vector.getTags(),
                     [&](const Dim &tag) { return tag.name == dim.name; }))
      named.push_back(dim);
  std::vector<Value> components;
  std::vector<Dim> tags;
  for (size_t place : findPlaces(vector.getTags(), named)) {
    components.push_back(vector.getElements()[place]);
    tags.push_back(vector.getTags()[place]);
  }
  return components.empty()
             ? vector
             : Value::tuple(std::move(components), std::move(tags));
}

Value Generator::callLibrary(llvm::StringRef function,
                             llvm::ArrayRef<Argument> args,
                             llvm::ArrayRef<pm::DimAttr> list,
                             llvm::SMLoc loc) {
  const ModuleInfo *library = program.getCounting();
  const Symbol *symbol =
      requireSymbol(rules(), library, function, LibraryUse::Edges, loc);
  if (!symbol)
    return Value::poison();
  Value callee = makeClosure(llvm::cast<ast::FunctionStmt>(symbol->stmt),
                             nullptr, library, loc);
  return apply(callee, {args, loc, !list.empty(), list});
}

static constexpr unsigned edgeIndex = 4; ///< of all four builtins

/// The first field in a field or a vector of fields; null if there is none.
static const Value *findField(const Value &value) {
  if (value.isField())
    return &value;
  if (value.isTuple() && !value.getElements().empty() &&
      value.getElements()[0].isField())
    return &value.getElements()[0];
  return nullptr;
}

std::optional<Value> Generator::beyondEdges(BuiltinCall &call) {
  constexpr unsigned whereIndex = 3;
  if (!call.has(edgeIndex) || call[edgeIndex].value.isPoison())
    return std::nullopt;
  const Argument &edge = call[edgeIndex];
  const auto known = readChoice<Edge>(rules(), edge, particleEdgeOption);
  if (!known)
    return Value::poison();
  if (*known == Edge::Periodic)
    return std::nullopt;
  const BuiltinId id = call.info.id;
  const bool isPaint = id == BuiltinId::Paint || id == BuiltinId::PaintAt;
  const bool isFree = id == BuiltinId::PaintAt || id == BuiltinId::ReadoutAt;
  Argument positions = call[isPaint ? 0 : 1];
  const Value *particle = findField(call[isPaint ? 0 : 1].value);
  const Value *source = isPaint ? particle : findField(call[0].value);
  const unsigned windowIndex = isPaint ? 1 : 2;
  pm::WindowAttr window = Windows(*this).of(call, windowIndex);
  // What is not a field is told by the call without an edge.
  if (!particle || !source || !window ||
      !requireWholeFields(rules(), ("'" + call.info.name + "'").str(),
                          call.loc))
    return window ? std::nullopt : std::optional(Value::poison());
  llvm::SmallVector<pm::DimAttr> mesh(call.dims);
  if (mesh.empty())
    mesh = lower(source->getDims());
  positions.value = alignedWith(positions.value, dimsOf(mesh));
  if (positions.value.isField())
    positions.value = Value::tuple({positions.value});
  const size_t count = positions.value.getElements().size();
  llvm::SmallVector<bool> addressed(mesh.size(), true);
  if (count < mesh.size())
    addressed = Windows(*this).findAddressed(mesh, positions.value, count);
  if (count > mesh.size() || addressed.empty())
    return std::nullopt;
  std::vector<Value> over, axes;
  for (auto [dim, isAlong] : llvm::zip_equal(mesh, addressed)) {
    if (!isAlong)
      continue;
    if (!requireSpaceEdge(rules(), edge, dimOf(dim)))
      return Value::poison();
    over.push_back(valueOf(dim));
    for (const Dim &own : particle->getDims())
      if (own.name == dimOf(dim).name)
        axes.push_back(Value::dim(own));
  }
  if (!isFree && axes.size() != over.size())
    return std::nullopt;
  auto given = [&](Value value) {
    return Argument{"", {}, std::move(value), call.loc, {}};
  };
  const int64_t reach = int64_t(window.getSupport(0)) / 2 + 1;
  const Value name =
      call.has(windowIndex) ? call[windowIndex].value : Value::string("cic");
  const bool isSelected = call.has(whereIndex);
  llvm::SmallVector<Argument> rest{
      given(name),
      given(Value::boolean(isSelected)),
      given(isSelected ? call[whereIndex].value : Value::boolean(true)),
      given(Value::tuple(over)),
      given(Value::integer(reach)),
      edge};
  rest.back().name = "";
  if (!isFree) {
    positions.value = callLibrary(
        "positions_of", {given(positions.value), given(Value::tuple(axes))}, {},
        call.loc);
    if (positions.value.isPoison())
      return Value::poison();
  }
  positions.name = "";
  if (!isPaint) {
    Argument field = call[0];
    field.name = "";
    rest.insert(rest.begin(), {field, positions});
    return callLibrary("readout_beyond", rest, {}, call.loc);
  }
  rest.insert(rest.begin(), {positions, given(Value())});
  auto paintReal = [&](const Value &weight) {
    rest[1].value = weight;
    return weight.isPoison()
               ? weight
               : callLibrary("paint_beyond", rest, mesh, call.loc);
  };
  auto paintOne = [&](const Value &weight) {
    if (!weight.isField() || !isComplex(weight.getStorage()))
      return paintReal(weight);
    auto partOf = [&](BuiltinId part) {
      return lift("'paint'", weight, call.loc, [&](Elements v) {
        return math(part, v[0].withUnit({}), call.loc);
      });
    };
    Value both = lift(
        "'paint'",
        {paintReal(partOf(BuiltinId::Real)),
         paintReal(partOf(BuiltinId::Imag))},
        call.loc, [&](Elements v) { return Value::complex(v[0], v[1], {}); });
    return both.isPoison() ? both : both.withUnit(weight.getUnit());
  };
  const Value weight = call.has(2) ? call[2].value : Value::integer(1);
  if (!weight.isTuple() && !weight.isRecord())
    return paintOne(weight);
  std::vector<Value> painted;
  for (const Value &one : weight.getElements())
    painted.push_back(paintOne(one));
  return weight.withElements(std::move(painted));
}

/// The result of a call whose edge is "periodic".
Value Generator::withoutEdges(const BuiltinCall &call, const Value &result) {
  if (result.isPoison() || !call.has(edgeIndex) ||
      call[edgeIndex].value.isPoison() ||
      call[edgeIndex].value.getString() == "periodic")
    return result;
  (void)requireKnownDims(rules(), call[edgeIndex], /*areKnown=*/false);
  return Value::poison();
}
