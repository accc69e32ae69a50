//===- WidenLate.cpp - Stored numbers become longer where they are read ---===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Precision/Widening.h"
#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_WIDENLATE
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

bool pmc::passes::isWidening(MapOp map) {
  if (map.getInputs().size() != 1 || map.getNumResults() != 1 ||
      !isReducedPrecision(
          cast<GridType>(map.getInputs().front().getType()).getElementType()))
    return false;
  return llvm::all_of(map.getDomainBody()->without_terminator(),
                      [](Operation &op) { return isa<arith::ExtFOp>(op); });
}

namespace {

class WidenLatePass : public pmc::passes::impl::WidenLateBase<WidenLatePass> {
public:
  void runOnOperation() override {
    SmallVector<MapOp> maps;
    getOperation().walk([&](MapOp map) {
      if (isWidening(map))
        maps.push_back(map);
    });
    for (MapOp map : maps)
      cloneAtReaders(map);
  }

private:
  /// One in front of each op that reads it, in whatever region, if it needs
  /// longer numbers.
  static void cloneAtReaders(MapOp map) {
    map.getResults().front().replaceUsesWithIf(
        map.getInputs().front(), [](OpOperand &use) {
          return isa<ContractOp, ConvolveOp>(use.getOwner());
        });
    llvm::SetVector<Operation *> readers;
    for (Operation *user : map->getUsers())
      readers.insert(getPlace(user, map->getBlock()));
    for (Operation *reader : readers) {
      OpBuilder builder(reader);
      Operation *near = builder.clone(*map);
      map->replaceUsesWithIf(near->getResults(), [&](OpOperand &use) {
        return reader->isAncestor(use.getOwner());
      });
    }
    map.erase();
  }

  /// The op itself, but that the body of a loop over a domain, which reads
  /// meshes, is no place for fields.
  static Operation *getPlace(Operation *op, Block *top) {
    Operation *place = op;
    for (Operation *at = op; at && at->getBlock() != top;
         at = at->getParentOp())
      if (isa_and_nonnull<DomainOpInterface>(at->getParentOp()))
        place = at->getParentOp();
    return place;
  }
};

} // namespace
