//===- MirroredBody.cpp - A body at the mirrored mode ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Spectra/MirroredBody.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pmc::passes;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value MirroredBody::get(Value value) {
  if (!op.getDomainBody()->getParent()->isAncestor(value.getParentRegion()))
    return value;
  auto known = mirrored.find(value);
  if (known != mirrored.end())
    return known->second;
  Value result = evaluate(value);
  mirrored[value] = result;
  return result;
}

Value MirroredBody::evaluate(Value value) {
  Symmetry symmetry = fields.getParities().get(value);
  Location loc = value.getLoc();
  if (isa<ComplexType>(value.getType())) {
    if (symmetry.isEven())
      return value;
    if (symmetry.isKnown())
      return complex::CreateOp::create(
          builder, loc, value.getType(),
          flip(complex::ReOp::create(builder, loc, value), symmetry.re),
          flip(complex::ImOp::create(builder, loc, value), symmetry.im));
  } else if (symmetry.re.isEven()) {
    return value;
  } else if (symmetry.re.isKnown() && isa<FloatType>(value.getType())) {
    return flip(value, symmetry.re);
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return evaluateArgument(argument);
  Operation *made = value.getDefiningOp();
  IRMapping mapping;
  SetVector<Value> used(made->operand_begin(), made->operand_end());
  getUsedValuesDefinedAbove(made->getRegions(), used);
  for (Value operand : used) {
    Value other = get(operand);
    if (!other)
      return {};
    mapping.map(operand, other);
  }
  Operation *copy = builder.clone(*made, mapping);
  mirrorNested(copy);
  for (auto [result, other] :
       llvm::zip_equal(made->getResults(), copy->getResults()))
    mirrored[result] = other;
  return mirrored.lookup(value);
}

/// Coordinates inside of a copied op.
void MirroredBody::mirrorNested(Operation *copy) {
  SmallVector<CoordinateOp> coordinates;
  copy->walk([&](CoordinateOp inner) { coordinates.push_back(inner); });
  for (CoordinateOp inner : coordinates) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(inner);
    auto own = CoordinateOp::create(builder, inner.getLoc(), inner.getDim());
    int d = findDim(op.getDomainDims(), inner.getDim());
    inner.getIndex().replaceAllUsesWith(
        flip(own, Parity::oddIn(fields.getParities().getSign(
                      op.getDomainDims()[size_t(d)]))));
    inner.erase();
  }
}

/// What the number's input has there: an element of one more input.
Value MirroredBody::evaluateArgument(BlockArgument argument) {
  Value other = fields.get(op.getDomainInputs()[argument.getArgNumber()]);
  if (!other)
    return {};
  op.getDomainInputsMutable().append(other);
  return op.getDomainBody()->addArgument(argument.getType(), argument.getLoc());
}

/// The number, with another sign where it is odd.
Value MirroredBody::flip(Value number, Parity parity) {
  Location loc = number.getLoc();
  Type type = number.getType();
  auto constant = [&](Type of, double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(of, value));
  };
  // Not a change of sign: what is 0 stays +0.
  auto negate = [&](Value value) -> Value {
    return arith::SubFOp::create(builder, loc, constant(type, 0), value);
  };
  constexpr uint64_t always = 1;
  if (parity.odd & always)
    number = negate(number);
  ArrayRef<DimAttr> dims = op.getDomainDims();
  for (DimAttr dim : fields.getParities().getDims(parity.odd, dims)) {
    Value mode = CoordinateOp::create(builder, loc, dim.getLabel());
    int64_t nyquist = dim.getExtent() / 2;
    Value isOwn =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, mode,
                              constant(mode.getType(), double(-nyquist)));
    number =
        arith::SelectOp::create(builder, loc, isOwn, number, negate(number));
  }
  return number;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

Value MirroredFields::get(Value field) {
  auto [place, isNew] = made.try_emplace(field, Value());
  if (!isNew)
    return place->second;
  auto result = dyn_cast<OpResult>(field);
  Value mirrored;
  if (result && isa<MapOp, ReduceOp>(result.getOwner()))
    mirrored = make(result);
  else if (result && result.getOwner()->hasTrait<KeepsModes>())
    mirrored = makeOfMirrored(result.getOwner());
  else
    obstacle = field;
  return made[field] = mirrored;
}

Value MirroredFields::makeOfMirrored(Operation *op) {
  Value input = get(op->getOperand(0));
  if (!input)
    return {};
  IRMapping mapping;
  mapping.map(op->getOperand(0), input);
  return OpBuilder(op).clone(*op, mapping)->getResult(0);
}

/// The loop once more, for this result alone.
Value MirroredFields::make(OpResult field) {
  auto op = cast<DomainOpInterface>(field.getOwner());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  DomainOpInterface copy;
  if (auto map = dyn_cast<MapOp>(op.getOperation()))
    copy = cast<DomainOpInterface>(
        MapOp::create(builder, op.getLoc(), TypeRange(field.getType()),
                      map.getDomainAttr(), map.getInputs(), ValueRange())
            .getOperation());
  else
    copy = cast<DomainOpInterface>(
        ReduceOp::create(builder, op.getLoc(), TypeRange(),
                         TypeRange(field.getType()),
                         cast<ReduceOp>(op.getOperation()).getKind(),
                         cast<ReduceOp>(op.getOperation()).getDomainAttr(),
                         op.getDomainInputs(), ValueRange())
            .getOperation());
  IRMapping mapping;
  op.getDomainBody()->getParent()->cloneInto(&copy->getRegion(0), mapping);
  parities.copyBody(op, mapping);
  Operation *end = copy.getDomainBody()->getTerminator();
  Value value =
      MirroredBody(*this, copy).get(end->getOperand(field.getResultNumber()));
  if (!value) {
    copy->erase();
    return {};
  }
  end->setOperands(value);
  eraseUnused(copy);
  return copy->getResult(0);
}

void pmc::passes::eraseUnused(DomainOpInterface op) {
  Block *body = op.getDomainBody();
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
  MutableOperandRange inputs = op.getDomainInputsMutable();
  for (unsigned i = body->getNumArguments(); i-- > 0;)
    if (body->getArgument(i).use_empty()) {
      inputs.erase(i);
      body->eraseArgument(i);
    }
}
