//===- MatrixBuilder.cpp - Matrices in derivatives ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Rules/MatrixBuilder.h"

#include "passes/Autodiff/Build.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// The number of each type: f(x) of a real one, or of both parts.
static Value mapParts(OpBuilder &builder, Location loc, Value number,
                      function_ref<Value(Value)> f) {
  if (!isa<ComplexType>(number.getType()))
    return f(number);
  Value re = f(buildPart(builder, loc, number, false));
  Value im = f(buildPart(builder, loc, number, true));
  return complex::CreateOp::create(builder, loc, number.getType(), re, im);
}

static Value buildConjugate(OpBuilder &builder, Location loc, Value number) {
  if (!isa<ComplexType>(number.getType()))
    return number;
  Value im = arith::NegFOp::create(builder, loc,
                                   buildPart(builder, loc, number, true));
  return complex::CreateOp::create(builder, loc, number.getType(),
                                   buildPart(builder, loc, number, false), im);
}

static Value buildCompare(OpBuilder &builder, Location loc,
                          arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

static Value buildSelect(OpBuilder &builder, Location loc, Value condition,
                         Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

//===----------------------------------------------------------------------===//
// Ops on matrices
//===----------------------------------------------------------------------===//

Value MatrixBuilder::multiply(Type type, Value a, Value b, bool adjointA,
                              bool adjointB) {
  return MatrixProductOp::create(builder, loc, TypeRange(type), a, b, adjointA,
                                 adjointB, uint64_t(batch), ValueRange())
      .getResult(0);
}

Value MatrixBuilder::solve(Type type, Value a, Value b, bool isAdjoint,
                           bool isLower) {
  return SolveOp::create(builder, loc, TypeRange(type), a, b, isAdjoint,
                         isLower, uint64_t(batch), ValueRange())
      .getResult(0);
}

Value MatrixBuilder::leastSquares(Type type, Value a, Value b, bool isAdjoint) {
  return LeastSquaresOp::create(builder, loc, TypeRange(type), a, b, isAdjoint,
                                uint64_t(batch), ValueRange())
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value MatrixBuilder::build(Type type, Value a, Body body) {
  ArrayRef<DimAttr> dims = cast<FieldType>(type).getDims();
  return buildMap(
      builder, loc, cast<FieldType>(type), a ? ValueRange(a) : ValueRange(),
      [&](OpBuilder &inner, ValueRange elements) {
        SmallVector<Value> places;
        for (DimAttr dim : dims.drop_front(batch)) {
          Value index = CoordinateOp::create(inner, loc, dim.getLabel());
          places.push_back(
              arith::FPToSIOp::create(inner, loc, inner.getI64Type(), index));
        }
        return body(inner, a ? elements[0] : Value(), places[0],
                    places.size() > 1 ? places[1] : Value());
      });
}

Value MatrixBuilder::read(OpBuilder &inner, Value field, ValueRange indices) {
  auto type = cast<FieldType>(field.getType());
  SmallVector<Value> all;
  SmallVector<bool> near;
  for (DimAttr dim : type.getDims().take_front(batch)) {
    Value index = CoordinateOp::create(inner, loc, dim.getLabel());
    all.push_back(
        arith::FPToSIOp::create(inner, loc, inner.getI64Type(), index));
    near.push_back(true);
  }
  llvm::append_range(all, indices);
  near.resize(all.size(), false);
  SmallVector<int64_t> zeros(all.size(), 0);
  return CellOp::create(inner, loc, type.getElementType(), field, all, zeros,
                        zeros, near, Value());
}

Value MatrixBuilder::add(Value a, Value b) {
  return buildSum(builder, loc, a, b);
}

Value MatrixBuilder::negate(Value a) {
  return buildMap(builder, loc, cast<FieldType>(a.getType()), a,
                  [&](OpBuilder &inner, ValueRange elements) {
                    return mapParts(
                        inner, loc, elements[0], [&](Value x) -> Value {
                          return arith::NegFOp::create(inner, loc, x);
                        });
                  });
}

Value MatrixBuilder::subtract(Value a, Value b) {
  return buildSum(builder, loc, a, negate(b));
}

Value MatrixBuilder::adjoint(Value a) {
  return build(a.getType(), Value(),
               [&](OpBuilder &inner, Value, Value row, Value column) {
                 return buildConjugate(inner, loc,
                                       read(inner, a, {column, row}));
               });
}

Value MatrixBuilder::withAdjoint(Value a) { return add(a, adjoint(a)); }

Value MatrixBuilder::hermitian(Value a) {
  Value sum = withAdjoint(a);
  return buildMap(
      builder, loc, cast<FieldType>(a.getType()), sum,
      [&](OpBuilder &inner, ValueRange elements) {
        return mapParts(inner, loc, elements[0], [&](Value x) -> Value {
          Value half = buildConstant(inner, loc, x.getType(), 0.5);
          return arith::MulFOp::create(inner, loc, half, x);
        });
      });
}

Value MatrixBuilder::lowerPart(Value a, double diagonal) {
  return build(
      a.getType(), a,
      [&](OpBuilder &inner, Value element, Value row, Value column) {
        Value isDiagonal =
            buildCompare(inner, loc, arith::CmpIPredicate::eq, row, column);
        Value isAbove =
            buildCompare(inner, loc, arith::CmpIPredicate::slt, row, column);
        return mapParts(inner, loc, element, [&](Value x) {
          Value factor = buildConstant(inner, loc, x.getType(), diagonal);
          Value zero = buildConstant(inner, loc, x.getType(), 0);
          Value scaled = arith::MulFOp::create(inner, loc, factor, x);
          return buildSelect(inner, loc, isAbove, zero,
                             buildSelect(inner, loc, isDiagonal, scaled, x));
        });
      });
}

Value MatrixBuilder::scale(Value a, Value vector, bool isDivision,
                           bool isOfRow) {
  return build(a.getType(), a,
               [&](OpBuilder &inner, Value element, Value row, Value column) {
                 Value factor = read(inner, vector, isOfRow ? row : column);
                 return mapParts(inner, loc, element, [&](Value x) -> Value {
                   if (isDivision)
                     return arith::DivFOp::create(inner, loc, x, factor);
                   return arith::MulFOp::create(inner, loc, x, factor);
                 });
               });
}

Value MatrixBuilder::scaleColumns(Value a, Value vector, bool isDivision) {
  return scale(a, vector, isDivision, false);
}

Value MatrixBuilder::scaleRows(Value a, Value vector, bool isDivision) {
  return scale(a, vector, isDivision, true);
}

/// LAPACK's values differ from exact ones by about this, times the largest one.
static double getRounding(Type element, int64_t count) {
  const double epsilon = element.isF32() ? 0x1p-23 : 0x1p-52;
  return 4 * double(count) * epsilon;
}

Value MatrixBuilder::divideByGaps(Value a, Value vector) {
  return divideByPairs(a, vector, /*isSum=*/false);
}

Value MatrixBuilder::divideBySums(Value a, Value vector) {
  return divideByPairs(a, vector, /*isSum=*/true);
}

Value MatrixBuilder::divideByPairs(Value a, Value vector, bool isSum) {
  auto type = cast<FieldType>(vector.getType());
  const int64_t count = type.getDims().back().getExtent();
  const double rounding = getRounding(type.getElementType(), count);
  return build(
      a.getType(), a,
      [&](OpBuilder &inner, Value element, Value row, Value column) {
        Value isDiagonal =
            buildCompare(inner, loc, arith::CmpIPredicate::eq, row, column);
        Value here = read(inner, vector, column),
              there = read(inner, vector, row);
        Value divisorOf =
            isSum ? arith::AddFOp::create(inner, loc, here, there).getResult()
                  : arith::SubFOp::create(inner, loc, here, there).getResult();
        Value isEqual = isDiagonal;
        if (!isSum) {
          auto sizeOf = [&](Value value) -> Value {
            return math::AbsFOp::create(inner, loc, value);
          };
          auto valueAt = [&](int64_t index) -> Value {
            Value place = arith::ConstantOp::create(
                inner, loc, inner.getI64IntegerAttr(index));
            return sizeOf(read(inner, vector, place));
          };
          // Values are in order: the first or the last one is the largest.
          Value largest = arith::MaximumFOp::create(inner, loc, valueAt(0),
                                                    valueAt(count - 1));
          Value bound = arith::MulFOp::create(
              inner, loc, largest,
              buildConstant(inner, loc, largest.getType(), rounding));
          isEqual = arith::OrIOp::create(
              inner, loc, isDiagonal,
              arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OLE,
                                    sizeOf(divisorOf), bound));
        }
        return mapParts(inner, loc, element, [&](Value x) {
          Value zero = buildConstant(inner, loc, x.getType(), 0);
          // 0/0 is defined as 0. If only x is 0, the quotient is computed,
          // because it may have a derivative.
          auto isZero = [&](Value value) -> Value {
            return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ,
                                         value, zero);
          };
          Value isUndefined =
              arith::AndIOp::create(inner, loc, isZero(x), isZero(divisorOf));
          Value isLeftOut =
              arith::OrIOp::create(inner, loc, isEqual, isUndefined);
          Value one = buildConstant(inner, loc, x.getType(), 1);
          Value divisor = buildSelect(inner, loc, isLeftOut, one, divisorOf);
          return buildSelect(inner, loc, isLeftOut, zero,
                             arith::DivFOp::create(inner, loc, x, divisor));
        });
      });
}

Value MatrixBuilder::addDiagonal(Value a, Value vector) {
  return build(
      a.getType(), a,
      [&](OpBuilder &inner, Value element, Value row, Value column) {
        Value isDiagonal =
            buildCompare(inner, loc, arith::CmpIPredicate::eq, row, column);
        Value added = read(inner, vector, row);
        auto isComplex = dyn_cast<ComplexType>(element.getType());
        Value re = isComplex ? buildPart(inner, loc, element, false) : element;
        Value sum =
            buildSelect(inner, loc, isDiagonal,
                        arith::AddFOp::create(inner, loc, re, added), re);
        return isComplex ? complex::CreateOp::create(
                               inner, loc, element.getType(), sum,
                               buildPart(inner, loc, element, true))
                               .getResult()
                         : sum;
      });
}

Value MatrixBuilder::realDiagonal(Type type, Value a) {
  return build(type, Value(),
               [&](OpBuilder &inner, Value, Value row, Value) -> Value {
                 Value element = read(inner, a, {row, row});
                 return isa<ComplexType>(element.getType())
                            ? buildPart(inner, loc, element, false)
                            : element;
               });
}

Value MatrixBuilder::turns(Value a, Value vector) {
  return build(a.getType(), a,
               [&](OpBuilder &inner, Value element, Value row, Value column) {
                 Value isDiagonal = buildCompare(
                     inner, loc, arith::CmpIPredicate::eq, row, column);
                 Value im = buildPart(inner, loc, element, true);
                 Value zero = buildConstant(inner, loc, im.getType(), 0);
                 Value half = buildConstant(inner, loc, im.getType(), 0.5);
                 Value part = arith::DivFOp::create(
                     inner, loc, arith::MulFOp::create(inner, loc, half, im),
                     read(inner, vector, row));
                 return complex::CreateOp::create(
                            inner, loc, element.getType(), zero,
                            buildSelect(inner, loc, isDiagonal, part, zero))
                     .getResult();
               });
}

Value MatrixBuilder::ones(Type type) {
  return build(type, Value(), [&](OpBuilder &inner, Value, Value, Value) {
    return buildConstant(inner, loc, cast<FieldType>(type).getElementType(), 1);
  });
}

Value MatrixBuilder::identity(Type type) {
  return build(
      type, Value(), [&](OpBuilder &inner, Value, Value row, Value column) {
        Type element = cast<FieldType>(type).getElementType();
        Value isDiagonal =
            buildCompare(inner, loc, arith::CmpIPredicate::eq, row, column);
        auto complexType = dyn_cast<ComplexType>(element);
        Type real = complexType ? complexType.getElementType() : element;
        Value zero = buildConstant(inner, loc, real, 0);
        Value number = buildSelect(inner, loc, isDiagonal,
                                   buildConstant(inner, loc, real, 1), zero);
        return complexType ? complex::CreateOp::create(inner, loc, element,
                                                       number, zero)
                                 .getResult()
                           : number;
      });
}
