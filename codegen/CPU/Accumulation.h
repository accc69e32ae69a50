//===- Accumulation.h - What a CPU thread adds up ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_ACCUMULATION_H
#define PMC_CODEGEN_CPU_ACCUMULATION_H

#include "codegen/Elements/Schedule.h"
#include "codegen/Particles/Chunk.h"

namespace pmc::codegen {

/// One result: values go to chunks, in a loop that vectorizes, and chunks to
/// lanes, which are carried.
class LaneAccumulation : public Accumulation {
public:
  /// `values`: those of element i, of these types; outlives it.
  LaneAccumulation(mlir::OpBuilder &builder, mlir::Location loc,
                   pm::Reduction kind, Body &body, mlir::TypeRange types,
                   Values values);

  const Lanes &getLanes() const { return lanes; }
  llvm::SmallVector<mlir::Value> begin(Emit &emit) override;
  llvm::SmallVector<mlir::Value> add(mlir::OpBuilder &builder,
                                     const RowPart &part,
                                     mlir::ValueRange carried) override;
  void store(Emit &emit, mlir::ValueRange carried, Store store) override;

private:
  mlir::Location loc;
  Lanes lanes;
  Body &body;
  Values values;
  llvm::SmallVector<ChunkArray> arrays;
};

/// Up to a chunk of results next to each other along the last dim, in chunks.
class ChunkAccumulation : public Accumulation {
public:
  /// The results are `size` elements of a row, from `first` on.
  ChunkAccumulation(mlir::OpBuilder &builder, mlir::Location loc,
                    pm::Reduction kind, Body &body, size_t count, Values values,
                    mlir::Value first, mlir::Value size);

  llvm::SmallVector<mlir::Value> begin(Emit &emit) override;
  llvm::SmallVector<mlir::Value> add(mlir::OpBuilder &builder,
                                     const RowPart &part,
                                     mlir::ValueRange carried) override;
  void store(Emit &emit, mlir::ValueRange carried, Store store) override;

private:
  mlir::Location loc;
  Lanes lanes;
  Body &body;
  Values values;
  llvm::SmallVector<ChunkArray> sums;
  mlir::Value first, size;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_ACCUMULATION_H
