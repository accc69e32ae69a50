//===- TiledReading.cpp - Differences are read in shared memory -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/TiledReading.h"
#include "codegen/CUDA/Threads/SharedMemory.h"
#include "codegen/CUDA/Threads/Threads.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/RegionUtils.h"

#include <map>

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// Sums over the cells of a window, each cell computed from taps.
class CellSums {
public:
  CellSums(InterpolateOp reading, Kernel &kernel)
      : reading(reading), taps(reading.getCellTaps()),
        orders(getOrders(reading)) {
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(reading.getCell(), above);
    for (Value value : above)
      outside.map(value, kernel.get(value));
  }

  ArrayRef<Tap> getTaps() const { return taps; }
  size_t countValues() const { return orders.size(); }

  /// Adds a cell, computed from the elements of its taps, to the sums of all
  /// values. `weigh`: its weight in a window of these orders.
  using Weigh = llvm::function_ref<Value(const WindowOrders &)>;
  void addCell(Emit &emit, ArrayRef<Value> elements, Weigh weigh,
               SmallVectorImpl<Value> &sums) const {
    IRMapping values = outside;
    Block &body = reading.getCell().front();
    values.map(body.getArguments(), elements);
    for (Operation &op : body.without_terminator())
      allowContraction(emit.getBuilder().clone(op, values));
    std::map<WindowOrders, Value> weights;
    for (auto [wanted, yielded, sum] :
         llvm::zip_equal(orders, reading.getCellYields(), sums)) {
      Value &weight = weights[wanted];
      if (!weight)
        weight = weigh(wanted);
      Value term = emit.mul(values.lookupOrDefault(yielded), weight);
      sum = sum ? emit.add(sum, term) : term;
    }
  }
  SmallVector<Value> castSums(Emit &emit, ArrayRef<Value> sums) const {
    SmallVector<Value> values;
    for (auto [sum, result] : llvm::zip_equal(sums, reading.getValues()))
      values.push_back(emit.cast(sum, result.getType()));
    return values;
  }

  /// Loads an element of a mesh. `place` counts cells from the first cell of
  /// the window.
  using Load = llvm::function_ref<Value(size_t mesh, ArrayRef<int64_t> place)>;
  SmallVector<Value> read(Emit &emit, const Stencil &stencil, Load load) {
    known.clear();
    SmallVector<Value> sums(orders.size());
    SmallVector<int64_t> cell(stencil.cells.size(), 0);
    forCells(stencil, cell, 0, [&] { add(emit, stencil, cell, load, sums); });
    return castSums(emit, sums);
  }

private:
  /// Calls `visit` for every cell of the window, the last dim fastest.
  void forCells(const Stencil &stencil, SmallVectorImpl<int64_t> &cell,
                size_t d, llvm::function_ref<void()> visit) {
    if (d == cell.size())
      return visit();
    for (size_t k = 0; k < stencil.offsets[d].size(); ++k) {
      cell[d] = int64_t(k);
      forCells(stencil, cell, d + 1, visit);
    }
  }

  void add(Emit &emit, const Stencil &stencil, ArrayRef<int64_t> cell,
           Load load, SmallVectorImpl<Value> &sums) {
    SmallVector<Value> elements;
    for (const Tap &tap : taps) {
      SmallVector<int64_t> place(cell);
      for (auto [at, offset] : llvm::zip_equal(place, tap.offsets))
        at += offset;
      Value &element = known[{tap.field, place}];
      if (!element)
        element = load(tap.field, place);
      elements.push_back(element);
    }
    addCell(
        emit, elements,
        [&](const WindowOrders &wanted) {
          return getWeight(emit, stencil, wanted, cell);
        },
        sums);
  }

  static Value getWeight(Emit &emit, const Stencil &stencil,
                         const WindowOrders &wanted, ArrayRef<int64_t> cell) {
    Value product;
    for (auto [d, k] : llvm::enumerate(cell)) {
      Value weight = stencil.weights[d][size_t(wanted[d])][size_t(k)];
      product = product ? emit.mul(product, weight) : weight;
    }
    return product;
  }

  mutable InterpolateOp reading;
  SmallVector<Tap> taps;
  SmallVector<WindowOrders> orders;
  IRMapping outside;
  std::map<std::pair<size_t, SmallVector<int64_t>>, Value> known;
};

