//===- Tables.cpp - Rules for tables --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tangent of a table is a table over the same x; so is its cotangent, if it
// has one: see Reverse.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Differentiates the body of a copy of a table op, whose arguments have these
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

static LogicalResult refuseEnds(Operation *op) {
  return op->emitError("[PM0809] a table has no derivative with respect to its "
                       "ends, expected ends that "
                       "do not depend on the variables of the derivative");
}

static LogicalResult refuseX(Operation *op) {
  return op->emitError(
      "[PM0809] a table has no derivative with respect to the x of its rows, "
      "expected "
      "an x that does not depend on the variables of the derivative");
}

/// The adjoint of an op that makes a table row by row, of the rows of `source`
/// if there is one: its body backwards, for every row.
static LogicalResult reverseBody(Operation *op, Value source,
                                 OpBuilder &builder, Reverse &outside) {
  Location loc = op->getLoc();
  Value table = op->getResult(0), cotangent = outside.get(table);
  Block &body = op->getRegion(0).front();
  llvm::SetVector<Value> wanted = outside.getWanted(listRead(op));
  auto step = [&](OpBuilder &inside,
                  Value row) -> FailureOr<SmallVector<Value>> {
    IRMapping mapping;
    SmallVector<Operation *> ops;
    mapping.map(body.getArgument(0),
                RowXOp::create(inside, loc, source ? source : table, row));
    if (source) {
      ops.push_back(RowYOp::create(inside, loc, source, row));
      mapping.map(body.getArgument(1), ops.front()->getResult(0));
    }
    for (Operation &inner : body.without_terminator())
      ops.push_back(inside.clone(inner, mapping));
    Activity activity([&](Value value) { return outside.needs(value); });
    for (Operation *inner : ops)
      activity.visit(inner);
    Reverse inner(activity, &outside);
    OperandRange yields = body.getTerminator()->getOperands();
    if (source && inner.needs(mapping.lookupOrDefault(yields.front())))
      return refuseX(op);
    Value y = mapping.lookupOrDefault(yields.back());
    if (outside.isGuarded(table))
      inner.guard(y);
    if (inner.needs(y))
      inner.add(inside, y, RowYOp::create(inside, loc, cotangent, row));
    if (failed(inner.differentiate(inside, ops)))
      return failure();
    return llvm::map_to_vector(wanted,
                               [&](Value value) { return inner.get(value); });
  };
  return outside.addOverRows(builder, table, wanted.getArrayRef(), step);
}

namespace {

struct TabulateModel
    : DifferentiableOpInterface::ExternalModel<TabulateModel, TabulateOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto tabulate = cast<TabulateOp>(op);
    if (tangents.get(tabulate.getFrom()) || tangents.get(tabulate.getTo()))
      return refuseEnds(op);
    auto made = cast<TabulateOp>(builder.clone(*op));
    Block &body = made.getBody().front();
    FailureOr<SmallVector<Value>> differentiated =
        deriveBody(body, {Value()}, tangents);
    if (failed(differentiated))
      return failure();
    Value tangent = differentiated->front();
    if (!tangent) {
      made.erase();
      return success();
    }
    body.getTerminator()->setOperands(tangent);
    eraseDead(made.getBody());
    tangents.set(tabulate.getTable(), made.getTable());
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto tabulate = cast<TabulateOp>(op);
    if (cotangents.needs(tabulate.getFrom()) ||
        cotangents.needs(tabulate.getTo()))
      return refuseEnds(op);
    return reverseBody(op, Value(), builder, asReverse(cotangents));
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
    FailureOr<SmallVector<Value>> differentiated =
        deriveBody(body, {Value(), row}, tangents);
    if (failed(differentiated))
      return failure();
    if ((*differentiated)[0])
      return refuseX(op);
    Value tangent = (*differentiated)[1];
    if (!tangent) {
      made.erase();
      return success();
    }
    body.getTerminator()->setOperand(1, tangent);
    eraseDead(made.getBody());
    tangents.set(transform.getResult(), made.getResult());
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    return reverseBody(op, cast<TransformOp>(op).getTable(), builder,
                       asReverse(cotangents));
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
    Reverse &reverse = asReverse(cotangents);
    auto add = [&](Value to, Value table, bool slope) {
      Value product = buildGuardedProduct(builder, loc, cotangent,
                                          look(builder, lookup, table, slope));
      cotangents.add(builder, to,
                     buildCast(builder, loc, product, to.getType()));
    };
    if (cotangents.needs(lookup.getX()) && !lookup.getSlope())
      add(lookup.getX(), lookup.getTable(), /*slope=*/true);
    if (reverse.isByRows(lookup.getTable()))
      reverse.add(builder, readRows(builder, lookup, cotangent));
    else if (cotangents.needs(lookup.getTable()))
      for (const TableDerivative &derivative :
           reverse.getDerivatives(lookup.getTable()))
        add(derivative.number, derivative.table, lookup.getSlope());
    return success();
  }

  /// The shares of the two rows of the piece in a lookup's cotangent.
  static RowReading readRows(OpBuilder &builder, LookupOp op, Value cotangent) {
    Location loc = op.getLoc();
    Value row = FindRowOp::create(builder, loc, op.getTable(), op.getX());
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
    Value next = arith::AddIOp::create(builder, loc, row, one);
    Value left = RowXOp::create(builder, loc, op.getTable(), row);
    Value right = RowXOp::create(builder, loc, op.getTable(), next);
    Value width = arith::SubFOp::create(builder, loc, right, left);
    if (op.getSlope()) {
      Value rise = arith::DivFOp::create(builder, loc, cotangent, width);
      return {op.getTable(), row, arith::NegFOp::create(builder, loc, rise),
              rise};
    }
    Value part = arith::DivFOp::create(
        builder, loc, arith::SubFOp::create(builder, loc, op.getX(), left),
        width);
    // What a choice does not take may be infinitely far beyond the ends.
    Value second = buildGuardedProduct(builder, loc, cotangent, part);
    return {op.getTable(), row,
            arith::SubFOp::create(builder, loc, cotangent, second), second};
  }
};

struct RowXModel : DifferentiableOpInterface::ExternalModel<RowXModel, RowXOp> {
  /// The x of rows are held fixed.
  LogicalResult buildTangent(Operation *, OpBuilder &, Tangents &) const {
    return success();
  }
  LogicalResult buildAdjoint(Operation *, OpBuilder &, Cotangents &) const {
    return success();
  }
};

struct RowYModel : DifferentiableOpInterface::ExternalModel<RowYModel, RowYOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto read = cast<RowYOp>(op);
    if (Value tangent = tangents.get(read.getTable()))
      tangents.set(read.getValue(), RowYOp::create(builder, op->getLoc(),
                                                   tangent, read.getRow()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto read = cast<RowYOp>(op);
    asReverse(cotangents)
        .add(builder, {read.getTable(), read.getRow(),
                       cotangents.get(read.getValue()), Value()});
    return success();
  }
};

} // namespace

void pmc::passes::registerTableDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    TabulateOp::attachInterface<TabulateModel>(*context);
    TransformOp::attachInterface<TransformModel>(*context);
    LookupOp::attachInterface<LookupModel>(*context);
    RowXOp::attachInterface<RowXModel>(*context);
    RowYOp::attachInterface<RowYModel>(*context);
  });
}
