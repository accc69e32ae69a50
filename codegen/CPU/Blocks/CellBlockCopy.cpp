//===- CellBlockCopy.cpp - The cells around a cell block ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rows of a large mesh are far apart, and where its extents are powers of two,
// those that a particle touches share a few sets of the caches. Those of a copy
// lie one after the other (the subproblems of Barnett, Magland & af Klinteberg
// 2019, section 4). A cell block with few particles is not worth one: all of a
// copy is added and zeroed.
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/CellBlockCopy.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

/// Bytes of all copies: what fits into a second-level cache beside other data,
/// and on a thread's stack.
static constexpr int64_t mostBytes = 128 << 10;
/// Rows of a copy fill vectors.
static constexpr int64_t vectorBytes = 32;
/// A cell block that is thicker may be another thread's, too, as the runtime
/// sorts by so many planes (`SortWorkspace::cellBlockShift`).
static constexpr int64_t mostPlanes = 8;
/// Particles of one cell block in a chunk that are worth a copy.
static constexpr int64_t fewParticles = 12;

static int64_t getBytes(Type cell) { return cell.getIntOrFloatBitWidth() / 8; }

static int64_t wholeVectors(Paint &paint, int64_t cells) {
  int64_t lanes = vectorBytes / getBytes(paint.getCell());
  return int64_t(llvm::divideCeil(uint64_t(cells), uint64_t(lanes))) * lanes;
}

/// The cells of a window's row, and those behind them that fill its last
/// vector.
static int64_t getRowLength(Paint &paint) {
  const ParticleWindow &particleWindow = paint.getParticleWindow();
  return wholeVectors(paint, particleWindow.getSupport(unsigned(
                                 particleWindow.getMesh().size() - 1)));
}

/// Cells along each dim of the copy: all that particles of a cell block touch.
static SmallVector<int64_t> getExtents(Paint &paint) {
  const ParticleWindow &particleWindow = paint.getParticleWindow();
  SmallVector<int64_t> extents = particleWindow.getCellBlockExtents();
  for (auto [d, extent] : llvm::enumerate(extents))
    extent += particleWindow.getSupport(unsigned(d)) - 1;
  extents.back() =
      wholeVectors(paint, particleWindow.getCellBlockExtents().back() +
                              getRowLength(paint) - 1);
  return extents;
}

bool CellBlockCopy::isWanted(Paint &paint) {
  if (!paint.getParticleWindow().wantsCellBlocks() ||
      paint.getParticleWindow().getCellBlockExtents().front() > mostPlanes)
    return false;
  int64_t cells = 1;
  for (auto [extent, dim] : llvm::zip_equal(
           getExtents(paint), paint.getParticleWindow().getMesh())) {
    if (extent > dim.getStoredExtent())
      return false;
    cells *= extent;
  }
  return cells * int64_t(paint.getOp().getOuts().size()) *
             getBytes(paint.getCell()) <=
         mostBytes;
}

CellBlockCopy::CellBlockCopy(Paint &paint, Kernel &kernel)
    : paint(paint), loc(paint.getLoc()),
      cellBlock(paint.getParticleWindow().getCellBlockExtents()),
      extents(getExtents(paint)), strides(extents.size(), 1),
      cellBlocks(kernel.body(), kernel.body().getI32Type()),
      ends(kernel.body(), kernel.body().getI64Type()),
      current(kernel.body(), kernel.body().getI32Type()),
      origin(kernel.body(), kernel.body().getI32Type()) {
  OpBuilder &builder = kernel.body();
  for (size_t d = extents.size() - 1; d > 0; --d)
    strides[d - 1] = strides[d] * extents[d];
  int64_t cells = strides.front() * extents.front();
  auto chunk = uint64_t(kernel.getSizes().chunk);
  auto chunks = int64_t(llvm::divideCeil(uint64_t(cells), chunk));
  int64_t whole = chunks * int64_t(chunk);
  for (size_t m = 0; m < paint.getOp().getOuts().size(); ++m) {
    memory.push_back(ChunkArray(builder, paint.getCell(), chunks).getMemory());
    rows.emplace_back(memory.back());
  }
  Emit start(builder, loc);
  current.store(start, start.constant(builder.getI32Type(), -1),
                start.index(0));
  forLoop(builder, loc, start.index(0), start.index(whole),
          [&](OpBuilder &inner, Value i) {
            Emit emit(inner, loc);
            for (Value copy : memory)
              emit.store(emit.constant(paint.getCell(), 0), copy, i);
          });
}

void CellBlockCopy::setCellBlock(Emit &emit, Value cellBlock, Value i) {
  cellBlocks.store(emit, cellBlock, i);
}

