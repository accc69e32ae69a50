//===- ParticleRules.cpp - What is painted and read -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/ParticleRules.h"

#include "frontend/Sema/DimMessages.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

std::string pmc::checkPositions(bool areFree, const Value &value,
                                Storage real) {
  llvm::ArrayRef<Value> components = value.getElements();
  if (value.isField())
    components = value;
  else if (!value.isTuple())
    components = {};
  const bool fits =
      !components.empty() && llvm::all_of(components, [&](const Value &one) {
        return one.isFieldOf(real) && one.hasTypeOf(components[0]);
      });
  if (fits)
    return "";
  return std::string(areFree ? "positions are" : "displacements are") +
         " a vector of real fields over the same dims, not " + value.describe();
}

/// Positions are fields. In f32 a position, the cells in a unit of length and
/// their product are each right to 2^-24: with 2^21 cells all in all to 3/8 of
/// a cell, so that a node is found in its own cell; with 2^22 it may not be.
/// Where the spacing is 1, nodes are whole numbers, which f32 has all up to
/// 2^24.
static std::string checkResolution(const std::vector<MeshDim> &mesh) {
  for (const MeshDim &along : mesh) {
    const int64_t most = int64_t(1) << (along.hasWholeNodes ? 24 : 21);
    if (along.dim.extent <= most)
      continue;
    return "positions in f32 cannot tell the " +
           std::to_string(along.dim.extent) + " cells of '" +
           along.dim.getLabel() + "' apart, only " + std::to_string(most) +
           (along.hasWholeNodes ? "" : " (16777216 where the spacing is 1)") +
           "; compile with --precision=f64, or give displacements from "
           "a lattice, which keep their precision (paint, readout)";
  }
  return "";
}

MeshMistake pmc::checkMesh(bool areFree, const Value &positions, size_t count,
                           DimList lattice, const std::vector<MeshDim> &mesh,
                           Storage real) {
  using Place = MeshMistake::Place;
  std::vector<Dim> dims, addressed;
  for (const MeshDim &along : mesh) {
    dims.push_back(along.dim);
    if (!along.isBatch)
      addressed.push_back(along.dim);
  }
  if (mesh.size() != count)
    return {"the mesh has " + std::to_string(mesh.size()) + " dims, " +
            describeDims(dims) + ", but this has " + std::to_string(count) +
            (count == 1 ? " component" : " components") +
            (mesh.size() > count
                 ? "; dims that count a batch have no length, or the "
                   "components name theirs: for d in (x, y) => ..."
                 : "")};
  bool fits = areFree || dims.size() == lattice.size();
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    const Dim &dim = dims[i];
    if (dim.isHalf() || (!areFree && !dim.isSpace()))
      return {"'" + dim.getLabel() +
                  (dim.isHalf() ? "' is a halved Fourier dim, which has no "
                                  "neighbors beyond its ends"
                                : "' is a Fourier dim; a mesh has space dims"),
              Place::Call};
    if (!areFree)
      fits = lattice[i].isSpace() && lattice[i].name == dim.name &&
             dim.extent % lattice[i].extent == 0;
  }
  if (!fits)
    return {"the mesh " + describeDims(dims) +
                " is not a refinement of the particles' lattice " +
                describeDims(lattice),
            Place::Both};
  if (areFree && real != Storage::F64)
    if (std::string why = checkResolution(mesh); !why.empty())
      return {why};
  if (std::string why = explainOrder(positions, addressed, "the mesh");
      !why.empty())
    return {why};
  // Components are lengths along their dims; modes are counted.
  size_t next = 0;
  for (const MeshDim &along : mesh) {
    if (along.isBatch)
      continue;
    const Value &component =
        positions.isField() ? positions : positions.getElements()[next++];
    const Unit unit = along.dim.isSpace() ? along.unit : Unit();
    if (!component.hasAnyUnit() && !component.getUnit().agrees(unit))
      return {"the component along '" + along.dim.getLabel() + "' is " +
              describeUnit(component.getUnit()) + ", but the dim's length is " +
              describeUnit(unit)};
  }
  return {};
}

std::string pmc::checkSelection(const Value &value, DimList lattice) {
  if (value.isFieldOf(Storage::I1) && value.getDims() == lattice)
    return "";
  return "'where' requires a field of bools over the particles, " +
         describeDims(lattice) + ", not " + value.describe();
}

/// What a weight should be, which is a field of another type.
static std::string describeWeight(const char *wanted, const Value &weight,
                                  DimList lattice) {
  return std::string("the weight is a number or a field of the particles, ") +
         wanted + describeDims(lattice) + ", not " + weight.describeType();
}

std::string pmc::checkWeight(const Value &weight, DimList lattice,
                             Storage real) {
  if (!weight.isField())
    return weight.isRealNumber()
               ? ""
               : "the weight is a number or a field, or a tuple or record of "
                 "them, not " +
                     weight.describeType();
  const bool fits = weight.isFieldOf(real) && weight.getDims() == lattice;
  return fits ? "" : describeWeight("field", weight, lattice);
}

std::string pmc::checkComplexWeight(const Value &weight, DimList lattice) {
  return weight.getDims() == lattice
             ? ""
             : describeWeight("complex field", weight, lattice);
}

std::string pmc::checkWindow(const Value &record, int64_t mostSupport) {
  for (const std::string &name : record.getNames())
    if (name != "support" && name != "weight" && name != "accuracy")
      return "a window has a support, a weight and an accuracy, but no '" +
             name + "'";
  const Value *width = record.findMember("support");
  const auto support = width ? width->getConstInt() : std::nullopt;
  if (!support || *support < 2 || *support > mostSupport)
    return "the support of a window is a whole number of cells from 2 to " +
           std::to_string(mostSupport) + ", known when the spec is compiled";
  const Value *weight = record.findMember("weight");
  if (!weight || !weight->isFunction())
    return "a window has a function, weight = u => …, of the distance from "
           "a particle to a cell in cells";
  const Value *accuracy = record.findMember("accuracy");
  const auto given = accuracy ? accuracy->getConstReal() : std::nullopt;
  if (accuracy && (!given || !(*given > 0) || !(*given < 1)))
    return "the accuracy of a window is a number between 0 and 1, known "
           "when the spec is compiled";
  return "";
}
