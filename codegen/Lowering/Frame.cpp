//===- Frame.cpp - Values that are handed over in memory ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Frame.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::codegen;

Type pmc::codegen::getStoredType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 64);
  if (isa<pmk::SpanType>(type))
    return LLVM::LLVMPointerType::get(type.getContext());
  if (auto complex = dyn_cast<ComplexType>(type))
    return LLVM::LLVMStructType::getLiteral(
        type.getContext(),
        {complex.getElementType(), complex.getElementType()});
  return type;
}

Value pmc::codegen::toStored(OpBuilder &builder, Value value) {
  Type type = value.getType(), stored = getStoredType(type);
  Location loc = value.getLoc();
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, stored, value);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, stored, value);
  if (isa<pmk::SpanType>(type))
    return builder.createOrFold<pmk::AddressOp>(loc, stored, value);
  if (isa<ComplexType>(type))
    return UnrealizedConversionCastOp::create(builder, loc, stored, value)
        .getResult(0);
  return value;
}

Value pmc::codegen::fromStored(OpBuilder &builder, Value stored, Type type) {
  Location loc = stored.getLoc();
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, stored);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, stored);
  if (isa<pmk::SpanType>(type))
    return pmk::SpanOp::create(builder, loc, type, stored);
  if (isa<ComplexType>(type))
    return UnrealizedConversionCastOp::create(builder, loc, type, stored)
        .getResult(0);
  return stored;
}
