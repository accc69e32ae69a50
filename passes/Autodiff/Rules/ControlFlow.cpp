//===- ControlFlow.cpp - Rules for branches and loops ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In forward mode, a branch or a loop is built anew with tangents among what it
// gives and carries. In reverse mode a branch is computed again and reversed
// where its cotangents are known. A loop over numbers has no checkpoint store:
// it gets its derivative by each number that it reads, in forward mode. Only if
// it reads a table that has a cotangent of its own it is reversed as one over
// fields.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Rules/Loops.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// What has a tangent by now or will have one when the op has been
/// differentiated.
static Activity findActive(Operation *op, const Tangents &tangents) {
  Activity activity([&](Value value) { return bool(tangents.get(value)); });
  activity.visit(op);
  return activity;
}

static SmallVector<Value> listActive(ValueRange values,
                                     const Activity &activity) {
  return llvm::filter_to_vector(
      values, [&](Value value) { return activity.isActive(value); });
}

/// The values at the places of those of `like` that are active.
static SmallVector<Value> selectActive(ValueRange values, ValueRange like,
                                       const Activity &activity) {
  SmallVector<Value> selected;
  for (auto [value, model] : llvm::zip_equal(values, like))
    if (activity.isActive(model))
      selected.push_back(value);
  return selected;
}

static SmallVector<Type> appendTypes(TypeRange first, ValueRange second) {
  SmallVector<Type> types(first);
  llvm::append_range(types, second.getTypes());
  return types;
}

static SmallVector<Value> appendTangents(OpBuilder &builder, ValueRange values,
                                         ValueRange active,
                                         const Tangents &tangents) {
  SmallVector<Value> all(values);
  for (Value value : active)
    all.push_back(orZero(builder, value.getLoc(), tangents.get(value), value));
  return all;
}

/// Copies the block to the end of another one, whose arguments are those of it
/// and then the tangents of the `active` among these, and differentiates it
/// there. What the terminator hands on is followed by the tangents of those
/// whose targets are active.
static LogicalResult deriveBlock(Block &from, Block &to, ValueRange active,
                                 unsigned first, ValueRange targets,
                                 const Activity &activity,
                                 const Tangents &tangents) {
  OpBuilder builder = OpBuilder::atBlockEnd(&to);
  IRMapping mapping;
  mapping.map(from.getArguments(),
              to.getArguments().take_front(from.getNumArguments()));
  for (Operation &op : from)
    builder.clone(op, mapping);
  Forward inner(&tangents);
  for (auto [value, tangent] : llvm::zip_equal(
           active, to.getArguments().drop_front(from.getNumArguments())))
    inner.set(mapping.lookup(value), tangent);
  if (failed(inner.differentiate(to)))
    return failure();
  Operation *end = to.getTerminator();
  builder.setInsertionPoint(end);
  ValueRange handed = end->getOperands().drop_front(first);
  end->setOperands(appendTangents(builder, end->getOperands(),
                                  selectActive(handed, targets, activity),
                                  inner));
  return success();
}

/// Gives the active results their tangents, which are the last of the new op's.
static void finishTangents(Operation *op, Operation *made,
                           const Activity &activity, Tangents &tangents) {
  ValueRange all = made->getResults();
  ValueRange values = all.take_front(op->getNumResults());
  for (auto [value, tangent] :
       llvm::zip_equal(listActive(op->getResults(), activity),
                       all.drop_front(op->getNumResults())))
    tangents.set(value, tangent);
  asForward(tangents).replace(op, values);
}

/// An empty block with arguments for values and the tangents of the active
/// ones.
static Block *addBlock(OpBuilder &builder, Region &region, TypeRange types,
                       ValueRange active, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> all = appendTypes(types, active);
  return builder.createBlock(&region, {}, all,
                             SmallVector<Location>(all.size(), loc));
}

