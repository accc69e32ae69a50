//===- CountModes.cpp - Reductions of half spectra ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A half dim stores one mode of each conjugate pair off its planes 0 and N/2.
// If the reduced value is the same at both modes, it counts twice. Otherwise
// the body is also evaluated at the mirrored mode.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMSpectra.h"
#include "passes/Passes.h"
#include "passes/Spectra/MirroredBody.h"

#include "llvm/ADT/TypeSwitch.h"

namespace pmc::passes {
#define GEN_PASS_DEF_COUNTMODES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

class ModeCounter {
public:
  explicit ModeCounter(ModuleOp module) : parities(module), fields(parities) {}

  // These fail after an error, which they report.
  LogicalResult complete(ReduceOp op);
  LogicalResult complete(BinsOp op);
  /// A cotangent counts at modes that are not stored, too.
  LogicalResult check(VJPOp op);

private:
  bool isEven(Value value) { return parities.get(value).isEven(); }
  /// The body's numbers with those of the mirrored mode added.
  LogicalResult addMirrored(MirroredBody &body, Operation *op, DimAttr half,
                            MutableArrayRef<OpOperand> yields);
  LogicalResult checkKept(ReduceOp op, DimAttr half);
  LogicalResult refuse(Operation *op, DimAttr half);

  Parities parities;
  MirroredFields fields;
};

/// In the precision of sums.
Value toF64(OpBuilder &builder, Value value) {
  if (value.getType().isF64())
    return value;
  return arith::ExtFOp::create(builder, value.getLoc(), builder.getF64Type(),
                               value);
}

/// `value` off the planes that hold their own mirror images, `onPlanes` on
/// them.
Value selectMirrored(OpBuilder &builder, DimAttr half, Value value,
                     Value onPlanes) {
  Location loc = value.getLoc();
  return arith::SelectOp::create(
      builder, loc, buildIsOwnMirror(builder, loc, half), onPlanes, value);
}

Value buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

/// Puts the sums of two fields each in the place of the first ones.
void addTo(OpBuilder &builder, ValueRange fields, ValueRange others) {
  Location loc = fields.front().getLoc();
  auto type = cast<FieldType>(fields.front().getType());
  SmallVector<Value> inputs(fields);
  llvm::append_range(inputs, others);
  auto sums = MapOp::create(builder, loc, fields.getTypes(),
                            DimsAttr::get(builder.getContext(), type.getDims()),
                            inputs, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&sums.getBody());
  SmallVector<Value> elements;
  for (Value input : inputs)
    body->addArgument(cast<FieldType>(input.getType()).getElementType(), loc);
  for (unsigned i = 0; i < fields.size(); ++i)
    elements.push_back(
        arith::AddFOp::create(builder, loc, body->getArgument(i),
                              body->getArgument(i + unsigned(fields.size()))));
  YieldOp::create(builder, loc, elements);
  for (auto [field, sum] : llvm::zip_equal(fields, sums.getResults()))
    field.replaceAllUsesExcept(sum, sums);
}

} // namespace

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

LogicalResult ModeCounter::refuse(Operation *op, DimAttr half) {
  Value field = fields.getObstacle();
  std::string what = toString(cast<FieldType>(field.getType()).getDims());
  InFlightDiagnostic error =
      op->emitError()
      << "[PM0812] this counts every mode of the full spectrum, but the value "
         "of a field over "
      << what << " is not known at the modes that '" << half.getLabel()
      << "' does not store; reduce the complex field, or compute the number "
         "inside of the sum or the bins: bins k in fk into … by … => …";
  error.attachNote(field.getLoc()) << "the field comes from here";
  return error;
}

