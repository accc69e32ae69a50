//===- Particles.cpp - paint, readout -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Particles/Windows.h"
#include "frontend/Sema/DimMessages.h"

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
  bool displacements(unsigned index,
                     llvm::SmallVectorImpl<mlir::Value> &fields);
  bool checkResolution(llvm::ArrayRef<pm::DimAttr> mesh, const Argument &arg);
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
  const char *what = free ? "positions are" : "displacements are";
  if (arg.value.isPoison())
    return false;
  std::vector<Value> components(arg.value.getElements());
  if (arg.value.isField())
    components = {arg.value};
  else if (!arg.value.isTuple())
    components.clear();
  for (const Value &component : components) {
    if (component.isPoison())
      return false;
    if (!component.isField() || component.getStorage() != g.realStorage() ||
        !component.hasTypeOf(components[0])) {
      components.clear();
      break;
    }
  }
  if (components.empty()) {
    g.error(arg, llvm::Twine(what) +
                     " a vector of real fields over the same "
                     "dims, not " +
                     arg.value.describe());
    return false;
  }
  for (const Value &component : components)
    fields.push_back(getSSA(component));
  return true;
}

/// Positions are fields. In f32 a position, the cells in a unit of length and
/// their product are each right to 2^-24: with 2^21 cells all in all to 3/8 of
/// a cell, so that a node is found in its own cell; with 2^22 it may not be.
/// Where the spacing is 1, nodes are whole numbers, which f32 has all up to
/// 2^24.
bool Particles::checkResolution(llvm::ArrayRef<pm::DimAttr> mesh,
                                const Argument &arg) {
  if (g.realType == g.f64Type)
    return true;
  for (pm::DimAttr dim : mesh) {
    auto it = g.dims.find(dim.getName());
    bool whole =
        !dim.isSpace() || (dim.getRefine() == 1 &&
                           (it == g.dims.end() || it->second.lengthIsCells));
    int64_t most = int64_t(1) << (whole ? 24 : 21);
    if (dim.getExtent() <= most)
      continue;
    g.error(arg,
            "positions in f32 cannot tell the " + llvm::Twine(dim.getExtent()) +
                " cells of '" + dim.getLabel() + "' apart, only " +
                llvm::Twine(most) +
                (whole ? "" : " (16777216 where the spacing is 1)") +
                "; compile with --precision=f64, or give displacements from "
                "a lattice, which keep their precision (paint, readout)");
    return false;
  }
  return true;
}

bool Particles::checkLattice(llvm::ArrayRef<pm::DimAttr> mesh,
                             mlir::ValueRange disp, const Argument &arg,
                             pm::WindowAttr window) {
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  size_t count = disp.size();
  if (mesh.size() != count) {
    g.error(arg, "the mesh has " + llvm::Twine(mesh.size()) + " dims, " +
                     describeDims(mesh) + ", but this has " +
                     llvm::Twine(count) +
                     (count == 1 ? " component" : " components") +
                     (mesh.size() > count
                          ? "; dims that count a batch have no length, or the "
                            "components name theirs: for d in (x, y) => ..."
                          : ""));
    return false;
  }
  bool fits = free || mesh.size() == lattice.getRank();
  for (size_t i = 0; fits && i < mesh.size(); ++i) {
    if (mesh[i].isHalf() || (!free && !mesh[i].isSpace())) {
      g.error(call.loc,
              "'" + mesh[i].getLabel() +
                  (mesh[i].isHalf()
                       ? "' is a halved Fourier dim, which has no "
                         "neighbours beyond its ends"
                       : "' is a Fourier dim; a mesh has space dims"));
      return false;
    }
    if (free)
      continue;
    pm::DimAttr own = lattice.getDims()[i];
    fits = own.isSpace() && own.getName() == mesh[i].getName() &&
           mesh[i].getExtent() % own.getExtent() == 0;
  }
  if (!fits) {
    g.error(call.loc, "the mesh " + describeDims(mesh) +
                          " is no refinement of the particles' lattice " +
                          describeDims(lattice.getDims()))
        .range(arg.range);
    return false;
  }
  if (free && !checkResolution(mesh, arg))
    return false;
  llvm::SmallVector<pm::DimAttr> addressed;
  for (auto [i, dim] : llvm::enumerate(mesh))
    if (!window.isBatch(i))
      addressed.push_back(dim);
  if (std::string why = explainOrder(arg.value, dimsOf(addressed), "the mesh");
      !why.empty()) {
    g.error(arg, why);
    return false;
  }
  // Components are lengths along their dims.
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    if (window.isBatch(i))
      continue;
    const Value &component =
        arg.value.isField() ? arg.value : arg.value.getElements()[next++];
    // Modes are counted.
    Unit unit = mesh[i].isSpace() ? g.dimUnit(mesh[i]) : Unit();
    if (component.hasAnyUnit() || component.getUnit().agrees(unit))
      continue;
    g.error(arg, "the component along '" + mesh[i].getLabel() + "' is " +
                     describeUnit(component.getUnit()) +
                     ", but the dim's length is " + describeUnit(unit));
    return false;
  }
  return true;
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
  if (arg.value.isField() &&
      g.lowerField(arg.value).getDims() == lattice.getDims() &&
      arg.value.isFieldOf(Storage::I1))
    return getSSA(arg.value);
  g.error(arg, "'where' wants a field of bools over the particles, " +
                   describeDims(lattice.getDims()) + ", not " +
                   arg.value.describe());
  return std::nullopt;
}

