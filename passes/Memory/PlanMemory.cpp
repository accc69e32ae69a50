//===- PlanMemory.cpp - Fields to buffers ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Where a loop or a branch hands a field on and the two cannot be one
//    buffer, a pm.copy is inserted.
// 2. Elementwise maps overwrite an input that dies there.
// 3. Every class of fields becomes a pm.alloc; ops get their buffer form. The
//    runtime places the buffers by the hulls of their live ranges.
//
//===----------------------------------------------------------------------===//

#include "passes/Memory/PlanMemory.h"
#include "passes/Memory/Coalesce.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

bool isField(Type type) { return isa<FieldType>(type); }

Value insertCopy(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  auto copy = CopyOp::create(builder, operand.getOwner()->getLoc(),
                             TypeRange(operand.get().getType()), operand.get(),
                             ValueRange());
  operand.set(copy.getResult());
  return copy.getResult();
}

/// Copies where an op spoils what is read later, and until all ties join.
/// Each round inserts at least one copy; copies right before the op that
/// hands on conflict with nothing but each other, so the rounds end.
void insertCopies(func::FuncOp function) {
  function.walk([&](IFFTOp op) {
    OpOperand &input = op.getInputMutable();
    Liveness liveness(function);
    if (liveness.get(input.get()).end > 2 * liveness.firstPoint(op) + 1)
      insertCopy(input);
  });
  for (bool changed = true; changed;) {
    changed = false;
    Liveness liveness(function);
    Coalescing classes(liveness);
    function.walk([&](Operation *op) {
      for (auto [operand, value] : getTies(op)) {
        if (changed || classes.join(operand->get(), value))
          continue;
        insertCopy(*operand);
        changed = true;
      }
    });
  }
}

Coalescing coalesce(func::FuncOp function, const Liveness &liveness) {
  Coalescing classes(liveness);
  function.walk([&](Operation *op) {
    for (auto [operand, value] : getTies(op))
      classes.join(operand->get(), value);
  });
  function.walk([&](MapOp map) {
    for (Value result : map.getResults())
      for (OpOperand &operand : map.getInputsMutable())
        if (readsElementwise(operand) && classes.join(operand.get(), result))
          break;
  });
  return classes;
}

/// Rewrites the ops to their buffer forms.
class Bufferizer {
public:
  Bufferizer(func::FuncOp function, const DenseMap<Value, Value> &buffers)
      : function(function), buffers(buffers) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (llvm::any_of(op->getOperandTypes(), isField) ||
          llvm::any_of(op->getResultTypes(), isField))
        ops.push_back(op);
    });
    for (auto [field, buffer] : buffers) {
      Value old = field;
      old.replaceAllUsesWith(buffer);
    }
    // Inner ops first; loops lose their carried fields last of all.
    for (Operation *op : ops)
      if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op) &&
          llvm::any_of(op->getResultTypes(), isField))
        if (failed(rewrite(op)))
          return failure();
    for (Operation *op : ops)
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
        dropFields(op);
    return success();
  }

