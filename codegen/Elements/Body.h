//===- Body.h - A domain op's body inside of a kernel -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_BODY_H
#define PMC_CODEGEN_ELEMENTS_BODY_H

#include "codegen/Elements/Neighbor.h"
#include "codegen/Particles/Interpolate.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::codegen {

/// A schedule's own way to read meshes for a chunk of elements, for example
/// from a copy of their cells.
class ChunkReader {
public:
  virtual ~ChunkReader() = default;
  /// Element i of the chunk has these local coordinates, and `u` cells of
  /// offset from its site.
  virtual void prepare(Emit &emit, KernelExtents &extents,
                       llvm::ArrayRef<mlir::Value> coordinates,
                       llvm::ArrayRef<mlir::Value> u, mlir::Value i) = 0;
  /// Reads the values of element i, which has been prepared, and keeps them.
  virtual void read(Emit &emit, mlir::Value i) = 0;
  /// Rearranges the values of a chunk after all `size` elements are read.
  virtual void finish(Emit &emit, mlir::Value size) {}
  /// The values of element i, which have been read.
  virtual llvm::SmallVector<mlir::Value> load(Emit &emit, mlir::Value i) = 0;
};

/// A schedule's own way to read meshes for one element, for example from a copy
/// of their cells.
class ElementReader {
public:
  virtual ~ElementReader() = default;
  /// The values of the element with these local coordinates. Its position is
  /// `u` cells from its site.
  virtual llvm::SmallVector<mlir::Value>
  read(Emit &emit, KernelExtents &extents,
       llvm::ArrayRef<mlir::Value> coordinates,
       llvm::ArrayRef<mlir::Value> u) = 0;
};

/// Evaluates a domain op's body in a kernel, as much of it as is asked for.
///
/// Values that do not depend on the last dim are computed where a row begins.
/// Readings of meshes are computed for a chunk of elements at a time: positions
/// and weights in a loop that vectorizes, then the reading, then, in the loops
/// of the caller, the rest. Or, where a thread has one element at a time, with
/// it. Neighbors of most elements of a row are in a row, too: only at its ends
/// the edge is looked at (`forEach`).
class Body {
public:
  enum class Reading { InChunks, ByElement };

  /// `wanted`: the values that will be asked for, all of the body's block.
  Body(pm::DomainOpInterface op, Kernel &kernel, Extents &extents,
       llvm::ArrayRef<mlir::Value> wanted, Reading mode = Reading::InChunks);

  /// Keeps the body's operations apart: kernels that must agree on its values
  /// to the last bit cannot leave it to the compiler where to fuse them.
  void forbidContraction() { contracts = false; }
  /// Lets `reader` read the meshes of the body's only reading. It must outlive
  /// the body. Positions are kept as in `forbidContraction`.
  void setReader(ChunkReader &reader);
  /// The same for schedules in which a thread computes one element at a time.
  void setReader(ElementReader &reader) { elementReader = &reader; }
  Kernel &getKernel() { return kernel; }
  /// Makes the op's inputs, outs, scalars and sizes available in the kernel.
  static void capture(pm::DomainOpInterface op, Kernel &kernel,
                      Extents &extents);
  /// The yielded values.
  static mlir::OperandRange getYields(pm::DomainOpInterface op);

  llvm::ArrayRef<pm::DimAttr> getDims() const { return dims; }
  KernelExtents &getExtents() { return extents; }
  /// Elements of a chunk.
  int64_t getChunk() const { return kernel.getSizes().chunk; }
  /// Whether elements must be evaluated in chunks.
  bool needsChunks() const { return !readings.empty(); }

  /// Elements are now those of the row with these outer coordinates, counted
  /// from its begin.
  void enterRow(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> outer);
  /// Elements are now `size` of the row, from `first` on, counted from there.
  void enterChunk(mlir::OpBuilder &builder, mlir::Value first,
                  mlir::Value size);
  /// Reads the elements of an input from the span in the place of its row:
  /// element i of the chunk is element i there.
  void readFrom(unsigned input, mlir::Value span) {
    row.rows[input] = span;
    moved = input;
  }
  /// Prefetches `size` elements from `first` on of a later row, of the fields
  /// that the wanted values depend on: the next one along the third dim from
  /// the end, or the fourth next one of two dims. Hardware prefetchers do not
  /// follow short parts of rows.
  void prefetch(mlir::OpBuilder &builder, mlir::Value first, mlir::Value size);
  /// Elements are now the given `size` linear indices, from `first` on.
  void enterList(mlir::OpBuilder &builder, mlir::Value list, mlir::Value first,
                 mlir::Value size);

