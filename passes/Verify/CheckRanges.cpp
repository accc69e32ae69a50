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
// A scalar that follows from a reduction is checked behind it. Of a table that
// the program tabulates, all rows are: the program stops if one becomes
// infinite, or all of them 0.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/IR/PMOwnerComputes.h"

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

/// Values that are known when the program runs, and do not differ by element.
using Leaves = llvm::SmallSetVector<Value, 4>;

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
  const int64_t most =
      dim.getKind() == DimKind::Space ? extent - 1 : extent / 2;
  return double(most);
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

//===----------------------------------------------------------------------===//
// Scalars and tables of the run
//===----------------------------------------------------------------------===//

namespace {

/// Numbers that follow from reductions and tables.
class Measured {
public:
  void check(arith::TruncFOp op);

private:
  bool addTo(Slice &slice, Leaves &leaves, Value value, Operation *domain);
  Value computeLargest(OpBuilder &builder, const Slice &slice, Value value,
                       LookupOp lookup);
  static Value compute(OpBuilder &builder, const Slice &slice, Value value,
                       IRMapping &mapping);
  void require(OpBuilder &builder, Location loc, Value size, bool mayBeZero,
               bool isTable);

  DenseSet<std::pair<Operation *, Value>> checked;
};

} // namespace

/// The outermost op around that computes elements; or the op itself.
static Operation *findDomain(Operation *op) {
  Operation *outermost = op;
  for (auto domain = op->getParentOfType<DomainOpInterface>(); domain;
       domain = domain->getParentOfType<DomainOpInterface>())
    outermost = domain;
  return outermost;
}

/// Adds the arithmetic in the domain. False if the value depends on anything
/// other than params, reductions and one table.
bool Measured::addTo(Slice &slice, Leaves &leaves, Value value,
                     Operation *domain) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOfType<scf::IfOp>())
    return false;
  if (slice.contains(op))
    return true;
  if (isa<ReduceOp>(op)) {
    leaves.insert(value);
    return value.getType().isF64() && !domain->isAncestor(op);
  }
  if (auto lookup = dyn_cast<LookupOp>(op)) {
    auto table = lookup.getTable().getDefiningOp<TabulateOp>();
    leaves.insert(value);
    return table && !lookup.getSlope() && !domain->isAncestor(table);
  }
  if (op->getNumRegions() != 0 ||
      !(isa<ParamValueOp>(op) ||
        isa<arith::ArithDialect, math::MathDialect>(op->getDialect())))
    return false;
  for (Value operand : op->getOperands())
    if (!addTo(slice, leaves, operand, domain))
      return false;
  slice.insert(op);
  return slice.size() <= mostOps;
}

Value Measured::compute(OpBuilder &builder, const Slice &slice, Value value,
                        IRMapping &mapping) {
  for (Operation *op : slice)
    builder.clone(*op, mapping);
  return mapping.lookupOrDefault(value);
}

/// The largest size of the number over the rows of the table.
Value Measured::computeLargest(OpBuilder &builder, const Slice &slice,
                               Value value, LookupOp lookup) {
  Location loc = value.getLoc();
  auto table = lookup.getTable().getDefiningOp<TabulateOp>();
  const auto f64 = [&](double number) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(number));
  };
  const auto index = [&](int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value rows = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          table.getPoints());
  Value last = arith::SIToFPOp::create(builder, loc, builder.getF64Type(),
                                       table.getPoints());
  last = arith::SubFOp::create(builder, loc, last, f64(1));
  Value step = arith::DivFOp::create(
      builder, loc,
      arith::SubFOp::create(builder, loc, table.getTo(), table.getFrom()),
      last);
  auto loop = scf::ForOp::create(builder, loc, index(0), rows, index(1),
                                 ValueRange{f64(0)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                         loop.getInductionVar());
  Value x = arith::AddFOp::create(
      builder, loc, table.getFrom(),
      arith::MulFOp::create(
          builder, loc, step,
          arith::SIToFPOp::create(builder, loc, builder.getF64Type(), row)));
  IRMapping mapping;
  mapping.map(lookup.getY(),
              LookupOp::create(builder, loc, table.getTable(), x, UnitAttr()));
  Value size = math::AbsFOp::create(builder, loc,
                                    compute(builder, slice, value, mapping));
  // A row that is infinite or not a number before is another mistake.
  Value isFinite =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, size,
                            f64(std::numeric_limits<double>::infinity()));
  size = arith::SelectOp::create(builder, loc, isFinite, size, f64(0));
  scf::YieldOp::create(
      builder, loc,
      ValueRange{arith::MaximumFOp::create(
          builder, loc, loop.getRegionIterArgs().front(), size)});
  return loop.getResult(0);
}