private:
  LogicalResult rewrite(Operation *op) {
    OpBuilder builder(op);
    SmallVector<Value> outs;
    SmallVector<Type> scalars;
    SmallVector<Value> kept;
    for (Value result : op->getResults()) {
      if (isField(result.getType())) {
        outs.push_back(buffers.lookup(result));
      } else {
        scalars.push_back(result.getType());
        kept.push_back(result);
      }
    }
    Operation *made = build(builder, op, outs, scalars);
    if (!made)
      return op->emitOpError("has no buffer form");
    for (auto [old, now] : llvm::zip(kept, made->getResults()))
      old.replaceAllUsesWith(now);
    op->erase();
    return success();
  }

  Operation *build(OpBuilder &builder, Operation *op, ValueRange outs,
                   TypeRange scalars) {
    Location loc = op->getLoc();
    if (auto map = dyn_cast<MapOp>(op)) {
      auto made = MapOp::create(builder, loc, TypeRange(), map.getDomainAttr(),
                                map.getInputs(), outs);
      made.getBody().takeBody(map.getBody());
      return made;
    }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      auto made =
          ReduceOp::create(builder, loc, scalars, TypeRange(), reduce.getKind(),
                           reduce.getDomainAttr(), reduce.getInputs(), outs);
      made.getBody().takeBody(reduce.getBody());
      return made;
    }
    if (auto bins = dyn_cast<BinsOp>(op)) {
      auto made = BinsOp::create(builder, loc, TypeRange(),
                                 bins.getDomainAttr(), bins.getInputs(), outs);
      made.getBody().takeBody(bins.getBody());
      return made;
    }
    if (auto scatter = dyn_cast<ScatterOp>(op)) {
      auto made = ScatterOp::create(builder, loc, Type(), scatter.getWindow(),
                                    scatter.getDomainAttr(), scatter.getFree(),
                                    scatter.getInputs(), outs);
      made.getBody().takeBody(scatter.getBody());
      return made;
    }
    if (auto fft = dyn_cast<FFTOp>(op))
      return FFTOp::create(builder, loc, Type(), fft.getInput(),
                           fft.getOverAttr(), fft.getRawAttr(), outs);
    if (auto fft = dyn_cast<IFFTOp>(op))
      return IFFTOp::create(builder, loc, Type(), fft.getInput(),
                            fft.getOverAttr(), fft.getRawAttr(), outs);
    if (auto noise = dyn_cast<WhiteNoiseOp>(op))
      return WhiteNoiseOp::create(builder, loc, Type(), noise.getSeed(), outs);
    if (auto copy = dyn_cast<CopyOp>(op))
      return CopyOp::create(builder, loc, Type(), copy.getInput(), outs);
    if (auto input = dyn_cast<InputValueOp>(op))
      return InputValueOp::create(builder, loc, Type(), Type(),
                                  input.getNameAttr(), outs);
    return nullptr;
  }

  /// Rebuilds a structured op without the fields it carries.
  void dropFields(Operation *op) {
    OpBuilder builder(op);
    SmallVector<Type> types;
    SmallVector<Value> kept;
    for (Value result : op->getResults())
      if (!isField(result.getType())) {
        types.push_back(result.getType());
        kept.push_back(result);
      }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        llvm::BitVector drop(block.getNumArguments());
        for (BlockArgument argument : block.getArguments())
          if (isField(argument.getType())) {
            drop.set(argument.getArgNumber());
          }
        block.eraseArguments(drop);
        Operation *terminator = block.getTerminator();
        llvm::BitVector operands(terminator->getNumOperands());
        for (OpOperand &operand : terminator->getOpOperands())
          if (isa<BufferType>(operand.get().getType()))
            operands.set(operand.getOperandNumber());
        terminator->eraseOperands(operands);
      }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      if (!isa<BufferType>(operand.getType()))
        operands.push_back(operand);
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = builder.create(state);
    for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
      to.takeBody(from);
    for (auto [old, now] : llvm::zip(kept, made->getResults()))
      old.replaceAllUsesWith(now);
    op->erase();
  }

  func::FuncOp function;
  const DenseMap<Value, Value> &buffers;
};

class PlanMemoryPass
    : public PassWrapper<PlanMemoryPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanMemoryPass)
  StringRef getArgument() const override { return "pm-plan-memory"; }
  StringRef getDescription() const override {
    return "place fields into buffers";
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    for (auto function : module.getOps<func::FuncOp>())
      if (function != main &&
          (llvm::any_of(function.getArgumentTypes(), isField) ||
           llvm::any_of(function.getResultTypes(), isField))) {
        function.emitOpError("takes or returns a field; fields must have been "
                             "inlined into main");
        return signalPassFailure();
      }

    insertCopies(main);
    Liveness liveness(main);
    Coalescing classes = coalesce(main, liveness);

    OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
    llvm::MapVector<Value, Value> allocs;
    SmallVector<Attribute> types;
    SmallVector<int64_t> starts, ends;
    DenseMap<Value, Value> buffers;
    for (Value field : liveness.fields()) {
      Value leader = classes.leader(field);
      auto [entry, isNew] = allocs.insert({leader, Value()});
      if (isNew) {
        auto type = cast<FieldType>(leader.getType());
        auto bufferType = BufferType::get(type.getContext(), type.getDims(),
                                          type.getElementType());
        entry->second = AllocOp::create(builder, main.getLoc(), bufferType,
                                        uint64_t(types.size()));
        Interval hull = classes.hull(leader);
        types.push_back(TypeAttr::get(bufferType));
        starts.push_back(hull.start);
        ends.push_back(hull.end);
      }
      buffers[field] = entry->second;
    }
    if (failed(Bufferizer(main, buffers).run()))
      return signalPassFailure();
    builder.setInsertionPoint(main);
    PlanOp::create(builder, main.getLoc(), builder.getArrayAttr(types), starts,
                   ends);
  }
};

} // namespace

std::unique_ptr<Pass> pmc::passes::createPlanMemoryPass() {
  return std::make_unique<PlanMemoryPass>();
}
