//===- RenewBoxes.cpp - Boxes of the next step of a loop ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMReadings.h"
#include "dialect/IR/Markers/SharedBoxes.h"
#include "dialect/IR/PM.h"
#include "passes/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_RENEWBOXES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// Whether the op may change the buffer. Unknown effects do.
bool mayWrite(Operation *op, Value buffer) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return true;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffectsOnValue(buffer, found);
  return found.empty() ||
         llvm::any_of(found, [](const MemoryEffects::EffectInstance &effect) {
           return !isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// The buffers, and the values outside of the map, from which the positions of
/// a map's reading are computed. None if they are computed from anything else.
std::optional<SmallVector<Value>> getSources(MapOp map) {
  InterpolateOp reading = getOnlyReading(map);
  if (!reading)
    return std::nullopt;
  SmallVector<Value> sources, work(reading.getOffsets());
  llvm::SmallDenseSet<Value> seen;
  auto domain = cast<DomainOpInterface>(map.getOperation());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (value.getParentBlock() != &map.getBody().front()) {
      sources.push_back(value);
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      sources.push_back(domain.getDomainInputs()[argument.getArgNumber()]);
    } else {
      Operation *op = value.getDefiningOp();
      if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
        return std::nullopt;
      llvm::append_range(work, op->getOperands());
    }
  }
  return sources;
}

/// Whether the map alone changes the positions within the loop.
bool movesParticles(MapOp map, scf::ForOp loop) {
  std::optional<SmallVector<Value>> sources = getSources(map);
  if (!sources)
    return false;
  bool isWritten = false;
  for (Value source : *sources) {
    if (!loop.isDefinedOutsideOfLoop(source))
      return false;
    if (!isa<BufferType>(source.getType()))
      continue;
    for (Operation *user : source.getUsers()) {
      if (!loop->isProperAncestor(user) || !mayWrite(user, source))
        continue;
      if (user != map)
        return false;
      isWritten = true;
    }
  }
  return isWritten;
}

class RenewBoxesPass
    : public pmc::passes::impl::RenewBoxesBase<RenewBoxesPass> {
public:
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      // The ops of each group, which use the same positions. The last one may
      // overwrite them.
      llvm::MapVector<Attribute, SmallVector<Operation *>> groups;
      for (Operation &op : *loop.getBody())
        if (Attribute number = op.getAttr(sharedBoxes))
          groups[number].push_back(&op);
      for (auto &[number, ops] : groups) {
        auto map = dyn_cast<MapOp>(ops.back());
        if (ops.size() > 1 && map && movesParticles(map, loop))
          map->setAttr(renewedBoxes, UnitAttr::get(map->getContext()));
      }
    });
  }
};

} // namespace
