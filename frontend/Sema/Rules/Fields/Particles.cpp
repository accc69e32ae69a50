//===- Particles.cpp - What is painted and read ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Particles.h"

#include "frontend/Sema/Types/DimMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace pmc;

bool pmc::checkPositions(const RuleContext &context, bool areFree,
                         const Argument &positions) {
  const Value &value = positions.value;
  llvm::ArrayRef<Value> components = value.getElements();
  if (value.isField())
    components = value;
  else if (!value.isTuple())
    components = {};
  const bool fits =
      !components.empty() && llvm::all_of(components, [&](const Value &one) {
        return one.isFieldOf(context.real) && one.hasTypeOf(components[0]);
      });
  return fits ||
         context.refuse(
             positions,
             "[PM0601] " +
                 llvm::Twine(areFree ? "positions are" : "displacements are") +
                 " a vector of real fields over the same dims, not " +
                 value.describe());
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
    return "[PM0608] positions in f32 cannot distinguish the " +
           std::to_string(along.dim.extent) + " cells of '" +
           along.dim.getLabel() + "', only " + std::to_string(most) +
           (along.hasWholeNodes ? "" : " (16777216 where the spacing is 1)") +
           "; compile with --precision=f64, or give displacements from "
           "a lattice, which keep their precision (paint, readout)";
  }
  return "";
}

/// The remedy for positions with too few components.
static std::string explainComponents(const Value &value, DimList addressed) {
  const std::string vector = explainVector(value, addressed.size());
  return !vector.empty()
             ? vector
             : "; dims that count a batch have no length, or the components "
               "name theirs: for d in (x, y) => ...";
}

bool pmc::checkMesh(const RuleContext &context, bool areFree,
                    const Argument &positions, size_t count, DimList lattice,
                    const std::vector<MeshDim> &mesh, llvm::SMLoc call) {
  std::vector<Dim> dims, addressed;
  for (const MeshDim &along : mesh) {
    dims.push_back(along.dim);
    if (!along.isBatch)
      addressed.push_back(along.dim);
  }
  if (mesh.size() != count)
    return context.refuse(
        positions,
        "[PM0602] the mesh has " + llvm::Twine(mesh.size()) + " dims, " +
            describeDims(dims) + ", but this has " + llvm::Twine(count) +
            (count == 1 ? " component" : " components") +
            (mesh.size() > count ? explainComponents(positions.value, addressed)
                                 : ""));
  bool fits = areFree || dims.size() == lattice.size();
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    const Dim &dim = dims[i];
    if (dim.isHalf())
      return context.refuse(call, "[PM0505] '" + dim.getLabel() +
                                      "' is a halved Fourier dim, which has no "
                                      "neighbors beyond its ends");
    if (areFree)
      continue;
    if (!dim.isSpace())
      return context.refuse(call, "[PM0505] '" + dim.getLabel() +
                                      "' is a Fourier dim; a mesh has space "
                                      "dims");
    fits = lattice[i].isSpace() && lattice[i].name == dim.name &&
           dim.extent % lattice[i].extent == 0;
  }
  if (!fits) {
    context
        .error(call, "[PM0607] the mesh " + describeDims(dims) +
                         " is not a refinement of the particles' lattice " +
                         describeDims(lattice))
        .range(positions.range);
    return false;
  }
  if (areFree && context.real != Storage::F64)
    if (const std::string why = checkResolution(mesh); !why.empty())
      return context.refuse(positions, why);
  if (const std::string why =
          explainOrder(positions.value, addressed, "the mesh");
      !why.empty())
    return context.refuse(positions, "[PM0602] " + why);
  // Components are lengths along their dims; modes are counted.
  size_t next = 0;
  for (const MeshDim &along : mesh) {
    if (along.isBatch)
      continue;
    const Value &component = positions.value.isField()
                                 ? positions.value
                                 : positions.value.getElements()[next++];
    const Unit unit = along.dim.isSpace() ? along.unit : Unit();
    if (!component.hasAnyUnit() && !component.getUnit().agrees(unit))
      return context.refuse(
          positions, "[PM0404] the component along '" + along.dim.getLabel() +
                         "' is " + describeUnit(component.getUnit()) +
                         ", but the dim's length is " + describeUnit(unit));
  }
  return true;
}

static llvm::ArrayRef<Value> coordinatesOf(const Value &positions) {
  if (positions.isTuple())
    return positions.getElements();
  return positions;
}