/// The mirrored mode must be reduced to the same result.
LogicalResult ModeCounter::checkKept(ReduceOp op, DimAttr half) {
  if (op.getFields().empty())
    return success();
  auto type = cast<FieldType>(op.getFields().front().getType());
  for (DimAttr dim : type.getDims())
    if (parities.getSign(dim) != 0)
      return op.emitError()
             << "[PM0812] a reduction over '" << half.getLabel()
             << "' that keeps '" << dim.getLabel()
             << "' requires modes that are stored at the opposite '"
             << dim.getLabel()
             << "'; reduce that as well, or use bins by its index: bins k in "
                "fk into "
             << dim.getExtent() << " by index(k, " << dim.getName() << ") + "
             << dim.getExtent() / 2 << " => …";
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ModeCounter::addMirrored(MirroredBody &body, Operation *op,
                                       DimAttr half,
                                       MutableArrayRef<OpOperand> yields) {
  OpBuilder &builder = body.getBuilder();
  for (OpOperand &yield : yields) {
    Value value = yield.get();
    Location loc = value.getLoc();
    if (isEven(value)) {
      yield.set(arith::MulFOp::create(
          builder, loc, value,
          buildPairs(builder, loc, half, value.getType())));
      continue;
    }
    Value mirrored = body.get(value);
    if (!mirrored)
      return refuse(op, half);
    auto reduce = dyn_cast<ReduceOp>(op);
    if (!reduce || reduce.getFields().empty()) {
      value = toF64(builder, value);
      mirrored = toF64(builder, mirrored);
    }
    Value zero =
        buildConstant(builder, loc, builder.getFloatAttr(value.getType(), 0));
    yield.set(arith::AddFOp::create(
        builder, loc, value, selectMirrored(builder, half, mirrored, zero)));
  }
  return success();
}

LogicalResult ModeCounter::complete(ReduceOp op) {
  DimAttr half = findHalf(op.getDomain().getDims());
  if (!half ||
      (!op.getFields().empty() &&
       llvm::is_contained(
           cast<FieldType>(op.getFields().front().getType()).getDims(), half)))
    return success();
  if (failed(checkKept(op, half)))
    return failure();
  MirroredBody body(fields, cast<DomainOpInterface>(op.getOperation()));
  auto yields = op.getBody().front().getTerminator()->getOpOperands();
  if (op.getKind() == Reduction::Sum) {
    return addMirrored(body, op, half, yields);
  }
  // An extreme of both.
  OpBuilder &builder = body.getBuilder();
  for (OpOperand &yield : yields) {
    Value value = yield.get();
    if (isEven(value))
      continue;
    Value mirrored = body.get(value);
    if (!mirrored)
      return refuse(op, half);
    mirrored = selectMirrored(builder, half, mirrored, value);
    Location loc = value.getLoc();
    yield.set(op.getKind() == Reduction::Max
                  ? arith::MaximumFOp::create(builder, loc, value, mirrored)
                        .getResult()
                  : arith::MinimumFOp::create(builder, loc, value, mirrored)
                        .getResult());
  }
  return success();
}

LogicalResult ModeCounter::complete(BinsOp op) {
  DimAttr half = findHalf(op.getDomain().getDims());
  if (!half)
    return success();
  Operation *end = op.getBody().front().getTerminator();
  if (isEven(end->getOperand(0))) {
    MirroredBody body(fields, cast<DomainOpInterface>(op.getOperation()));
    return addMirrored(body, op, half, end->getOpOperands().drop_front());
  }
  // The mirrored modes are in other bins: bins of their own, which are added.
  OpBuilder outside(op);
  outside.setInsertionPointAfter(op);
  IRMapping mapping;
  auto other = cast<BinsOp>(outside.clone(*op, mapping));
  auto domain = cast<DomainOpInterface>(other.getOperation());
  parities.copyBody(cast<DomainOpInterface>(op.getOperation()), mapping);
  MirroredBody body(fields, domain);
  OpBuilder &builder = body.getBuilder();
  end = other.getBody().front().getTerminator();
  SmallVector<Value> yields;
  for (Value value : end->getOperands()) {
    yields.push_back(body.get(value));
    if (!yields.back())
      return refuse(op, half);
  }
  yields[0] = selectMirrored(
      builder, half, yields[0],
      buildConstant(builder, op.getLoc(), builder.getI64IntegerAttr(-1)));
  end->setOperands(yields);
  eraseUnused(domain);
  outside.setInsertionPointAfter(other);
  addTo(outside, op.getResults(), other.getResults());
  return success();
}

LogicalResult ModeCounter::check(VJPOp op) {
  for (auto [position, cotangent] : llvm::zip(op.getOf(), op.getCotangents())) {
    auto type = dyn_cast<FieldType>(cotangent.getType());
    DimAttr half = type ? findHalf(type.getDims()) : DimAttr();
    if (!half)
      continue;
    Symmetry result = parities.get(op.getResults()[unsigned(position)]);
    if (result.re.agrees(parities.get(cotangent).re))
      continue;
    return op.emitError()
           << "[PM0812] the cotangent of a field over "
           << toString(type.getDims())
           << " counts at every mode of the full spectrum, but it is not "
              "known that this field and its cotangent are both even, or both "
              "odd, in the mode; take the derivative of the complex field, or "
              "of a sum";
  }
  return success();
}

namespace {

struct CountModesPass
    : public pmc::passes::impl::CountModesBase<CountModesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    bool hasSpectra = false;
    getOperation().walk([&](Operation *op) {
      if (auto domain = dyn_cast<DomainOpInterface>(op))
        hasSpectra |= bool(findHalf(domain.getDomainDims()));
      if (isa<ReduceOp, BinsOp, VJPOp>(op) && !op->hasAttr("stored"))
        ops.push_back(op);
    });
    if (!hasSpectra)
      return;
    ModeCounter counter(getOperation());
    for (Operation *op : ops) {
      LogicalResult result = llvm::TypeSwitch<Operation *, LogicalResult>(op)
                                 .Case<ReduceOp, BinsOp>([&](auto reduction) {
                                   return counter.complete(reduction);
                                 })
                                 .Case([&](VJPOp derivative) {
                                   return counter.check(derivative);
                                 });
      if (failed(result))
        signalPassFailure();
    }
  }
};

} // namespace
