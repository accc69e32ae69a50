//===- ParticleRules.h - What is painted and read ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for the arguments of paint and readout: positions, the mesh, weights
// and windows. A rule returns what is wrong, or an empty text.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_PARTICLERULES_H
#define PMC_FRONTEND_SEMA_PARTICLERULES_H

#include "frontend/Sema/Value.h"

namespace pmc {

/// A dim of the mesh that particles are painted on or read from.
struct MeshDim {
  Dim dim;
  Unit unit;                  ///< of lengths along it
  bool hasWholeNodes = false; ///< nodes are whole numbers
  bool isBatch = false;       ///< positions count sets of particles there
};

struct MeshMistake {
  /// What a message points at: the positions, the call, or the call with the
  /// positions underlined.
  enum class Place : uint8_t { Positions, Call, Both };

  std::string text; ///< empty if nothing is wrong
  Place place = Place::Positions;
};

/// `areFree`: positions, not displacements from a lattice. `real`: how elements
/// of fields are stored.
std::string checkPositions(bool areFree, const Value &value, Storage real);
/// A mesh for positions with `count` components over the dims `lattice`; those
/// that count a batch are not in `positions`.
MeshMistake checkMesh(bool areFree, const Value &positions, size_t count,
                      DimList lattice, const std::vector<MeshDim> &mesh,
                      Storage real);
/// `where = …`.
std::string checkSelection(const Value &value, DimList lattice);
/// One weight of a paint: a number, or a field of the particles.
std::string checkWeight(const Value &weight, DimList lattice, Storage real);
/// A complex field of the particles.
std::string checkComplexWeight(const Value &weight, DimList lattice);
/// {support = …, weight = u => …, accuracy = …}.
std::string checkWindow(const Value &record, int64_t mostSupport);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_PARTICLERULES_H
