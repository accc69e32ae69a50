//===- ToLLVM.cpp - Kernels' memory to the LLVM dialect -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Kernels/Kernels.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace pmc::pmk;

namespace {

Type convertSpan(SpanType span) {
  unsigned space = span.getSpace() == Space::Shared
                       ? unsigned(NVVM::NVVMMemorySpace::Shared)
                       : 0;
  return LLVM::LLVMPointerType::get(span.getContext(), space);
}

Value number(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
}

/// The layout of elements in memory: complex ones as two reals, i1 as bytes.
class Memory {
public:
  Memory(ConversionPatternRewriter &builder, Location loc,
         const TypeConverter &types, SpanType span)
      : builder(builder), loc(loc), element(span.getElement()),
        complex(dyn_cast<ComplexType>(element)), part(element) {
    if (complex)
      part = complex.getElementType();
    else if (element.isInteger(1))
      part = builder.getI8Type();
    else if (isa<SpanType>(element))
      part = types.convertType(element);
  }

  Value address(Value base, Value index, bool unbounded = false) {
    if (complex)
      index = LLVM::MulOp::create(builder, loc, index, number(builder, loc, 2));
    return step(base, index, unbounded);
  }

  /// `type`: of the value, converted. `unaligned`: only its elements are
  /// aligned.
  Value load(Value address, Type type, bool unaligned = false) {
    if (complex) {
      Value other = second(address);
      Value re = LLVM::LoadOp::create(builder, loc, part, address);
      Value im = LLVM::LoadOp::create(builder, loc, part, other);
      Value pair = LLVM::PoisonOp::create(builder, loc, type);
      pair = LLVM::InsertValueOp::create(builder, loc, pair, re,
                                         ArrayRef<int64_t>{0});
      return LLVM::InsertValueOp::create(builder, loc, pair, im,
                                         ArrayRef<int64_t>{1});
    }
    if (part == element || isa<SpanType>(element))
      return LLVM::LoadOp::create(builder, loc, type, address,
                                  unaligned ? part.getIntOrFloatBitWidth() / 8
                                            : 0);
    Value byte = LLVM::LoadOp::create(builder, loc, part, address);
    return LLVM::TruncOp::create(builder, loc, type, byte);
  }

  void store(Value value, Value address, bool isAtomic = false) {
    if (complex) {
      Value other = second(address);
      Value re = LLVM::ExtractValueOp::create(builder, loc, value,
                                              ArrayRef<int64_t>{0});
      Value im = LLVM::ExtractValueOp::create(builder, loc, value,
                                              ArrayRef<int64_t>{1});
      LLVM::StoreOp::create(builder, loc, re, address);
      LLVM::StoreOp::create(builder, loc, im, other);
      return;
    }
    if (element.isInteger(1))
      value = LLVM::ZExtOp::create(builder, loc, part, value);
    if (isAtomic)
      LLVM::StoreOp::create(
          builder, loc, value, address, part.getIntOrFloatBitWidth() / 8,
          /*isVolatile=*/false, /*isNonTemporal=*/false,
          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
    else
      LLVM::StoreOp::create(builder, loc, value, address);
  }

private:
  Value step(Value base, Value index, bool unbounded = false) {
    return LLVM::GEPOp::create(builder, loc, base.getType(), part, base,
                               ArrayRef<LLVM::GEPArg>{index},
                               unbounded ? LLVM::GEPNoWrapFlags::none
                                         : LLVM::GEPNoWrapFlags::inbounds);
  }
  Value second(Value address) { return step(address, number(builder, loc, 1)); }

  ConversionPatternRewriter &builder;
  Location loc;
  Type element;
  ComplexType complex;
  Type part;
};

template <typename Op> struct Lowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  using Rewriter = ConversionPatternRewriter;

  Memory memory(Op op, Rewriter &rewriter) const {
    return {rewriter, op.getLoc(), *this->getTypeConverter(),
            op.getSpan().getType()};
  }
};

struct SpanLowering : Lowering<SpanOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(SpanOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getAddress());
    return success();
  }
};

struct AddressLowering : Lowering<AddressOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(AddressOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSpan());
    return success();
  }
};

struct AtLowering : Lowering<AtOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(AtOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    rewriter.replaceOp(
        op,
        memory(op, rewriter).address(adaptor.getSpan(), adaptor.getIndex()));
    return success();
  }
};

struct LoadLowering : Lowering<LoadOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    Memory there = memory(op, rewriter);
    Type type = getTypeConverter()->convertType(op.getValue().getType());
    Value address = there.address(adaptor.getSpan(), adaptor.getIndex());
    rewriter.replaceOp(op, there.load(address, type, op.getUnaligned()));
    return success();
  }
};

struct StoreLowering : Lowering<StoreOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    Memory there = memory(op, rewriter);
    there.store(
        adaptor.getValue(),
        there.address(adaptor.getSpan(), adaptor.getIndex(), op.getUnbounded()),
        op.getAtomic());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AtomicAddLowering : Lowering<AtomicAddOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(AtomicAddOp op, OpAdaptor adaptor,
                                Rewriter &rewriter) const override {
    Value value = adaptor.getValue();
    LLVM::AtomicRMWOp::create(
        rewriter, op.getLoc(),
        isa<FloatType>(value.getType()) ? LLVM::AtomicBinOp::fadd
                                        : LLVM::AtomicBinOp::add,
        memory(op, rewriter).address(adaptor.getSpan(), adaptor.getIndex()),
        value, LLVM::AtomicOrdering::monotonic, stringifyScope(op.getScope()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct ChunkLowering : Lowering<ChunkOp> {
  using Lowering::Lowering;
  LogicalResult matchAndRewrite(ChunkOp op, OpAdaptor,
                                Rewriter &rewriter) const override {
    // As vectors, so that the array is aligned like them.
    Type element = op.getSpan().getType().getElement();
    int64_t lanes = vectorBits / int64_t(element.getIntOrFloatBitWidth());
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(
        op, LLVM::LLVMPointerType::get(getContext()),
        VectorType::get({lanes}, element),
        number(rewriter, op.getLoc(), int64_t(op.getSize()) / lanes));
    return success();
  }
};

struct KernelsToLLVM : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &, LLVMTypeConverter &types,
      RewritePatternSet &patterns) const override {
    types.addConversion(convertSpan);
    patterns.add<SpanLowering, AddressLowering, AtLowering, LoadLowering,
                 StoreLowering, AtomicAddLowering, ChunkLowering>(types);
  }
};

} // namespace

void pmc::pmk::registerKernelsToLLVM(DialectRegistry &registry) {
  registry.insert<PMKDialect>();
  registry.addExtension(+[](MLIRContext *, PMKDialect *dialect) {
    dialect->addInterfaces<KernelsToLLVM>();
  });
}
