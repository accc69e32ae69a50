//===- Window.cpp - The cells that a window touches -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows: Hockney & Eastwood, ch. 5.
//
//===----------------------------------------------------------------------===//

#include "codegen/Particles/Window.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

SmallVector<WindowOrders>
pmc::codegen::getWindowOrders(DenseI64ArrayAttr orders, size_t count,
                              size_t rank) {
  SmallVector<WindowOrders> all;
  for (size_t i = 0; i < count; ++i)
    if (orders)
      all.emplace_back(orders.asArrayRef().slice(i * rank, rank));
    else
      all.emplace_back(rank, 0);
  return all;
}

WideStencil Stencil::widen() const {
  return wide ? *wide : WideStencil::keep(first, weights);
}

void Stencil::forEachRow(Emit &emit, ArrayRef<WindowOrders> orders,
                         VisitRow body) const {
  // Products with the outer dims are shared by the cells along the inner ones.
  auto visit = [&](auto &self, size_t d, Value place,
                   ArrayRef<Value> products) -> void {
    if (d + 1 == offsets.size())
      return body(place, products);
    for (auto [k, offset] : llvm::enumerate(offsets[d])) {
      SmallVector<Value> next;
      for (auto [order, product] : llvm::zip_equal(orders, products)) {
        Value factor = weights[d][size_t(order[d])][k];
        next.push_back(product ? emit.mul(product, factor) : factor);
      }
      self(self, d + 1, place ? emit.add(place, offset) : offset, next);
    }
  };
  visit(visit, 0, {}, SmallVector<Value>(orders.size()));
}

void Stencil::forEachCell(Emit &emit, Value weight, int64_t order,
                          VisitCell body) const {
  for (auto [index, factor] :
       llvm::zip_equal(offsets.back(), weights.back()[size_t(order)]))
    body(index, weight ? emit.mul(weight, factor) : factor);
}

static double countCells(ArrayRef<DimAttr> dims) {
  double cells = 1;
  for (DimAttr dim : dims)
    cells *= double(dim.getStoredExtent());
  return cells;
}

Type ParticleWindow::getIndexType() const {
  MLIRContext *context = mesh.front().getContext();
  bool fits = countCells(mesh) < double(int64_t(1) << 31);
  return IntegerType::get(context, fits ? 32 : 64);
}

unsigned ParticleWindow::latticeDim(unsigned d) const {
  for (auto [i, dim] : llvm::enumerate(domain))
    if (dim.isSpace() && dim.getName() == mesh[d].getName())
      return i;
  llvm_unreachable("verified: mesh dims refine dims of the domain");
}

int64_t ParticleWindow::getRatio(unsigned d) const {
  return mesh[d].getExtent() / domain[latticeDim(d)].getExtent();
}

bool ParticleWindow::isWide() const {
  uint64_t cells = 1;
  for (unsigned d = 0; d < mesh.size(); ++d)
    cells *= getSupport(d); // at most 4^12
  return window.getWidth() > mostWrittenOut || cells > mostCellsWrittenOut;
}

bool ParticleWindow::wantsCellBlocks() const {
  constexpr double fewElements = 4096, fewCells = 32768;
  return isFree && isWide() && countCells(domain) > fewElements &&
         countCells(mesh) > fewCells;
}

static constexpr double mostCellBlocks = 1 << 22;

SmallVector<unsigned> ParticleWindow::getCellBlockShape(unsigned from) const {
  SmallVector<unsigned> shape;
  for (unsigned d = from; d < mesh.size(); ++d)
    shape.push_back(window.isBatch(d) ? 0 : d + 1 < mesh.size() ? 3 : 4);
  auto count = [&] {
    double cellBlocks = 1;
    for (auto [dim, shift] :
         llvm::zip_equal(ArrayRef(mesh).drop_front(from), shape))
      cellBlocks *= double(((dim.getStoredExtent() - 1) >> shift) + 1);
    return cellBlocks;
  };
  while (count() > mostCellBlocks)
    for (unsigned &shift : shape)
      ++shift;
  return shape;
}

SmallVector<int64_t> ParticleWindow::getCellBlockExtents() const {
  SmallVector<int64_t> extents;
  for (unsigned shift : getCellBlockShape(0))
    extents.push_back(int64_t(1) << shift);
  return extents;
}

