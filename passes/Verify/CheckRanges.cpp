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
// A scalar that depends on a reduction is checked behind the reduction. A
// scalar that a loop carries is checked where it is rounded. All rows of a
// table are checked: the program stops if one row becomes infinite, or all rows
// become 0. If the table is an input, the message names the file, the column
// and the declaration.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/IR/PMChecks.h"
#include "dialect/IR/PMRowOps.h"

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

/// Numbers that depend on reductions, loops and tables.
class Measured {
public:
  void check(arith::TruncFOp op);

private:
  bool addTo(Slice &slice, Leaves &leaves, Value value, Operation *domain);
  /// A table and the number that is interpolated in it.
  struct Rows {
    Value table;
    Value interpolated;
  };
  /// The largest size of a number over all rows, and the smallest one above 0.
  struct Sizes {
    Value largest, smallest;
  };
  using RowNumber = llvm::function_ref<Value(OpBuilder &, Value row)>;
  static Sizes computeSizes(OpBuilder &builder, Location loc, Value table,
                            RowNumber number);
  static Value compute(OpBuilder &builder, const Slice &slice, Value value,
                       IRMapping &mapping);
  void checkRows(arith::TruncFOp op, const Slice &slice, const Rows &rows,
                 Operation *domain);
  void checkInput(InputValueOp input, const Rows &rows);

  DenseSet<std::pair<Operation *, Value>> checked;
};

/// What a check reports, and where.
struct Check {
  OpBuilder &builder;
  Location loc;
  std::string what;
  StringAttr input;

  void require(Value size, bool mayBeZero, bool mayBeInfinite = false);
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

/// Whether the program or a file gives the numbers of the table. Tables of
/// derivatives may vanish.
static bool isGiven(Value table) {
  Operation *op = table.getDefiningOp();
  if (auto choice = dyn_cast_or_null<scf::IfOp>(op)) {
    const unsigned number = cast<OpResult>(table).getResultNumber();
    return isGiven(choice.thenYield().getOperand(number)) &&
           isGiven(choice.elseYield().getOperand(number));
  }
  if (auto transformed = dyn_cast_or_null<TransformOp>(op))
    return isGiven(transformed.getTable());
  return isa_and_nonnull<TabulateOp, InputValueOp>(op);
}

/// The input that the table is, before or after the conversion to working
/// units.
static InputValueOp findInput(Value table) {
  Operation *op = table.getDefiningOp();
  if (auto conversion = dyn_cast_or_null<TransformOp>(op))
    return conversion->hasAttr(conversionName)
               ? findInput(conversion.getTable())
               : InputValueOp();
  return dyn_cast_or_null<InputValueOp>(op);
}

/// The table whose values the op interpolates, or null.
static Value findTable(Operation *op) {
  if (auto lookup = dyn_cast<LookupOp>(op))
    return lookup.getSlope() ? Value() : lookup.getTable();
  if (!op->hasAttr(interpolatedName))
    return {};
  llvm::SetVector<Operation *> sums;
  sums.insert(op);
  for (size_t i = 0; i < sums.size(); ++i) {
    Operation *sum = sums[i];
    if (auto row = dyn_cast<RowYOp>(sum))
      return row.getTable();
    if (isa<arith::AddFOp, arith::MulFOp>(sum))
      for (Value operand : sum->getOperands())
        if (Operation *def = operand.getDefiningOp())
          sums.insert(def);
  }
  return {};
}

/// Whether a loop carries the number: from one iteration to the next, or to the
/// ops behind the loop. Derivatives of loops may vanish.
static bool isCarried(Value value, Operation *domain) {
  if (!value.getType().isIntOrIndexOrFloat())
    return false;
  Operation *loop = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value))
    loop = argument.getOwner()->getParentOp();
  return isa<scf::ForOp, scf::WhileOp>(loop) && !domain->isAncestor(loop) &&
         !loop->hasAttr(reversedName);
}

/// Whether the op is in a branch of a condition that does not contain `other`.
static bool isInBranch(Operation *op, Operation *other) {
  auto branch = op->getParentOfType<scf::IfOp>();
  return branch && !branch->isAncestor(other);
}

