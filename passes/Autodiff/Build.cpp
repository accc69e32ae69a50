//===- Build.cpp - Zeros, sums and maps for derivatives -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace pmc::pm;

Value pmc::passes::buildConstant(OpBuilder &builder, Location loc, Type type,
                                 double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value pmc::passes::buildMap(OpBuilder &builder, Location loc, FieldType type,
                            ValueRange inputs,
                            function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto map = MapOp::create(builder, loc, TypeRange(type),
                           DimsAttr::get(builder.getContext(), type.getDims()),
                           inputs, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&map.getBody());
  for (Value input : inputs)
    block->addArgument(cast<FieldType>(input.getType()).getElementType(), loc);
  YieldOp::create(builder, loc, body(builder, block->getArguments()));
  return map.getResult(0);
}

Value pmc::passes::buildZero(OpBuilder &builder, Location loc, Type type) {
  if (isa<FloatType>(type))
    return buildConstant(builder, loc, type, 0);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value zero = buildConstant(builder, loc, complex.getElementType(), 0);
    return complex::CreateOp::create(builder, loc, type, zero, zero);
  }
  return buildMap(builder, loc, cast<FieldType>(type), {},
                  [&](OpBuilder &inner, ValueRange) {
                    return buildZero(inner, loc,
                                     cast<FieldType>(type).getElementType());
                  });
}

/// A table over the rows of another one.
static Value buildTransform(OpBuilder &builder, Location loc, Value table,
                            function_ref<Value(OpBuilder &, Value, Value)> y) {
  auto transform = TransformOp::create(builder, loc, table.getType(), table);
  OpBuilder::InsertionGuard guard(builder);
  Type f64 = builder.getF64Type();
  Block *body =
      builder.createBlock(&transform.getBody(), {}, {f64, f64}, {loc, loc});
  Value x = body->getArgument(0);
  YieldOp::create(builder, loc,
                  ValueRange{x, y(builder, x, body->getArgument(1))});
  return transform.getResult();
}

Value pmc::passes::buildZeroOf(OpBuilder &builder, Location loc, Value primal) {
  if (!isa<TableType>(primal.getType()))
    return buildZero(builder, loc, primal.getType());
  return buildTransform(builder, loc, primal,
                        [&](OpBuilder &inner, Value, Value) {
                          return buildZero(inner, loc, inner.getF64Type());
                        });
}

Value pmc::passes::buildTableOver(OpBuilder &builder, Location loc, Value x,
                                  Value values) {
  return buildTransform(builder, loc, x,
                        [&](OpBuilder &inner, Value at, Value) -> Value {
                          return LookupOp::create(inner, loc, values, at);
                        });
}

Value pmc::passes::orZero(OpBuilder &builder, Location loc, Value value,
                          Value primal) {
  return value ? value : buildZeroOf(builder, loc, primal);
}

Value pmc::passes::buildCast(OpBuilder &builder, Location loc, Value value,
                             Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value pmc::passes::buildPart(OpBuilder &builder, Location loc, Value number,
                             bool imaginary) {
  if (auto made = number.getDefiningOp<complex::CreateOp>())
    return imaginary ? made.getImaginary() : made.getReal();
  if (imaginary)
    return complex::ImOp::create(builder, loc, number);
  return complex::ReOp::create(builder, loc, number);
}

static bool isZeroConstant(Value value) {
  FloatAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         constant.getValue().isZero();
}

static Value addReals(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isZeroConstant(a))
    return b;
  if (isZeroConstant(b))
    return a;
  return arith::AddFOp::create(builder, loc, a, b);
}

Value pmc::passes::buildSum(OpBuilder &builder, Location loc, Value a,
                            Value b) {
  if (!a || !b)
    return a ? a : b;
  Type type = a.getType();
  if (isa<FloatType>(type))
    return addReals(builder, loc, a, b);
  if (isa<ComplexType>(type)) {
    Value parts[2];
    for (bool imaginary : {false, true})
      parts[imaginary] =
          addReals(builder, loc, buildPart(builder, loc, a, imaginary),
                   buildPart(builder, loc, b, imaginary));
    return complex::CreateOp::create(builder, loc, type, parts[0], parts[1]);
  }
  if (isa<TableType>(type))
    return buildTransform(builder, loc, a,
                          [&](OpBuilder &inner, Value x, Value y) -> Value {
                            Value other = LookupOp::create(inner, loc, b, x);
                            return arith::AddFOp::create(inner, loc, y, other);
                          });
  return buildMap(builder, loc, cast<FieldType>(type), {a, b},
                  [&](OpBuilder &inner, ValueRange elements) {
                    return buildSum(inner, loc, elements[0], elements[1]);
                  });
}

Value pmc::passes::buildInner(OpBuilder &builder, Location loc, Value a,
                              Value b, bool isGuarded) {
  auto multiply = [&](Value left, Value right) -> Value {
    return isGuarded ? buildGuardedProduct(builder, loc, left, right)
                     : arith::MulFOp::create(builder, loc, left, right);
  };
  if (!isa<ComplexType>(a.getType()))
    return multiply(a, b);
  Value products[2];
  for (bool imaginary : {false, true})
    products[imaginary] = multiply(buildPart(builder, loc, a, imaginary),
                                   buildPart(builder, loc, b, imaginary));
  return arith::AddFOp::create(builder, loc, products[0], products[1]);
}

void pmc::passes::eraseDead(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      for (Region &inner : op.getRegions())
        eraseDead(inner);
      if (isOpTriviallyDead(&op))
        op.erase();
    }
}
