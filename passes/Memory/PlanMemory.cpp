//===- PlanMemory.cpp - Fields to buffers ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Where a loop or a branch hands a field on and the two cannot be one
//    buffer, or an op destroys what is read later, a pm.copy is inserted.
// 2. Elementwise ops overwrite an operand that dies there.
// 3. Every class of fields becomes a pm.alloc; ops get their buffer form. The
//    runtime places the buffers by the hulls of their live ranges.
//    In programs for sessions, some buffers can be in memory of the caller.
//
//===----------------------------------------------------------------------===//

#include "passes/FieldSize.h"
#include "passes/Memory/Branches.h"
#include "passes/Memory/BufferForm.h"
#include "passes/Memory/CallerMemory.h"
#include "passes/Memory/Coalesce.h"
#include "passes/Memory/Copies.h"
#include "passes/Passes.h"

#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace pmc::passes {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// What pm.plan says.
struct Plan {
  SmallVector<Attribute> types;
  SmallVector<int64_t> starts, ends;

  int64_t add(BufferType type, Interval live) {
    types.push_back(TypeAttr::get(type));
    starts.push_back(live.start);
    ends.push_back(live.end);
    return int64_t(types.size()) - 1;
  }

  /// The most bytes that are live at one time.
  int64_t getPeak() const {
    SmallVector<std::pair<int64_t, int64_t>> changes;
    for (auto [type, start, end] : llvm::zip(types, starts, ends)) {
      Type buffer = cast<TypeAttr>(type).getValue();
      int64_t bytes = getBytes(cast<GridType>(buffer));
      changes.push_back({start, bytes});
      changes.push_back({end + 1, -bytes});
    }
    llvm::sort(changes);
    int64_t live = 0, peak = 0;
    for (auto [time, bytes] : changes)
      peak = std::max(peak, live += bytes);
    return peak;
  }
};

/// Prefetched data is beside all other data: the most that any
/// read of a stream takes.
void planPrefetch(ModuleOp module, Plan &plan) {
  llvm::MapVector<InputOp, BufferType> most;
  module.walk([&](PrefetchSamplesOp op) {
    for (auto input : module.getOps<InputOp>()) {
      if (input.getName() != op.getName())
        continue;
      SmallVector<DimAttr> dims;
      if (auto index = dyn_cast<GridType>(op.getIndex().getType()))
        llvm::append_range(dims, index.getDims());
      auto sample = cast<FieldType>(input.getType());
      llvm::append_range(dims, sample.getDims());
      auto type =
          BufferType::get(module.getContext(), dims, sample.getElementType());
      BufferType &largest = most[input];
      if (!largest ||
          getBytes(cast<GridType>(largest)) < getBytes(cast<GridType>(type)))
        largest = type;
    }
  });
  int64_t end = 0;
  for (int64_t one : plan.ends)
    end = std::max(end, one);
  for (auto [input, type] : most)
    input.setAhead(plan.add(type, {0, end}));
}

class PlanMemoryPass
    : public pmc::passes::impl::PlanMemoryBase<PlanMemoryPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal())
      return;
    branchOnFields(main);
    separateConstants(main);
    FailureOr<unsigned> copies = insertCopies(main);
    if (failed(copies))
      return signalPassFailure();
    SmallVector<Tie> ties = getTies(main);
    Liveness liveness(main, ties);
    Coalescing classes(liveness);
    for (auto [operand, value] : ties)
      classes.join(operand->get(), value);
    const bool embedded = isEmbedded(module);
    llvm::DenseSet<Value> inputs;
    if (embedded)
      inputs = findReadInputs(main, classes);
    classes.joinInPlace(main, inputs);
    llvm::DenseMap<Value, std::string> callers;
    if (embedded)
      callers = findCallerMemory(main, liveness, classes, inputs);

    Plan plan;
    SmallVector<Attribute> callerNames;
    OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
    DenseMap<Value, Value> allocs, buffers;
    for (Value field : liveness.fields()) {
      Value leader = classes.leader(field);
      Value &alloc = allocs[leader];
      if (!alloc) {
        FieldType type = getField(leader.getType());
        auto bufferType = BufferType::get(type.getContext(), type.getDims(),
                                          type.getElementType());
        int64_t id = plan.add(bufferType, classes.hull(leader));
        callerNames.push_back(builder.getStringAttr(callers.lookup(leader)));
        alloc =
            AllocOp::create(builder, leader.getLoc(), bufferType, uint64_t(id));
      }
      buffers[field] = alloc;
    }
    if (failed(toBufferForm(main, buffers)))
      return signalPassFailure();
    planPrefetch(module, plan);
    builder.setInsertionPoint(main);
    auto made =
        PlanOp::create(builder, main.getLoc(), builder.getArrayAttr(plan.types),
                       plan.starts, plan.ends);
    if (!callers.empty())
      made->setAttr("caller", builder.getArrayAttr(callerNames));
    remark::analysis(main.getLoc(), remark::RemarkOpts::name("plan").category(
                                        "pm-plan-memory"))
        << llvm::formatv("{0} buffers, {1} bytes at the peak, {2} copies",
                         plan.types.size(), plan.getPeak(), *copies)
               .str();
  }
};

} // namespace