namespace {

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

struct IfModel : DifferentiableOpInterface::ExternalModel<IfModel, scf::IfOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto branch = cast<scf::IfOp>(op);
    Activity activity = findActive(op, tangents);
    SmallVector<Value> active = listActive(op->getResults(), activity);
    auto made = scf::IfOp::create(
        builder, op->getLoc(), appendTypes(op->getResultTypes(), active),
        branch.getCondition(), /*addThenBlock=*/false, /*addElseBlock=*/false);
    for (unsigned i : {0, 1}) {
      Region &from = op->getRegion(i), &to = made->getRegion(i);
      if (from.empty())
        continue;
      Block *block = addBlock(builder, to, {}, {}, op->getLoc());
      if (failed(deriveBlock(from.front(), *block, {}, 0, op->getResults(),
                             activity, tangents)))
        return failure();
    }
    finishTangents(op, made, activity, tangents);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto branch = cast<scf::IfOp>(op);
    Reverse &outside = asReverse(cotangents);
    llvm::SetVector<Value> wanted = outside.getWanted(listCaptured(op));
    // The types of its results are known when the branches have been reversed.
    auto scratch = scf::IfOp::create(
        builder, op->getLoc(), TypeRange(), branch.getCondition(),
        /*addThenBlock=*/false, /*addElseBlock=*/false);
    SmallVector<Side> sides;
    for (unsigned i : {0, 1}) {
      Block *block =
          addBlock(builder, scratch->getRegion(i), {}, {}, op->getLoc());
      FailureOr<Side> side = reverseBranch(op, op->getRegion(i).front(), *block,
                                           outside, wanted.getArrayRef());
      if (failed(side))
        return failure();
      sides.push_back(std::move(*side));
    }
    SmallVector<Value> targets;
    SmallVector<SmallVector<Value>> yields(2);
    for (auto [i, target] : llvm::enumerate(wanted)) {
      if (!sides[0].sums[i] && !sides[1].sums[i])
        continue;
      targets.push_back(target);
      // To what has been added up of a field its branch adds in place.
      Value before;
      if (isa<FieldType>(target.getType()))
        before = outside.take(target);
      for (unsigned side : {0, 1}) {
        OpBuilder inside =
            OpBuilder::atBlockEnd(&scratch->getRegion(side).front());
        Value sum = sides[side].sums[i];
        if (before && sum)
          sum = buildSum(inside, op->getLoc(), before, sum);
        else if (before)
          sum = before;
        yields[side].push_back(orZero(inside, op->getLoc(), sum, target));
      }
    }
    for (unsigned side : {0, 1})
      for (const RowReading &reading : sides[side].readings)
        yieldReading(scratch, reading, yields[side], yields[1 - side],
                     1 - side);
    auto made = scf::IfOp::create(
        builder, op->getLoc(), TypeRange(ValueRange(yields[0])),
        branch.getCondition(), /*addThenBlock=*/false, /*addElseBlock=*/false);
    for (unsigned side : {0, 1}) {
      made->getRegion(side).takeBody(scratch->getRegion(side));
      OpBuilder inside = OpBuilder::atBlockEnd(&made->getRegion(side).front());
      scf::YieldOp::create(inside, op->getLoc(), yields[side]);
      eraseDead(made->getRegion(side));
    }
    scratch.erase();
    ValueRange results = made.getResults();
    for (Value target : targets) {
      cotangents.add(builder, target, results.front());
      results = results.drop_front();
    }
    for (const Side &side : sides)
      for (RowReading reading : side.readings) {
        for (Value *part : {&reading.row, &reading.first, &reading.second}) {
          if (!*part)
            continue;
          *part = results.front();
          results = results.drop_front();
        }
        outside.note(reading);
      }
    return success();
  }

private:
  /// What a branch adds to.
  struct Side {
    SmallVector<Value> sums; ///< of what is wanted, null where zero
    SmallVector<RowReading> readings;
  };

  /// Hands on what is read on one side; the other one adds nothing, to no row.
  static void yieldReading(scf::IfOp scratch, const RowReading &reading,
                           SmallVector<Value> &here, SmallVector<Value> &there,
                           unsigned other) {
    OpBuilder inside =
        OpBuilder::atBlockEnd(&scratch->getRegion(other).front());
    Location loc = scratch.getLoc();
    here.push_back(reading.row);
    there.push_back(
        arith::ConstantOp::create(inside, loc, inside.getI64IntegerAttr(-1)));
    for (Value part : {reading.first, reading.second})
      if (part) {
        here.push_back(part);
        there.push_back(buildZero(inside, loc, part.getType()));
      }
  }

  static FailureOr<Side> reverseBranch(Operation *op, Block &from, Block &to,
                                       Reverse &outside,
                                       ArrayRef<Value> wanted) {
    OpBuilder builder = OpBuilder::atBlockEnd(&to);
    IRMapping mapping;
    for (Operation &inner : from.without_terminator())
      builder.clone(inner, mapping);
    eraseEffects(*to.getParent());
    SmallVector<Operation *> ops;
    for (Operation &inner : to)
      ops.push_back(&inner);
    Activity activity([&](Value value) { return outside.needs(value); });
    activity.visit(to);
    Reverse inner(activity, &outside);
    for (auto [result, value] : llvm::zip_equal(
             op->getResults(), from.getTerminator()->getOperands())) {
      Value yielded = mapping.lookupOrDefault(value);
      Value cotangent = outside.get(result);
      if (cotangent && inner.needs(yielded)) {
        inner.add(builder, yielded, cotangent);
        if (outside.isGuarded(result))
          inner.guard(yielded);
      }
    }
    if (failed(inner.differentiate(builder, ops)))
      return failure();
    return Side{llvm::map_to_vector(
                    wanted, [&](Value value) { return inner.get(value); }),
                SmallVector<RowReading>(inner.getReadings())};
  }
};

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

