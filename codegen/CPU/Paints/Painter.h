//===- Painter.h - A chunk of particles is painted --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_PAINTER_H
#define PMC_CODEGEN_CPU_PAINTER_H

#include "codegen/CPU/Blocks/CellBlockCopy.h"

namespace pmc::codegen {

/// 0, or NaN if an offset is not finite or too large to be exact.
mlir::Value nanUnlessValid(Emit &emit, llvm::ArrayRef<mlir::Value> offsets);

/// Deposits a chunk of the body's particles, those where `selection` holds, if
/// it is not null.
class Painter {
public:
  Painter(Paint &paint, Kernel &kernel, Body &body, mlir::Value selection);

  /// Before chunks are prepared: `getTests` is then wanted.
  void testPositions();
  /// Before chunks are prepared: particles of a cell block add to a copy of its
  /// cells first. After the last chunk, `emptyCopy`.
  void useCopy();
  void emptyCopy(mlir::OpBuilder &builder);
  /// 0 for each of the particles that `prepare` found, or NaN if its position
  /// is none.
  ChunkArray &getTests() { return tests.front(); }

  /// The stencils and weights of a chunk. Returns how many there are.
  mlir::Value prepare(mlir::OpBuilder &builder, mlir::Value size);
  /// Deposits what has been prepared.
  void toMeshes(mlir::OpBuilder &builder, mlir::Value count);
  void deposit(mlir::OpBuilder &builder, llvm::ArrayRef<MeshRows> meshes,
               mlir::Value count, bool isWhole);

private:
  mlir::Value choose(mlir::OpBuilder &builder, mlir::Value size);
  void addCopy(Emit &emit, llvm::ArrayRef<MeshRows> meshes,
               llvm::ArrayRef<TapRange> ranges);
  void addParticle(Emit &emit, const Paint::Particle &particle,
                   llvm::ArrayRef<MeshRows> meshes);
  Paint::Particle load(Emit &emit, mlir::Value i);

  Paint &paint;
  Kernel &kernel;
  Body &body;
  mlir::Value selection;
  mlir::Location loc;
  StencilChunk stencils;
  llvm::SmallVector<ChunkArray> weights; // unless there is one
  llvm::SmallVector<ChunkArray, 1> chosen, flags, tests;
  std::optional<CellBlockCopy> copy;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_PAINTER_H