bool pmc::checkFriends(const RuleContext &context, const Argument &positions) {
  const Value &value = positions.value;
  llvm::ArrayRef<Value> coordinates = coordinatesOf(value);
  constexpr size_t most = 3;
  const bool areFields =
      !coordinates.empty() && llvm::all_of(coordinates, [&](const Value &one) {
        return one.isFieldOf(context.real) && one.hasTypeOf(coordinates[0]);
      });
  if (!areFields || coordinates.size() > most)
    return context.refuse(
        positions,
        "[PM0610] 'friends_of_friends' requires a vector of one to "
        "three real fields over the same dims, not " +
            (areFields ? std::to_string(coordinates.size()) + " coordinates"
                       : value.describe()));
  for (const Dim &dim : coordinates[0].getDims())
    if (!dim.isSpace())
      return context.refuse(positions,
                            "[PM0610] 'friends_of_friends' works on positions "
                            "over space dims, but '" +
                                dim.getLabel() + "' is a Fourier dim");
  for (const Value &one : coordinates)
    if (!one.hasAnyUnit() && !one.getUnit().agrees(coordinates[0].getUnit()))
      return context.refuse(
          positions, "[PM0404] the coordinates are " +
                         describeUnit(coordinates[0].getUnit()) + " and " +
                         describeUnit(one.getUnit()) + ", expected one unit");
  return true;
}

static bool requireLengthOf(const RuleContext &context, const Argument &arg,
                            const Value &length, const Value &coordinate,
                            llvm::StringRef what) {
  if (!length.isRealNumber())
    return context.refuse(arg, "[PM0610] " + what + " is a number, not " +
                                   length.describe());
  if (length.hasAnyUnit() || coordinate.hasAnyUnit() ||
      length.getUnit().agrees(coordinate.getUnit()))
    return true;
  return context.refuse(
      arg, "[PM0404] " + what + " is " + describeUnit(length.getUnit()) +
               ", but the positions are " + describeUnit(coordinate.getUnit()));
}

bool pmc::requireLinkingLength(const RuleContext &context,
                               const Argument &length, const Value &positions) {
  return requireLengthOf(context, length, length.value,
                         coordinatesOf(positions)[0], "a linking length");
}

std::optional<std::vector<Value>>
pmc::readFriendsBox(const RuleContext &context, const Argument &positions,
                    const Argument *box) {
  llvm::ArrayRef<Value> coordinates = coordinatesOf(positions.value);
  if (!box)
    return std::vector<Value>(coordinates.size(), Value::integer(0));
  llvm::ArrayRef<Value> sides = coordinatesOf(box->value);
  if (sides.size() != coordinates.size()) {
    context.error(
        *box, "[PM0610] the box has " + llvm::Twine(sides.size()) +
                  (sides.size() == 1 ? " side" : " sides") +
                  ", but positions have " + llvm::Twine(coordinates.size()) +
                  (coordinates.size() == 1 ? " coordinate" : " coordinates"));
    return std::nullopt;
  }
  if (box->value.isTuple() && positions.value.isTuple())
    if (const std::string why = explainOrder(positions.value, box->value);
        !why.empty()) {
      context.error(*box, "[PM0610] positions and a box with " + why);
      return std::nullopt;
    }
  for (const Value &side : sides)
    if (!requireLengthOf(context, *box, side, coordinates[0],
                         "a side of the box"))
      return std::nullopt;
  // If the sides are tagged with dims, match them to the coordinates by the
  // names of the dims.
  const auto places =
      findPlaces(box->value.getTags(), positions.value.getTags());
  if (places.size() != sides.size())
    return std::vector<Value>(sides.begin(), sides.end());
  std::vector<Value> aligned;
  for (const size_t place : places)
    aligned.push_back(sides[place]);
  return aligned;
}

bool pmc::checkSelection(const RuleContext &context, const Argument &selection,
                         DimList lattice) {
  const Value &value = selection.value;
  return (value.isFieldOf(Storage::I1) && value.getDims() == lattice) ||
         context.refuse(
             selection,
             "[PM0604] 'where' requires a field of bools over the particles, " +
                 describeDims(lattice) + ", not " + value.describe());
}

