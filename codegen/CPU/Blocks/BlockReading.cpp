//===- BlockReading.cpp - Meshes are read from a block's cells ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Blocks/BlockReading.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// `pmrt_parallel_blocks` takes no more meshes.
static constexpr size_t mostMeshes = 16;

/// The number of elements whose lanes are separated together. The size of a
/// chunk is a multiple of it.
static constexpr int64_t elementsTogether = 8;
/// The largest number of lanes that are separated.
static constexpr int64_t mostLanesApart = 8;

SmallVector<Value> BlockReading::getMeshes(InterpolateOp reading) {
  llvm::SmallSetVector<Value, 4> meshes(reading.getMeshes().begin(),
                                        reading.getMeshes().end());
  return meshes.takeVector();
}

/// The field of each value: a mesh, or a result of the reading's cell.
static OperandRange getFieldsOfValues(InterpolateOp reading) {
  return reading.isComputed() ? reading.getCellYields()
                              : OperandRange(reading.getMeshes());
}

SmallVector<Value> BlockReading::getFields(InterpolateOp reading) {
  OperandRange all = getFieldsOfValues(reading);
  llvm::SmallSetVector<Value, 4> fields(all.begin(), all.end());
  return fields.takeVector();
}

bool BlockReading::canRead(InterpolateOp reading) {
  Type element = getWeightType(reading);
  SmallVector<Value> fields = getFields(reading);
  return (element.isF32() || element.isF64()) && fields.size() > 1 &&
         fields.size() <= mostMeshes;
}

BlockReading::BlockReading(Kernel &kernel, InterpolateOp reading,
                           ArrayRef<DimAttr> domain, Value firstCells,
                           Value cellStrides, Value memory)
    : reading(reading), particleWindow(getParticleWindow(reading, domain)),
      orders(getOrders(reading)),
      place(kernel.body(), kernel.body().getI32Type()), memory(memory) {
  OpBuilder &builder = kernel.body();
  Type element = getWeightType(reading);
  SmallVector<Value> fields = getFields(reading);
  for (auto [field, wanted] :
       llvm::zip_equal(getFieldsOfValues(reading), orders)) {
    lane.push_back(size_t(llvm::find(fields, field) - fields.begin()));
    WindowOrders others = wanted;
    others.back() = 0;
    auto o = size_t(llvm::find(outer, others) - outer.begin());
    if (o == outer.size())
      outer.push_back(others);
    std::pair both(o, int64_t(wanted.back()));
    window.push_back(size_t(llvm::find(windows, both) - windows.begin()));
    if (window.back() == windows.size())
      windows.push_back(both);
    along.resize(std::max(along.size(), size_t(wanted.back()) + 1));
  }
  size_t rank = particleWindow.getMesh().size();
  auto taps = int64_t(particleWindow.getSupport(unsigned(rank) - 1));
  auto each = int64_t(llvm::PowerOf2Ceil(fields.size()));
  lanes = VectorType::get({each}, element);
  row = VectorType::get({each * int64_t(llvm::PowerOf2Ceil(taps))}, element);
  for (const WindowOrders &wanted : orders)
    if (Arrays &arrays = along[size_t(wanted.back())]; arrays.empty())
      for (int64_t k = 0; k < taps; ++k)
        arrays.emplace_back(builder, element);

  for (size_t w = 0; w < windows.size(); ++w)
    sums.emplace_back(builder, element, each);
  if (each <= mostLanesApart)
    for (size_t v = 0; v < window.size(); ++v)
      values.emplace_back(builder, element);

  Emit emit(builder, reading.getLoc());
  Type i32 = builder.getI32Type();
  for (size_t d = 0; d < rank; ++d) {
    Value at = emit.index(int64_t(d));
    first.push_back(emit.cast(emit.load(firstCells, at), i32));
    strides.push_back(emit.cast(emit.load(cellStrides, at), i32));
  }
  // In the order of `Stencil::forEachRow`.
  begins.push_back(emit.index(0));
  for (unsigned d = 0; d + 1 < rank; ++d) {
    Value stride = emit.load(cellStrides, emit.index(int64_t(d)));
    SmallVector<Value> next;
    for (Value begin : begins)
      for (unsigned k = 0; k < particleWindow.getSupport(d); ++k)
        next.push_back(
            emit.add(begin, emit.mul(stride, emit.index(int64_t(k)))));
    begins = next;
  }
  for (size_t r = 0; r < begins.size(); ++r)
    for (size_t w = 0; w < outer.size(); ++w) {
      if (w == 0)
        products.emplace_back();
      products.back().emplace_back(builder, element);
    }
}

