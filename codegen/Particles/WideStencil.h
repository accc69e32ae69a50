//===- WideStencil.h - The many cells of a wide window ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PARTICLES_WIDESTENCIL_H
#define PMC_CODEGEN_PARTICLES_WIDESTENCIL_H

#include "codegen/Lowering/Halo.h"
#include "codegen/Particles/Chunk.h"

namespace pmc::codegen {

/// A window's cells along a dim of a mesh or its view, one after the other and
/// periodic.
struct TapRange {
  mlir::Value first;  // i32, in the mesh or view
  mlir::Value stride; // from one to the next, in places
  int64_t cells;      // along the dim, all in all; 0: they never wrap
  unsigned support;

  /// The index of the k-th cell along the dim.
  mlir::Value cell(Emit &emit, mlir::Value k) const;
};

/// Weights by dim, order and cell; none of orders that are not used.
using TapWeights =
    llvm::SmallVector<llvm::SmallVector<llvm::SmallVector<mlir::Value>>>;

/// The cells around one position where they are too many to be written out:
/// loops go over them, and find their weights in memory, or choose among them.
class WideStencil {
public:
  static WideStencil keep(llvm::ArrayRef<TapRange> ranges,
                          const TapWeights &values);

  /// The same weights around other cells, the last of which go on: `rowLength`
  /// of them are written out, with weights of 0 behind the window's.
  WideStencil at(llvm::ArrayRef<TapRange> places, unsigned rowLength) const;

  /// How many weights `lastWeights` gives.
  unsigned getRowLength() const { return rowLength; }

  llvm::ArrayRef<TapRange> getRanges() const { return ranges; }
  const TapRange &last() const { return ranges.back(); }
  size_t rank() const { return ranges.size(); }
  mlir::Type getType() const;
  /// The weight of the k-th cell along a dim, of the window differentiated so
  /// often.
  mlir::Value weight(Emit &emit, size_t dim, int64_t order,
                     mlir::Value k) const;
  /// Those along the last dim, all at once.
  llvm::SmallVector<mlir::Value> lastWeights(Emit &emit, int64_t order) const;
  /// The product of a row's weights along the other dims; null if there are
  /// none. `taps`: which cell it is along each.
  mlir::Value product(Emit &emit, llvm::ArrayRef<int64_t> orders,
                      llvm::ArrayRef<mlir::Value> taps) const;

  /// Loops over the rows of cells along the last dim, each with its place (null
  /// if there is one dim) and taps.
  using Row = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      Emit &emit, mlir::Value place, llvm::ArrayRef<mlir::Value> taps,
      mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value>
  forEachRow(Emit &emit, mlir::ValueRange carried, Row row) const;

  /// Two versions of code: where the cells of a row lie one after the other,
  /// and where the row ends in between. The second sees them in a loop.
  using Part =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(Emit &, bool straight)>;
  llvm::SmallVector<mlir::Value> branch(Emit &emit, Part part) const;

private:
  friend class WideChunk;
  llvm::SmallVector<TapRange> ranges;
  unsigned rowLength = 0;
  TapWeights values;
  /// Else, views of a chunk's by dim and order; null where unused.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> weights;
  mlir::Value start; // of the first cell's weight
  int64_t chunk = 0; // from one cell's weight to the next
};

/// Those of a chunk's positions.
class WideChunk {
public:
  WideChunk(mlir::OpBuilder &builder, mlir::Type index, mlir::Type weight)
      : builder(builder), index(index), weight(weight) {}
  void store(Emit &emit, llvm::ArrayRef<TapRange> ranges,
             const TapWeights &weights, mlir::Value i);
  WideStencil load(Emit &emit, mlir::Value i);

private:
  void allocate(llvm::ArrayRef<TapRange> ranges, const TapWeights &all);

  mlir::OpBuilder &builder;
  mlir::Type index, weight;
  llvm::SmallVector<TapRange> shapes; // without values
  llvm::SmallVector<ChunkArray> first, stride;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> weights;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PARTICLES_WIDESTENCIL_H
