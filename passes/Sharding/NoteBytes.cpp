//===- NoteBytes.cpp - What every message costs ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `bytes` is what one rank sends, as an expression of the mesh. Of halos it is
// in the widths that the displacement bound has: lo_x cells below and hi_x
// above along x. `transposes` is the number of transposes in a transform, where
// all axes have several ranks.
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Cost.h"
#include "passes/Passes.h"

namespace pmc::passes {
#define GEN_PASS_DEF_NOTEBYTES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::cost;

namespace {

class NoteBytesPass : public pmc::passes::impl::NoteBytesBase<NoteBytesPass> {
public:
  void runOnOperation() override {
    getOperation()->walk([](pmc::cost::CostOpInterface op) {
      pmc::cost::OpCost cost = op.getCost({});
      if (cost.messages.empty())
        return;
      ExprAttr bytes = getConstant(op->getContext(), 0);
      for (const Message &message : cost.messages)
        bytes = bytes + message.bytes;
      op->setAttr("bytes", bytes);
      if (cost.part == Part::Transforms)
        op->setAttr("transposes",
                    Builder(op->getContext())
                        .getI64IntegerAttr(int64_t(cost.messages.size())));
    });
  }
};

} // namespace