/// What a weight should be, which is a field of another type.
static std::string describeWeight(const char *wanted, const Value &weight,
                                  DimList lattice) {
  return std::string(
             "[PM0603] the weight is a number or a field of the particles, ") +
         wanted + describeDims(lattice) + ", not " + weight.describeType();
}

bool pmc::checkWeight(const RuleContext &context, const Argument &arg,
                      DimList lattice) {
  const Value &weight = arg.value;
  if (!weight.isField())
    return weight.isRealNumber() ||
           context.refuse(
               arg, "[PM0603] the weight is a number or a field, or a tuple "
                    "or record of them, not " +
                        weight.describeType());
  return (weight.isFieldOf(context.real) && weight.getDims() == lattice) ||
         context.refuse(arg, describeWeight("field", weight, lattice));
}

bool pmc::checkComplexWeight(const RuleContext &context, const Argument &arg,
                             DimList lattice) {
  return arg.value.getDims() == lattice ||
         context.refuse(arg,
                        describeWeight("complex field", arg.value, lattice));
}

bool pmc::requireWeights(const RuleContext &context, const Argument &weights,
                         size_t count) {
  return count > 0 || context.refuse(weights, "[PM0603] there are no weights");
}

bool pmc::requireMeshes(const RuleContext &context, const Argument &source,
                        llvm::StringRef what, bool areMeshes) {
  return areMeshes ||
         context.refuse(source, "[PM0609] " + what +
                                    " reads fields over the same dims, not " +
                                    source.value.describe());
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// What is wrong with the members of a window, or nothing.
static std::string findWindowMistake(const Value &record, int64_t mostSupport) {
  for (const std::string &name : record.getNames())
    if (name != "support" && name != "weight" && name != "accuracy")
      return "[PM0605] a window has a support, a weight and an accuracy, but "
             "no '" +
             name + "'";
  const Value *width = record.findMember("support");
  const auto support = width ? width->getConstInt() : std::nullopt;
  if (!support || *support < 2 || *support > mostSupport)
    return "[PM0605] the support of a window is a whole number of cells from 2 "
           "to " +
           std::to_string(mostSupport) + ", known when the spec is compiled";
  const Value *weight = record.findMember("weight");
  if (!weight || !weight->isFunction())
    return "[PM0605] a window has a function, weight = u => …, of the distance "
           "from "
           "a particle to a cell in cells";
  const Value *accuracy = record.findMember("accuracy");
  const auto given = accuracy ? accuracy->getConstReal() : std::nullopt;
  if (accuracy && (!given || !(*given > 0) || !(*given < 1)))
    return "[PM0605] the accuracy of a window is a number between 0 and 1, "
           "known "
           "when the spec is compiled";
  return "";
}

bool pmc::checkWindow(const RuleContext &context, const Argument &record,
                      int64_t mostSupport) {
  const std::string why = findWindowMistake(record.value, mostSupport);
  return why.empty() || context.refuse(record, why);
}

std::optional<double> pmc::readWindowWeight(const RuleContext &context,
                                            const Argument &window,
                                            const Value &weight, double x) {
  const auto number = weight.getConstReal();
  if (!number)
    context.error(window,
                  "[PM0605] the window's weight is a number that is known when "
                  "the spec is compiled, not " +
                      weight.describe());
  else if (!std::isfinite(*number))
    context.error(window, "[PM0605] the window's weight at " +
                              std::to_string(x) + " is not finite");
  else
    return number;
  return std::nullopt;
}

bool pmc::requireSmoothWindow(const RuleContext &context,
                              const Argument &window, double found,
                              double accuracy, bool isSmooth) {
  return isSmooth ||
         context.refuse(
             window,
             llvm::formatv(
                 "[PM0605] the window's weight is not smooth enough between "
                 "cells: polynomials reach about {0:e1}, not {1:e1}, "
                 "of its maximum; give an accuracy, or put its kinks "
                 "where cells begin",
                 found, accuracy)
                 .str());
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

bool pmc::requireSpaceEdge(const RuleContext &context, const Argument &edge,
                           const Dim &dim) {
  return dim.isSpace() ||
         context.refuse(edge, "[PM0606] modes of '" + dim.getLabel() +
                                  "' are periodic and have no edge");
}

bool pmc::requireKnownDims(const RuleContext &context, const Argument &edge,
                           bool areKnown) {
  return areKnown ||
         context.refuse(
             edge, "[PM0606] an edge requires positions with known dims; name "
                   "the dims of the components: for d in (x, y) => …");
}
