//===- CheckRanges.cpp - Numbers that f32 cannot hold ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars and coordinates are f64; elements of fields may be f32. A scalar that
// follows from params is known when the program starts, and so is the range of
// an expression of coordinates: it is computed at two elements, which have the
// largest and the smallest coordinates other than 0. Functions of a coordinate
// that grow or fall are largest at one of these. No element is invented, so a
// program without such a number is never stopped. Functions such as exp may
// vanish: their results are only checked for infinity.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

#include <limits>

namespace pmc::passes {
#define GEN_PASS_DEF_CHECKRANGES
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Longer expressions are not checked, so that programs stay small.
static constexpr size_t mostOps = 100;

/// What rounds to 0 and to infinity in f32.
static constexpr double largestZero = 0x1p-150;
static constexpr double smallestInfinity = 0x1.ffffffp127;

/// The ops that compute a number from params, constants and coordinates, each
/// behind its operands. Empty if it depends on anything else.
using Slice = llvm::SetVector<Operation *>;

namespace {

class Ranges {
public:
  explicit Ranges(func::FuncOp main)
      : builder(OpBuilder::atBlockBegin(&main.front())) {}

  void check(arith::TruncFOp op);

private:
  static bool addTo(Slice &slice, Value value);
  /// The number at the elements with the largest or smallest coordinates.
  Value copy(const Slice &slice, Value value, bool isLargest);
  Value insert(Operation *op);
  Value constant(double value, Location loc) {
    return insert(arith::ConstantOp::create(unplaced, loc,
                                            unplaced.getF64FloatAttr(value)));
  }

  OpBuilder builder;
  OpBuilder unplaced{builder.getContext()};
  /// One of equal ops.
  DenseMap<llvm::hash_code, SmallVector<Operation *>> made;
  DenseSet<Value> checked;
};

} // namespace

/// The dim of a domain around the op.
static DimAttr findDim(CoordinateOp op) {
  for (auto domain = op->getParentOfType<DomainOpInterface>(); domain;
       domain = domain->getParentOfType<DomainOpInterface>())
    for (DimAttr dim : domain.getDomainDims())
      if (dim.getLabel() == op.getDim())
        return dim;
  return {};
}

/// Whether the number may become 0 although no factor of it is wrong.
static bool mayVanish(const Slice &slice) {
  return llvm::any_of(slice, [](Operation *op) {
    return isa<math::MathDialect>(op->getDialect()) &&
           !isa<math::AbsFOp, math::CbrtOp, math::FPowIOp, math::PowFOp,
                math::RsqrtOp, math::SqrtOp>(op);
  });
}

static double getIndex(DimAttr dim, bool isLargest) {
  const int64_t extent = dim.getExtent();
  if (!isLargest)
    return extent > 1 ? 1 : 0;
  return dim.getKind() == DimKind::Space ? double(extent - 1)
                                         : double(extent / 2);
}

bool Ranges::addTo(Slice &slice, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return false;
  if (slice.contains(op))
    return true;
  const bool isLeaf = isa<ParamValueOp, CoordinateOp>(op);
  const bool isArithmetic =
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!isLeaf && !isArithmetic)
    return false;
  if (auto coordinate = dyn_cast<CoordinateOp>(op);
      coordinate && !findDim(coordinate))
    return false;
  for (Value operand : op->getOperands())
    if (!addTo(slice, operand))
      return false;
  slice.insert(op);
  return slice.size() <= mostOps;
}

/// Places the op, unless its result is a constant or has been computed.
Value Ranges::insert(Operation *op) {
  SmallVector<Value> folded;
  if (!op->hasTrait<OpTrait::ConstantLike>() &&
      succeeded(builder.tryFold(op, folded)) && !folded.empty()) {
    op->destroy();
    return folded.front();
  }
  auto hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  for (Operation *other : made[hash])
    if (OperationEquivalence::isEquivalentTo(
            op, other, OperationEquivalence::exactValueMatch,
            /*markEquivalent=*/nullptr,
            OperationEquivalence::IgnoreLocations)) {
      op->destroy();
      return other->getResult(0);
    }
  builder.insert(op);
  made[hash].push_back(op);
  return op->getResult(0);
}

Value Ranges::copy(const Slice &slice, Value value, bool isLargest) {
  IRMapping mapping;
  for (Operation *op : slice) {
    if (auto coordinate = dyn_cast<CoordinateOp>(op)) {
      mapping.map(
          op->getResult(0),
          constant(getIndex(findDim(coordinate), isLargest), op->getLoc()));
      continue;
    }
    mapping.map(op->getResult(0), insert(op->clone(mapping)));
  }
  return mapping.lookup(value);
}

void Ranges::check(arith::TruncFOp op) {
  Slice slice;
  Value value = op.getIn();
  if (!value.getType().isF64() || !op.getType().isF32() || !addTo(slice, value))
    return;
  const bool hasCoordinates = llvm::any_of(
      slice, [](Operation *one) { return isa<CoordinateOp>(one); });
  Location loc = op.getLoc();
  Value size =
      insert(math::AbsFOp::create(unplaced, loc, copy(slice, value, true)));
  if (hasCoordinates)
    size = insert(arith::MaximumFOp::create(
        unplaced, loc, size,
        insert(
            math::AbsFOp::create(unplaced, loc, copy(slice, value, false)))));
  if (matchPattern(size, m_Constant()) && !hasCoordinates)
    return; // IR generation warns
  if (!checked.insert(size).second)
    return;
  auto compare = [&](arith::CmpFPredicate predicate, double bound) {
    return insert(arith::CmpFOp::create(unplaced, loc, predicate, size,
                                        constant(bound, loc)));
  };
  // A value that is NaN or infinite before it is rounded is another mistake.
  using P = arith::CmpFPredicate;
  Value isInside = compare(P::OLT, smallestInfinity);
  if (!mayVanish(slice))
    isInside = insert(arith::AndIOp::create(unplaced, loc, isInside,
                                            compare(P::OGT, largestZero)));
  Value isExact = insert(arith::OrIOp::create(
      unplaced, loc, compare(P::OEQ, 0),
      compare(P::UEQ, std::numeric_limits<double>::infinity())));
  Value holds = insert(arith::OrIOp::create(unplaced, loc, isInside, isExact));
  APInt isKnown;
  if (matchPattern(holds, m_ConstantInt(&isKnown)) && isKnown.isOne())
    return;
  AssertOp::create(
      builder, loc, holds,
      hasCoordinates
          ? "a number here, at most {} in working units, is 0 or infinite in "
            "f32, which holds numbers from 1e-45 to 3e38; --precision=f64 or "
            "other units avoid this"
          : "a number here, {} in working units, is 0 or infinite in f32, "
            "which holds numbers from 1e-45 to 3e38; --precision=f64 or other "
            "units avoid this",
      ValueRange(size));
}

namespace {

struct CheckRangesPass
    : public pmc::passes::impl::CheckRangesBase<CheckRangesPass> {
  void runOnOperation() override {
    if (getOperation().getName() != "main")
      return;
    SmallVector<arith::TruncFOp> ops;
    getOperation().walk([&](arith::TruncFOp op) {
      // A branch may be there to avoid the number.
      if (!op->getParentOfType<scf::IfOp>())
        ops.push_back(op);
    });
    Ranges ranges(getOperation());
    for (arith::TruncFOp op : ops)
      ranges.check(op);
  }
};

} // namespace