class TiledElements : public ElementLoop, ElementReader {
public:
  TiledElements(DomainOpInterface op, InterpolateOp reading,
                LoweringContext &context, OpBuilder &host, StringRef title)
      : ElementLoop(op, context, host), reading(reading),
        kernel(context, host, op.getLoc(), title),
        particleWindow(getParticleWindow(reading, op.getDomainDims())),
        halo(pmc::codegen::getHalo(reading)),
        meshes(reading.getMeshes().begin(), reading.getMeshes().end()) {
    Body::capture(op, kernel, extents);
    element = getWeightType(reading);
    for (size_t d = 0; d < particleWindow.getMesh().size(); ++d) {
      auto [below, above] = getDistance(reading.getCellTaps(), d);
      reach.below.push_back(below);
      reach.above.push_back(above);
    }
    int64_t bytes = int64_t(meshes.size() * getElementBytes(element));
    if (auto shape =
            chooseSharedTileShape(particleWindow, op.getDomainDims(), bytes,
                                  context.getTarget().sizes, reach)) {
      tiles.emplace(std::move(*shape), particleWindow, op.getDomainDims(),
                    SmallVector<Value>(reading.getOffsets()), halo, kernel,
                    loc);
      kernel.useShared(bytes * tiles->getShape().countCells());
      captureViewExtents();
    } else {
      rows.emplace(context.getTarget().sizes, op.getDomainDims());
    }
    // Threads wait for memory. Therefore more threads with fewer registers are
    // faster than code that loads all elements first. Numbers of 64 bits do not
    // fit into these registers.
    if (element.isF32() && particleWindow.getMostSupport() == 2)
      kernel.useFewRegisters();
    kernel.create();
  }

  Kernel &getKernel() override { return kernel; }
  Body::Reading getReading() const override { return Body::Reading::ByElement; }

  void forElements(Body &body, Element element) override {
    sums.emplace(reading, kernel);
    body.setReader(*this);
    if (!tiles) {
      rows->forElements(kernel, body, {},
                        [&](OpBuilder &builder, Value i, ValueRange) {
                          element(builder, i);
                          return SmallVector<Value>();
                        });
      return;
    }
    OpBuilder &builder = kernel.body();
    memory = getSharedMemory(context, builder, loc, this->element);
    tiles->forParticleBlocks(body,
                             [&](OpBuilder &inner, ArrayRef<Value> first) {
                               tiles->place(inner, body, first);
                               // Waits until no thread uses the tile of the
                               // previous particle block.
                               NVVM::Barrier0Op::create(inner, loc);
                               loadTile(inner, body);
                               NVVM::Barrier0Op::create(inner, loc);
                               tiles->forParticles(inner, body, first, element);
                             });
  }

  void launch() override {
    kernel.launch(tiles ? tiles->getItems(host, extents)
                        : rows->getItems(host, loc, extents),
                  getTraffic(host, extents, op));
  }

private:
  /// A view may lack cells of a tile along dims that are split.
  void captureViewExtents() {
    if (!halo)
      return;
    for (auto [d, dim] : llvm::enumerate(particleWindow.getMesh())) {
      Value extent;
      if (!dim.getAxes().empty()) {
        extent = extents.getViews().loadExtent(halo, d);
        kernel.capture(extent);
      }
      viewExtents.push_back(extent);
    }
  }

  /// Emits `body` once. If the meshes are split, emits it for views and for
  /// whole meshes.
  SmallVector<Value> inMeshes(
      Emit &emit, KernelExtents &sizes,
      llvm::function_ref<SmallVector<Value>(Emit &, ArrayRef<MeshRows>)> body) {
    if (!halo)
      return body(emit, getMeshRows(reading, kernel, sizes, /*whole=*/false));
    auto branch = [&](bool whole) {
      return [&, whole](OpBuilder &inner, Location) {
        Emit at(inner, loc);
        scf::YieldOp::create(
            inner, loc, body(at, getMeshRows(reading, kernel, sizes, whole)));
      };
    };
    auto choice =
        scf::IfOp::create(emit.getBuilder(), loc, sizes.haloView(halo).whole,
                          branch(true), branch(false));
    return llvm::to_vector<6>(ValueRange(choice.getResults()));
  }

