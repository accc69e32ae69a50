//===- PMMatrixOps.cpp - Dense matrices over dims -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMMatrixOps.h"
#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

#define GET_OP_CLASSES
#include "dialect/IR/PMMatrixOps.cpp.inc"

static Type getReal(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

/// What holds for all fields: `inputs` are A and, if there is one, B; `reals`
/// are the numbers of the results that are real.
template <class Op>
static LogicalResult verifyMatrices(Op op, ArrayRef<Value> inputs,
                                    size_t results, ArrayRef<size_t> reals) {
  size_t count = op.getResults().size() + op.getOuts().size();
  if (count != results || (!op.getResults().empty() && !op.getOuts().empty()))
    return op.emitOpError("expects ")
           << results << " results or outs, has " << count;
  auto first = cast<GridType>(inputs.front().getType());
  Type element = first.getElementType();
  if (!isReal(getReal(element)))
    return op.emitOpError("has the element ")
           << element << ", expected f32, f64 or complex numbers";
  auto batch = int64_t(op.getBatch());
  SmallVector<std::pair<GridType, Type>> grids;
  for (Value input : inputs)
    grids.push_back({cast<GridType>(input.getType()), element});
  for (size_t i = 0; i < results; ++i)
    grids.push_back({op.getTargetType(unsigned(i)), llvm::is_contained(reals, i)
                                                        ? getReal(element)
                                                        : element});
  for (auto [grid, expected] : grids) {
    ArrayRef<DimAttr> dims = grid.getDims();
    if (grid.getElementType() != expected)
      return op.emitOpError("has ")
             << Type(grid) << ", expected elements " << expected;
    if (batch < 0 || int64_t(dims.size()) <= batch ||
        dims.take_front(batch) != first.getDims().take_front(batch))
      return op.emitOpError("has ")
             << Type(grid) << ", expected " << batch << " dims of a batch, as "
             << Type(first) << " has them, and more";
    for (DimAttr dim : dims)
      if (!dim.isSpace())
        return op.emitOpError("has the dim '")
               << dim.getLabel() << "', expected space dims";
    for (DimAttr dim : dims.drop_front(batch))
      if (!dim.getAxes().empty())
        return op.emitOpError("has the dim '")
               << dim.getLabel() << "', which mesh axes split";
  }
  if (!isa<MatrixProductOp>(op.getOperation()) &&
      int64_t(first.getDims().size()) != batch + 2)
    return op.emitOpError("has the matrix ")
           << Type(first) << ", expected two dims after the batch";
  return success();
}

/// That a field has as many rows and columns.
static LogicalResult verifyShape(Operation *op, GridType type, int64_t batch,
                                 const MatrixShape &expected) {
  if (MatrixShape(type, batch) == expected)
    return success();
  return op->emitOpError("has ")
         << Type(type) << ", expected " << expected.rows << " rows and "
         << expected.columns << " columns";
}

static MatrixShape getShape(Value value, int64_t batch, bool isAdjoint) {
  MatrixShape shape(cast<GridType>(value.getType()), batch);
  return isAdjoint ? shape.getAdjoint() : shape;
}

LogicalResult MatrixProductOp::verify() {
  auto batch = int64_t(getBatch());
  if (failed(verifyMatrices(*this, {getLhs(), getRhs()}, 1, {})))
    return failure();
  MatrixShape lhs = getShape(getLhs(), batch, getAdjointLhs()),
              rhs = getShape(getRhs(), batch, getAdjointRhs());
  if (lhs.columns != rhs.rows)
    return emitOpError("multiplies ") << lhs.columns << " columns and "
                                      << rhs.rows << " rows, expected as many";
  return verifyShape(*this, getTargetType(0), batch, {lhs.rows, rhs.columns});
}

LogicalResult SolveOp::verify() {
  auto batch = int64_t(getBatch());
  if (failed(verifyMatrices(*this, {getMatrix(), getRhs()}, 1, {})))
    return failure();
  MatrixShape shape = getShape(getMatrix(), batch, false),
              rhs = getShape(getRhs(), batch, false);
  if (failed(verifyShape(*this, cast<GridType>(getMatrix().getType()), batch,
                         {shape.rows, shape.rows})) ||
      failed(verifyShape(*this, cast<GridType>(getRhs().getType()), batch,
                         {shape.rows, rhs.columns})))
    return failure();
  return verifyShape(*this, getTargetType(0), batch, rhs);
}

LogicalResult LeastSquaresOp::verify() {
  auto batch = int64_t(getBatch());
  if (failed(verifyMatrices(*this, {getMatrix(), getRhs()}, 1, {})))
    return failure();
  MatrixShape shape = getShape(getMatrix(), batch, getAdjoint()),
              rhs = getShape(getRhs(), batch, false);
  if (failed(verifyShape(*this, cast<GridType>(getRhs().getType()), batch,
                         {shape.rows, rhs.columns})))
    return failure();
  return verifyShape(*this, getTargetType(0), batch,
                     {shape.columns, rhs.columns});
}

/// A square matrix, and results of its shape or vectors over its columns.
template <class Op>
static LogicalResult verifySquare(Op op, ArrayRef<size_t> reals,
                                  ArrayRef<bool> areVectors) {
  auto batch = int64_t(op.getBatch());
  Value matrix = op.getMatrix();
  if (failed(verifyMatrices(op, {matrix}, areVectors.size(), reals)))
    return failure();
  int64_t rows = getShape(matrix, batch, false).rows;
  if (failed(verifyShape(op, cast<GridType>(matrix.getType()), batch,
                         {rows, rows})))
    return failure();
  for (auto [i, isVector] : llvm::enumerate(areVectors))
    if (failed(verifyShape(op, op.getTargetType(unsigned(i)), batch,
                           {rows, isVector ? 1 : rows})))
      return failure();
  return success();
}

LogicalResult CholeskyOp::verify() { return verifySquare(*this, {}, {false}); }

LogicalResult LogDetOp::verify() {
  Type element = cast<GridType>(getMatrix().getType()).getElementType();
  if (getSign() && isa<ComplexType>(element))
    return emitOpError("gives the sign of a determinant of ")
           << element << ", expected real numbers";
  return verifySquare(*this, {0}, {true});
}

LogicalResult EighOp::verify() {
  return verifySquare(*this, {0}, {true, false});
}

LogicalResult SvdOp::verify() {
  auto batch = int64_t(getBatch());
  if (failed(verifyMatrices(*this, {getMatrix()}, 3, {1})))
    return failure();
  MatrixShape shape = getShape(getMatrix(), batch, false);
  int64_t few = std::min(shape.rows, shape.columns);
  if (failed(verifyShape(*this, getTargetType(0), batch, {shape.rows, few})) ||
      failed(verifyShape(*this, getTargetType(1), batch, {few, 1})))
    return failure();
  return verifyShape(*this, getTargetType(2), batch, {shape.columns, few});
}
