//===- ElementLoop.cpp - Loops of elements over fields --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is compiled as part of its map first. Where its body turns out to read
// cells or to check something, that is taken back, and the outermost loop of
// the map is compiled once more, over fields: one for each number that it
// carries.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Fields/ElementLoop.h"

#include "frontend/IRGen/Fields/BodySlice.h"
#include "frontend/IRGen/Numbers/Integers.h"
#include "frontend/Sema/Rules/Control.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

bool ElementLoop::isWanted(Generator &generator) {
  const ElementState *state = generator.frame->element;
  return state && state->wantsFields && !generator.diags.hasErrors() &&
         generator.builder.getInsertionBlock() == state->prologue.block;
}

ElementLoop::ElementLoop(Generator &generator, const Value &init,
                         const Value &guess, Places places)
    : g(generator), state(*generator.frame->element), init(init), guess(guess),
      places(places), at(generator.getLoc(places.loc)) {
  state.wantsFields = false;
  moveNumbersOut();
}

/// What does not depend on the element: the loop's maps may use it as it is.
void ElementLoop::moveNumbersOut() {
  for (mlir::Operation &op :
       llvm::make_early_inc_range(*state.prologue.block)) {
    mlir::Operation *before = op.getPrevNode();
    if (op.getNumResults() == 1 && moveOut(op.getResult(0), state.outside) &&
        state.prologue.last == &op)
      state.prologue.last = before;
  }
}

/// Fields of what these elements are, made here.
ElementLoop::Values ElementLoop::fieldsOf(mlir::ValueRange elements) {
  BodySlice slice(elements, state, g.builder);
  llvm::SmallVector<mlir::Type> types;
  Values yields;
  for (mlir::Value element : elements) {
    types.push_back(
        pm::FieldType::get(&g.context, state.domain, element.getType()));
    yields.push_back(slice.get(element));
  }
  {
    mlir::OpBuilder::InsertionGuard guard(g.builder);
    g.builder.setInsertionPointToEnd(slice.block.get());
    pm::YieldOp::create(g.builder, at, yields);
  }
  auto op = pm::MapOp::create(g.builder, at, types,
                              pm::DimsAttr::get(&g.context, state.domain),
                              slice.inputs, mlir::ValueRange());
  op.getBody().push_back(slice.block.release());
  return Values(op.getResults());
}

/// A map over the same dims, made here: its coordinates are those of the map
/// that is being built, and so are the branches around. None after an error.
ElementLoop::Values ElementLoop::map(mlir::ValueRange fields, Body body) {
  Frame outside = *g.frame;
  outside.element = nullptr;
  llvm::SaveAndRestore<Frame *> saved(g.frame, &outside);
  ElementState inner;
  inner.guards = state.guards;
  llvm::SmallVector<mlir::Type> types;
  auto block = g.buildBody(state.domain, places.loc, inner, [&](auto &yields) {
    inner.id = state.id;
    Values elements;
    for (mlir::Value field : fields) {
      mlir::Type type =
          llvm::cast<pm::FieldType>(field.getType()).getElementType();
      elements.push_back(inner.prologue.block->addArgument(type, at));
      inner.inputs.push_back(field);
    }
    return body(elements, yields);
  });
  if (!block)
    return {};
  state.wide |= inner.wide;
  for (mlir::Value yield : block->getTerminator()->getOperands())
    types.push_back(
        pm::FieldType::get(&g.context, state.domain, yield.getType()));
  auto op = pm::MapOp::create(g.builder, at, types,
                              pm::DimsAttr::get(&g.context, state.domain),
                              inner.inputs, mlir::ValueRange());
  op.getBody().push_back(block.release());
  return Values(op.getResults());
}

/// Makes what the ops behind `mark` use of the map's elements fields, which
/// they get as inputs. What is made of nothing, as indices, is made again.
void ElementLoop::handElements(mlir::Operation *mark) {
  llvm::SetVector<mlir::Value> used;
  llvm::SetVector<mlir::Operation *> users;
  auto end = state.outside.getPoint();
  for (auto op = mark->getIterator(); op != end; ++op)
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (isElement(operand)) {
          used.insert(operand);
          auto domain = inner->getParentOfType<pm::DomainOpInterface>();
          assert(domain && "elements are used in maps and reductions");
          users.insert(domain);
        }
    });
  auto isMadeAgain = [](mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    return op && op->getNumOperands() == 0 && op->getNumRegions() == 0;
  };
  Values stored;
  for (mlir::Value value : used)
    if (value.getDefiningOp() && !isMadeAgain(value))
      stored.push_back(value);
  llvm::DenseMap<mlir::Value, mlir::Value> fields;
  if (!stored.empty()) {
    mlir::OpBuilder::InsertionGuard guard(g.builder);
    g.builder.setInsertionPoint(mark);
    for (auto [value, field] : llvm::zip_equal(stored, fieldsOf(stored)))
      fields[value] = field;
  }
  for (mlir::Value value : used)
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      fields[value] = state.inputs[argument.getArgNumber()];
  for (mlir::Operation *user : users) {
    mlir::Block &body = user->getRegion(0).front();
    for (mlir::Value value : used) {
      auto isHere = [&](mlir::OpOperand &use) {
        return user->isProperAncestor(use.getOwner());
      };
      if (llvm::none_of(value.getUses(), isHere))
        continue;
      mlir::Value here;
      if (mlir::Value field = fields.lookup(value)) {
        if (auto map = llvm::dyn_cast<pm::MapOp>(user))
          map.getInputsMutable().append(field);
        else
          llvm::cast<pm::ReduceOp>(user).getInputsMutable().append(field);
        here = body.addArgument(value.getType(), value.getLoc());
      } else {
        mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&body);
        here = builder.clone(*value.getDefiningOp())->getResult(0);
      }
      value.replaceUsesWithIf(here, isHere);
    }
  }
}

