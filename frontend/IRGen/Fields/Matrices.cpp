//===- Matrices.cpp - Dense matrices over dims ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `lapack(name, A, i, j)`, with which the module `linalg` is written. Fields
// get the order of dims that the ops have: a batch, rows, columns.
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Matrices.h"

#include "dialect/IR/PMMatrixOps.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Program/Options.h"

using namespace pmc;

namespace pmc {

/// One call of `lapack`.
class Matrices {
public:
  Matrices(Generator &generator, BuiltinCall &call)
      : g(generator), call(call), at(g.getLoc(call.loc)) {}

  Value run();

private:
  /// The field over the dims in this order, some of which it may not have.
  mlir::Value arranged(const Value &field, llvm::ArrayRef<pm::DimAttr> order);
  /// Of a field over the batch and these dims.
  pm::FieldType typeOf(llvm::ArrayRef<pm::DimAttr> own, bool isReal = false);
  Value factored();
  Value solved();

  Generator &g;
  BuiltinCall &call;
  mlir::Location at;
  MatrixFunction function = MatrixFunction::Solve;
  MatrixDims dims;
  pm::DimAttr rows, columns;
  llvm::SmallVector<pm::DimAttr> batch;
  bool isComplex = false;
};

} // namespace pmc

mlir::Value Matrices::arranged(const Value &field,
                               llvm::ArrayRef<pm::DimAttr> order) {
  pm::FieldType type = g.lowerField(field);
  const bool isAlready = llvm::isa<mlir::ComplexType>(type.getElementType());
  if (type.getDims() == order && isAlready == isComplex)
    return getSSA(field);
  Value made = g.buildMap(order, call.loc, [&] {
    Value element = g.element(field, call.loc);
    if (isAlready == isComplex)
      return element;
    return Value::complex(element.withUnit({}), Value::real(0),
                          field.getUnit());
  });
  return made.isPoison() ? mlir::Value() : getSSA(made);
}

pm::FieldType Matrices::typeOf(llvm::ArrayRef<pm::DimAttr> own, bool isReal) {
  llvm::SmallVector<pm::DimAttr> all(batch);
  all.append(own.begin(), own.end());
  mlir::Type element = g.realType;
  if (isComplex && !isReal)
    element = mlir::ComplexType::get(element);
  return g.fieldType(all, element, call.loc);
}

Value Matrices::factored() {
  llvm::SmallVector<pm::DimAttr> order(batch);
  order.append({rows, columns});
  mlir::Value matrix = arranged(call[1].value, order);
  pm::FieldType square = typeOf({rows, columns}),
                values = typeOf({columns}, /*isReal=*/true);
  if (!matrix || !square || !values)
    return Value::poison();
  const Unit unit = call[1].value.getUnit();
  const uint64_t count = batch.size();
  if (function == MatrixFunction::Cholesky) {
    const std::optional<Unit> root = rootOfMatrix(g.rules(), call[1]);
    if (!root)
      return Value::poison();
    return fieldOf(pm::CholeskyOp::create(g.builder, at,
                                          mlir::TypeRange(square), matrix,
                                          count, mlir::ValueRange())
                       .getResult(0),
                   *root);
  }
  if (function == MatrixFunction::LogDet ||
      function == MatrixFunction::DetSign) {
    auto op = pm::LogDetOp::create(g.builder, at, mlir::TypeRange(values),
                                   matrix, function == MatrixFunction::DetSign,
                                   count, mlir::ValueRange());
    return fieldOf(op.getResult(0), {});
  }
  if (function == MatrixFunction::Eigh) {
    auto op = pm::EighOp::create(g.builder, at, mlir::TypeRange{values, square},
                                 matrix, count, mlir::ValueRange());
    return Value::tuple(
        {fieldOf(op.getResult(0), unit), fieldOf(op.getResult(1), {})});
  }
  const pm::DimAttr kept = lower(*dims.kept, g.context);
  pm::FieldType u = typeOf({rows, kept}), s = typeOf({kept}, /*isReal=*/true),
                v = typeOf({columns, kept});
  if (!u || !s || !v)
    return Value::poison();
  auto op = pm::SvdOp::create(g.builder, at, mlir::TypeRange{u, s, v}, matrix,
                              count, mlir::ValueRange());
  return Value::tuple({fieldOf(op.getResult(0), {}),
                       fieldOf(op.getResult(1), unit),
                       fieldOf(op.getResult(2), {})});
}

Value Matrices::solved() {
  const Argument &right = call[5];
  const auto found = placeRightHandSide(g.rules(), dims, right);
  if (!found)
    return Value::poison();
  const llvm::SmallVector<pm::DimAttr> others = lower(*found, g.context);
  llvm::SmallVector<pm::DimAttr> order(batch), matrixOrder(batch),
      own = {columns};
  order.push_back(rows);
  order.append(others);
  matrixOrder.append({rows, columns});
  own.append(others);
  mlir::Value matrix = arranged(call[1].value, matrixOrder),
              rhs = arranged(right.value, order);
  pm::FieldType target = typeOf(own);
  if (!matrix || !rhs || !target)
    return Value::poison();
  const Unit unit = right.value.getUnit() / call[1].value.getUnit();
  const uint64_t count = batch.size();
  if (function == MatrixFunction::LeastSquares)
    return fieldOf(pm::LeastSquaresOp::create(
                       g.builder, at, mlir::TypeRange(target), matrix, rhs,
                       false, count, mlir::ValueRange())
                       .getResult(0),
                   unit);
  return fieldOf(pm::SolveOp::create(g.builder, at, mlir::TypeRange(target),
                                     matrix, rhs, false,
                                     function == MatrixFunction::SolveLower,
                                     count, mlir::ValueRange())
                     .getResult(0),
                 unit);
}

Value Matrices::run() {
  const auto known = readMatrixFunction(g.rules(), call[0], call.has(4),
                                        call.has(5), call.loc);
  if (!known)
    return Value::poison();
  function = *known;
  for (unsigned argument : {1u, 5u})
    if (call.has(argument))
      isComplex |= pmc::isComplex(call[argument].value.getStorage());
  const auto read = readMatrixDims(g.rules(), function, call[1], call[2],
                                   call[3], call.has(4) ? &call[4] : nullptr);
  if (!read)
    return Value::poison();
  dims = *read;
  rows = lower(dims.rows, g.context);
  columns = lower(dims.columns, g.context);
  batch = lower(dims.batch, g.context);
  if (function == MatrixFunction::LogDet && !call[1].value.hasAnyUnit() &&
      !requirePure(g.rules(), "the logarithm of a determinant", call[1].value,
                   call[1].loc))
    return Value::poison();
  if (function == MatrixFunction::DetSign &&
      !requireReal(g.rules(), call[1], isComplex))
    return Value::poison();
  return hasRightHandSide(function) ? solved() : factored();
}

Value Generator::callLapack(BuiltinCall &call) {
  if (!requireWholeFields(rules(), "'lapack'", call.loc))
    return Value::poison();
  for (const std::optional<Argument> &arg : call.args)
    if (arg && arg->value.isPoison())
      return Value::poison();
  if (!accepts(call))
    return Value::poison();
  return Matrices(*this, call).run();
}