  void loadTile(OpBuilder &builder, Body &body) {
    SmallVector<Value> limits;
    for (Value extent : viewExtents)
      limits.push_back(extent ? kernel.get(extent) : Value());
    tiles->forCells(
        builder, body, limits,
        [&](Emit &emit, const ParticleTiles::Cell &cell) {
          auto load = [&](Emit &at) {
            SmallVector<Value> loaded = inMeshes(
                at, body.getExtents(), [&](Emit &deep, ArrayRef<MeshRows> all) {
                  SmallVector<Value> values;
                  for (const MeshRows &mesh : all) {
                    MeshRow row = mesh.find(deep, cell.place);
                    values.push_back(
                        deep.load(row.base, row.getIndex(deep, cell.index)));
                  }
                  return values;
                });
            for (auto [m, value] : llvm::enumerate(loaded))
              at.store(value, getTile(at, m), cell.number);
          };
          if (!cell.exists)
            return load(emit);
          scf::IfOp::create(emit.getBuilder(), loc, cell.exists,
                            [&](OpBuilder &inner, Location) {
                              Emit at(inner, loc);
                              load(at);
                              scf::YieldOp::create(inner, loc);
                            });
        });
  }

  Value getTile(Emit &emit, size_t mesh) const {
    return emit.at(memory,
                   emit.index(int64_t(mesh) * tiles->getShape().countCells()));
  }