void Measured::require(OpBuilder &builder, Location loc, Value size,
                       bool mayBeZero, bool isTable) {
  using P = arith::CmpFPredicate;
  const auto compare = [&](P predicate, double bound) -> Value {
    return arith::CmpFOp::create(
        builder, loc, predicate, size,
        arith::ConstantOp::create(builder, loc,
                                  builder.getF64FloatAttr(bound)));
  };
  Value isInside = compare(P::OLT, smallestInfinity);
  if (!mayBeZero)
    isInside = arith::AndIOp::create(builder, loc, isInside,
                                     compare(P::OGT, largestZero));
  Value isExact = arith::OrIOp::create(
      builder, loc, compare(P::OEQ, 0),
      compare(P::UEQ, std::numeric_limits<double>::infinity()));
  auto check = AssertOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, isInside, isExact),
      isTable
          ? "a number of a table here, at most {} in working units, is 0 or "
            "infinite in f32, which holds numbers from 1e-45 to 3e38; "
            "--precision=f64 or other units avoid this"
          : "a number here, {} in working units, is 0 or infinite in f32, "
            "which holds numbers from 1e-45 to 3e38; --precision=f64 or other "
            "units avoid this",
      ValueRange(size));
  check->setAttr(rangeCheckName, builder.getUnitAttr());
}

void Measured::check(arith::TruncFOp op) {
  Value value = op.getIn();
  if (!value.getType().isF64() || !op.getType().isF32())
    return;
  Operation *domain = findDomain(op);
  Slice slice;
  Leaves leaves;
  if (!addTo(slice, leaves, value, domain) || leaves.empty())
    return;
  LookupOp lookup;
  for (Value leaf : leaves)
    if (auto one = leaf.getDefiningOp<LookupOp>()) {
      if (lookup)
        return; // two tables, or two places of one
      lookup = one;
    }
  // A number that is the same for several domains is checked where it is made.
  Operation *def = value.getDefiningOp();
  const bool isShared = !lookup && !domain->isAncestor(def);
  Value table = lookup ? lookup.getTable() : Value();
  if (!checked.insert({isShared ? nullptr : domain, lookup ? table : value})
           .second)
    return;
  OpBuilder builder(domain);
  if (isShared)
    builder.setInsertionPointAfter(def);
  Location loc = op.getLoc();
  if (lookup) {
    require(builder, loc, computeLargest(builder, slice, value, lookup),
            mayVanish(slice), /*isTable=*/true);
    return;
  }
  Value number = value;
  if (!isShared) {
    IRMapping mapping;
    number = compute(builder, slice, value, mapping);
  }
  require(builder, loc, math::AbsFOp::create(builder, loc, number),
          mayVanish(slice), /*isTable=*/false);
}

namespace {

struct CheckRangesPass
    : public pmc::passes::impl::CheckRangesBase<CheckRangesPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    CheckRangesBase::getDependentDialects(registry);
    registry.insert<scf::SCFDialect>();
  }

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
    Measured measured;
    for (arith::TruncFOp op : ops) {
      ranges.check(op);
      measured.check(op);
    }
  }
};

} // namespace