Value ParticleWindow::getCellBlock(Emit &emit, KernelExtents &extents,
                                   Value halo, ArrayRef<Value> coordinates,
                                   unsigned from, ArrayRef<Value> u) const {
  SmallVector<unsigned> shape = getCellBlockShape(from);
  Type i32 = emit.getBuilder().getI32Type();
  Value cellBlock = emit.constant(i32, 0);
  for (unsigned d = from; d < mesh.size(); ++d) {
    Value cell = getFirstCell(emit, extents, halo, coordinates, d, u[d]);
    unsigned shift = shape[d - from];
    int64_t along = ((mesh[d].getStoredExtent() - 1) >> shift) + 1;
    cellBlock =
        emit.add(emit.mul(cellBlock, emit.constant(i32, double(along))),
                 emit.div(cell, emit.constant(i32, double(1 << shift))));
  }
  return cellBlock;
}

unsigned ParticleWindow::getMostSupport() const {
  unsigned most = 1;
  for (unsigned d = 0; d < mesh.size(); ++d)
    most = std::max(most, getSupport(d));
  return most;
}

/// Σ_i c_i x^i by Horner's rule.
static Value polynomial(Emit &emit, Value x, ArrayRef<double> coefficients) {
  Value sum = emit.constant(x.getType(), coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = emit.add(emit.mul(sum, x), emit.constant(x.getType(), c));
  return sum;
}

static void derive(SmallVectorImpl<double> &coefficients) {
  for (size_t i = 1; i < coefficients.size(); ++i)
    coefficients[i - 1] = double(i) * coefficients[i];
  if (coefficients.size() > 1)
    coefficients.pop_back();
  else
    coefficients.front() = 0;
}

/// Of a cell and its mirror image: p(s) = E + O, p(-s) = E - O.
static SmallVector<Value> getEvenWeights(Emit &emit, WindowAttr window,
                                         Value s) {
  Value square = emit.mul(s, s);
  SmallVector<Value> weights(window.getWidth());
  SmallVector<SmallVector<double>> polynomials = window.getPolynomials();
  for (size_t k = 0; 2 * k < weights.size(); ++k) {
    SmallVector<double> even, odd;
    for (auto [i, c] : llvm::enumerate(polynomials[k]))
      (i % 2 == 0 ? even : odd).push_back(c);
    Value sum = polynomial(emit, square, even);
    size_t mirror = weights.size() - 1 - k;
    weights[k] = weights[mirror] = sum;
    if (mirror == k || odd.empty())
      continue;
    Value rest = emit.mul(s, polynomial(emit, square, odd));
    weights[k] = emit.add(sum, rest);
    weights[mirror] = emit.sub(sum, rest);
  }
  return weights;
}

bool ParticleWindow::hasConstantWeights(unsigned d, int64_t order) const {
  auto degree = window.isBatch(d)
                    ? 0
                    : int64_t(window.getPolynomials().front().size()) - 1;
  return order > 0 && order >= degree;
}

SmallVector<Value> ParticleWindow::getWeights(Emit &emit, unsigned d,
                                              Value distance,
                                              int64_t order) const {
  Type type = distance.getType();
  WindowAttr along = window.isBatch(d)
                         ? WindowAttr::getSpline(window.getContext(), 1)
                         : window;
  if (!along.isSpline() && along.getWidth() % 2 == 0)
    distance = emit.sub(distance, emit.constant(type, 0.5));
  if (order == 0 && along.isEven())
    return getEvenWeights(emit, along, distance);
  if (order > 0 || !along.isSpline()) {
    SmallVector<Value> weights;
    for (SmallVector<double> &coefficients : along.getPolynomials()) {
      for (int64_t i = 0; i < order; ++i)
        derive(coefficients);
      weights.push_back(polynomial(emit, distance, coefficients));
    }
    return weights;
  }
  Value one = emit.constant(type, 1);
  Value x = distance;
  switch (along.getWidth()) {
  case 1:
    return {one};
  case 2:
    return {emit.sub(one, x), x};
  case 3: {
    auto outer = [&](Value to) {
      Value half = emit.add(to, emit.constant(type, 0.5));
      return emit.mul(emit.mul(half, half), emit.constant(type, 0.5));
    };
    Value middle = emit.sub(emit.constant(type, 0.75), emit.mul(x, x));
    return {outer(emit.negate(x)), middle, outer(x)};
  }
  default: {
    Value rest = emit.sub(one, x);
    auto outer = [&](Value to) {
      return emit.mul(emit.mul(emit.mul(to, to), to),
                      emit.constant(type, 1. / 6.));
    };
    auto inner = [&](Value to) {
      return polynomial(emit, to, {2. / 3., 0, -1, 0.5});
    };
    return {outer(rest), inner(x), inner(rest), outer(x)};
  }
  }
}

Value ParticleWindow::getStride(Emit &emit, KernelExtents &extents, Value halo,
                                unsigned d) const {
  if (halo)
    return d + 1 < mesh.size() ? extents.haloView(halo).strides[d]
                               : emit.index(1);
  return extents.count(emit, mesh.drop_front(d + 1));
}

Stencil ParticleWindow::getStencil(Emit &emit, KernelExtents &extents,
                                   Value halo, ArrayRef<Value> coordinates,
                                   ArrayRef<Value> u, Type weight,
                                   ArrayRef<WindowOrders> orders) const {
  Stencil stencil;
  Type indexType = getIndexType();
  Type i32 = emit.getBuilder().getI32Type();
  SmallVector<Value> first =
      getFirstCells(emit, extents, halo, coordinates, 0, u);
  for (unsigned d = 0; d < mesh.size(); ++d) {
    Value size = emit.constant(i32, double(mesh[d].getStoredExtent()));
    Value stride = emit.cast(getStride(emit, extents, halo, d), indexType);
    Value index = first[d];
    if (isWide()) {
      stencil.first.push_back(
          {index, stride, mesh[d].getStoredExtent(), getSupport(d)});
    } else {
      stencil.cells.push_back(index);
      SmallVector<Value> offsets;
      for (unsigned k = 0; k < getSupport(d); ++k) {
        offsets.push_back(emit.mul(emit.widen(index, indexType), stride));
        Value next = emit.add(index, emit.constant(i32, 1));
        index =
            emit.select(emit.equal(next, size), emit.constant(i32, 0), next);
      }
      stencil.offsets.push_back(offsets);
    }
    Value distance = emit.cast(locate(emit, d, u[d]).distance, weight);
    addWeights(emit, d, distance, orders, stencil);
  }
  return stencil;
}

void ParticleWindow::addWeights(Emit &emit, unsigned d, Value distance,
                                ArrayRef<WindowOrders> orders,
                                Stencil &stencil) const {
  SmallVector<Stencil::Values> &weights = stencil.weights.emplace_back();
  for (const WindowOrders &wanted : orders) {
    auto order = size_t(wanted[d]);
    if (order >= weights.size())
      weights.resize(order + 1);
    if (weights[order].empty())
      weights[order] = getWeights(emit, d, distance, wanted[d]);
  }
}

Stencil ParticleWindow::getBoxStencil(Emit &emit, KernelExtents &extents,
                                      ArrayRef<Value> first,
                                      ArrayRef<Value> strides,
                                      ArrayRef<Value> coordinates,
                                      ArrayRef<Value> u, Type weight,
                                      ArrayRef<WindowOrders> orders) const {
  Stencil stencil;
  Type i32 = emit.getBuilder().getI32Type();
  for (unsigned d = 0; d < mesh.size(); ++d) {
    Cell cell = locate(emit, d, u[d]);
    Value node = getNode(emit, extents, coordinates, d);
    Value before = emit.add(first[d], emit.constant(i32, double(getBefore(d))));
    Value index = emit.add(emit.cast(cell.middle, i32), emit.sub(node, before));
    Value offset = emit.mul(index, strides[d]);
    Stencil::Values &offsets = stencil.offsets.emplace_back();
    for (unsigned k = 0; k < getSupport(d); ++k) {
      offsets.push_back(offset);
      offset = emit.add(offset, strides[d]);
    }
    addWeights(emit, d, emit.cast(cell.distance, weight), orders, stencil);
  }
  return stencil;
}

StencilChunk::StencilChunk(OpBuilder &builder,
                           const ParticleWindow &particleWindow, Type weight,
                           ArrayRef<WindowOrders> orders)
    : particleWindow(particleWindow), weight(weight),
      rowLength(particleWindow.getMesh().back().getStoredExtent()) {
  if (particleWindow.isWide()) {
    wide.emplace(builder, particleWindow.getIndexType(), weight);
    return;
  }
  for (unsigned d = 0; d < particleWindow.getMesh().size(); ++d) {
    auto fill = [&](Arrays &arrays, Type type) {
      for (unsigned k = 0; k < particleWindow.getSupport(d); ++k)
        arrays.emplace_back(builder, type);
    };
    fill(offsets.emplace_back(), particleWindow.getIndexType());
    SmallVector<Weights> &along = weights.emplace_back();
    for (const WindowOrders &wanted : orders) {
      auto order = size_t(wanted[d]);
      if (order >= along.size())
        along.resize(order + 1);
      if (!along[order].wanted &&
          !particleWindow.hasConstantWeights(d, wanted[d]))
        fill(along[order].arrays, weight);
      along[order].wanted = true;
    }
  }
}

void StencilChunk::store(Emit &emit, const Stencil &stencil, Value i) {
  if (wide)
    return wide->store(emit, stencil.first, stencil.weights, i);
  auto write = [&](Arrays &arrays, ArrayRef<Value> values) {
    for (auto [array, value] : llvm::zip_equal(arrays, values))
      array.store(emit, value, i);
  };
  for (auto [arrays, values] : llvm::zip_equal(offsets, stencil.offsets))
    write(arrays, values);
  for (auto [orders, along] : llvm::zip_equal(weights, stencil.weights))
    for (auto [one, values] : llvm::zip_equal(orders, along))
      if (!one.arrays.empty())
        write(one.arrays, values);
}

Stencil StencilChunk::load(Emit &emit, Value i) {
  Stencil stencil;
  if (wide) {
    stencil.wide = wide->load(emit, i);
    return stencil;
  }
  auto read = [&](Arrays &arrays) {
    Stencil::Values values;
    for (ChunkArray &array : arrays)
      values.push_back(array.load(emit, i));
    return values;
  };
  for (Arrays &arrays : offsets)
    stencil.offsets.push_back(read(arrays));
  for (auto [d, along] : llvm::enumerate(weights)) {
    auto &values = stencil.weights.emplace_back();
    for (auto [order, one] : llvm::enumerate(along))
      values.push_back(one.wanted && one.arrays.empty()
                           ? particleWindow.getWeights(emit, unsigned(d),
                                                       emit.constant(weight, 0),
                                                       int64_t(order))
                           : read(one.arrays));
  }
  return stencil;
}

std::pair<Value, Value> StencilChunk::getRange(OpBuilder &builder, Location loc,
                                               Value start, Value size) {
  SmallVector<Value> range = forLoop(
      builder, loc, Emit(builder, loc).index(0), size, 1, {start, start},
      [&](OpBuilder &inner, Value i, ValueRange before) {
        Emit emit(inner, loc);
        Value lowest = before[0], highest = before[1];
        for (ChunkArray &array : offsets.front()) {
          Value place = array.load(emit, i);
          lowest = emit.min(lowest, place);
          highest = emit.max(highest, place);
        }
        return SmallVector<Value>{lowest, highest};
      });
  return {range[0], range[1]};
}

Value StencilChunk::moveToMesh(OpBuilder &builder, Location loc,
                               const HaloView &view, Value size) {
  // Of a wide window, rows are looked up for more cells.
  if (wide || offsets.size() < 2)
    return view.whole;
  Type i1 = builder.getI1Type();
  auto test = scf::IfOp::create(builder, loc, TypeRange(i1), view.whole,
                                /*withElseRegion=*/true);
  OpBuilder whole = OpBuilder::atBlockBegin(test.thenBlock());
  scf::YieldOp::create(whole, loc, view.whole);

  OpBuilder split = OpBuilder::atBlockBegin(test.elseBlock());
  Emit emit(split, loc);
  Type type = offsets.front().front().getType();
  Value begin = emit.cast(view.ownBegin, type);
  auto [lowest, highest] = getRange(split, loc, begin, size);
  Value inside = emit.both(emit.equal(lowest, begin),
                           emit.less(highest, emit.cast(view.ownEnd, type)));
  auto move = scf::IfOp::create(split, loc, inside, /*withElseRegion=*/false);
  OpBuilder moving = OpBuilder::atBlockBegin(move.thenBlock());
  forLoop(moving, loc, Emit(moving, loc).index(0), size,
          [&](OpBuilder &inner, Value i) {
            Emit at(inner, loc);
            Value length = at.constant(type, double(rowLength));
            for (auto [d, arrays] :
                 llvm::enumerate(MutableArrayRef(offsets).drop_back()))
              for (ChunkArray &array : arrays) {
                Value place = array.load(at, i);
                if (d == 0)
                  place = at.sub(place, begin);
                array.store(at, at.mul(place, length), i);
              }
          });
  scf::YieldOp::create(split, loc, inside);
  return test.getResult(0);
}
