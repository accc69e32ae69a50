//===- TableLifetimes.cpp - When tables end -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/LoweringContext.h"
#include "codegen/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_ENDTABLES
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::codegen;

/// Whether the op or what it calls makes tables. There is no recursion.
static bool makesTables(Operation *op) {
  auto visit = [](Operation *inner) {
    bool makes = false;
    if (isa<LLVM::CallOp>(inner)) {
      makes = PMRT_FUNCTION(pmrt_table_create).isCalledBy(inner) ||
              PMRT_FUNCTION(pmrt_table_zeros).isCalledBy(inner);
    } else if (auto call = dyn_cast<func::CallOp>(inner)) {
      Operation *callee =
          SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
      makes = callee && makesTables(callee);
    }
    return makes ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op->walk(visit).wasInterrupted();
}

/// Before the end of a step: only what it hands on may stay.
static void releaseBefore(LoweringContext &context, Operation *terminator,
                          Value mark) {
  OpBuilder builder(terminator);
  SmallVector<Value> kept;
  for (Value value : terminator->getOperands())
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      kept.push_back(value);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  context.call(builder, terminator->getLoc(),
               PMRT_FUNCTION(pmrt_tables_release),
               {context.getContext(builder), mark,
                context.constant(builder, int64_t(kept.size()), 32),
                context.pack(builder, kept, pointer)});
}

static void endTables(LoweringContext &context) {
  SmallVector<Operation *> loops;
  context.getModule().walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op) && makesTables(op))
      loops.push_back(op);
  });
  for (Operation *loop : loops) {
    OpBuilder builder(loop);
    Value mark =
        context.call(builder, loop->getLoc(), PMRT_FUNCTION(pmrt_tables_mark),
                     context.getContext(builder));
    for (Region &region : loop->getRegions())
      releaseBefore(context, region.front().getTerminator(), mark);
  }
}

namespace {

struct EndTablesPass : pmc::codegen::impl::EndTablesBase<EndTablesPass> {
  void runOnOperation() override {
    ProgramTables tables(getOperation());
    LoweringContext context(getOperation(), tables);
    endTables(context);
  }
};

} // namespace