  /// for (i = from; i < to; ++i), elements as for `evaluate`: those whose
  /// neighbors are in their rows in a separate loop, which vectorizes.
  void forEach(mlir::OpBuilder &builder, mlir::Value from, mlir::Value to,
               llvm::function_ref<void(mlir::OpBuilder &, mlir::Value)> body);

  /// The wanted values of element i.
  llvm::SmallVector<mlir::Value> evaluate(mlir::OpBuilder &builder,
                                          mlir::Value i,
                                          llvm::ArrayRef<mlir::Value> wanted);

  /// The op's results, which `store` fills. Before rows are entered.
  void setOuts(mlir::ValueRange buffers) {
    outs.assign(buffers.begin(), buffers.end());
  }
  /// Stores the results' values of the element that was evaluated last.
  void store(Emit &emit, llvm::ArrayRef<mlir::Value> values);

  /// The coordinates of the element that was evaluated last.
  llvm::ArrayRef<mlir::Value> getCoordinates() const { return here.position; }

private:
  /// The values of ops for one element, or of a row for all of its elements.
  struct ElementValues {
    llvm::SmallVector<mlir::Value> position; // local coordinates, i64
    mlir::IRMapping values;
    llvm::SmallVector<mlir::Value> rows; // of each input
    llvm::SmallVector<mlir::Value> outs; // the same of each result
    llvm::DenseMap<mlir::Operation *, NeighborRow> neighbors;
  };

  using OpSet = llvm::SmallPtrSet<mlir::Operation *, 16>;

  OpSet slice(llvm::ArrayRef<mlir::Value> values, bool throughReadings) const;
  void findVarying();
  void findExact();
  void keepExact(pm::InterpolateOp reading);
  void enter(Emit &emit, llvm::ArrayRef<mlir::Value> outer,
             ElementValues &place);
  void moveTo(Emit &emit, mlir::Value i);
  void evaluateOps(mlir::OpBuilder &builder, const OpSet &ops,
                   ElementValues &place, bool invariant);
  void clone(mlir::OpBuilder &builder, mlir::Operation *op,
             ElementValues &place);
  mlir::Value readNeighbor(Emit &emit, pm::NeighborOp read,
                           ElementValues &place);
  mlir::Value coordinate(Emit &emit, llvm::StringRef label,
                         ElementValues &place);
  llvm::SmallVector<mlir::Value> readHere(Emit &emit, pm::InterpolateOp reading,
                                          llvm::ArrayRef<mlir::Value> offsets,
                                          ElementValues &place);
  void read(mlir::OpBuilder &builder, mlir::Value size);
  void refuseIf(mlir::OpBuilder &builder, mlir::Value condition);
  void readBy(ChunkReader &reader, mlir::OpBuilder &builder,
              pm::InterpolateOp reading, mlir::Value size);
  void forEachReading(
      mlir::OpBuilder &builder, pm::InterpolateOp reading, mlir::Value size,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(Emit &, mlir::Value)>
          read);
  void readChunk(mlir::OpBuilder &builder, pm::InterpolateOp reading,
                 StencilChunk &stencils, mlir::Value size, bool whole);

  pm::DomainOpInterface op;
  Kernel &kernel;
  Reading mode;
  mlir::Location loc;
  mlir::Block *block;
  llvm::ArrayRef<pm::DimAttr> dims;
  KernelExtents extents;
  mlir::IRMapping outside; // scalars of the surrounding code
  OpSet needed, varying;
  llvm::DenseSet<mlir::Value> asked; // the values that are used
  OpSet exact; // what ints and positions in halos depend on
  llvm::SmallVector<pm::InterpolateOp> readings; // in chunks
  llvm::DenseMap<mlir::Value, ChunkArray> read_; // their values in a chunk

  ChunkReader *reader = nullptr;
  ElementReader *elementReader = nullptr;
  std::optional<size_t> moved; // the input that is not read in its row
  llvm::SmallVector<mlir::Value> outs;
  bool contracts = true;
  bool isInterior = false; // no neighbor is beyond its row's ends
  ElementValues row, here;
  mlir::Value first, list;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_BODY_H
