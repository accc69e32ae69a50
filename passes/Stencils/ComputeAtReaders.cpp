//===- ComputeAtReaders.cpp - Differences are computed where they are read ===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readings around the sites of a lattice copy the cells that a block reads to a
// core's cache, or to the shared memory of a GPU. There, a map of a few
// neighbors takes little time, and its results need no memory and no message.
// Only the sources of the map are in memory.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/Stencils/StencilCells.h"

#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_COMPUTEATREADERS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// The largest number of elements of meshes from which one thread computes the
/// cells of a window. The code for each element is written out.
constexpr size_t mostTapsOfWindow = 1024;

/// Whether code generation reads the meshes in blocks or tiles of the domain's
/// sites.
bool readsInBlocks(InterpolateOp reading, int64_t leastElements,
                   CellSchedule schedule) {
  auto map = dyn_cast<MapOp>(reading->getParentOp());
  if (!map || map.getWithin() || reading.getFree() || reading.isComputed())
    return false;
  size_t readings = 0;
  map.getBody().walk([&](InterpolateOp) { ++readings; });
  llvm::SmallDenseSet<Value> meshes(reading.getMeshes().begin(),
                                    reading.getMeshes().end());
  // On CPUs, the lanes of a vector are for different meshes.
  size_t fewest = schedule == CellSchedule::Blocks ? 2 : 1;
  return readings == 1 && meshes.size() >= fewest &&
         meshes.size() <= mostValues &&
         fitsBlocks(reading.getWindow(), map.getDomainDims(),
                    cast<GridType>(reading.getMeshes().front().getType()),
                    leastElements, schedule);
}

/// Whether a block of threads can have a tile around 256 particles of a lattice
/// in 64 KiB of shared memory, with a small margin. Without a tile, each
/// particle would read more elements of the sources in memory than there are
/// stored differences. Code generation chooses the tile (SharedTileShape).
bool fitsTile(InterpolateOp reading, const llvm::SetVector<MapOp> &maps) {
  constexpr int64_t particles = 256, margin = 2, most = int64_t(64) << 10;
  llvm::SmallDenseSet<Value> sources;
  auto mesh = cast<GridType>(reading.getMeshes().front().getType());
  ArrayRef<DimAttr> dims = mesh.getDims();
  ArrayRef<DimAttr> domain =
      cast<MapOp>(reading->getParentOp()).getDomainDims();
  SmallVector<int64_t> below(dims.size()), above(dims.size());
  for (MapOp map : maps) {
    sources.insert(map.getInputs().begin(), map.getInputs().end());
    for (Operation &op : *map.getDomainBody())
      if (auto read = getNeighborRead(&op)) {
        sources.insert(read->field);
        for (auto [d, offset] : llvm::enumerate(read->offsets)) {
          below[d] = std::max(below[d], -offset);
          above[d] = std::max(above[d], offset);
        }
      }
  }
  int64_t bytes =
      int64_t(sources.size()) * int64_t(getElementBytes(mesh.getElementType()));
  // The smallest tile of all blocks of particles whose sides are powers of 2.
  auto countCells = [&](auto &self, size_t d, int64_t left) -> int64_t {
    int64_t least = std::numeric_limits<int64_t>::max();
    int64_t extent = dims[d].getStoredExtent();
    int64_t ratio = std::max<int64_t>(extent / domain[d].getStoredExtent(), 1);
    int64_t width = below[d] + int64_t(reading.getWindow().getSupport(d)) +
                    above[d] - 1 + margin;
    bool isLast = d + 1 == dims.size();
    for (int64_t side = isLast ? left : 1; side <= left; side *= 2) {
      int64_t cells = std::min(extent, side * ratio + width);
      least = std::min(least,
                       isLast ? cells : cells * self(self, d + 1, left / side));
    }
    return least;
  };
  return countCells(countCells, 0, particles) * bytes <= most;
}

