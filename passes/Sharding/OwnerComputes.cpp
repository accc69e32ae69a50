//===- OwnerComputes.cpp - The owner-computes rule for loops --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `each c in f => e` is a loop over the cells of c. In the SPMD view a slice of
// f is a sum over c, to which only one rank contributes, followed by a sum over
// ranks. If iterations are independent, each rank can skip those that change
// none of its cells:
//
//   for i = 0 to n                            for i = first to first + count
//     %p = pm.reduce within "c"(i, i + 1) f     %s = pm.reduce … {pm.own}
//     %s = pm.reduce_fields over ["row"] %p
//     …                                         …
//     pm.map within "c"(i, i + 1) carried       pm.map within "c"(i, i + 1)
//
// The loop may contain no other communication, because ranks execute different
// iterations. Numbers and fields that are not split must have the same bits on
// all ranks (runtime/Dist/Sums.cpp), so loops whose slices have no split dim
// stay as they are.
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/OwnerComputes.h"
#include "passes/Optimize/ResultTypes.h"

#include "dialect/IR/Markers/PMOwnerComputes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pmc::pm;

static bool hasSplitField(Operation *op) {
  auto isSplit = [](Type type) {
    auto field = dyn_cast<GridType>(type);
    return field && !getAxes(field.getDims()).empty();
  };
  return llvm::any_of(op->getOperandTypes(), isSplit) ||
         llvm::any_of(op->getResultTypes(), isSplit);
}

namespace {

class CellLoop {
public:
  explicit CellLoop(scf::ForOp loop) : loop(loop) {}

  bool isLocal();
  void keepOwn();

private:
  /// Whether these are the bounds of the iteration's own cell.
  bool isCell(std::optional<StringRef> within, ValueRange bounds) const;
  bool findDim();
  bool areStacks();
  bool mayRun(Operation *op);
  bool holdsForAll(Value condition) const;
  std::optional<int64_t> evaluate(Value value, int64_t i) const;

  Value reduce(OpBuilder &builder, Reduction kind) const;
  static void keepOwn(ReduceOp slice);

  mutable scf::ForOp loop;
  int64_t begin = 0, end = 0;
  DimAttr dim;
  SmallVector<StringAttr> axes;
  llvm::SmallPtrSet<Operation *, 4> stacks;
  SmallVector<ReduceFieldsOp> slices;
  SmallVector<AssertOp> checks; ///< that a rank makes of its own cells
};

} // namespace

bool CellLoop::isCell(std::optional<StringRef> within,
                      ValueRange bounds) const {
  if (!within || (dim && *within != dim.getLabel()) || bounds.size() != 2)
    return false;
  auto cast = bounds[0].getDefiningOp<arith::IndexCastOp>();
  auto next = bounds[1].getDefiningOp<arith::AddIOp>();
  return cast && cast.getIn() == loop.getInductionVar() && next &&
         next.getLhs() == bounds[0] && matchPattern(next.getRhs(), m_One());
}

/// That of the first map which changes the iteration's cell.
bool CellLoop::findDim() {
  for (auto map : loop.getBody()->getOps<MapOp>()) {
    if (!isCell(map.getWithin(), map.getBounds()))
      continue;
    ArrayRef<DimAttr> dims = map.getDomain().getDims();
    dim = dims[size_t(pmc::pm::findDim(dims, *map.getWithin()))];
    axes = getAxes(dim);
    return !axes.empty() && begin >= 0 && end <= dim.getExtent();
  }
  return false;
}

/// Whether all that is carried are fields of which an iteration changes its
/// cell, and that nothing else reads.
bool CellLoop::areStacks() {
  OperandRange yields = loop.getBody()->getTerminator()->getOperands();
  for (auto [carried, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), yields)) {
    auto map = yielded.getDefiningOp<MapOp>();
    if (!map || !yielded.hasOneUse() || !carried.hasOneUse() ||
        *carried.user_begin() != map ||
        !isCell(map.getWithin(), map.getBounds()))
      return false;
    stacks.insert(map);
  }
  return !stacks.empty();
}

/// An integer of iteration i; none if it is not known.
std::optional<int64_t> CellLoop::evaluate(Value value, int64_t i) const {
  if (value == loop.getInductionVar())
    return i;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue())
                                       : constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op) || op->getNumOperands() == 0)
    return {};
  std::optional<int64_t> a = evaluate(op->getOperand(0), i);
  if (isa<arith::IndexCastOp>(op) || !a)
    return a;
  if (op->getNumOperands() != 2)
    return {};
  std::optional<int64_t> b = evaluate(op->getOperand(1), i);
  if (!b)
    return {};
  if (isa<arith::AddIOp>(op))
    return *a + *b;
  if (isa<arith::AndIOp>(op))
    return *a & *b;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, *a, true),
                                    APInt(64, *b, true));
  return {};
}

/// Whether that is so in every iteration: ranks that do not see an assertion
/// fail would go on.
bool CellLoop::holdsForAll(Value condition) const {
  for (int64_t i = begin; i < end; ++i)
    if (evaluate(condition, i) != 1)
      return false;
  return true;
}

