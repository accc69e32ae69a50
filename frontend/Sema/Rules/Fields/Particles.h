//===- Particles.h - What is painted and read -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for the arguments of paint and readout: positions, the mesh, weights,
// windows and edges.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_PARTICLES_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_PARTICLES_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

/// A dim of the mesh that particles are painted on or read from.
struct MeshDim {
  Dim dim;
  Unit unit;                  ///< of lengths along it
  bool hasWholeNodes = false; ///< nodes are whole numbers
  bool isBatch = false;       ///< positions count sets of particles there
};

/// `areFree`: positions, not displacements from a lattice.
bool checkPositions(const RuleContext &context, bool areFree,
                    const Argument &positions);
/// A mesh for positions with `count` components over the dims `lattice`; those
/// that count a batch are not in the positions. `call` is the place of the
/// call.
bool checkMesh(const RuleContext &context, bool areFree,
               const Argument &positions, size_t count, DimList lattice,
               const std::vector<MeshDim> &mesh, llvm::SMLoc call);
/// `where = …`.
bool checkSelection(const RuleContext &context, const Argument &selection,
                    DimList lattice);
/// One weight of a paint: a number, or a field of the particles.
bool checkWeight(const RuleContext &context, const Argument &weight,
                 DimList lattice);
/// A complex field of the particles.
bool checkComplexWeight(const RuleContext &context, const Argument &weight,
                        DimList lattice);
/// A paint of several weights has some.
bool requireWeights(const RuleContext &context, const Argument &weights,
                    size_t count);
/// The fields that a readout reads have one type, which meshes have.
bool requireMeshes(const RuleContext &context, const Argument &source,
                   llvm::StringRef what, bool areMeshes);

//===--- Friends of friends ---------------------------------------------===//

/// Requires positions that have one to three coordinates, which are real fields
/// over the same space dims.
bool checkFriends(const RuleContext &context, const Argument &positions);
/// Requires a number in the unit of the positions.
bool requireLinkingLength(const RuleContext &context, const Argument &length,
                          const Value &coordinate);
/// Returns the side of the periodic box for each coordinate, which is 0 for a
/// coordinate that is not periodic, or nothing after an error. `box` may be
/// null.
std::optional<std::vector<Value>> readFriendsBox(const RuleContext &context,
                                                 const Argument &positions,
                                                 const Argument *box);

//===--- Windows --------------------------------------------------------===//

/// {support = …, weight = u => …, accuracy = …}.
bool checkWindow(const RuleContext &context, const Argument &record,
                 int64_t mostSupport);
/// The weight of a particle at a distance of x cells.
std::optional<double> readWindowWeight(const RuleContext &context,
                                       const Argument &window,
                                       const Value &weight, double x);
/// Polynomials reach `found` of the maximum of the weight.
bool requireSmoothWindow(const RuleContext &context, const Argument &window,
                         double found, double accuracy, bool isSmooth);

//===--- Edges ----------------------------------------------------------===//

/// Dims of modes have no edge.
bool requireSpaceEdge(const RuleContext &context, const Argument &edge,
                      const Dim &dim);
/// An edge is known only where the compiler knows the dims of positions.
bool requireKnownDims(const RuleContext &context, const Argument &edge,
                      bool areKnown);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_PARTICLES_H