/// Puts what makes the meshes of a reading into the reading.
class Cell {
public:
  explicit Cell(InterpolateOp reading) : reading(reading) {}

  /// The maps that make all of the meshes, if they can be taken in.
  std::optional<llvm::SetVector<MapOp>> findMaps(int64_t leastElements,
                                                 CellSchedule schedule) {
    if (!readsInBlocks(reading, leastElements, schedule))
      return std::nullopt;
    llvm::SetVector<MapOp> maps;
    for (Value mesh : reading.getMeshes()) {
      auto map = mesh.getDefiningOp<MapOp>();
      // In the same block: computed no more often than before.
      if (!map || map->getBlock() != reading->getParentOp()->getBlock() ||
          !isStencil(map))
        return std::nullopt;
      maps.insert(map);
    }
    size_t taps = 0;
    for (MapOp map : maps)
      taps += countTaps(map);
    if (schedule == CellSchedule::Tiles &&
        (taps * size_t(countWindowCells(reading.getWindow(),
                                        reading.getOffsets().size())) >
             mostTapsOfWindow ||
         !fitsTile(reading, maps)))
      return std::nullopt;
    return taps <= mostTaps ? std::make_optional(maps) : std::nullopt;
  }

  void build(const llvm::SetVector<MapOp> &maps) {
    OpBuilder builder(reading);
    SmallVector<Type> types(reading.getValues().getTypes());
    auto made = InterpolateOp::create(
        builder, reading.getLoc(), types, reading.getWindow(),
        reading.getFree(), reading.getOrdersAttr(), DenseI64ArrayAttr(),
        ValueRange(), reading.getOffsets(), ValueRange());
    StencilCell cell(builder, builder.createBlock(&made.getCell()));
    for (MapOp map : maps)
      cell.add(map);
    SmallVector<Value> yields;
    for (Value mesh : reading.getMeshes())
      yields.push_back(cell.lookup(mesh));
    YieldOp::create(builder, reading.getLoc(), yields);
    ArrayRef<Value> sources = cell.getSources();
    made.getMeshesMutable().assign(sources);
    made.setTaps(cell.getNumbers([&](Value source) {
      return size_t(llvm::find(sources, source) - sources.begin());
    }));
    reading.replaceAllUsesWith(made.getResults());
    reading.erase();
  }

private:
  InterpolateOp reading;
};

class ComputeAtReadersPass
    : public pmc::passes::impl::ComputeAtReadersBase<ComputeAtReadersPass> {
public:
  using ComputeAtReadersBase::ComputeAtReadersBase;

  void runOnOperation() override {
    llvm::MapVector<InterpolateOp, llvm::SetVector<MapOp>> readings;
    getOperation().walk([&](InterpolateOp reading) {
      if (auto maps = Cell(reading).findMaps(
              elements, tiles ? CellSchedule::Tiles : CellSchedule::Blocks))
        readings[reading] = *maps;
    });
    // A field that others read is in memory anyway.
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto &[reading, maps] : readings)
        if (!llvm::all_of(maps, [&](MapOp map) {
              return areAllReadings(map, readings);
            })) {
          readings.erase(reading);
          changed = true;
          break;
        }
    }
    llvm::SetVector<MapOp> computed;
    for (auto &[reading, maps] : readings) {
      Cell(reading).build(maps);
      computed.insert_range(maps);
    }
    for (MapOp map : computed) {
      remark::passed(
          map.getLoc(),
          remark::RemarkOpts::name("at-readers").category(getArgument()))
          << "computed where it is read; takes no memory";
      map.erase();
    }
  }

private:
  template <typename Readings>
  static bool areAllReadings(MapOp map, const Readings &readings) {
    return llvm::all_of(map->getUsers(), [&](Operation *user) {
      auto reading = dyn_cast<InterpolateOp>(user);
      return reading && readings.contains(reading);
    });
  }
};

} // namespace
