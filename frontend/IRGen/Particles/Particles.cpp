//===- Particles.cpp - paint, readout, friends_of_friends -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Particles.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Particles/Windows.h"
#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

namespace pmc {

/// A call of `paint` or `readout`, at displacements from a lattice or, free, at
/// positions.
class Particles {
public:
  Particles(Generator &generator, BuiltinCall &call)
      : g(generator), call(call), free(call.info.id == BuiltinId::PaintAt ||
                                       call.info.id == BuiltinId::ReadoutAt),
        name(("'" + call.info.name + "'").str()) {}

  Value paint();
  Value readout();

private:
  void alignPositions(unsigned index, DimList mesh);
  bool displacements(unsigned index,
                     llvm::SmallVectorImpl<mlir::Value> &fields);
  bool checkLattice(llvm::ArrayRef<pm::DimAttr> mesh, mlir::ValueRange disp,
                    const Argument &arg, pm::WindowAttr window);
  std::optional<mlir::Value> selectionOf(unsigned index, pm::FieldType lattice);
  bool isWeight(const Value &weight, const Argument &arg,
                pm::FieldType lattice);
  Value partOf(const Value &field, BuiltinId id);
  Value paintComplex(
      pm::FieldType lattice,
      llvm::function_ref<pm::PaintOp(llvm::ArrayRef<mlir::Value>)> emitPaint);

  Generator &g;
  BuiltinCall &call;
  bool free;
  std::string name; ///< in messages
};

} // namespace pmc

/// The components of a displacement (or position): real fields of one type.
bool Particles::displacements(unsigned index,
                              llvm::SmallVectorImpl<mlir::Value> &fields) {
  const Argument &arg = call[index];
  const Value &value = arg.value;
  if (value.isPoison() || llvm::any_of(value.getElements(), [](auto &part) {
        return part.isPoison();
      }))
    return false;
  if (!checkPositions(g.rules(), free, arg))
    return false;
  if (value.isField())
    fields.push_back(getSSA(value));
  for (const Value &component : value.getElements())
    fields.push_back(getSSA(component));
  return true;
}

void Particles::alignPositions(unsigned index, DimList mesh) {
  call.args[index]->value = alignedWith(call[index].value, mesh);
}

bool Particles::checkLattice(llvm::ArrayRef<pm::DimAttr> mesh,
                             mlir::ValueRange disp, const Argument &arg,
                             pm::WindowAttr window) {
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  std::vector<MeshDim> dims;
  for (auto [i, dim] : llvm::enumerate(mesh)) {
    auto it = g.dims.find(dim.getName());
    const bool hasUnitSpacing =
        dim.getRefine() == 1 &&
        (it == g.dims.end() || it->second.lengthIsCells);
    dims.push_back({dimOf(dim), dim.isSpace() ? g.dimUnit(dim) : Unit(),
                    !dim.isSpace() || hasUnitSpacing, window.isBatch(i)});
  }
  return checkMesh(g.rules(), free, arg, disp.size(), dimsOf(lattice.getDims()),
                   dims, call.loc);
}

/// The field of bools over the particles that says which are painted or read:
/// null if all are. Nothing with an error if it is none.
std::optional<mlir::Value> Particles::selectionOf(unsigned index,
                                                  pm::FieldType lattice) {
  if (!call.has(index))
    return mlir::Value();
  const Argument &arg = call[index];
  if (arg.value.isPoison())
    return std::nullopt;
  return checkSelection(g.rules(), arg, dimsOf(lattice.getDims()))
             ? std::optional(getSSA(arg.value))
             : std::nullopt;
}

/// One weight of a paint: a field over the particles, or a number, for which
/// the field is null.
bool Particles::isWeight(const Value &weight, const Argument &arg,
                         pm::FieldType lattice) {
  return !weight.isPoison() &&
         checkWeight(g.rules(), arg.with(weight), dimsOf(lattice.getDims()));
}

static bool isComplexWeight(const Value &weight) {
  return weight.isField() && isComplex(weight.getStorage());
}

/// The real or imaginary part of the elements of a complex field.
Value Particles::partOf(const Value &field, BuiltinId id) {
  llvm::SMLoc loc = call.loc;
  return g.lift(name, field, loc, [&](llvm::ArrayRef<Value> v) {
    return g.math(id, v[0].withUnit({}), loc);
  });
}