void BlockReading::prepare(Emit &emit, KernelExtents &extents,
                           ArrayRef<Value> coordinates, ArrayRef<Value> u,
                           Value i) {
  Stencil stencil =
      particleWindow.getBoxStencil(emit, extents, first, strides, coordinates,
                                   u, getWeightType(reading), orders);
  Value begin;
  for (const Stencil::Values &offsets : stencil.offsets)
    begin = begin ? emit.add(begin, offsets.front()) : offsets.front();
  place.store(emit, begin, i);
  size_t r = 0;
  stencil.forEachRow(emit, outer, [&](Value, ArrayRef<Value> weights) {
    for (auto [array, weight] : llvm::zip_equal(products[r], weights))
      array.store(emit, weight, i);
    ++r;
  });
  for (auto [order, arrays] : llvm::enumerate(along))
    if (!arrays.empty())
      for (auto [array, weight] :
           llvm::zip_equal(arrays, stencil.weights.back()[order]))
        array.store(emit, weight, i);
}

/// The sum over a window's cells along the last dim, of every lane.
Value BlockReading::sumTaps(Emit &emit, Value cells, int64_t order, Value i) {
  Value sum;
  for (auto [k, weights] : llvm::enumerate(along[size_t(order)])) {
    SmallVector<int32_t> mask;
    for (int64_t l = 0; l < lanes.getNumElements(); ++l)
      mask.push_back(int32_t(int64_t(k) * lanes.getNumElements() + l));
    Value cell = LLVM::ShuffleVectorOp::create(emit.getBuilder(), emit.getLoc(),
                                               cells, cells, mask);
    Value term = emit.mul(cell, emit.splat(weights.load(emit, i), lanes));
    sum = sum ? emit.add(sum, term) : term;
  }
  return sum;
}

void BlockReading::read(Emit &emit, Value i) {
  OpBuilder &builder = emit.getBuilder();
  Value begin = emit.cast(place.load(emit, i), builder.getI64Type());
  SmallVector<Value> rows(outer.size());
  for (auto [offset, weights] : llvm::zip_equal(begins, products)) {
    Value cells =
        pmk::LoadOp::create(builder, emit.getLoc(), row, memory,
                            emit.add(begin, offset), /*unaligned=*/true);
    for (auto [sum, weight] : llvm::zip_equal(rows, weights)) {
      Value term = emit.mul(cells, emit.splat(weight.load(emit, i), row));
      sum = sum ? emit.add(sum, term) : term;
    }
  }
  Value to = emit.mul(i, emit.index(lanes.getNumElements()));
  for (auto [both, array] : llvm::zip_equal(windows, sums))
    emit.store(sumTaps(emit, rows[both.first], both.second, i),
               array.getMemory(), to);
}

/// Separates the lanes. Otherwise, later loops would load interleaved lanes,
/// and a scalar loop would process the last elements of every chunk. The last
/// vectors may end in undefined elements, which are not read.
void BlockReading::finish(Emit &emit, Value size) {
  if (values.empty())
    return;
  int64_t each = lanes.getNumElements();
  auto together =
      VectorType::get({each * elementsTogether}, lanes.getElementType());
  forLoop(emit.getBuilder(), emit.getLoc(), emit.index(0), size,
          elementsTogether, {}, [&](OpBuilder &inner, Value i, ValueRange) {
            Emit at(inner, emit.getLoc());
            SmallVector<Value> sum;
            for (ChunkArray &array : sums)
              sum.push_back(pmk::LoadOp::create(inner, emit.getLoc(), together,
                                                array.getMemory(),
                                                at.mul(i, at.index(each))));
            for (auto [array, of, l] : llvm::zip_equal(values, window, lane)) {
              SmallVector<int32_t> mask;
              for (int64_t k = 0; k < elementsTogether; ++k)
                mask.push_back(int32_t(k * each + int64_t(l)));
              at.store(LLVM::ShuffleVectorOp::create(inner, emit.getLoc(),
                                                     sum[of], sum[of], mask),
                       array.getMemory(), i);
            }
            return SmallVector<Value>();
          });
}

SmallVector<Value> BlockReading::load(Emit &emit, Value i) {
  if (!values.empty()) {
    SmallVector<Value> found;
    for (auto [result, array] : llvm::zip_equal(reading.getValues(), values))
      found.push_back(emit.cast(array.load(emit, i), result.getType()));
    return found;
  }
  Value begin = emit.mul(i, emit.index(lanes.getNumElements()));
  SmallVector<Value> found;
  for (auto [result, of, at] :
       llvm::zip_equal(reading.getValues(), window, lane))
    found.push_back(
        emit.cast(sums[of].load(emit, emit.add(begin, emit.index(int64_t(at)))),
                  result.getType()));
  return found;
}
