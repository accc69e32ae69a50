//===- BlockReading.h - Meshes are read from a block's cells ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_BLOCKREADING_H
#define PMC_CODEGEN_CPU_BLOCKREADING_H

#include "codegen/Elements/Body.h"

namespace pmc::codegen {

/// Reads meshes from a copy of the box of cells that a block of particles
/// needs, in which the meshes are interleaved (`pmrt_parallel_blocks`): one
/// vector has all cells of a window along the last dim, of all meshes.
///
/// Places and weights are found for a chunk of particles, in a loop that
/// vectorizes. The weights are in memory then, from where an instruction loads
/// and broadcasts one.
class BlockReading : public ChunkReader {
public:
  /// `first`, `strides`: views of i64, one each mesh dim. `memory`: the copy.
  BlockReading(Kernel &kernel, pm::InterpolateOp reading,
               llvm::ArrayRef<pm::DimAttr> domain, mlir::Value first,
               mlir::Value strides, mlir::Value memory);

  /// Whether the op reads fields that can be interleaved: at least two, and not
  /// more than a vector holds, in f32 or f64.
  static bool canRead(pm::InterpolateOp reading);
  /// The meshes, each once.
  static llvm::SmallVector<mlir::Value> getMeshes(pm::InterpolateOp reading);
  /// The fields that the values are read from, each once: meshes, or results of
  /// the reading's cell.
  static llvm::SmallVector<mlir::Value> getFields(pm::InterpolateOp reading);

  void prepare(Emit &emit, KernelExtents &extents,
               llvm::ArrayRef<mlir::Value> coordinates,
               llvm::ArrayRef<mlir::Value> u, mlir::Value i) override;
  void read(Emit &emit, mlir::Value i) override;
  void finish(Emit &emit, mlir::Value size) override;
  llvm::SmallVector<mlir::Value> load(Emit &emit, mlir::Value i) override;

private:
  using Arrays = llvm::SmallVector<ChunkArray>;

  mlir::Value sumTaps(Emit &emit, mlir::Value cells, int64_t order,
                      mlir::Value i);

  pm::InterpolateOp reading;
  ParticleWindow particleWindow;
  llvm::SmallVector<WindowOrders> orders;
  /// The windows of all dims but the last that differ, as orders with 0 along
  /// the last dim.
  llvm::SmallVector<WindowOrders> outer;
  /// The windows of all dims that differ, as the number of the outer one and
  /// the order along the last dim.
  llvm::SmallVector<std::pair<size_t, int64_t>> windows;
  /// Of each value the number of its window and its lane.
  llvm::SmallVector<size_t> window, lane;
  mlir::VectorType lanes, row;           ///< of a cell, and of a window's cells
  ChunkArray place;                      ///< of the first cell
  llvm::SmallVector<Arrays> products;    ///< of each row, one a window
  llvm::SmallVector<Arrays> along;       ///< of each order along the last dim
  llvm::SmallVector<mlir::Value> begins; ///< of rows, from the first cell on
  /// What has been read with each window, all lanes of an element together.
  Arrays sums;
  /// The same, each lane in an array of its own, so that loops over elements
  /// load vectors of them; empty if a vector has too many lanes.
  Arrays values;
  mlir::Value memory;
  llvm::SmallVector<mlir::Value> first, strides; // i32
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_BLOCKREADING_H