/// Both parts of a complex weight are painted together.
Value Particles::paintComplex(
    pm::FieldType lattice,
    llvm::function_ref<pm::PaintOp(llvm::ArrayRef<mlir::Value>)> emitPaint) {
  const Argument &weight = call[2];
  if (!checkComplexWeight(g.rules(), weight, dimsOf(lattice.getDims())))
    return Value::poison();
  Value re = partOf(weight.value, BuiltinId::Real);
  Value im = partOf(weight.value, BuiltinId::Imag);
  if (re.isPoison() || im.isPoison())
    return Value::poison();
  pm::PaintOp op = emitPaint({getSSA(re), getSSA(im)});
  Value painted = g.lift(
      name, {fieldOf(op.getMeshes()[0], {}), fieldOf(op.getMeshes()[1], {})},
      call.loc,
      [&](llvm::ArrayRef<Value> v) { return Value::complex(v[0], v[1], {}); });
  painted = painted.withUnit(weight.value.getUnit());
  return weight.value.hasAnyUnit() ? painted.withAnyUnit() : painted;
}

Value Particles::paint() {
  if (!requireWholeFields(g.rules(), name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp;
  pm::WindowAttr window = Windows(g).of(call, 1);
  if (!call.dims.empty())
    alignPositions(0, dimsOf(call.dims));
  else if (llvm::ArrayRef<Value> all = call[0].value.getElements();
           !all.empty() && all[0].isField())
    alignPositions(0, all[0].getDims());
  if (!displacements(0, disp) || !window)
    return Value::poison();
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  llvm::SmallVector<pm::DimAttr> mesh(call.dims);
  if (mesh.empty())
    mesh.assign(lattice.getDims().begin(), lattice.getDims().end());
  if (!Windows(g).addBatch(mesh, call[0], free, disp, window) ||
      !checkLattice(mesh, disp, call[0], window))
    return Value::poison();
  lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  pm::FieldType type = g.fieldType(mesh, g.realType, call.loc);
  if (!type)
    return Value::poison();
  std::optional<mlir::Value> where = selectionOf(3, lattice);
  if (!where)
    return Value::poison();
  auto emitPaint = [&](llvm::ArrayRef<mlir::Value> weights) {
    llvm::SmallVector<mlir::Type> types(std::max<size_t>(weights.size(), 1),
                                        type);
    return pm::PaintOp::create(g.builder, g.getLoc(call.loc), types, window,
                               free,
                               /*orders=*/nullptr, disp, weights, *where);
  };
  auto withUnitOf = [](const Value &weight, mlir::Value mesh) {
    Value painted = fieldOf(mesh).withUnit(weight.getUnit());
    return weight.hasAnyUnit() ? painted.withAnyUnit() : painted;
  };
  Value weight = call.has(2) ? call[2].value : Value::integer(1);
  if (isComplexWeight(weight))
    return paintComplex(lattice, emitPaint);
  if (!weight.isTuple() && !weight.isRecord()) {
    if (call.has(2) && !isWeight(weight, call[2], lattice))
      return Value::poison();
    if (weight.isField())
      return withUnitOf(weight, emitPaint(getSSA(weight)).getMeshes().front());
    Value painted = fieldOf(emitPaint({}).getMeshes().front());
    if (weight.isConstNumber() && *weight.getConstReal() == 1)
      return painted.withUnit(weight.getUnit());
    return g.binary(ast::BinaryOp::Mul, weight, painted,
                    {call.loc, call[2].range, {}});
  }
  // Several weights are painted in one pass.
  llvm::SmallVector<mlir::Value> fields;
  for (const Value &one : weight.getElements()) {
    if (!isWeight(one, call[2], lattice))
      return Value::poison();
    Value field =
        one.isField() ? one : g.constantField(lattice.getDims(), one, call.loc);
    if (field.isPoison())
      return field;
    fields.push_back(getSSA(field));
  }
  if (!requireWeights(g.rules(), call[2], fields.size()))
    return Value::poison();
  auto op = emitPaint(fields);
  std::vector<Value> meshes;
  for (auto [one, mesh] : llvm::zip_equal(weight.getElements(), op.getMeshes()))
    meshes.push_back(withUnitOf(one, mesh));
  return weight.withElements(std::move(meshes));
}

Value Particles::readout() {
  if (!requireWholeFields(g.rules(), name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp, meshes;
  pm::WindowAttr window = Windows(g).of(call, 2);
  const Argument &source = call[0];
  std::vector<Value> components(source.value.getElements());
  if (source.value.isField())
    alignPositions(1, source.value.getDims());
  else if (!components.empty() && components[0].isField())
    alignPositions(1, components[0].getDims());
  if (!displacements(1, disp) || !window)
    return Value::poison();
  if (source.value.isPoison())
    return source.value;
  if (source.value.isField())
    components = {source.value};
  else if (!source.value.isTuple())
    components.clear();
  for (const Value &component : components) {
    if (component.isPoison())
      return component;
    if (!component.isField() || !component.hasTypeOf(components[0])) {
      components.clear();
      break;
    }
  }
  bool isComplex =
      !components.empty() && pmc::isComplex(components[0].getStorage());
  // The parts of complex fields are read together.
  auto part = [&](const Value &component, BuiltinId id) {
    return partOf(component, id);
  };
  for (const Value &component : components) {
    meshes.push_back(
        getSSA((isComplex ? part(component, BuiltinId::Real) : component)));
    if (isComplex)
      meshes.push_back(getSSA(part(component, BuiltinId::Imag)));
  }
  const bool areMeshes =
      !components.empty() &&
      llvm::cast<pm::FieldType>(meshes[0].getType()).getElementType() ==
          g.realType;
  if (!requireMeshes(g.rules(), source, name, areMeshes))
    return Value::poison();
  auto meshType = llvm::cast<pm::FieldType>(meshes[0].getType());
  if (!Windows(g).addBatch(meshType.getDims(), call[1], free, disp, window) ||
      !checkLattice(meshType.getDims(), disp, call[1], window))
    return Value::poison();
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  std::optional<mlir::Value> where = selectionOf(3, lattice);
  if (!where)
    return Value::poison();
  llvm::SmallVector<mlir::Type> types(meshes.size(), lattice);
  auto op =
      pm::ReadoutOp::create(g.builder, g.getLoc(call.loc), types, window, free,
                            /*orders=*/nullptr, meshes, disp, *where);
  std::vector<Value> results;
  unsigned next = 0;
  for (const Value &component : components) {
    Value result = fieldOf(op.getValues()[next++], {});
    if (isComplex)
      result = g.lift(name, {result, fieldOf(op.getValues()[next++], {})},
                      call.loc, [&](llvm::ArrayRef<Value> v) {
                        return Value::complex(v[0], v[1], {});
                      });
    result = result.withUnit(component.getUnit());
    results.push_back(component.hasAnyUnit() ? result.withAnyUnit() : result);
  }
  if (source.value.isField())
    return results[0];
  return source.value.withElements(std::move(results));
}

Value Generator::callPaint(BuiltinCall &call) {
  if (std::optional<Value> painted = beyondEdges(call))
    return *painted;
  return withoutEdges(call, Particles(*this, call).paint());
}

Value Generator::callReadout(BuiltinCall &call) {
  if (std::optional<Value> read = beyondEdges(call))
    return *read;
  return withoutEdges(call, Particles(*this, call).readout());
}

Value Generator::callFriends(BuiltinCall &call) {
  if (!requireWholeFields(rules(), "'friends_of_friends'", call.loc))
    return Value::poison();
  auto isPoison = [](const Value &value) {
    return value.isPoison() ||
           (value.isTuple() &&
            llvm::any_of(value.getElements(),
                         [](const Value &one) { return one.isPoison(); }));
  };
  for (const std::optional<Argument> &arg : call.args)
    if (arg && isPoison(arg->value))
      return Value::poison();
  if (!checkFriends(rules(), call[0]) ||
      !requireLinkingLength(rules(), call[1], call[0].value))
    return Value::poison();
  const auto sides =
      readFriendsBox(rules(), call[0], call.has(2) ? &call[2] : nullptr);
  if (!sides)
    return Value::poison();
  mlir::Location at = getLoc(call.loc);
  llvm::SmallVector<mlir::Value> positions, box;
  if (call[0].value.isField())
    positions.push_back(getSSA(call[0].value));
  else
    for (const Value &one : call[0].value.getElements())
      positions.push_back(getSSA(one));
  for (const Value &side : *sides)
    box.push_back(materialize(side, f64Type, at));
  auto type = llvm::cast<pm::FieldType>(positions[0].getType());
  return fieldOf(pm::FriendsOp::create(
                     builder, at,
                     pm::FieldType::get(&context, type.getDims(), i64Type),
                     positions, materialize(call[1].value, f64Type, at), box,
                     mlir::ValueRange())
                     .getResult());
}
