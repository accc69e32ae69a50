//===- Tables.cpp - Rules for tables --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tangent of a table is a table over the same x. Tables have no cotangents:
// see Reverse.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Derives the body of a copy of a table op, whose arguments have these
/// tangents (null: zero); the tangents of what it yields.
static FailureOr<SmallVector<Value>>
deriveBody(Block &body, ArrayRef<Value> arguments, const Tangents &tangents) {
  Forward inner(&tangents);
  for (auto [argument, tangent] :
       llvm::zip_equal(body.getArguments(), arguments))
    if (tangent)
      inner.set(argument, tangent);
  if (failed(inner.differentiate(body)))
    return failure();
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return inner.get(value); });
}

namespace {

struct TabulateModel
    : DifferentiableOpInterface::ExternalModel<TabulateModel, TabulateOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto tabulate = cast<TabulateOp>(op);
    if (tangents.get(tabulate.getFrom()) || tangents.get(tabulate.getTo()))
      return op->emitError("a table has no derivative by where it begins or "
                           "ends, expected ends that do not depend on what is "
                           "derived by");
    auto made = cast<TabulateOp>(builder.clone(*op));
    Block &body = made.getBody().front();
    FailureOr<SmallVector<Value>> derived =
        deriveBody(body, {Value()}, tangents);
    if (failed(derived))
      return failure();
    Value tangent = derived->front();
    if (!tangent) {
      made.erase();
      return success();
    }
    body.getTerminator()->setOperands(tangent);
    eraseDead(made.getBody());
    tangents.set(tabulate.getTable(), made.getTable());
    return success();
  }

  LogicalResult buildAdjoint(Operation *, OpBuilder &, Cotangents &) const {
    return success();
  }
};

struct TransformModel
    : DifferentiableOpInterface::ExternalModel<TransformModel, TransformOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto transform = cast<TransformOp>(op);
    auto made = cast<TransformOp>(builder.clone(*op));
    Block &body = made.getBody().front();
    Value row;
    if (Value tangent = tangents.get(transform.getTable())) {
      OpBuilder inside = OpBuilder::atBlockBegin(&body);
      row =
          LookupOp::create(inside, op->getLoc(), tangent, body.getArgument(0));
    }
    FailureOr<SmallVector<Value>> derived =
        deriveBody(body, {Value(), row}, tangents);
    if (failed(derived))
      return failure();
    if ((*derived)[0])
      return op->emitError("a table has no derivative by the x of its rows, "
                           "expected an x that does not depend on what is "
                           "derived by");
    Value tangent = (*derived)[1];
    if (!tangent) {
      made.erase();
      return success();
    }
    body.getTerminator()->setOperand(1, tangent);
    eraseDead(made.getBody());
    tangents.set(transform.getResult(), made.getResult());
    return success();
  }

  LogicalResult buildAdjoint(Operation *, OpBuilder &, Cotangents &) const {
    return success();
  }
};

struct LookupModel
    : DifferentiableOpInterface::ExternalModel<LookupModel, LookupOp> {
  static Value look(OpBuilder &builder, LookupOp op, Value table, bool slope) {
    return LookupOp::create(builder, op.getLoc(), table, op.getX(),
                            slope ? builder.getUnitAttr() : UnitAttr());
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto lookup = cast<LookupOp>(op);
    Value sum;
    if (Value table = tangents.get(lookup.getTable()))
      sum = look(builder, lookup, table, lookup.getSlope());
    Value x = tangents.get(lookup.getX());
    // The slope is constant between rows.
    if (x && !lookup.getSlope())
      sum = buildSum(
          builder, op->getLoc(), sum,
          arith::MulFOp::create(
              builder, op->getLoc(), x,
              look(builder, lookup, lookup.getTable(), /*slope=*/true)));
    if (sum)
      tangents.set(lookup.getY(), sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto lookup = cast<LookupOp>(op);
    Location loc = op->getLoc();
    Value cotangent = cotangents.get(lookup.getY());
    auto add = [&](Value to, Value table, bool slope) {
      Value product = arith::MulFOp::create(
          builder, loc, cotangent, look(builder, lookup, table, slope));
      cotangents.add(builder, to,
                     buildCast(builder, loc, product, to.getType()));
    };
    if (cotangents.wants(lookup.getX()) && !lookup.getSlope())
      add(lookup.getX(), lookup.getTable(), /*slope=*/true);
    if (cotangents.wants(lookup.getTable()))
      for (const TableDerivative &derivative :
           asReverse(cotangents).getDerivatives(lookup.getTable()))
        add(derivative.number, derivative.table, lookup.getSlope());
    return success();
  }
};

} // namespace

void pmc::passes::registerTableDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    TabulateOp::attachInterface<TabulateModel>(*context);
    TransformOp::attachInterface<TransformModel>(*context);
    LookupOp::attachInterface<LookupModel>(*context);
  });
}
