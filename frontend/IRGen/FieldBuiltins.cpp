//===- FieldBuiltins.cpp - FFT, noise, paint, readout ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Positions in the field's dims of what `over = (x, y)` lists.
bool Generator::overDims(const Argument &arg, pm::FieldType type,
                         llvm::SmallVectorImpl<unsigned> &positions) {
  llvm::SmallVector<pm::DimAttr> wanted;
  if (!appendDims(arg.value, arg.loc, wanted))
    return false;
  for (pm::DimAttr dim : wanted) {
    unsigned position = type.getRank();
    for (auto [index, candidate] : llvm::enumerate(type.getDims()))
      if (getSpaceDim(candidate) == getSpaceDim(dim))
        position = index;
    for (auto [index, candidate] : llvm::enumerate(type.getDims()))
      if (position == type.getRank() && candidate.getName() == dim.getName())
        position = index;
    if (position == type.getRank()) {
      error(arg, "the field has no dim '" + dim.getLabel() +
                     "'; its dims are " + describeDims(type.getDims()));
      return false;
    }
    if (llvm::is_contained(positions, position)) {
      error(arg, "'" + dim.getLabel() + "' is twice in the list");
      return false;
    }
    positions.push_back(position);
  }
  llvm::sort(positions);
  return true;
}

/// The mode opposite to one of a half spectrum is that in all Fourier dims; so
/// half spectra are made of real fields without such dims, and the other way.
/// One that it has.
static pm::DimAttr findFourierDim(pm::FieldType real) {
  if (llvm::isa<mlir::FloatType>(real.getElementType()))
    for (pm::DimAttr dim : real.getDims())
      if (!dim.isSpace())
        return dim;
  return {};
}

Value Generator::fourier(BuiltinCall &call, const Value &field) {
  bool forward = call.info.id == BuiltinId::FFT;
  if (field.isTuple()) {
    std::vector<Value> results;
    for (const Value &component : field.getElements())
      results.push_back(fourier(call, component));
    return field.withElements(std::move(results));
  }
  if (field.isPoison())
    return field;
  if (!field.isField())
    return error(call[0], "'" + call.info.name + "' wants a field, not " +
                              field.describeType());
  pm::FieldType type = field.getFieldType();
  if (type.getElementType().isInteger(1))
    return error(call[0], "'" + call.info.name + "' wants numbers, not " +
                              field.describeType());
  if (forward && llvm::isa<mlir::FloatType>(type.getElementType()) &&
      llvm::any_of(type.getDims(), [](pm::DimAttr d) { return d.isHalf(); }))
    return error(call[0], "the transform of " + field.describeType() +
                              " would have two halved dims; make it complex");
  llvm::SmallVector<unsigned> positions;
  if (call.has(1)) {
    if (!overDims(call[1], type, positions))
      return Value::poison();
  } else {
    // ifft inverts what has been transformed.
    bool some = !forward && llvm::any_of(type.getDims(), [](pm::DimAttr dim) {
      return !dim.isSpace();
    });
    for (unsigned i = 0; i < type.getRank(); ++i)
      if (!some || !type.getDims()[i].isSpace())
        positions.push_back(i);
  }
  std::vector<std::string> labels;
  for (unsigned position : positions) {
    pm::DimAttr dim = type.getDims()[position];
    if (dim.isSpace() != forward)
      return error(call[0], "'" + call.info.name + "' transforms " +
                                (forward ? "space" : "Fourier") +
                                " dims, but '" + dim.getLabel() + "' of " +
                                field.describeType() + " is a " +
                                (forward ? "Fourier" : "space") + " dim");
    labels.push_back(getSpaceDim(dim).getLabel());
  }
  llvm::SmallVector<llvm::StringRef> over(labels.begin(), labels.end());
  std::string why;
  pm::FieldType result = forward ? pm::FFTOp::inferType(type, over, why)
                                 : pm::IFFTOp::inferType(type, over, why);
  if (!result)
    return error(call[0], "'" + call.info.name + "' of " +
                              field.describeType() + ": " + why);
  if (pm::DimAttr dim = findFourierDim(forward ? type : result))
    return error(call[0],
                 forward
                     ? "the transform of a real field that still has the "
                       "Fourier dim '" +
                           dim.getLabel() + "'; make it complex: fft(f + 0i)"
                     : "the halved dim is transformed last, or with the "
                       "others, but '" +
                           dim.getLabel() + "' would stay");
  if (!checkLayout(result.getDims(), call.loc))
    return Value::poison();
  mlir::Location at = getLoc(call.loc);
  mlir::ArrayAttr overAttr = builder.getStrArrayAttr(over);
  mlir::Value ssa =
      forward
          ? pm::FFTOp::create(builder, at, result, field.getSSA(), overAttr,
                              mlir::UnitAttr(), mlir::ValueRange())
                .getResult()
          : pm::IFFTOp::create(builder, at, result, field.getSSA(), overAttr,
                               mlir::UnitAttr(), mlir::ValueRange())
                .getResult();
  Value made = Value::field(ssa, field.getUnit());
  return field.hasAnyUnit() ? made.withAnyUnit() : made;
}

