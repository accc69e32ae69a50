//===- Halos.cpp - Exchange and reduction of halos ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/Emit.h"
#include "codegen/Lowering/Handles.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct ExchangeLowering
    : LowerableOpInterface::ExternalModel<ExchangeLowering, HaloExchangeOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto exchange = cast<HaloExchangeOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value above = getAbove(builder, loc, exchange.getBound());
    for (auto [mesh, halo] :
         llvm::zip_equal(exchange.getMeshes(), exchange.getHalos())) {
      context.getTables().addHalo(cast<BufferType>(mesh.getType()));
      replaceResult(
          halo,
          context.call(
              builder, loc,
              exchange.getStart() ? PMRT_FUNCTION(pmrt_halo_exchange_start)
                                  : PMRT_FUNCTION(pmrt_halo_exchange),
              {context.getContext(builder), context.null(builder),
               context.location(builder, loc), context.array(builder, mesh),
               getBelow(exchange.getBound()), above}));
    }
    return success();
  }
};

struct MarginLowering
    : LowerableOpInterface::ExternalModel<MarginLowering, MarginOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto margin = cast<MarginOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value bound = createDisplacementBound(context, builder);
    ArrayRef<DimAttr> dims = margin.getMesh().getDims();
    auto getWidth = [&](size_t d, int64_t apart,
                        std::optional<ArrayRef<int64_t>> meeting) {
      Value width = context.constant(builder, apart, 64);
      if (!meeting || (*meeting)[d] == apart)
        return width;
      return context.call(
          builder, loc, PMRT_FUNCTION(pmrt_margin),
          {context.getContext(builder),
           context.constant(builder, context.getTables().dim(dims[d]), 32),
           context.constant(builder, (*margin.getBlocks())[d], 64),
           context.constant(builder, (*meeting)[d], 64), width});
    };
    auto store = [&](ArrayRef<int64_t> widths,
                     std::optional<ArrayRef<int64_t>> meeting, Value where) {
      for (auto [d, width] : llvm::enumerate(widths))
        LLVM::StoreOp::create(
            builder, loc, getWidth(d, width, meeting),
            LLVM::GEPOp::create(builder, loc, where.getType(),
                                builder.getI64Type(), where,
                                ArrayRef<LLVM::GEPArg>{int32_t(d)}));
    };
    store(margin.getBelow(), margin.getMeetingBelow(), getBelow(bound));
    store(margin.getAbove(), margin.getMeetingAbove(),
          getAbove(builder, loc, bound));
    replaceResult(margin.getBound(), bound);
    return success();
  }
};

struct WidenDisplacementBoundLowering
    : LowerableOpInterface::ExternalModel<WidenDisplacementBoundLowering,
                                          WidenDisplacementBoundOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto widen = cast<WidenDisplacementBoundOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value bound = createDisplacementBound(context, builder);
    auto add = [&](Value from, Value to, ArrayRef<int64_t> more) {
      for (auto [d, width] : llvm::enumerate(more)) {
        auto at = [&](Value array) {
          return LLVM::GEPOp::create(builder, loc, array.getType(),
                                     builder.getI64Type(), array,
                                     ArrayRef<LLVM::GEPArg>{int32_t(d)});
        };
        Value before =
            LLVM::LoadOp::create(builder, loc, builder.getI64Type(), at(from));
        LLVM::StoreOp::create(
            builder, loc,
            Emit(builder, loc)
                .add(before, context.constant(builder, width, 64)),
            at(to));
      }
    };
    add(getBelow(widen.getInput()), getBelow(bound), widen.getBelow());
    add(getAbove(builder, loc, widen.getInput()), getAbove(builder, loc, bound),
        widen.getAbove());
    replaceResult(widen.getBound(), bound);
    return success();
  }
};

struct WaitLowering
    : LowerableOpInterface::ExternalModel<WaitLowering, HaloWaitOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto wait = cast<HaloWaitOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_halo_wait),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc), wait->getOperand(0)});
    replaceResult(wait.getResult(), getAddress(wait.getHalo()));
    return success();
  }
};

struct HaloReduceLowering
    : LowerableOpInterface::ExternalModel<HaloReduceLowering, HaloReduceOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto reduce = cast<HaloReduceOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.getTables().addHalo(cast<BufferType>(reduce.getInput().getType()));
    context.call(builder, loc, PMRT_FUNCTION(pmrt_halo_reduce),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc), reduce->getOperand(1)});
    context.copy(builder, loc, reduce.getInput(), reduce.getOuts()[0]);
    return success();
  }
};

struct CloseLowering
    : LowerableOpInterface::ExternalModel<CloseLowering, HaloCloseOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    for (Value halo : op->getOperands())
      context.call(
          builder, loc, PMRT_FUNCTION(pmrt_halo_close),
          {context.getContext(builder), context.location(builder, loc), halo});
    return success();
  }
};

} // namespace

void pmc::codegen::registerHaloLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    HaloExchangeOp::attachInterface<ExchangeLowering>(*context);
    MarginOp::attachInterface<MarginLowering>(*context);
    WidenDisplacementBoundOp::attachInterface<WidenDisplacementBoundLowering>(
        *context);
    HaloWaitOp::attachInterface<WaitLowering>(*context);
    HaloReduceOp::attachInterface<HaloReduceLowering>(*context);
    HaloCloseOp::attachInterface<CloseLowering>(*context);
  });
}
