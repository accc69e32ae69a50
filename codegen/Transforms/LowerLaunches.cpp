//===- LowerLaunches.cpp - Launches of kernels to runtime calls -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Frame.h"
#include "codegen/Lowering/Handles.h"
#include "codegen/Passes.h"
#include "dialect/IR/Markers/SharedBoxes.h"

#include "pmrt/spectral_filter.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_LOWERLAUNCHES
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

namespace {

/// What a launch hands to its kernels: values in the frame of the host's
/// function, one behind the other.
class Captures {
public:
  Captures(LoweringContext &context, SymbolTable &symbols, OpBuilder &host,
           ValueRange values)
      : context(context), symbols(symbols), host(host), values(values) {
    SmallVector<Type> stored;
    for (Type type : values.getTypes())
      stored.push_back(getStoredType(type));
    record = LLVM::LLVMStructType::getLiteral(host.getContext(), stored);
  }

  /// The addresses of all of them.
  SmallVector<Value> store() {
    SmallVector<Value> addresses;
    if (values.empty())
      return addresses;
    Value memory = context.frame(host, record);
    for (auto [i, value] : llvm::enumerate(values)) {
      addresses.push_back(at(host, memory, i));
      LLVM::StoreOp::create(host, value.getLoc(), toStored(host, value),
                            addresses.back());
    }
    return addresses;
  }
  /// The address of the first, at which the record lies.
  Value storeAll() {
    SmallVector<Value> addresses = store();
    return addresses.empty() ? context.null(host) : addresses.front();
  }

  /// The address of KERNEL.call, which takes the record's address and what the
  /// kernel requires beyond the captures.
  Value callFromRecord(FlatSymbolRefAttr name, Location loc) {
    std::string callee = (name.getValue() + ".call").str();
    auto wrapper = symbols.lookup<LLVM::LLVMFuncOp>(callee);
    if (!wrapper) {
      wrapper =
          createWrapper(symbols.lookup<func::FuncOp>(name.getAttr()), callee);
      symbols.insert(wrapper);
    }
    return LLVM::AddressOfOp::create(host, loc, wrapper);
  }

private:
  LLVM::LLVMFuncOp createWrapper(func::FuncOp kernel, StringRef name) const {
    Location loc = kernel.getLoc();
    OpBuilder top(kernel.getContext());
    top.setInsertionPointAfter(kernel);
    SmallVector<Type> outer{LLVM::LLVMPointerType::get(top.getContext())};
    for (Type type : kernel.getArgumentTypes().drop_front(values.size()))
      outer.push_back(getStoredType(type));
    auto wrapper = LLVM::LLVMFuncOp::create(
        top, loc, name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(top.getContext()),
                                    outer),
        LLVM::Linkage::Internal);
    OpBuilder inner = OpBuilder::atBlockEnd(wrapper.addEntryBlock(top));
    SmallVector<Value> operands;
    for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      Value stored;
      if (i < values.size())
        stored = LLVM::LoadOp::create(inner, loc, record.getBody()[i],
                                      at(inner, wrapper.getArgument(0), i));
      else
        stored = wrapper.getArgument(unsigned(i - values.size() + 1));
      operands.push_back(fromStored(inner, stored, type));
    }
    func::CallOp::create(inner, loc, kernel, operands);
    LLVM::ReturnOp::create(inner, loc, ValueRange());
    return wrapper;
  }

  Value at(OpBuilder &builder, Value memory, size_t i) const {
    return LLVM::GEPOp::create(builder, memory.getLoc(), memory.getType(),
                               record, memory,
                               ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
  }

  LoweringContext &context;
  SymbolTable &symbols;
  OpBuilder &host;
  ValueRange values;
  LLVM::LLVMStructType record;
};

class LowerLaunchesPass
    : public pmc::codegen::impl::LowerLaunchesBase<LowerLaunchesPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<TargetInfo> target = TargetInfo::get(module);
    if (failed(target))
      return signalPassFailure();
    ProgramTables tables(module);
    LoweringContext context(module, tables, *target);
    markFirst(module);
    lowerAll<pmk::ParallelForOp, pmk::ParallelListOp, pmk::ParallelBlocksOp,
             pmk::SpectralFilterOp, pmk::ParallelReduceOp,
             pmk::ParallelScatterOp, pmk::LaunchOp>(context);
  }