Value Generator::callFourier(BuiltinCall &call) {
  if (!requireFields(("'" + call.info.name + "'").str(), call.loc))
    return Value::poison();
  return fourier(call, call[0].value);
}

//===----------------------------------------------------------------------===//
// Constant and random fields
//===----------------------------------------------------------------------===//

Value Generator::constantField(llvm::ArrayRef<pm::DimAttr> list,
                               const Value &value, llvm::SMLoc loc) {
  if (!fieldType(list, realType, loc))
    return Value::poison();
  return buildMap(list, loc, [&] { return value; });
}

Value Generator::callZeros(BuiltinCall &call) {
  Value zeros = constantField(call.dims, Value::integer(0), call.loc);
  return zeros.isPoison() ? zeros : zeros.withAnyUnit();
}

Value Generator::callConstant(BuiltinCall &call) {
  const Value &value = call[0].value;
  if (value.isPoison())
    return value;
  if (!value.isNumber() && !value.isBoolLike() && !value.isTuple())
    return error(call[0],
                 "'constant' wants a number, not " + value.describeType());
  return constantField(call.dims, value, call.loc);
}

Value Generator::callWhiteNoise(BuiltinCall &call) {
  if (!requireFields("'white_noise'", call.loc))
    return Value::poison();
  const Argument &seed = call[0];
  if (seed.value.isPoison())
    return seed.value;
  if (!seed.value.isIntLike())
    return error(seed, "the seed is an int, not " + seed.value.describe());
  pm::FieldType type = fieldType(call.dims, realType, call.loc);
  if (!type)
    return Value::poison();
  mlir::Location at = getLoc(call.loc);
  auto op = pm::WhiteNoiseOp::create(builder, at, type,
                                     materialize(seed.value, i64Type, at),
                                     mlir::ValueRange());
  return Value::field(op.getResult());
}

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

/// The components of a displacement (or position): real fields of one type.
bool Generator::displacements(BuiltinCall &call, unsigned index, bool free,
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
    if (!component.isField() ||
        component.getFieldType().getElementType() != realType ||
        component.getType() != components[0].getType()) {
      components.clear();
      break;
    }
  }
  if (components.empty()) {
    error(arg, llvm::Twine(what) +
                   " a vector of real fields over the same "
                   "dims, not " +
                   arg.value.describe());
    return false;
  }
  for (const Value &component : components)
    fields.push_back(component.getSSA());
  return true;
}

/// Positions are fields. In f32 a position, the cells in a unit of length and
/// their product are each right to 2^-24: with 2^21 cells all in all to 3/8 of
/// a cell, so that a node is found in its own cell; with 2^22 it may not be.
/// Where the spacing is 1, nodes are whole numbers, which f32 has all up to
/// 2^24.
bool Generator::checkResolution(llvm::ArrayRef<pm::DimAttr> mesh,
                                const Argument &arg) {
  if (realType == f64Type)
    return true;
  for (pm::DimAttr dim : mesh) {
    auto it = dims.find(dim.getName());
    bool whole =
        !dim.isSpace() || (dim.getRefine() == 1 &&
                           (it == dims.end() || it->second.lengthIsCells));
    int64_t most = int64_t(1) << (whole ? 24 : 21);
    if (dim.getExtent() <= most)
      continue;
    error(arg, "positions in f32 cannot tell the " +
                   llvm::Twine(dim.getExtent()) + " cells of '" +
                   dim.getLabel() + "' apart, only " + llvm::Twine(most) +
                   (whole ? "" : " (16777216 where the spacing is 1)") +
                   "; compile with --precision=f64, or give displacements from "
                   "a lattice, which keep their precision (paint, readout)");
    return false;
  }
  return true;
}