/// Adds the arithmetic in the domain. False if the value depends on anything
/// other than params, reductions, loops and one table.
bool Measured::addTo(Slice &slice, Leaves &leaves, Value value,
                     Operation *domain) {
  if (isCarried(value, domain)) {
    leaves.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || isInBranch(op, domain))
    return false;
  if (slice.contains(op))
    return true;
  if (isa<ReduceOp>(op)) {
    leaves.insert(value);
    return value.getType().isF64() && !domain->isAncestor(op);
  }
  if (Value table = findTable(op)) {
    leaves.insert(value);
    return isGiven(table) && !domain->isAncestor(table.getDefiningOp());
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

Measured::Sizes Measured::computeSizes(OpBuilder &builder, Location loc,
                                       Value table, RowNumber number) {
  const auto f64 = [&](double constant) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(constant));
  };
  const auto index = [&](int64_t constant) {
    return arith::ConstantIndexOp::create(builder, loc, constant);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value rows = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          RowsOp::create(builder, loc, table));
  auto loop = scf::ForOp::create(builder, loc, index(0), rows, index(1),
                                 ValueRange{f64(0), f64(infinity)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                         loop.getInductionVar());
  Value size = math::AbsFOp::create(builder, loc, number(builder, row));
  // A row that is 0, infinite or NaN before rounding is another mistake.
  const auto compare = [&](arith::CmpFPredicate predicate, double bound) {
    return arith::CmpFOp::create(builder, loc, predicate, size, f64(bound));
  };
  using P = arith::CmpFPredicate;
  Value largest = arith::SelectOp::create(
      builder, loc, compare(P::OLT, infinity), size, f64(0));
  Value smallest = arith::SelectOp::create(builder, loc, compare(P::OGT, 0),
                                           size, f64(infinity));
  scf::YieldOp::create(
      builder, loc,
      ValueRange{arith::MaximumFOp::create(builder, loc, largest,
                                           loop.getRegionIterArg(0)),
                 arith::MinimumFOp::create(builder, loc, smallest,
                                           loop.getRegionIterArg(1))});
  return {loop.getResult(0), loop.getResult(1)};
}

void Check::require(Value size, bool mayBeZero, bool mayBeInfinite) {
  using P = arith::CmpFPredicate;
  const auto compare = [&](P predicate, double bound) -> Value {
    return arith::CmpFOp::create(
        builder, loc, predicate, size,
        arith::ConstantOp::create(builder, loc,
                                  builder.getF64FloatAttr(bound)));
  };
  SmallVector<Value, 2> bounds;
  if (!mayBeInfinite)
    bounds.push_back(compare(P::OLT, smallestInfinity));
  if (!mayBeZero)
    bounds.push_back(compare(P::OGT, largestZero));
  Value isInside = bounds.front();
  if (bounds.size() == 2)
    isInside = arith::AndIOp::create(builder, loc, isInside, bounds.back());
  Value isExact = arith::OrIOp::create(
      builder, loc, compare(P::OEQ, 0),
      compare(P::UEQ, std::numeric_limits<double>::infinity()));
  auto check = AssertOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, isInside, isExact),
      what + " is 0 or infinite in f32, which holds numbers from 1e-45 to "
             "3e38; --precision=f64 or other units avoid this",
      ValueRange(size));
  check.setRange(true);
  check.setCheckedInputAttr(input);
}

/// The declaration of the input.
static InputOp findDeclaration(InputValueOp input) {
  for (auto op : input->getParentOfType<ModuleOp>().getOps<InputOp>())
    if (op.getName() == input.getName())
      return op;
  return {};
}