/// Whether a loop carries fields or has to give cotangents of some.
bool reversesFields(Operation *loop, Reverse &reverse) {
  auto isField = [](Value value) { return isa<FieldType>(value.getType()); };
  return llvm::any_of(loop->getOperands(), isField) ||
         llvm::any_of(reverse.getWanted(listCaptured(loop)), isField);
}

struct ForModel
    : DifferentiableOpInterface::ExternalModel<ForModel, scf::ForOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto loop = cast<scf::ForOp>(op);
    Activity activity = findActive(op, tangents);
    SmallVector<Value> active = listActive(loop.getRegionIterArgs(), activity);
    SmallVector<Value> inits = appendTangents(
        builder, loop.getInitArgs(),
        selectActive(loop.getInitArgs(), loop.getRegionIterArgs(), activity),
        tangents);
    auto made = scf::ForOp::create(builder, op->getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits);
    if (!made.getBody()->empty())
      made.getBody()->getTerminator()->erase();
    if (failed(deriveBlock(*loop.getBody(), *made.getBody(), active, 0,
                           loop.getRegionIterArgs(), activity, tangents)))
      return failure();
    finishTangents(op, made, activity, tangents);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Reverse &reverse = asReverse(cotangents);
    bool readsRows = reverse.readsRows(op);
    if (readsRows && op->getParentOfType<DomainOpInterface>())
      return op->emitError(
          "[PM0809] a loop in a loop over cells has no derivative with respect "
          "to a table that it reads; read the table outside of the loop");
    if (readsRows || reversesFields(op, reverse))
      return reverseLoop(builder, cast<scf::ForOp>(op), reverse);
    return reverse.addColumns(builder, op);
  }
};

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

struct WhileModel
    : DifferentiableOpInterface::ExternalModel<WhileModel, scf::WhileOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto loop = cast<scf::WhileOp>(op);
    Activity activity = findActive(op, tangents);
    ValueRange carried = loop.getBeforeArguments();
    SmallVector<Value> results = listActive(op->getResults(), activity);
    SmallVector<Value> active = listActive(carried, activity);
    SmallVector<Value> after = listActive(loop.getAfterArguments(), activity);
    auto made = scf::WhileOp::create(
        builder, op->getLoc(), appendTypes(op->getResultTypes(), results),
        appendTangents(builder, loop.getInits(),
                       selectActive(loop.getInits(), carried, activity),
                       tangents));
    Block *test = addBlock(builder, made.getBefore(), carried.getTypes(),
                           active, op->getLoc());
    Block *body = addBlock(builder, made.getAfter(),
                           ValueRange(loop.getAfterArguments()).getTypes(),
                           after, op->getLoc());
    // The terminator of the test begins with the condition.
    if (failed(deriveBlock(*loop.getBeforeBody(), *test, active, 1,
                           op->getResults(), activity, tangents)) ||
        failed(deriveBlock(*loop.getAfterBody(), *body, after, 0, carried,
                           activity, tangents)))
      return failure();
    finishTangents(op, made, activity, tangents);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Reverse &reverse = asReverse(cotangents);
    if (reverse.readsRows(op))
      return op->emitError("[PM0809] a loop that ends on a condition has no "
                           "derivative with respect to a table that it reads, "
                           "expected a loop with a number of steps");
    if (reversesFields(op, reverse))
      return op->emitError(
          "[PM0809] a loop over fields that ends on a condition has no "
          "adjoint, expected a loop with a number of steps");
    return reverse.addColumns(builder, op);
  }
};

} // namespace

void pmc::passes::registerControlFlowDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::IfOp::attachInterface<IfModel>(*context);
    scf::ForOp::attachInterface<ForModel>(*context);
    scf::WhileOp::attachInterface<WhileModel>(*context);
  });
}