/// Of each particle, where the run of those of its cell block ends: from the
/// last one to the first.
void CellBlockCopy::findRuns(OpBuilder &builder, Value size) {
  Emit start(builder, loc);
  Value none = start.constant(builder.getI32Type(), -1);
  forLoop(builder, loc, start.index(0), size, 1, {size, none},
          [&](OpBuilder &inner, Value i, ValueRange before) {
            Emit emit(inner, loc);
            Value at = emit.sub(emit.sub(size, emit.index(1)), i);
            Value here = cellBlocks.load(emit, at);
            Value end = emit.select(emit.equal(here, before[1]), before[0],
                                    emit.add(at, emit.index(1)));
            ends.store(emit, end, at);
            return SmallVector<Value>{end, here};
          });
}

Value CellBlockCopy::isHere(Emit &emit, const WideStencil &stencil, Value i,
                            llvm::function_ref<void(Emit &)> empty) {
  OpBuilder &builder = emit.getBuilder();
  Value here = cellBlocks.load(emit, i);
  Value same = emit.equal(here, current.load(emit, emit.index(0)));
  auto keep = [&](OpBuilder &inner, Location) {
    scf::YieldOp::create(inner, loc, same);
  };
  auto open = [&](OpBuilder &inner, Location) {
    Emit at(inner, loc);
    Value enough = at.less(at.index(fewParticles), at.sub(ends.load(at, i), i));
    auto move = scf::IfOp::create(inner, loc, enough, /*withElseRegion=*/false);
    OpBuilder moving = OpBuilder::atBlockBegin(move.thenBlock());
    Emit emit(moving, loc);
    empty(emit);
    current.store(emit, here, emit.index(0));
    for (auto [d, range] : llvm::enumerate(stencil.getRanges())) {
      Value side = emit.constant(moving.getI32Type(), double(cellBlock[d]));
      origin.store(emit, emit.mul(emit.div(range.first, side), side),
                   emit.index(int64_t(d)));
    }
    scf::YieldOp::create(inner, loc, enough);
  };
  return scf::IfOp::create(builder, loc, same, keep, open).getResult(0);
}

WideStencil CellBlockCopy::getPlaces(Emit &emit, const WideStencil &stencil) {
  SmallVector<TapRange> places(stencil.getRanges());
  for (auto [d, range] : llvm::enumerate(places)) {
    range.first =
        emit.sub(range.first, origin.load(emit, emit.index(int64_t(d))));
    range.stride = emit.constant(range.stride.getType(), double(strides[d]));
    range.cells = 0;
  }
  return stencil.at(places, unsigned(getRowLength(paint)));
}

Value CellBlockCopy::isInUse(Emit &emit) {
  return emit.less(emit.constant(emit.getBuilder().getI32Type(), -1),
                   current.load(emit, emit.index(0)));
}

void CellBlockCopy::addTo(Emit &emit, ArrayRef<MeshRows> meshes,
                          ArrayRef<TapRange> ranges) {
  SmallVector<TapRange> around(ranges);
  for (auto [d, range] : llvm::enumerate(around)) {
    range.first = origin.load(emit, emit.index(int64_t(d)));
    range.support = unsigned(extents[d]);
  }
  const TapRange &last = around.back();
  Type i64 = emit.getBuilder().getI64Type();
  // The row's first cells, up to the end of the mesh's, and those behind it.
  Value first = emit.widen(last.first, i64);
  Value length = emit.index(extents.back());
  Value straight = emit.min(length, emit.sub(emit.index(last.cells), first));
  WideStencil::keep(around, {})
      .forEachRow(
          emit, {},
          [&](Emit &at, Value place, ArrayRef<Value> taps, ValueRange) {
            Value begin = at.index(0);
            for (auto [d, k] : llvm::enumerate(taps))
              begin = at.add(begin, at.mul(k, at.index(strides[d])));
            for (auto [rows, copy] : llvm::zip_equal(meshes, memory)) {
              MeshRow row = rows.find(at, place);
              auto add = [&](Value from, Value to, Value shift) {
                forLoop(
                    at.getBuilder(), loc, from, to,
                    [&](OpBuilder &inner, Value k) {
                      Emit emit(inner, loc);
                      Value own = emit.add(begin, k), cell = emit.add(shift, k);
                      if (row.offset)
                        cell = emit.add(cell, emit.widen(row.offset, i64));
                      Value value = emit.load(copy, own);
                      Value before = emit.load(row.base, cell);
                      emit.store(emit.add(before, value), row.base, cell);
                      emit.store(emit.constant(paint.getCell(), 0), copy, own);
                    });
              };
              add(at.index(0), straight, first);
              add(straight, length, at.sub(first, at.index(last.cells)));
            }
            return SmallVector<Value>();
          });
}