/// The largest of a number of the elements that take the branches around; 0 if
/// that is less.
mlir::Value ElementLoop::largestOf(mlir::Value number) {
  Integers ints(g);
  mlir::Value largest = ints.largestFailing(
      ints.orUntaken(g.boolConstant(false, at), at), number, at);
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  g.builder.restoreInsertionPoint(state.outside);
  mlir::Value zero = g.floatConstant(0, g.f64Type, at);
  return arith::FPToSIOp::create(
      g.builder, at, g.i64Type,
      arith::MaximumFOp::create(g.builder, at, largest, zero));
}

/// Whether a field of bools holds anywhere.
mlir::Value ElementLoop::anyOf(mlir::Value field) {
  mlir::Value zero = g.floatConstant(0, g.f64Type, at);
  auto reduce = pm::ReduceOp::create(
      g.builder, at, mlir::TypeRange(g.f64Type), mlir::TypeRange(),
      pm::Reduction::Max, pm::DimsAttr::get(&g.context, state.domain), field,
      mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  mlir::Block &body = reduce.getBody().emplaceBlock();
  g.builder.setInsertionPointToEnd(&body);
  mlir::Value one = g.floatConstant(1, g.f64Type, at);
  pm::YieldOp::create(
      g.builder, at,
      mlir::Value(arith::SelectOp::create(
          g.builder, at, body.addArgument(g.i1Type, at), one, zero)));
  // What is not stored of a spectrum is not computed either.
  reduce->setAttr("stored", g.builder.getUnitAttr());
  g.builder.setInsertionPointAfter(reduce);
  return arith::CmpFOp::create(g.builder, at, arith::CmpFPredicate::OGT,
                               reduce.getScalars()[0], zero);
}

/// Appends what the loop carries on, if it has the shape; else `next` has
/// another one to try, or is poison after an error.
bool ElementLoop::giveNext(const Value &carried, const Value &result,
                           const Value &shape, Value &next, Yields &yields) {
  next = g.join(carried, result, places.init, places.body,
                "what the loop begins with and what its body gives");
  if (!next.isPoison())
    next = requireCarried(g.rules(), next, places.loc);
  if (next.isPoison() || !sameShape(next, shape))
    return false;
  g.convertTo(result, shape, places.body, yields);
  return true;
}

/// Builds the loop before the map, for the shape that it turns out to have, and
/// reads what it gives as elements.
Value ElementLoop::settle(Build build) {
  auto attempt = [&](const Value &shape, Value &next) -> Value {
    Values inits;
    g.convertTo(init, shape, places.init, inits);
    const bool areScalars = llvm::all_of(inits, [](mlir::Value value) {
      return value.getType().isIntOrFloat();
    });
    if (!requireScalars(g.rules(), areScalars, places.init)) {
      next = Value::poison();
      return next;
    }
    Values results;
    {
      mlir::OpBuilder::InsertionGuard guard(g.builder);
      g.builder.restoreInsertionPoint(state.outside);
      mlir::Operation *mark = g.intConstant(0, at).getDefiningOp();
      results = build(shape, fieldsOf(inits), next);
      if (results.empty()) {
        g.eraseSince(mark);
        return Value::poison();
      }
      handElements(mark);
      mark->erase();
    }
    Values elements;
    for (mlir::Value field : results) {
      mlir::Type type =
          llvm::cast<pm::FieldType>(field.getType()).getElementType();
      elements.push_back(state.prologue.block->addArgument(type, at));
      state.inputs.push_back(field);
    }
    unsigned leaf = 0;
    return g.rebuild(settleUnits(shape), elements, leaf);
  };
  return g.settleLoop(init, guess, places.init, places.loc, attempt);
}

Value ElementLoop::count(const Value &begin, const Value &end,
                         Generator::LoopBody body) {
  mlir::Value from = g.materialize(begin, g.i64Type, at);
  mlir::Value to = g.materialize(end, g.i64Type, at);
  // Elements may have other bounds each, and then wait for the others.
  bool isSame = moveOut(from, state.outside) && moveOut(to, state.outside);
  mlir::Value number, first = from, last = to;
  if (!isSame) {
    number = arith::SubIOp::create(g.builder, at, to, from);
    last = largestOf(number);
  }
  auto build = [&](const Value &shape, const Values &fields,
                   Value &next) -> Values {
    auto index = [&](mlir::Value value) -> mlir::Value {
      return arith::IndexCastOp::create(g.builder, at, g.builder.getIndexType(),
                                        value);
    };
    if (!isSame)
      first = g.intConstant(0, at);
    auto loop = scf::ForOp::create(
        g.builder, at, index(first), index(last),
        arith::ConstantIndexOp::create(g.builder, at, 1), fields);
    mlir::OpBuilder::InsertionGuard guard(g.builder);
    g.builder.setInsertionPointToEnd(loop.getBody());
    mlir::Value i = arith::IndexCastOp::create(g.builder, at, g.i64Type,
                                               loop.getInductionVar());
    auto iteration = [&](mlir::ValueRange elements, Yields &yields) {
      mlir::Value index = i, isOn;
      if (!isSame) {
        index = arith::AddIOp::create(g.builder, at, from, i);
        isOn = arith::CmpIOp::create(g.builder, at, arith::CmpIPredicate::slt,
                                     i, number);
        g.frame->element->guards.push_back({isOn, true});
      }
      unsigned leaf = 0;
      Value carried = g.rebuild(shape, elements, leaf);
      llvm::SaveAndRestore<unsigned> depth(g.loopDepth, g.loopDepth + 1);
      Value result = g.elements(body(carried, scalarOf(index)), places.body);
      if (!giveNext(carried, result, shape, next, yields))
        return false;
      if (!isSame)
        for (auto [yield, before] : llvm::zip_equal(yields, elements))
          yield = arith::SelectOp::create(g.builder, at, isOn, yield, before);
      return true;
    };
    Values given = map(loop.getRegionIterArgs(), iteration);
    if (given.empty())
      return {};
    scf::YieldOp::create(g.builder, at, given);
    return Values(loop.getResults());
  };
  return settle(build);
}

Value ElementLoop::repeat(Condition condition, Condition body) {
  auto build = [&](const Value &shape, const Values &fields,
                   Value &next) -> Values {
    // A bool, or null after an error.
    auto test = [&](mlir::ValueRange elements) -> mlir::Value {
      unsigned leaf = 0;
      Value holds = condition(g.rebuild(shape, elements, leaf), {});
      if (!holds.isBoolLike())
        return {};
      return g.materialize(g.elements(holds, places.loc), g.i1Type, at);
    };
    next = Value::poison();
    Values carried = fields;
    Values isOn = map(fields, [&](mlir::ValueRange elements, Yields &yields) {
      yields.push_back(test(elements));
      return bool(yields.back());
    });
    if (isOn.empty())
      return {};
    carried.push_back(isOn[0]);
    llvm::SmallVector<mlir::Type> types(mlir::ValueRange(carried).getTypes());
    llvm::SmallVector<mlir::Location> locs(types.size(), at);
    auto loop = scf::WhileOp::create(g.builder, at, types, carried);
    mlir::OpBuilder::InsertionGuard guard(g.builder);
    mlir::Block *before =
        g.builder.createBlock(&loop.getBefore(), {}, types, locs);
    scf::ConditionOp::create(g.builder, at,
                             anyOf(before->getArguments().back()),
                             before->getArguments());
    mlir::Block *after =
        g.builder.createBlock(&loop.getAfter(), {}, types, locs);
    auto iteration = [&](mlir::ValueRange elements, Yields &yields) {
      mlir::Value isOn = elements.back();
      g.frame->element->guards.push_back({isOn, true});
      unsigned leaf = 0;
      Value carried = g.rebuild(shape, elements.drop_back(), leaf);
      llvm::SaveAndRestore<unsigned> depth(g.loopDepth, g.loopDepth + 1);
      Value result = g.elements(body(carried, {}), places.body);
      if (!giveNext(carried, result, shape, next, yields))
        return false;
      for (auto [yield, old] : llvm::zip_equal(yields, elements.drop_back()))
        yield = arith::SelectOp::create(g.builder, at, isOn, yield, old);
      mlir::Value holds = test(yields);
      if (!holds) {
        next = Value::poison();
        return false;
      }
      yields.push_back(arith::AndIOp::create(g.builder, at, isOn, holds));
      return true;
    };
    Values given = map(after->getArguments(), iteration);
    if (given.empty())
      return {};
    scf::YieldOp::create(g.builder, at, given);
    return Values(loop.getResults().drop_back());
  };
  return settle(build);
}
