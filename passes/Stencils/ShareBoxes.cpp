//===- ShareBoxes.cpp - Loops share the boxes of their particles ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before a block of particles is painted or reads, a kernel goes through the
// particles to find the box of cells that they touch. A step paints particles
// and reads at the same positions, and its adjoint does so twice. The loops get
// a common number, under which the first one keeps the boxes for the others.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMReadings.h"
#include "dialect/IR/Markers/SharedBoxes.h"
#include "passes/Passes.h"
#include "passes/Stencils/StencilCells.h"

namespace pmc::passes {
#define GEN_PASS_DEF_SHAREBOXES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// A loop over particles that are painted on meshes or read them.
struct ParticleLoop {
  DomainOpInterface op;
  WindowAttr window;
  ArrayRef<DimAttr> mesh;
  SmallVector<Value> offsets;
};

/// The loop, if code generation finds the boxes of its particles.
std::optional<ParticleLoop> getLoop(Operation *op) {
  if (auto paint = dyn_cast<ScatterOp>(op)) {
    if (paint.getFree() || paint.getWords() || paint.getSelection())
      return std::nullopt;
    return ParticleLoop{cast<DomainOpInterface>(op), paint.getWindow(),
                        paint.getMeshType().getDims(),
                        SmallVector<Value>(paint.getYieldedOffsets())};
  }
  auto map = dyn_cast<MapOp>(op);
  if (!map || map.getWithin())
    return std::nullopt;
  InterpolateOp reading = getOnlyReading(map);
  if (!reading || reading->getParentOp() != op || reading.getFree())
    return std::nullopt;
  auto mesh = cast<GridType>(reading.getMeshes().front().getType());
  return ParticleLoop{cast<DomainOpInterface>(op), reading.getWindow(),
                      mesh.getDims(), SmallVector<Value>(reading.getOffsets())};
}

/// Compares what two loops compute for an element.
class Comparison {
public:
  Comparison(ParticleLoop one, ParticleLoop other)
      : one(std::move(one)), other(std::move(other)) {}

  /// Whether the particles are at the same positions, and touch the same cells.
  bool isEqual() {
    return one.window == other.window && one.mesh == other.mesh &&
           one.op.getDomainDims() == other.op.getDomainDims() &&
           areEqual(one.offsets, other.offsets);
  }

private:
  template <typename Range> bool areEqual(const Range &a, const Range &b) {
    return a.size() == b.size() &&
           llvm::all_of(llvm::zip(a, b), [&](auto pair) {
             return isEqual(std::get<0>(pair), std::get<1>(pair));
           });
  }

  bool isEqual(Value a, Value b) {
    Block *inOne = one.op.getDomainBody(), *inOther = other.op.getDomainBody();
    if (a.getParentBlock() != inOne || b.getParentBlock() != inOther)
      return a == b && a.getParentBlock() != inOne;
    auto [known, isNew] = compared.try_emplace({a, b}, false);
    if (!isNew)
      return known->second;
    bool equal = isEqualInside(a, b);
    compared[{a, b}] = equal;
    return equal;
  }

  bool isEqualInside(Value a, Value b) {
    auto argument = dyn_cast<BlockArgument>(a);
    auto otherArgument = dyn_cast<BlockArgument>(b);
    if (argument && otherArgument)
      return one.op.getDomainInputs()[argument.getArgNumber()] ==
             other.op.getDomainInputs()[otherArgument.getArgNumber()];
    if (argument || otherArgument)
      return false;
    Operation *op = a.getDefiningOp(), *otherOp = b.getDefiningOp();
    return op->getName() == otherOp->getName() && op->getNumRegions() == 0 &&
           isMemoryEffectFree(op) &&
           op->getAttrDictionary() == otherOp->getAttrDictionary() &&
           a.getType() == b.getType() &&
           cast<OpResult>(a).getResultNumber() ==
               cast<OpResult>(b).getResultNumber() &&
           areEqual(op->getOperands(), otherOp->getOperands());
  }

  ParticleLoop one, other;
  llvm::DenseMap<std::pair<Value, Value>, bool> compared;
};

class ShareBoxesPass
    : public pmc::passes::impl::ShareBoxesBase<ShareBoxesPass> {
public:
  using ShareBoxesBase::ShareBoxesBase;

  void runOnOperation() override {
    getOperation()->walk([&](Block *block) { share(*block); });
  }

private:
  void share(Block &block) {
    // The first loop at some positions, and the others.
    SmallVector<SmallVector<ParticleLoop, 2>> groups;
    for (Operation &op : block) {
      std::optional<ParticleLoop> loop = getLoop(&op);
      if (!loop || !fitsBlocks(loop->window, loop->op.getDomainDims(),
                               cast<GridType>(getMesh(op)), elements,
                               CellSchedule::Blocks))
        continue;
      auto *group = llvm::find_if(groups, [&](const auto &known) {
        return Comparison(known.front(), *loop).isEqual();
      });
      if (group == groups.end())
        groups.push_back({*loop});
      else
        group->push_back(*loop);
    }
    for (auto &group : groups) {
      if (group.size() < 2)
        continue;
      ++number;
      for (ParticleLoop &loop : group)
        loop.op->setAttr(sharedBoxes,
                         Builder(&getContext()).getI64IntegerAttr(number));
    }
  }

  /// The type of the meshes.
  static Type getMesh(Operation &op) {
    if (auto paint = dyn_cast<ScatterOp>(op))
      return paint.getMeshType();
    Type type;
    op.walk([&](InterpolateOp reading) {
      type = reading.getMeshes().front().getType();
    });
    return type;
  }

  int64_t number = 0;
};

} // namespace