bool Generator::checkLattice(BuiltinCall &call,
                             llvm::ArrayRef<pm::DimAttr> mesh,
                             mlir::ValueRange disp, const Argument &arg,
                             bool free, pm::WindowAttr window) {
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  size_t count = disp.size();
  if (mesh.size() != count) {
    error(arg, "the mesh has " + llvm::Twine(mesh.size()) + " dims, " +
                   describeDims(mesh) + ", but this has " + llvm::Twine(count) +
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
      error(call.loc, "'" + mesh[i].getLabel() +
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
    error(call.loc, "the mesh " + describeDims(mesh) +
                        " is no refinement of the particles' lattice " +
                        describeDims(lattice.getDims()))
        .range(arg.range);
    return false;
  }
  if (free && !checkResolution(mesh, arg))
    return false;
  // Components are lengths along their dims.
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    if (window.isBatch(i))
      continue;
    const Value &component =
        arg.value.isField() ? arg.value : arg.value.getElements()[next++];
    // Modes are counted.
    Unit unit = mesh[i].isSpace() ? dimUnit(mesh[i]) : Unit();
    if (component.hasAnyUnit() || component.getUnit().agrees(unit))
      continue;
    error(arg, "the component along '" + mesh[i].getLabel() + "' is " +
                   describeUnit(component.getUnit()) +
                   ", but the dim's length is " + describeUnit(unit));
    return false;
  }
  return true;
}

/// The field of bools over the particles that says which are painted or read:
/// null if all are. Nothing with an error if it is none.
std::optional<mlir::Value> Generator::selectionOf(BuiltinCall &call,
                                                  unsigned index,
                                                  pm::FieldType lattice) {
  if (!call.has(index))
    return mlir::Value();
  const Argument &arg = call[index];
  if (arg.value.isPoison())
    return std::nullopt;
  if (arg.value.isField() &&
      arg.value.getFieldType().getDims() == lattice.getDims() &&
      arg.value.getFieldType().getElementType().isInteger(1))
    return arg.value.getSSA();
  error(arg, "'where' wants a field of bools over the particles, " +
                 describeDims(lattice.getDims()) + ", not " +
                 arg.value.describe());
  return std::nullopt;
}

/// One weight of a paint: a field over the particles, or a number, for which
/// the field is null.
bool Generator::isWeight(const Value &weight, const Argument &arg,
                         pm::FieldType lattice) {
  if (weight.isPoison())
    return false;
  if (weight.isField() ? weight.getType() == lattice : weight.isRealNumber())
    return true;
  error(arg, weight.isField()
                 ? "the weight is a number or a field of the particles, field" +
                       describeDims(lattice.getDims()) + ", not " +
                       weight.describeType()
                 : "the weight is a number or a field, or a tuple or record of "
                   "them, not " +
                       weight.describeType());
  return false;
}

static bool isComplexWeight(const Value &weight) {
  return weight.isField() &&
         llvm::isa<mlir::ComplexType>(weight.getFieldType().getElementType());
}

/// The real or imaginary part of the elements of a complex field.
Value Generator::partOf(llvm::StringRef name, const Value &field, BuiltinId id,
                        llvm::SMLoc loc) {
  return lift(name, field, loc,
              [&](Elements v) { return math(id, v[0].withUnit({}), loc); });
}

/// Both parts of a complex weight are painted together.
Value Generator::paintComplex(
    BuiltinCall &call, pm::FieldType lattice,
    llvm::function_ref<pm::PaintOp(llvm::ArrayRef<mlir::Value>)> paint) {
  std::string name = ("'" + call.info.name + "'").str();
  const Argument &weight = call[2];
  Value re = partOf(name, weight.value, BuiltinId::Real, call.loc);
  Value im = partOf(name, weight.value, BuiltinId::Imag, call.loc);
  if (re.isPoison() || im.isPoison())
    return Value::poison();
  if (re.getType() != lattice)
    return error(weight, "the weight is a number or a field of the particles, "
                         "complex field" +
                             describeDims(lattice.getDims()) + ", not " +
                             weight.value.describeType());
  pm::PaintOp op = paint({re.getSSA(), im.getSSA()});
  Value painted = lift(
      name,
      {Value::field(op.getMeshes()[0], {}),
       Value::field(op.getMeshes()[1], {})},
      call.loc, [&](Elements v) { return Value::complex(v[0], v[1], {}); });
  painted = painted.withUnit(weight.value.getUnit());
  return weight.value.hasAnyUnit() ? painted.withAnyUnit() : painted;
}

Value Generator::callPaint(BuiltinCall &call) {
  bool free = call.info.id == BuiltinId::PaintAt;
  std::string name = ("'" + call.info.name + "'").str();
  if (!requireFields(name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp;
  pm::WindowAttr window = windowOf(call, 1);
  if (!displacements(call, 0, free, disp) || !window)
    return Value::poison();
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  llvm::SmallVector<pm::DimAttr> mesh(call.dims);
  if (mesh.empty())
    mesh.assign(lattice.getDims().begin(), lattice.getDims().end());
  if (!addBatch(mesh, call[0], free, disp, window) ||
      !checkLattice(call, mesh, disp, call[0], free, window))
    return Value::poison();
  lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  pm::FieldType type = fieldType(mesh, realType, call.loc);
  if (!type)
    return Value::poison();
  std::optional<mlir::Value> where = selectionOf(call, 3, lattice);
  if (!where)
    return Value::poison();
  auto paint = [&](llvm::ArrayRef<mlir::Value> weights) {
    llvm::SmallVector<mlir::Type> types(std::max<size_t>(weights.size(), 1),
                                        type);
    return pm::PaintOp::create(builder, getLoc(call.loc), types, window, free,
                               /*orders=*/nullptr, disp, weights, *where);
  };
  auto withUnitOf = [](const Value &weight, mlir::Value mesh) {
    Value painted = Value::field(mesh).withUnit(weight.getUnit());
    return weight.hasAnyUnit() ? painted.withAnyUnit() : painted;
  };
  Value weight = call.has(2) ? call[2].value : Value::integer(1);
  if (isComplexWeight(weight))
    return paintComplex(call, lattice, paint);
  if (!weight.isTuple() && !weight.isRecord()) {
    if (call.has(2) && !isWeight(weight, call[2], lattice))
      return Value::poison();
    if (weight.isField())
      return withUnitOf(weight, paint(weight.getSSA()).getMeshes().front());
    Value painted = Value::field(paint({}).getMeshes().front());
    if (weight.isConstNumber() && *weight.getConstReal() == 1)
      return painted.withUnit(weight.getUnit());
    return binary(ast::BinaryOp::Mul, weight, painted,
                  {call.loc, call[2].range, {}});
  }
  // Several weights are painted in one pass.
  llvm::SmallVector<mlir::Value> fields;
  for (const Value &one : weight.getElements()) {
    if (!isWeight(one, call[2], lattice))
      return Value::poison();
    Value field =
        one.isField() ? one : constantField(lattice.getDims(), one, call.loc);
    if (field.isPoison())
      return field;
    fields.push_back(field.getSSA());
  }
  if (fields.empty())
    return error(call[2], "there are no weights");
  auto op = paint(fields);
  std::vector<Value> meshes;
  for (auto [one, mesh] : llvm::zip_equal(weight.getElements(), op.getMeshes()))
    meshes.push_back(withUnitOf(one, mesh));
  return weight.withElements(std::move(meshes));
}

Value Generator::callReadout(BuiltinCall &call) {
  bool free = call.info.id == BuiltinId::ReadoutAt;
  std::string name = ("'" + call.info.name + "'").str();
  if (!requireFields(name, call.loc))
    return Value::poison();
  llvm::SmallVector<mlir::Value> disp, meshes;
  pm::WindowAttr window = windowOf(call, 2);
  if (!displacements(call, 1, free, disp) || !window)
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
    if (!component.isField() ||
        component.getType() != components[0].getType()) {
      components.clear();
      break;
    }
  }
  bool isComplex =
      !components.empty() && llvm::isa<mlir::ComplexType>(
                                 components[0].getFieldType().getElementType());
  // The parts of complex fields are read together.
  auto part = [&](const Value &component, BuiltinId id) {
    return partOf(name, component, id, call.loc);
  };
  for (const Value &component : components) {
    meshes.push_back(
        (isComplex ? part(component, BuiltinId::Real) : component).getSSA());
    if (isComplex)
      meshes.push_back(part(component, BuiltinId::Imag).getSSA());
  }
  if (components.empty() ||
      llvm::cast<pm::FieldType>(meshes[0].getType()).getElementType() !=
          realType)
    return error(source, name + " reads fields over the same dims, not " +
                             source.value.describe());
  auto meshType = llvm::cast<pm::FieldType>(meshes[0].getType());
  if (!addBatch(meshType.getDims(), call[1], free, disp, window) ||
      !checkLattice(call, meshType.getDims(), disp, call[1], free, window))
    return Value::poison();
  auto lattice = llvm::cast<pm::FieldType>(disp[0].getType());
  std::optional<mlir::Value> where = selectionOf(call, 3, lattice);
  if (!where)
    return Value::poison();
  llvm::SmallVector<mlir::Type> types(meshes.size(), lattice);
  auto op =
      pm::ReadoutOp::create(builder, getLoc(call.loc), types, window, free,
                            /*orders=*/nullptr, meshes, disp, *where);
  std::vector<Value> results;
  unsigned next = 0;
  for (const Value &component : components) {
    Value result = Value::field(op.getValues()[next++], {});
    if (isComplex)
      result = lift(name, {result, Value::field(op.getValues()[next++], {})},
                    call.loc,
                    [&](Elements v) { return Value::complex(v[0], v[1], {}); });
    result = result.withUnit(component.getUnit());
    results.push_back(component.hasAnyUnit() ? result.withAnyUnit() : result);
  }
  if (source.value.isField())
    return results[0];
  return source.value.withElements(std::move(results));
}
