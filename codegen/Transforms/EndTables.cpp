//===- EndTables.cpp - When tables end ------------------------------------===//
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

namespace {

/// Finds the loops whose steps make tables, themselves or by calls.
class TableLoops {
public:
  explicit TableLoops(ModuleOp module) : symbols(module) {
    for (Operation &op : *module.getBody())
      makesTables(&op);
  }

  SmallVector<Operation *> loops; ///< outer ones after those in them

private:
  /// Returns whether a function makes tables. Each function is visited once,
  /// because no function calls itself.
  bool makesTables(Operation *function) {
    auto [known, isNew] = makers.try_emplace(function, false);
    if (isNew) {
      bool makes = visit(function);
      makers[function] = makes;
      return makes;
    }
    return known->second;
  }

  bool visit(Operation *op) {
    if (isa<LLVM::CallOp>(op))
      return PMRT_FUNCTION(pmrt_table_create).isCalledBy(op) ||
             PMRT_FUNCTION(pmrt_table_zeros).isCalledBy(op);
    if (auto call = dyn_cast<func::CallOp>(op)) {
      Operation *callee = symbols.lookup(call.getCallee());
      return callee && makesTables(callee);
    }
    bool makes = false;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        makes |= visit(&inner);
    if (makes && isa<scf::ForOp, scf::WhileOp>(op))
      loops.push_back(op);
    return makes;
  }

  SymbolTable symbols;
  llvm::DenseMap<Operation *, bool> makers; ///< by function
};

} // namespace

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
  for (Operation *loop : TableLoops(context.getModule()).loops) {
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
