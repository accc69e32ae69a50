//===- HoistInvariants.cpp - What loops repeat ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace pmc::passes {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;

/// Whether the op makes fields as large as a mesh.
static bool makesLargeField(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto field = dyn_cast<FieldType>(type);
    return field && field.getRank() > 1;
  });
}

namespace {

class HoistInvariantsPass
    : public pmc::passes::impl::HoistInvariantsBase<HoistInvariantsPass> {
public:
  void runOnOperation() override {
    // Inner loops first: what leaves one may leave the next.
    getOperation().walk([](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [&](Operation *op, Region *) {
            return isMemoryEffectFree(op) && isSpeculatable(op) &&
                   !makesLargeField(op);
          },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};

} // namespace