private:
  /// The first of the loops that share boxes gets the negative number: it
  /// forgets those of particles that have moved. The others come later in its
  /// block, so that it has run before them.
  static void markFirst(ModuleOp module) {
    llvm::SmallDenseSet<std::pair<Block *, int64_t>> known;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto boxes = op->getAttrOfType<IntegerAttr>(pm::sharedBoxes);
      if (boxes && known.insert({op->getBlock(), boxes.getInt()}).second)
        op->setAttr(pm::sharedBoxes,
                    IntegerAttr::get(boxes.getType(), -boxes.getInt()));
    });
  }

  static Value getBoxes(Operation *op, LoweringContext &context,
                        OpBuilder &host) {
    auto boxes = op->getAttrOfType<IntegerAttr>(pm::sharedBoxes);
    return context.constant(host, boxes ? boxes.getInt() : 0, 64);
  }

  /// Lowers all launches, kind by kind.
  template <typename... Ops> static void lowerAll(LoweringContext &context) {
    SmallVector<Operation *> launches;
    context.getModule().walk([&](Operation *op) {
      if (isa<Ops...>(op))
        launches.push_back(op);
    });
    SymbolTable symbols(context.getModule());
    auto lowerKind = [&](auto kind) {
      for (Operation *launch : launches)
        if (auto op = dyn_cast<decltype(kind)>(launch)) {
          OpBuilder host(op);
          Captures captures(context, symbols, host, op.getCaptures());
          lower(op, context, host, captures);
        }
    };
    (lowerKind(Ops()), ...);
    for (Operation *launch : launches)
      launch->erase();
  }

  /// What every function of the runtime that starts kernels begins with.
  template <typename Op>
  static SmallVector<Value> begin(Op op, LoweringContext &context,
                                  OpBuilder &host) {
    return {context.getContext(host), context.null(host),
            context.constant(host, int32_t(op.getLine()), 32),
            context.string(host, op.getTitle())};
  }

  static void lower(pmk::ParallelForOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> operands = begin(op, context, host);
    operands.append({captures.callFromRecord(op.getKernelAttr(), op.getLoc()),
                     captures.storeAll(), op.getCount(), op.getBytes()});
    context.call(host, op.getLoc(), PMRT_FUNCTION(pmrt_parallel_for), operands);
  }

  static void lower(pmk::ParallelListOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> bodies;
    for (FlatSymbolRefAttr kernel : {op.getCellBlocksAttr(), op.getListAttr()})
      bodies.push_back(captures.callFromRecord(kernel, op.getLoc()));
    SmallVector<Value> operands = begin(op, context, host);
    operands.append({context.pack(host, bodies, bodies.front().getType()),
                     captures.storeAll(), op.getCount(), op.getBytes()});
    context.call(host, op.getLoc(), PMRT_FUNCTION(pmrt_parallel_list),
                 operands);
  }

  static void lower(pmk::ParallelBlocksOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> bodies;
    Value null = context.null(host);
    for (FlatSymbolRefAttr kernel : {op.getBoxAttr(), op.getBlockAttr(),
                                     op.getRowsAttr(), op.getFillAttr()})
      bodies.push_back(kernel ? captures.callFromRecord(kernel, op.getLoc())
                              : null);
    bodies.push_back(LLVM::IntToPtrOp::create(host, op.getLoc(), null.getType(),
                                              getBoxes(op, context, host)));
    bodies.push_back(
        op.getRenews() ? LLVM::IntToPtrOp::create(
                             host, op.getLoc(), null.getType(), op.getRenews())
                       : null);
    auto pack = [&](ArrayRef<int64_t> numbers) {
      SmallVector<Value> values = llvm::map_to_vector(
          numbers, [&](int64_t i) { return context.constant(host, i, 64); });
      return context.pack(host, values, host.getI64Type());
    };
    SmallVector<Value> operands = begin(op, context, host);
    operands.append(
        {context.pack(host, bodies, null.getType()), captures.storeAll(),
         context.constant(host, int64_t(op.getExtents().size()), 32),
         context.pack(host, op.getExtents(), host.getI64Type()),
         pack(op.getSites()), pack(op.getSupport()),
         context.constant(host, int64_t(op.getMeshes().size()), 32),
         context.pack(host, op.getMeshes(), null.getType()),
         op.getHalos().empty()
             ? null
             : context.pack(host, op.getHalos(), null.getType()),
         context.constant(host, int64_t(op.getFields().value_or(0)), 32),
         op.getFillAttr() ? pack(*op.getBelow()) : null,
         op.getFillAttr() ? pack(*op.getAbove()) : null, op.getBytes()});
    context.call(host, op.getLoc(), PMRT_FUNCTION(pmrt_parallel_blocks),
                 operands);
  }

  static void lower(pmk::SpectralFilterOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> operands = begin(op, context, host);
    operands.append({captures.callFromRecord(op.getKernelAttr(), op.getLoc()),
                     captures.storeAll(),
                     context.constant(host, int64_t(op.getOver()), 32),
                     op.getField(), op.getSpectrum(), op.getResult()});
    context.call(host, op.getLoc(), PMRT_FUNCTION(pmrt_spectral_filter),
                 operands);
  }

  static void lower(pmk::ParallelReduceOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> operands = begin(op, context, host);
    operands.append({captures.callFromRecord(op.getKernelAttr(), op.getLoc()),
                     captures.storeAll(), op.getCount(), op.getBytes(),
                     context.constant(host, int64_t(op.getWidth()), 64),
                     reductionCode(context, host, op.getKind()), op.getOut()});
    context.call(host, op.getLoc(), PMRT_FUNCTION(pmrt_parallel_reduce),
                 operands);
  }

  /// A pmrt_scatter_blocks: pointers and integers of 64 bits.
  static Value packBlocks(pmk::ParallelScatterOp op, LoweringContext &context,
                          OpBuilder &host, Captures &captures) {
    Type i64 = host.getI64Type();
    SmallVector<Value> fields;
    auto add = [&](Value pointer) {
      fields.push_back(
          LLVM::PtrToIntOp::create(host, op.getLoc(), i64, pointer));
    };
    auto addNumbers = [&](ArrayRef<int64_t> numbers) {
      SmallVector<Value> values = llvm::map_to_vector(
          numbers, [&](int64_t i) { return context.constant(host, i, 64); });
      add(context.pack(host, values, i64));
    };
    for (FlatSymbolRefAttr kernel : {op.getBoxAttr(), op.getDepositAttr()})
      add(captures.callFromRecord(kernel, op.getLoc()));
    fields.push_back(
        context.constant(host, int64_t(op.getExtents().size()), 64));
    add(context.pack(host, op.getExtents(), i64));
    addNumbers(*op.getSites());
    addNumbers(*op.getWidths());
    Value null = context.null(host);
    add(op.getHalos().empty()
            ? null
            : context.pack(host, op.getHalos(), null.getType()));
    auto addNumber = [&](int64_t number) {
      fields.push_back(context.constant(host, number, 64));
    };
    if (FlatSymbolRefAttr stencil = op.getStencilAttr()) {
      size_t each = op.getBelow()->size(); // a field, and offsets
      add(captures.callFromRecord(stencil, op.getLoc()));
      addNumber(int64_t(*op.getFields()));
      addNumbers(*op.getBelow());
      addNumbers(*op.getAbove());
      addNumber(int64_t(op.getTaps()->size() / each));
      addNumbers(*op.getTaps());
    } else {
      add(null);
      addNumber(0);
      add(null);
      add(null);
      addNumber(0);
      add(null);
    }
    fields.push_back(getBoxes(op, context, host));
    return context.pack(host, fields, i64);
  }

  static void lower(pmk::ParallelScatterOp op, LoweringContext &context,
                    OpBuilder &host, Captures &captures) {
    SmallVector<Value> bodies;
    for (FlatSymbolRefAttr kernel :
         {op.getBoundsAttr(), op.getBlockAttr(), op.getPlanesAttr(),
          op.getListAttr(), op.getCopyAttr()})
      bodies.push_back(kernel ? captures.callFromRecord(kernel, op.getLoc())
                              : context.null(host));
    Value null = context.null(host);
    bodies.push_back(
        op.getCellBlocksAttr()
            ? captures.callFromRecord(op.getCellBlocksAttr(), op.getLoc())
            : null);
    bodies.push_back(op.getBoxAttr() ? packBlocks(op, context, host, captures)
                                     : null);
    SmallVector<Value> operands = begin(op, context, host);
    operands.append({context.pack(host, bodies, null.getType()),
                     captures.storeAll(),
                     context.constant(host, int64_t(op.getMeshes().size()), 32),
                     context.pack(host, op.getMeshes(), null.getType())});
    if (op.getHalo())
      operands.append({op.getHalo(), op.getOffsets()});
    llvm::append_range(operands, op.getParticles());
    bool isLattice = bool(op.getRatios());
    operands.append({context.constant(host, int64_t(op.getSupport()), 32),
                     isLattice ? op.getRatios() : null,
                     context.constant(host, int64_t(isLattice), 32)});
    context.call(host, op.getLoc(),
                 op.getHalo() ? PMRT_FUNCTION(pmrt_scatter_halo)
                              : PMRT_FUNCTION(pmrt_scatter),
                 operands);
  }

  static void lower(pmk::LaunchOp op, LoweringContext &context, OpBuilder &host,
                    Captures &captures) {
    SmallVector<Value> operands = begin(op, context, host);
    Type pointer = LLVM::LLVMPointerType::get(host.getContext());
    operands.append(
        {context.string(host, op.getKernel().getLeafReference()),
         op.getAmount(), context.constant(host, int64_t(op.getBlockSize()), 32),
         context.constant(host, int64_t(op.getShared()), 32),
         context.pack(host, captures.store(), pointer), op.getBytes()});
    context.call(host, op.getLoc(),
                 op.getGrid() == pmk::Grid::Threads
                     ? PMRT_FUNCTION(pmrt_launch)
                     : PMRT_FUNCTION(pmrt_launch_blocks),
                 operands);
  }
};

} // namespace