  SmallVector<Value> read(Emit &emit, KernelExtents &sizes,
                          ArrayRef<Value> coordinates,
                          ArrayRef<Value> u) override {
    Stencil stencil = particleWindow.getStencil(emit, sizes, halo, coordinates,
                                                u, element, getOrders(reading));
    auto fromMeshes = [&](Emit &at) { return readMeshes(at, sizes, stencil); };
    if (!tiles)
      return fromMeshes(emit);
    ParticleTiles::Spot spot = tiles->find(emit, stencil);
    auto inside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      scf::YieldOp::create(inner, loc, readTile(at, stencil, spot));
    };
    auto outside = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      scf::YieldOp::create(inner, loc, fromMeshes(at));
    };
    auto choice = scf::IfOp::create(emit.getBuilder(), loc, spot.isInside,
                                    inside, outside);
    return llvm::to_vector<6>(ValueRange(choice.getResults()));
  }

  SmallVector<Value> readTile(Emit &emit, const Stencil &stencil,
                              const ParticleTiles::Spot &spot) {
    Type i64 = emit.getBuilder().getI64Type();
    Value number;
    for (auto [d, first] : llvm::enumerate(spot.first)) {
      Value part = emit.mul(
          first, emit.constant(first.getType(), double(tiles->getStride(d))));
      number = number ? emit.add(number, part) : part;
    }
    SmallVector<Value> begins;
    for (size_t m = 0; m < meshes.size(); ++m)
      begins.push_back(emit.at(getTile(emit, m), emit.widen(number, i64)));
    return sums->read(emit, stencil, [&](size_t mesh, ArrayRef<int64_t> place) {
      int64_t offset = 0;
      for (auto [d, at] : llvm::enumerate(place))
        offset += at * tiles->getStride(d);
      return emit.load(begins[mesh], emit.index(offset));
    });
  }

  /// The index at the distance `offset` from the index `first`, i32, along mesh
  /// dim d.
  Value getIndex(Emit &emit, size_t d, Value first, Value offset) const {
    Type i32 = emit.getBuilder().getI32Type();
    Value size = emit.constant(
        i32, double(particleWindow.getMesh()[d].getStoredExtent()));
    Value index = emit.add(first, offset);
    index = emit.select(emit.less(index, emit.constant(i32, 0)),
                        emit.add(index, size), index);
    return emit.select(emit.less(index, size), index, emit.sub(index, size));
  }
  Value getIndex(Emit &emit, size_t d, Value first, int64_t offset) const {
    // In a small mesh, an offset may be larger than the mesh.
    offset %= particleWindow.getMesh()[d].getStoredExtent();
    return offset == 0 ? first
                       : getIndex(emit, d, first,
                                  emit.constant(emit.getBuilder().getI32Type(),
                                                double(offset)));
  }

  /// One of the values, by its number.
  static Value choose(Emit &emit, ArrayRef<Value> values, Value number) {
    Value chosen = values.back();
    for (size_t k = values.size() - 1; k-- > 0;)
      chosen = emit.select(
          emit.equal(number, emit.constant(number.getType(), double(k))),
          values[k], chosen);
    return chosen;
  }

  /// Reads the meshes in memory. Few particles do this. Therefore it is a loop
  /// over the cells of the window, because a loop needs few registers.
  SmallVector<Value> readMeshes(Emit &emit, KernelExtents &sizes,
                                const Stencil &stencil) {
    SmallVector<Value> values =
        inMeshes(emit, sizes, [&](Emit &at, ArrayRef<MeshRows> all) {
          Value zero = at.constant(element, 0);
          int64_t cells = 1;
          for (const Stencil::Values &offsets : stencil.offsets)
            cells *= int64_t(offsets.size());
          return forLoop(
              at.getBuilder(), loc, at.index(0), at.index(cells), 1,
              SmallVector<Value>(sums->countValues(), zero),
              [&](OpBuilder &builder, Value cell, ValueRange before) {
                Emit inner(builder, loc);
                SmallVector<Value> after(before);
                addCell(inner, sizes, stencil, all, cell, after);
                return after;
              });
        });
    return sums->castSums(emit, values);
  }

  void addCell(Emit &emit, KernelExtents &sizes, const Stencil &stencil,
               ArrayRef<MeshRows> all, Value cell,
               SmallVectorImpl<Value> &after) {
    Type i32 = emit.getBuilder().getI32Type();
    Type indexType = particleWindow.getIndexType();
    size_t rank = stencil.cells.size();
    cell = emit.cast(cell, i32);
    SmallVector<Value> numbers(rank), firsts(rank), strides(rank);
    for (size_t d = rank; d-- > 0;) {
      Value support = emit.constant(i32, double(stencil.offsets[d].size()));
      numbers[d] = emit.rem(cell, support);
      cell = emit.div(cell, support);
      firsts[d] = getIndex(emit, d, stencil.cells[d], numbers[d]);
      strides[d] = emit.cast(
          particleWindow.getStride(emit, sizes, halo, unsigned(d)), indexType);
    }
    // Parts that several taps have in common are computed once.
    std::map<std::pair<size_t, int64_t>, Value> places;
    auto getPlace = [&](size_t d, int64_t offset) {
      Value &place = places[{d, offset}];
      if (!place) {
        place = emit.widen(getIndex(emit, d, firsts[d], offset), indexType);
        if (d + 1 < rank)
          place = emit.mul(place, strides[d]);
      }
      return place;
    };
    std::map<std::pair<size_t, SmallVector<int64_t>>, MeshRow> rows;
    SmallVector<Value> elements;
    for (const Tap &tap : sums->getTaps()) {
      auto [row, isNew] = rows.insert(
          {{tap.field, SmallVector<int64_t>(tap.offsets.drop_back())},
           MeshRow()});
      if (isNew) {
        Value begin;
        for (auto [d, offset] : llvm::enumerate(tap.offsets.drop_back())) {
          Value place = getPlace(d, offset);
          begin = begin ? emit.add(begin, place) : place;
        }
        row->second = all[tap.field].find(emit, begin);
      }
      Value last = getPlace(rank - 1, tap.offsets.back());
      elements.push_back(
          emit.load(row->second.base, row->second.getIndex(emit, last)));
    }
    sums->addCell(
        emit, elements,
        [&](const WindowOrders &wanted) {
          Value product;
          for (size_t d = 0; d < rank; ++d) {
            Value weight =
                choose(emit, stencil.weights[d][size_t(wanted[d])], numbers[d]);
            product = product ? emit.mul(product, weight) : weight;
          }
          return product;
        },
        after);
  }

  InterpolateOp reading;
  DeviceKernel kernel;
  ParticleWindow particleWindow;
  Value halo;
  SmallVector<Value> meshes;
  Type element;
  TileReach reach;
  std::optional<ParticleTiles> tiles;
  std::optional<Threads> rows; ///< without tiles
  SmallVector<Value> viewExtents;
  // In the kernel.
  std::optional<CellSums> sums;
  Value memory;
};

} // namespace

InterpolateOp pmc::codegen::getComputedReading(DomainOpInterface op) {
  for (auto reading : op.getDomainBody()->getOps<InterpolateOp>())
    if (reading.isComputed())
      return reading;
  return {};
}

std::unique_ptr<ElementLoop> pmc::codegen::readInTiles(DomainOpInterface op,
                                                       InterpolateOp reading,
                                                       LoweringContext &context,
                                                       OpBuilder &host,
                                                       StringRef title) {
  return std::make_unique<TiledElements>(op, reading, context, host, title);
}