/// One weight of a paint: a field over the particles, or a number, for which
/// the field is null.
bool Particles::isWeight(const Value &weight, const Argument &arg,
                         pm::FieldType lattice) {
  if (weight.isPoison())
    return false;
  if (weight.isField() ? g.lowerField(weight) == lattice
                       : weight.isRealNumber())
    return true;
  g.error(arg,
          weight.isField()
              ? "the weight is a number or a field of the particles, field" +
                    describeDims(lattice.getDims()) + ", not " +
                    weight.describeType()
              : "the weight is a number or a field, or a tuple or record of "
                "them, not " +
                    weight.describeType());
  return false;
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
  Value re = partOf(weight.value, BuiltinId::Real);
  Value im = partOf(weight.value, BuiltinId::Imag);
  if (re.isPoison() || im.isPoison())
    return Value::poison();
  if (g.lowerField(re) != lattice)
    return g.error(weight,
                   "the weight is a number or a field of the particles, "
                   "complex field" +
                       describeDims(lattice.getDims()) + ", not " +
                       weight.value.describeType());
  pm::PaintOp op = emitPaint({getSSA(re), getSSA(im)});
  Value painted = g.lift(
      name, {fieldOf(op.getMeshes()[0], {}), fieldOf(op.getMeshes()[1], {})},
      call.loc,
      [&](llvm::ArrayRef<Value> v) { return Value::complex(v[0], v[1], {}); });
  painted = painted.withUnit(weight.value.getUnit());
  return weight.value.hasAnyUnit() ? painted.withAnyUnit() : painted;
}

Value Particles::paint() {
  if (!g.requireFields(name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp;
  pm::WindowAttr window = Windows(g).of(call, 1);
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
  if (fields.empty())
    return g.error(call[2], "there are no weights");
  auto op = emitPaint(fields);
  std::vector<Value> meshes;
  for (auto [one, mesh] : llvm::zip_equal(weight.getElements(), op.getMeshes()))
    meshes.push_back(withUnitOf(one, mesh));
  return weight.withElements(std::move(meshes));
}

Value Particles::readout() {
  if (!g.requireFields(name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp, meshes;
  pm::WindowAttr window = Windows(g).of(call, 2);
  if (!displacements(1, disp) || !window)
    return Value::poison();
  const Argument &source = call[0];
  std::vector<Value> components(source.value.getElements());
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
  if (components.empty() ||
      llvm::cast<pm::FieldType>(meshes[0].getType()).getElementType() !=
          g.realType)
    return g.error(source, name + " reads fields over the same dims, not " +
                               source.value.describe());
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
  return Particles(*this, call).paint();
}

Value Generator::callReadout(BuiltinCall &call) {
  return Particles(*this, call).readout();
}