bool CellLoop::mayRun(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "arith" || dialect == "math" || dialect == "complex")
    return true;
  if (isa<scf::SCFDialect>(op->getDialect()))
    return isa<scf::YieldOp>(op) || !hasSplitField(op);
  if (auto check = dyn_cast<AssertOp>(op)) {
    if (holdsForAll(check.getCondition()))
      return true;
    checks.push_back(check);
    return check.getRange() || check.getWarning();
  }
  if (auto sum = dyn_cast<ReduceFieldsOp>(op)) {
    auto isSlice = [&](Value input) {
      auto reduce = input.getDefiningOp<ReduceOp>();
      return reduce && reduce->getParentOp() == loop &&
             isCell(reduce.getWithin(), reduce.getBounds()) &&
             getAxes(reduce.getDomain().getDims()) == axes;
    };
    bool isOwn = sum.getKind() == Reduction::Sum &&
                 sum.getAxes().size() == axes.size() && !hasSplitField(sum) &&
                 llvm::all_of(sum.getInputs(), isSlice);
    slices.push_back(sum);
    return isOwn;
  }
  // What only this rank's elements need: of carried fields, their stacks.
  if (isa<MapOp, ReduceOp>(op))
    return true;
  // A field that is made of numbers alone, as noise is.
  const bool isMade =
      isMemoryEffectFree(op) && !isa<DomainOpInterface>(op) &&
      op->getNumResults() == 1 && isa<FieldType>(op->getResult(0).getType()) &&
      llvm::none_of(op->getOperandTypes(), llvm::IsaPred<FieldType>);
  return (isMade || isa<FFTOp, IFFTOp, ContractOp, ProgressOp>(op)) &&
         !hasSplitField(op);
}

bool CellLoop::isLocal() {
  APInt from, to, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&from)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&to)) ||
      !matchPattern(loop.getStep(), m_One()))
    return false;
  begin = from.getSExtValue();
  end = to.getSExtValue();
  if (!findDim() || !areStacks())
    return false;
  WalkResult found =
      loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!mayRun(op))
          return WalkResult::interrupt();
        return isa<DomainOpInterface>(op) ? WalkResult::skip()
                                          : WalkResult::advance();
      });
  return !found.wasInterrupted() && !slices.empty();
}

/// The number of this rank's owned cells, or the index of the first.
Value CellLoop::reduce(OpBuilder &builder, Reduction kind) const {
  Location loc = loop.getLoc();
  Type f64 = builder.getF64Type();
  auto op = ReduceOp::create(builder, loc, TypeRange(f64), TypeRange(), kind,
                             DimsAttr::get(builder.getContext(), dim),
                             ValueRange(), ValueRange());
  op->setAttr(ownerComputesName, builder.getUnitAttr());
  OpBuilder inner = OpBuilder::atBlockEnd(&op.getBody().emplaceBlock());
  Value value =
      kind == Reduction::Sum
          ? arith::ConstantOp::create(inner, loc, inner.getF64FloatAttr(1))
                .getResult()
          : CoordinateOp::create(inner, loc, dim.getLabel()).getResult();
  YieldOp::create(inner, loc, value);
  return op.getScalars().front();
}

/// Marks a slice: the owner of the cell has its whole result. Results without a
/// sum over ranks are marked, too, because nothing reads them.
void CellLoop::keepOwn(ReduceOp slice) {
  if (slice->hasAttr(ownerComputesName))
    return; // another of its results is in the loop, too
  slice->setAttr(ownerComputesName, UnitAttr::get(slice.getContext()));
  SmallVector<Type> types;
  for (Type type : slice->getResultTypes())
    types.push_back(getUnderlying(type));
  Operation *own = pmc::passes::withResultTypes(slice, types);
  if (own == slice)
    return;
  slice->replaceAllUsesWith(own);
  slice.erase();
}

void CellLoop::keepOwn() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value count = reduce(builder, Reduction::Sum);
  Value lowest = reduce(builder, Reduction::Min);
  // A rank may have none.
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
  Value has = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                    count, zero);
  Value first = arith::SelectOp::create(builder, loc, has, lowest, zero);
  auto toIndex = [&](Value number) -> Value {
    Value whole =
        arith::FPToSIOp::create(builder, loc, builder.getI64Type(), number);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      whole);
  };
  Value last = toIndex(arith::AddFOp::create(builder, loc, first, count));
  loop.getLowerBoundMutable().assign(arith::MaxSIOp::create(
      builder, loc, loop.getLowerBound(), toIndex(first)));
  loop.getUpperBoundMutable().assign(
      arith::MinSIOp::create(builder, loc, loop.getUpperBound(), last));
  for (AssertOp check : checks)
    check.setOwn(true);
  for (ReduceFieldsOp sum : slices) {
    for (Value input : sum.getInputs())
      keepOwn(input.getDefiningOp<ReduceOp>());
    sum->replaceAllUsesWith(sum.getInputs());
    sum.erase();
  }
}

void pmc::passes::computeByOwner(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    CellLoop cells(loop);
    if (cells.isLocal())
      cells.keepOwn();
  }
}
