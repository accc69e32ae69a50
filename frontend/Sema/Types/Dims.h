//===- Dims.h - Dims of fields, and the rules for them ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dims fields may have, which dims operands must share, and the messages
// about dims that do not fit. It does not depend on values or on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_DIMS_H
#define PMC_FRONTEND_SEMA_TYPES_DIMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmc {

/// A dim of the program, whatever its layout is.
struct Dim {
  enum class Kind : uint8_t { Space, Dual, Half };

  std::string name; ///< of the space dim, without a factor
  int64_t extent = 1;
  int64_t refine = 1; ///< below 1: minus how much coarser it is
  Kind kind = Kind::Space;

  bool isSpace() const { return kind == Kind::Space; }
  bool isHalf() const { return kind == Kind::Half; }
  /// "x", "x*2", "x/2", "kx": what the user sees, unique in a program.
  std::string getLabel() const;
  /// `x` for `kx`.
  Dim getSpaceDim() const;
  bool operator==(const Dim &other) const = default;
};

using DimList = llvm::ArrayRef<Dim>;

/// "[x, y, z]" of labels.
std::string describeDims(DimList dims);
/// The expected dims, and the actual ones if their names are the same.
std::string tellApart(DimList expected, DimList actual);
/// "; …": how the dims of two fields differ where their names do not tell it;
/// empty if these do.
std::string explainDims(DimList first, DimList second);
/// The places of `dims` in `vector`, by their names; empty if they do not have
/// the same names.
std::vector<size_t> findPlaces(DimList vector, DimList dims);
/// Why two vectors do not fit together, component by component; empty if they
/// do. Components over dims of the same names are aligned by name. Vectors that
/// were not made over dims, or over other ones altogether, fit by position.
std::string explainOrder(DimList first, DimList second);
/// The same of a vector and the dims that its components are used along.
std::string explainOrder(DimList vector, DimList dims, llvm::StringRef whose);

/// A dim of `cells` cells with the spacing of the space dim. No spec can name
/// it.
Dim pieceOf(const Dim &dim, int64_t cells);
/// The name and the refinement of the dim that a piece was taken from; absent
/// if the dim is not a piece.
std::optional<Dim> findBaseOfPiece(const Dim &piece);

/// Why no field has these dims; empty if one may. `most`: dims of a field.
std::string findFieldProblem(DimList dims, size_t most);

/// Whether all dims of `part` are in `whole`.
bool isPartOf(DimList part, DimList whole);

/// The dims of the result of an elementwise operation on fields of these dims:
/// those of the widest operand, which the others share. `isUnion`: or else the
/// dims of all, as sums and products have them. Empty if the operands do not
/// fit together.
std::vector<Dim> broadcast(llvm::ArrayRef<std::vector<Dim>> fields,
                           bool isUnion);
/// A dim that `isUnnamed` calls without a name, and one with as many cells,
/// each of which only one of two fields has: the result has both, where one was
/// meant. None if there are no such dims.
std::optional<std::pair<Dim, Dim>>
findTwins(DimList a, DimList b,
          llvm::function_ref<bool(const Dim &)> isUnnamed);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_DIMS_H
