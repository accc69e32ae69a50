//===- ComputeAtReaders.cpp - Differences are computed where they are read ===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readings around the sites of a lattice copy the cells that a block reads to a
// core's cache. A map of a few neighbors costs little there, and its results
// then take no memory and no message. The sources stay in memory instead.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Neighbors.h"
#include "passes/Passes.h"

#include "mlir/IR/IRMapping.h"
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

/// The loop over cells in a block's copy has an address for each tap and an
/// array for each value.
constexpr size_t mostTaps = 32, mostValues = 16;
/// Cells beyond a block in each direction: the copy of the sources has them all
/// around.
constexpr int64_t mostReach = 4;
/// A block and the cells around it have about twice the cells of the block.
constexpr size_t mostOperations = 64;
/// Windows whose cells are written out.
constexpr unsigned mostSupport = 4;
constexpr int64_t mostWindowCells = 256;
/// f32 must tell cells apart.
constexpr int64_t mostCells = int64_t(1) << 22;

bool isFloat(Type type) { return type.isF32() || type.isF64(); }

/// Whether the op only computes numbers from numbers.
bool isArithmetic(Operation &op) {
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
         op.getNumRegions() == 0 && isMemoryEffectFree(&op);
}

/// Whether the neighbor is read periodically, at most `mostReach` cells away,
/// of a field over exactly the domain's dims.
bool isNear(const NeighborRead &read, MapOp map) {
  auto type = cast<GridType>(read.field.getType());
  return type.getDims() == map.getDomainDims() && read.isPeriodic &&
         llvm::all_of(read.offsets, [](int64_t offset) {
           return std::abs(offset) <= mostReach;
         });
}

/// Whether the map's results are functions of few elements of fields near
/// each element, all fields and numbers of one type.
bool isStencil(MapOp map) {
  if (map.getWithin() || map.getResults().empty())
    return false;
  Type element =
      cast<GridType>(map.getResults().front().getType()).getElementType();
  auto fits = [&](Value field) {
    auto type = cast<GridType>(field.getType());
    return type.getElementType() == element &&
           type.getDims() == map.getDomainDims();
  };
  if (!isFloat(element) || !llvm::all_of(map.getResults(), fits) ||
      !llvm::all_of(map.getInputs(), fits))
    return false;
  size_t operations = 0, taps = map.getInputs().size();
  bool readsNeighbors = false;
  for (Operation &op : map.getDomainBody()->without_terminator()) {
    if (auto read = getNeighborRead(&op)) {
      if (!isNear(*read, map) || !fits(read->field))
        return false;
      readsNeighbors = true;
      ++taps;
      continue;
    }
    if (!isArithmetic(op))
      return false;
    operations += !op.hasTrait<OpTrait::ConstantLike>();
  }
  return readsNeighbors && taps <= mostTaps && operations <= mostOperations;
}

/// Whether code generation reads the meshes in blocks of the domain's sites.
bool readsInBlocks(InterpolateOp reading, int64_t leastElements) {
  auto map = dyn_cast<MapOp>(reading->getParentOp());
  if (!map || map.getWithin() || reading.getFree() || reading.isComputed() ||
      map.getDomainDims().size() < 2)
    return false;
  int64_t elements = 1, cells = 1;
  for (DimAttr dim : map.getDomainDims())
    elements *= dim.getStoredExtent();
  auto mesh = cast<GridType>(reading.getMeshes().front().getType());
  for (auto [d, dim] : llvm::enumerate(mesh.getDims())) {
    unsigned support = reading.getWindow().getSupport(d);
    cells *= support;
    if (support > mostSupport || dim.getStoredExtent() > mostCells)
      return false;
  }
  size_t readings = 0;
  map.getBody().walk([&](InterpolateOp) { ++readings; });
  llvm::SmallDenseSet<Value> meshes(reading.getMeshes().begin(),
                                    reading.getMeshes().end());
  return readings == 1 && elements >= leastElements &&
         mesh.getDims().size() > 1 && mesh.getDims().size() <= 3 &&
         isFloat(mesh.getElementType()) && cells <= mostWindowCells &&
         meshes.size() > 1 && meshes.size() <= mostValues;
}

