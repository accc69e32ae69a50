//===- StencilCells.h - Maps of neighbors as cells --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map of few neighbors can be computed in the copy of a box of cells that a
// block of particles reads or paints (`cell` of pm.interpolate and pm.scatter).
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_STENCILS_STENCILCELLS_H
#define PMC_PASSES_STENCILS_STENCILCELLS_H

#include "passes/Optimize/Neighbors.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::passes {

/// The loop over cells in a block's copy has an address for each tap and an
/// array for each value.
constexpr size_t mostTaps = 32, mostValues = 16;

/// Whether the map's results are functions of few elements of fields near
/// each element, all fields and numbers of one type.
bool isStencil(pm::MapOp map);

/// Elements of fields that the map reads.
size_t countTaps(pm::MapOp map);

/// How cells around particles are computed: by blocks of particles on a CPU, in
/// a core's cache, or by single particles on a GPU, from tiles in shared
/// memory.
enum class CellSchedule { Blocks, Tiles };

/// Whether code generation works on the particles of the domain in blocks or
/// tiles: they are many, around lattice sites, and touch few cells of a mesh of
/// this type.
bool fitsBlocks(pm::WindowAttr window, llvm::ArrayRef<pm::DimAttr> domain,
                pm::GridType mesh, int64_t leastElements,
                CellSchedule schedule);
/// The number of cells that the window touches.
int64_t countWindowCells(pm::WindowAttr window, size_t rank);

/// Moves the bodies of maps into a block that has an argument for each element
/// of a field that they read.
class StencilCell {
public:
  StencilCell(mlir::OpBuilder &builder, mlir::Block *block)
      : builder(builder), block(block) {}

  void add(pm::MapOp map);
  /// The value in the block that replaces a map's result.
  mlir::Value lookup(mlir::Value result) const { return values.lookup(result); }
  /// The fields that are read, each once.
  llvm::ArrayRef<mlir::Value> getSources() const {
    return sources.getArrayRef();
  }
  /// The attribute `taps`, with the number of each source.
  llvm::SmallVector<int64_t>
  getNumbers(llvm::function_ref<size_t(mlir::Value)> numberOf) const;

private:
  using Tap = std::pair<mlir::Value, llvm::SmallVector<int64_t>>;

  mlir::Value getTap(const Tap &tap, mlir::Location loc);

  mlir::OpBuilder &builder;
  mlir::Block *block;
  llvm::SmallSetVector<mlir::Value, 4> sources;
  llvm::SmallVector<std::pair<Tap, mlir::Value>> taps;
  mlir::IRMapping values;
};

} // namespace pmc::passes

#endif // PMC_PASSES_STENCILS_STENCILCELLS_H
