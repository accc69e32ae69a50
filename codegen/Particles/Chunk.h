//===- Chunk.h - Local arrays of kernels, and sums over them ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PARTICLES_CHUNK_H
#define PMC_CODEGEN_PARTICLES_CHUNK_H

#include "codegen/Lowering/Loops.h"

namespace pmc::codegen {

/// An array of a chunk's numbers in a kernel's frame. Loops that fill one
/// vectorize, whatever is done with the numbers one by one afterwards.
class ChunkArray {
public:
  /// `chunks`: a capacity of so many.
  ChunkArray(mlir::OpBuilder &builder, mlir::Type type, int64_t chunks = 1);

  mlir::Type getType() const { return type; }
  mlir::Value load(Emit &emit, mlir::Value i) { return emit.load(memory, i); }
  void store(Emit &emit, mlir::Value value, mlir::Value i) {
    emit.store(emit.cast(value, type), memory, i);
  }
  /// Sets the elements from that one on.
  void fillTail(Emit &emit, mlir::Value from, mlir::Value value);
  mlir::Value getMemory() const { return memory; }
  int64_t getSize() const { return size; }

private:
  mlir::Type type;
  int64_t size;
  mlir::Value memory;
};

/// Accumulates chunks into a fixed number of lanes, in a fixed order: the
/// result depends neither on the machine's vectors nor on the threads, and
/// needs no reassociation.
class Lanes {
public:
  /// `hasNaN`: whether values may be NaN, which a minimum or maximum then is.
  explicit Lanes(pm::Reduction kind, bool hasNaN = true)
      : kind(kind), hasNaN(hasNaN) {}

  mlir::Value neutral(Emit &emit, mlir::Type type) const;
  /// The lanes before anything is added; f64 if `type` is null.
  mlir::Value initial(Emit &emit, mlir::Type type = {}) const;
  /// The lanes with a chunk added, of which `size` elements are there.
  mlir::Value add(Emit &emit, mlir::Value lanes, ChunkArray &chunk,
                  mlir::Value size) const;
  /// The same where the whole chunk is filled.
  mlir::Value add(Emit &emit, mlir::Value lanes, ChunkArray &chunk) const;
  /// The lanes' result, of their type.
  mlir::Value finish(Emit &emit, mlir::Value lanes) const;
  /// a (+) b; NaN wins over everything.
  mlir::Value combine(Emit &emit, mlir::Value a, mlir::Value b) const;

private:
  double getNeutral() const;

  pm::Reduction kind;
  bool hasNaN;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PARTICLES_CHUNK_H