/// Puts what makes the meshes of a reading into the reading.
class Cell {
public:
  explicit Cell(InterpolateOp reading) : reading(reading) {}

  /// The maps that make all of the meshes, if they can be taken in.
  std::optional<llvm::SetVector<MapOp>> findMaps(int64_t leastElements) {
    if (!readsInBlocks(reading, leastElements))
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
      taps += map.getInputs().size() +
              size_t(llvm::count_if(*map.getDomainBody(), [](Operation &op) {
                return getNeighborRead(&op).has_value();
              }));
    return taps <= mostTaps ? std::make_optional(maps) : std::nullopt;
  }

  void build(const llvm::SetVector<MapOp> &maps) {
    OpBuilder builder(reading);
    SmallVector<Type> types(reading.getValues().getTypes());
    auto made = InterpolateOp::create(
        builder, reading.getLoc(), types, reading.getWindow(),
        reading.getFree(), reading.getOrdersAttr(), DenseI64ArrayAttr(),
        ValueRange(), reading.getOffsets(), ValueRange());
    Block *block = builder.createBlock(&made.getCell());
    for (MapOp map : maps)
      add(map, block, builder);
    SmallVector<Value> yields;
    for (Value mesh : reading.getMeshes())
      yields.push_back(values.lookup(mesh));
    YieldOp::create(builder, reading.getLoc(), yields);
    SmallVector<int64_t> numbers;
    for (const auto &[tap, argument] : taps) {
      numbers.push_back(
          int64_t(llvm::find(sources, tap.first) - sources.begin()));
      llvm::append_range(numbers, tap.second);
    }
    made.getMeshesMutable().assign(sources.getArrayRef());
    made.setTaps(numbers);
    reading.replaceAllUsesWith(made.getResults());
    reading.erase();
  }

private:
  using Tap = std::pair<Value, SmallVector<int64_t>>;

  void add(MapOp map, Block *block, OpBuilder &builder) {
    IRMapping mapping;
    Block *body = map.getDomainBody();
    SmallVector<int64_t> here(map.getDomainDims().size(), 0);
    for (auto [input, argument] :
         llvm::zip_equal(map.getInputs(), body->getArguments()))
      mapping.map(argument, getTap({input, here}, block, map.getLoc()));
    for (Operation &op : body->without_terminator()) {
      if (auto read = getNeighborRead(&op)) {
        Tap tap(read->field, read->offsets);
        mapping.map(op.getResult(0), getTap(tap, block, op.getLoc()));
      } else {
        builder.clone(op, mapping);
      }
    }
    for (auto [result, yielded] : llvm::zip_equal(
             map.getResults(), body->getTerminator()->getOperands()))
      values.map(result, mapping.lookupOrDefault(yielded));
  }

  Value getTap(const Tap &tap, Block *block, Location loc) {
    for (auto &[known, argument] : taps)
      if (known == tap)
        return argument;
    sources.insert(tap.first);
    Type element = cast<GridType>(tap.first.getType()).getElementType();
    taps.emplace_back(tap, block->addArgument(element, loc));
    return taps.back().second;
  }

  InterpolateOp reading;
  llvm::SmallSetVector<Value, 4> sources;
  SmallVector<std::pair<Tap, Value>> taps;
  IRMapping values; ///< what the cell yields in the place of each mesh
};

class ComputeAtReadersPass
    : public pmc::passes::impl::ComputeAtReadersBase<ComputeAtReadersPass> {
public:
  using ComputeAtReadersBase::ComputeAtReadersBase;

  void runOnOperation() override {
    llvm::MapVector<InterpolateOp, llvm::SetVector<MapOp>> readings;
    getOperation().walk([&](InterpolateOp reading) {
      if (auto maps = Cell(reading).findMaps(elements))
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