/// Checks the numbers of an input behind the op that reads it. The message
/// begins with the flag and the file.
void Measured::checkInput(InputValueOp input, const Rows &rows) {
  InputOp declaration = findDeclaration(input);
  OpBuilder builder(input->getContext());
  builder.setInsertionPointAfterValue(rows.table);
  const auto nameOf = [&](size_t column) {
    if (auto names = declaration->getAttrOfType<ArrayAttr>("columns"))
      return ("column '" + cast<StringAttr>(names[column]).getValue() + "'")
          .str();
    // The points or values of a table over several axes.
    if (const size_t slash = input.getName().find('/');
        slash != StringRef::npos)
      return ("'" + input.getName().substr(slash + 1) + "'").str();
    return "column " + std::to_string(column + 1);
  };
  Check check{builder, declaration.getLoc(), {}, declaration.getNameAttr()};
  const auto sizesOf = [&](auto read) {
    return computeSizes(builder, check.loc, rows.table, read);
  };
  if (checked.insert({nullptr, rows.table}).second) {
    check.what = nameOf(1) + ": its largest number, {} in working units,";
    check.require(sizesOf([&](OpBuilder &inside, Value row) -> Value {
                    return RowYOp::create(inside, check.loc, rows.table, row);
                  }).largest,
                  /*mayBeZero=*/false);
  }
  // Elements of fields are compared with x. If all points are 0 or infinite in
  // f32, no element is near a point.
  auto lookup = rows.interpolated.getDefiningOp<LookupOp>();
  auto element =
      lookup ? lookup.getX().getDefiningOp<arith::ExtFOp>() : arith::ExtFOp();
  if (!element || !element.getIn().getType().isF32() ||
      !checked.insert({input, rows.table}).second)
    return;
  const Sizes sizes = sizesOf([&](OpBuilder &inside, Value row) -> Value {
    return RowXOp::create(inside, check.loc, rows.table, row);
  });
  check.what = nameOf(0) + ": its largest number, {} in working units,";
  check.require(sizes.largest, /*mayBeZero=*/false, /*mayBeInfinite=*/true);
  check.what = nameOf(0) + ": its smallest number, {} in working units,";
  check.require(sizes.smallest, /*mayBeZero=*/true);
}

void Measured::checkRows(arith::TruncFOp op, const Slice &slice,
                         const Rows &rows, Operation *domain) {
  if (InputValueOp input = findInput(rows.table); input && slice.empty())
    return checkInput(input, rows);
  if (!checked.insert({domain, rows.table}).second)
    return;
  OpBuilder builder(domain);
  const Location loc = op.getLoc();
  const Sizes sizes =
      computeSizes(builder, loc, rows.table, [&](OpBuilder &inside, Value row) {
        IRMapping mapping;
        mapping.map(rows.interpolated,
                    RowYOp::create(inside, loc, rows.table, row));
        return compute(inside, slice, op.getIn(), mapping);
      });
  Check{builder,
        loc,
        "a number of a table here, at most {} in working units,",
        {}}
      .require(sizes.largest, mayVanish(slice));
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
  Rows rows;
  bool isInLoop = false;
  for (Value leaf : leaves) {
    isInLoop |= isCarried(leaf, domain);
    Operation *def = leaf.getDefiningOp();
    if (Value table = def ? findTable(def) : Value()) {
      if (rows.table)
        return; // two tables, or two places of one
      rows = {table, leaf};
    }
  }
  // The condition of a branch may exclude the number, unless the branch reads
  // an optional input.
  if (op->getParentOfType<scf::IfOp>() &&
      (!rows.table || isInBranch(op, rows.table.getDefiningOp())))
    return;
  if (rows.table)
    return checkRows(op, slice, rows, domain);
  // A number that is the same for several domains is checked where it is made.
  Operation *def = value.getDefiningOp();
  const bool isShared = def && !domain->isAncestor(def);
  if (!checked.insert({isShared ? nullptr : domain, value}).second)
    return;
  OpBuilder builder(domain);
  if (isShared)
    builder.setInsertionPointAfter(def);
  Location loc = op.getLoc();
  Value number = value;
  if (!isShared) {
    IRMapping mapping;
    number = compute(builder, slice, value, mapping);
  }
  Check{builder,
        loc,
        isInLoop ? "a number here that a loop carries, {} in working units,"
                 : "a number here, {} in working units,",
        {}}
      .require(math::AbsFOp::create(builder, loc, number), mayVanish(slice));
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
    getOperation().walk([&](arith::TruncFOp op) { ops.push_back(op); });
    Ranges ranges(getOperation());
    Measured measured;
    for (arith::TruncFOp op : ops) {
      // The condition of the branch may exclude the number.
      if (!op->getParentOfType<scf::IfOp>())
        ranges.check(op);
      measured.check(op);
    }
  }
};

} // namespace
