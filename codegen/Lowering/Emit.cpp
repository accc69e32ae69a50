//===- Emit.cpp - Arithmetic and memory accesses in kernels ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Emit.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

static bool isInteger(Value value, int64_t wanted) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) &&
         constant.getSExtValue() == wanted;
}

/// The op for floats or for integers, with the right to fuse.
template <class FloatOp, class IntOp>
static Value build(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isFloat(a))
    return FloatOp::create(builder, loc, a, b, arith::FastMathFlags::contract);
  return IntOp::create(builder, loc, a, b);
}

Value Emit::constant(Type type, double value) {
  TypedAttr attribute;
  if (isa<FloatType>(type))
    attribute = builder.getFloatAttr(type, value);
  else
    attribute = builder.getIntegerAttr(type, int64_t(value));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value Emit::index(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value Emit::add(Value a, Value b) {
  if (isInteger(a, 0))
    return b;
  if (isInteger(b, 0))
    return a;
  return build<arith::AddFOp, arith::AddIOp>(builder, loc, a, b);
}

Value Emit::sub(Value a, Value b) {
  return build<arith::SubFOp, arith::SubIOp>(builder, loc, a, b);
}

Value Emit::mul(Value a, Value b) {
  if (isInteger(a, 1))
    return b;
  if (isInteger(b, 1))
    return a;
  return build<arith::MulFOp, arith::MulIOp>(builder, loc, a, b);
}

Value Emit::div(Value a, Value b) {
  if (isFloat(a))
    return arith::DivFOp::create(builder, loc, a, b);
  return arith::DivUIOp::create(builder, loc, a, b);
}

Value Emit::rem(Value a, Value b) {
  return arith::RemUIOp::create(builder, loc, a, b);
}

Value Emit::floor(Value a) { return math::FloorOp::create(builder, loc, a); }

Value Emit::negate(Value a) { return arith::NegFOp::create(builder, loc, a); }

Value Emit::less(Value a, Value b) {
  if (isFloat(a))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
}

Value Emit::equal(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}

Value Emit::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value Emit::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value Emit::min(Value a, Value b) {
  if (isFloat(a))
    return select(less(a, b), a, b);
  return arith::MinSIOp::create(builder, loc, a, b);
}

Value Emit::max(Value a, Value b) {
  if (isFloat(a))
    return select(less(b, a), a, b);
  return arith::MaxSIOp::create(builder, loc, a, b);
}

Value Emit::cast(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  bool wider = bits > getElementTypeOrSelf(from).getIntOrFloatBitWidth();
  bool toFloat = isa<FloatType>(getElementTypeOrSelf(type));
  if (isFloat(value)) {
    if (!toFloat)
      return arith::FPToSIOp::create(builder, loc, type, value);
    if (wider)
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  if (toFloat)
    return arith::SIToFPOp::create(builder, loc, type, value);
  if (wider)
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

Value Emit::splat(Value value, VectorType type) {
  Value zero =
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value one = LLVM::InsertElementOp::create(
      builder, loc, LLVM::PoisonOp::create(builder, loc, type), value, zero);
  SmallVector<int32_t> mask(size_t(type.getNumElements()), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, one, one, mask);
}

Value Emit::widen(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtUIOp::create(builder, loc, type, value);
}

Value Emit::span(Value address, Type element) {
  unsigned space =
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace();
  auto type = pmk::SpanType::get(element, space ? pmk::Space::Shared
                                                : pmk::Space::Global);
  return pmk::SpanOp::create(builder, loc, type, address);
}

Value Emit::at(Value span, Value index) {
  return pmk::AtOp::create(builder, loc, span.getType(), span, index);
}

Value Emit::load(Value span, Value index) {
  Type element = cast<pmk::SpanType>(span.getType()).getElement();
  return pmk::LoadOp::create(builder, loc, element, span, index);
}

void Emit::store(Value value, Value span, Value index) {
  pmk::StoreOp::create(builder, loc, value, span, index);
}

void pmc::codegen::allowContraction(Operation *op) {
  op->walk([](Operation *inner) {
    auto fused = dyn_cast<arith::ArithFastMathInterface>(inner);
    // Conversions have flags too, but nothing to fuse.
    if (!fused || isa<CastOpInterface>(inner))
      return;
    arith::FastMathFlags flags = fused.getFastMathFlagsAttr()
                                     ? fused.getFastMathFlagsAttr().getValue()
                                     : arith::FastMathFlags::none;
    inner->setAttr(
        fused.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(inner->getContext(),
                                      flags | arith::FastMathFlags::contract));
  });
}
