//===- Loops.cpp - loop … for, loop … while -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that a loop carries are run-time values. Whether an initial `0` is an
// int or an f64, and in what unit, the body decides. `LoopTypes.cpp` finds that
// out without ops where Sema knows the types of the body. Otherwise the body is
// compiled with a guess, and once more if the guess was wrong.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Fields/ElementLoop.h"
#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Types/Typing.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

bool Generator::bindPattern(const ast::Pattern &pattern, const Value &value,
                            llvm::SMLoc loc, Scope &scope) {
  if (!pattern.isTuple) {
    if (!pattern.names.empty())
      observe(pattern.names[0], scope.names[pattern.names[0].text] = value);
    return true;
  }
  if (value.isTuple() && value.getElements().size() == pattern.parts.size()) {
    bool ok = true;
    for (auto [part, element] :
         llvm::zip_equal(pattern.parts, value.getElements()))
      ok &= bindPattern(part, element, loc, scope);
    return ok;
  }
  for (const ast::Name &name : pattern.names)
    scope.names[name.text] = Value::poison();
  return requireNames(rules(), pattern.parts.size(), value, loc);
}

static bool hasField(const Value &value) {
  if (value.isField())
    return true;
  return llvm::any_of(value.getElements(), hasField);
}

/// Messages call fields that a loop carries by their names in the spec: `s`,
/// and of a record `s.disp`.
static void nameFields(const Value &carried, const std::string &name) {
  if (carried.isField()) {
    auto argument = llvm::cast<mlir::BlockArgument>(getSSA(carried));
    argument.setLoc(mlir::NameLoc::get(
        mlir::StringAttr::get(argument.getContext(), name), argument.getLoc()));
  }
  for (auto [i, element] : llvm::enumerate(carried.getElements()))
    nameFields(element,
               carried.isRecord() ? name + "." + carried.getNames()[i] : name);
}

static void nameFields(const Value &carried, const ast::Pattern &pattern) {
  if (!pattern.isTuple && !pattern.names.empty())
    nameFields(carried, pattern.names[0].text);
  if (pattern.isTuple && carried.isTuple())
    for (auto [part, element] : llvm::zip(pattern.parts, carried.getElements()))
      nameFields(element, part);
}

Value Generator::loopExpr(const ast::LoopExpr &expr) {
  Value init = evaluate(*expr.init);
  if (frame->element)
    init = elements(init, expr.init->loc);
  Value begin, end;
  pm::DimAttr dim; // whose cells it goes over
  if (expr.begin || expr.end) {
    begin = expr.begin ? evaluate(*expr.begin) : Value::integer(0);
    if (!expr.end && begin.isDim()) {
      dim = lower(begin.getDim());
      begin = Value::integer(0);
      end = Value::integer(dim.getStoredExtent());
    } else if (expr.end) {
      end = evaluate(*expr.end);
    } else if (!requireRange(rules(), begin, expr.begin->loc)) {
      begin = Value::poison();
    }
    bool ok = true;
    const ast::Expr *last = expr.end ? expr.end.get() : expr.begin.get();
    const ast::Expr *first = expr.begin ? expr.begin.get() : last;
    for (auto [bound, syntax] :
         {std::pair<Value *, const ast::Expr *>(&begin, first), {&end, last}}) {
      if (frame->element)
        *bound = element(*bound, syntax->loc);
      ok &= requireBound(rules(), *bound, *syntax);
    }
    if (checker && !ok)
      return checker->loop(expr, init, Typing::findStacking(*expr.body));
    if (!ok)
      return Value::poison();
  }
  if (checker && init.holdsFree())
    return checker->loop(expr, init, Typing::findStacking(*expr.body));
  if (init.isPoison())
    return init;
  if (!requireNumbersInMap(rules(), init, expr.loc))
    return Value::poison();

  Checkpointing states;
  if (!checkpointing(expr.carried.names, expr.every.get(), /*least=*/0, states))
    return Value::poison();
  if (!requireNoTables(rules(), init, states.every > 0, expr.init->loc))
    return Value::poison();
  const ast::StackExpr *stack = Typing::findStacking(*expr.body);
  if (!requireStackDim(rules(), stack, bool(dim)))
    return Value::poison();
  auto inside = [&](const Value &carried, const ast::Expr &part, bool isBody) {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    if (!bindPattern(expr.carried, carried, expr.loc, scope))
      return Value::poison();
    return isBody ? evaluate(part) : condition(part, "'while'");
  };
  const Value guess = loopTypes.carried(expr, init);
  if (expr.condition && expr.end)
    return boundedLoop(expr, init, begin, end, states, guess, inside);
  if (!expr.counter) {
    auto test = [&](const Value &carried, mlir::Value) {
      return inside(carried, *expr.condition, /*isBody=*/false);
    };
    auto body = [&](const Value &carried, mlir::Value) {
      return inside(carried, *expr.body, /*isBody=*/true);
    };
    WhileParts parts{expr.loc,         expr.init->loc, expr.body->loc,
                     /*counts=*/false, test,           body,           guess};
    Value result = whileLoop(init, states, parts);
    if (!ElementLoop::isWanted(*this))
      return result;
    return ElementLoop(*this, init, guess,
                       {expr.loc, expr.init->loc, expr.body->loc})
        .repeat(test, body);
  }
  auto body = [&](const Value &carried, const Value &iteration) {
    Scope scope(frame->scope);
    llvm::SaveAndRestore<Scope *> saved(frame->scope, &scope);
    llvm::SaveAndRestore<const ast::StackExpr *> end(stacking, stack);
    AroundStatements around(iterations, iteration);
    bool bound = bindPattern(expr.carried, carried, expr.loc, scope);
    nameFields(carried, expr.carried);
    scope.names[expr.counter->text] = iteration;
    Value result = evaluate(*expr.body);
    return bound ? result : Value::poison();
  };
  if (stack)
    return stackingLoop(expr, init, dim, states, guess, body);
  Value result = countedLoop(init, begin, end, expr.init->loc, expr.loc,
                             expr.body->loc, states, body, guess);
  if (!ElementLoop::isWanted(*this))
    return result;
  return ElementLoop(*this, init, guess,
                     {expr.loc, expr.init->loc, expr.body->loc})
      .count(begin, end, body);
}

/// `while c at most n` is a loop of n iterations: it can be reversed, as their
/// number does not depend on what it computes. It carries whether c held so
/// far: c is not looked at again once it did not.
Value Generator::boundedLoop(const ast::LoopExpr &expr, const Value &init,
                             const Value &begin, const Value &end,
                             const Checkpointing &states, const Value &guess,
                             LoopPart part) {
  const llvm::SMLoc asked = expr.condition->loc;
  auto body = [&](const Value &carried, const Value &iteration) -> Value {
    AroundStatements around(iterations, iteration);
    const Value &last = carried.getElements()[0];
    Value held = carried.getElements()[1];
    Value holds = runtimeIf(
        asked, held, "the condition",
        {asked, [&] { return part(last, *expr.condition, /*isBody=*/false); }},
        {asked, [&] { return Value::boolean(false); }});
    if (holds.isPoison())
      return holds;
    nameFields(last, expr.carried);
    auto next = [&] { return part(last, *expr.body, /*isBody=*/true); };
    auto skip = [&] {
      mlir::Location at = getLoc(expr.loc);
      if (hasField(init))
        pm::ProgressOp::create(builder, at, pm::LoopEvent::Skip,
                               intConstant(1, at));
      return last;
    };
    if (holds.is(Value::Kind::Bool))
      return Value::tuple({holds.getBool() ? next() : skip(), holds});
    Value result = runtimeIf(
        expr.loc, holds, "what the loop begins with and what its body gives",
        {expr.body->loc, next}, {expr.init->loc, skip});
    return result.isPoison() ? result : Value::tuple({result, holds});
  };
  Value both = Value::tuple({init, Value::boolean(true)});
  const Value guessed = guess.isPoison()
                            ? guess
                            : Value::tuple({guess, Value::scalar(Storage::I1)});
  Value result = countedLoop(both, begin, end, expr.init->loc, expr.loc,
                             expr.body->loc, states, body, guessed);
  if (ElementLoop::isWanted(*this))
    result = ElementLoop(*this, both, guessed,
                         {expr.loc, expr.init->loc, expr.body->loc})
                 .count(begin, end, body);
  return result.isPoison() ? result : result.getElements()[0];
}

/// Whether a stack that was made for values like `expected` can hold `one`.
static bool fitsStack(const Value &expected, const Value &one) {
  if (expected.isTuple() || expected.isRecord())
    return expected.getKind() == one.getKind() &&
           expected.getNames() == one.getNames() &&
           expected.getElements().size() == one.getElements().size() &&
           llvm::all_of(llvm::zip(expected.getElements(), one.getElements()),
                        [](auto pair) {
                          return fitsStack(std::get<0>(pair),
                                           std::get<1>(pair));
                        });
  const bool isSameKind = expected.isField()
                              ? one.isField() && expected.hasTypeOf(one)
                              : !one.isField() &&
                                    expected.isComplex() == one.isComplex() &&
                                    expected.isNumber() == one.isNumber();
  return isSameKind && expected.hasAnyUnit() == one.hasAnyUnit() &&
         expected.getUnit().agrees(one.getUnit());
}

/// Whether values like `one` can be stacked.
static bool isStackable(const RuleContext &context, const Value &one,
                        llvm::SMLoc loc) {
  if (!one.isTuple() && !one.isRecord())
    return requireStackable(context, loc, one);
  return llvm::all_of(one.getElements(), [&](const Value &part) {
    return isStackable(context, part, loc);
  });
}

/// A loop whose body gives `next stacking f`. If Sema does not know the type of
/// f, the loop is compiled without the stack first, to find it.
Value Generator::stackingLoop(const ast::LoopExpr &expr, const Value &init,
                              pm::DimAttr dim, const Checkpointing &states,
                              const Value &guess, LoopBody body) {
  if (!requireWholeFields(rules(), "a loop that stacks", expr.loc))
    return Value::poison();
  Value begin = Value::integer(0);
  Value end = Value::integer(dim.getStoredExtent());
  // A type from Sema is a guess. The type of a compiled body is exact.
  bool isGuess = true, fits = true;
  auto compile = [&](const Value &one, const Value &stack) {
    return countedLoop(
        Value::tuple({init, stack}), begin, end, expr.init->loc, expr.loc,
        expr.body->loc, states,
        [&](const Value &carried, const Value &iteration) {
          Value both = body(carried.getElements()[0], iteration);
          if (both.isPoison())
            return both;
          fits = !isGuess || fitsStack(one, both.getElements()[1]);
          if (!fits)
            return Value::poison();
          return Value::tuple(
              {both.getElements()[0],
               putOnStack(carried.getElements()[1], both.getElements()[1], dim,
                          iteration, expr.body->loc)});
        },
        guess.isPoison() ? guess : Value::tuple({guess, stack}));
  };
  mlir::Operation *mark = intConstant(0, getLoc(expr.loc)).getDefiningOp();
  const Value carried =
      guess.isPoison() ? carriedShape(init, realStorage()).shape : guess;
  const Value types =
      carried.isPoison() ? Value::poison() : loopTypes.body(expr, carried);
  RuleContext silent = rules();
  silent.messages = nullptr;
  if (types.isTuple() && !types.getElements()[1].holdsFree() &&
      isStackable(silent, types.getElements()[1], expr.loc)) {
    const Value &one = types.getElements()[1];
    const Value stack = emptyStack(one, dim, expr.body->loc);
    const Value result = stack.isPoison() ? stack : compile(one, stack);
    if (fits) {
      mark->erase();
      return result;
    }
    eraseSince(mark);
    mark = intConstant(0, getLoc(expr.loc)).getDefiningOp();
  }
  if (options.observer)
    options.observer->compiledAgain(expr.loc);
  isGuess = false;
  Value one;
  const Value first = countedLoop(
      init, begin, end, expr.init->loc, expr.loc, expr.body->loc, {},
      [&](const Value &carried, const Value &iteration) {
        Value both = body(carried, iteration);
        if (both.isPoison())
          return both;
        one = both.getElements()[1];
        return both.getElements()[0];
      },
      guess);
  if (first.isPoison() || one.holdsFree())
    return first.isPoison() ? first : Value::poison();
  Value stack;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(mark);
    stack = emptyStack(one, dim, expr.body->loc);
  }
  eraseSince(mark);
  return stack.isPoison() ? stack : compile(one, stack);
}

/// Compiles a loop for the guess, or the shape that its initial values suggest,
/// and again for the one that its body gives. A guess may be wrong twice, the
/// type, then the unit; and values that are handed from one to the next settle
/// in turn.
Value Generator::settleLoop(
    const Value &init, const Value &guess, llvm::SMLoc initLoc, llvm::SMLoc loc,
    llvm::function_ref<Value(const Value &, Value &)> compile) {
  Value shape =
      guess.isPoison() ? requireCarried(rules(), init, initLoc) : guess;
  if (shape.isPoison())
    return shape;
  for (unsigned attempt = 0;; ++attempt) {
    Value next;
    Value result = compile(shape, next);
    if (next.isPoison())
      return Value::poison();
    if (!result.isPoison())
      return result;
    if (!requireSettled(rules(), attempt < 16 && tick(loc), loc))
      return Value::poison();
    if (options.observer)
      options.observer->compiledAgain(loc);
    shape = next;
  }
}

Value Generator::countedLoop(const Value &init, const Value &begin,
                             const Value &end, llvm::SMLoc initLoc,
                             llvm::SMLoc loc, llvm::SMLoc bodyLoc,
                             Checkpointing states, LoopBody body,
                             const Value &guess) {
  return settleLoop(init, guess, initLoc, loc,
                    [&](const Value &shape, Value &next) {
                      return loopOver(init, shape, begin, end, initLoc, loc,
                                      bodyLoc, states, body, next);
                    });
}

/// Compiles the loop; poison if the body gives another shape than it gets, and
/// `next` is the one to try; `next` is poison after an error.
Value Generator::loopOver(const Value &init, const Value &shape,
                          const Value &begin, const Value &end,
                          llvm::SMLoc initLoc, llvm::SMLoc loc,
                          llvm::SMLoc bodyLoc, Checkpointing &states,
                          LoopBody body, Value &next) {
  mlir::Location at = getLoc(loc);
  bool progress = hasField(init);
  mlir::Operation *mark = intConstant(0, at).getDefiningOp();
  llvm::SmallVector<mlir::Value> inits;
  convertTo(init, shape, initLoc, inits);
  mlir::Value from = materialize(begin, i64Type, at);
  mlir::Value to = materialize(end, i64Type, at);
  mlir::Value first = from; // of a run that is not resumed
  if (states.every) {
    mlir::Value total = arith::SubIOp::create(builder, at, to, from);
    from = arith::AddIOp::create(builder, at, first,
                                 resumeFrom(states, total, inits, at));
  }
  // Iteration -1 prepares the first step and is not counted.
  mlir::Value counted = from;
  if (progress && begin.getConstInt() == -1)
    counted = arith::MaxSIOp::create(builder, at, from, intConstant(0, at));
  if (progress)
    pm::ProgressOp::create(
        builder, at, pm::LoopEvent::Begin,
        arith::SubIOp::create(builder, at, to, counted).getResult());
  auto index = [&](mlir::Value v) -> mlir::Value {
    return arith::IndexCastOp::create(builder, at, builder.getIndexType(), v);
  };
  mlir::Value lower = index(from), upper = index(to);
  mlir::Value one = arith::ConstantIndexOp::create(builder, at, 1);
  auto loop = scf::ForOp::create(builder, at, lower, upper, one, inits);

  Value result;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = loop.getBody();
    if (!block->empty())
      block->back().erase(); // the terminator of loops without values
    builder.setInsertionPointToEnd(block);
    mlir::Value i = arith::IndexCastOp::create(builder, at, i64Type,
                                               loop.getInductionVar());
    if (progress)
      pm::ProgressOp::create(
          builder, at, pm::LoopEvent::Step,
          arith::SubIOp::create(builder, at, i, counted).getResult());
    unsigned leaf = 0;
    Value carried = rebuild(shape, loop.getRegionIterArgs(), leaf);
    llvm::SaveAndRestore<unsigned> depth(loopDepth, loopDepth + 1);
    result = body(carried, scalarOf(i));
    if (frame->element)
      result = elements(result, bodyLoc);
    next = join(carried, result, initLoc, bodyLoc,
                "what the loop begins with and what its body gives");
    if (!next.isPoison())
      next = requireCarried(rules(), next, loc);
    if (!next.isPoison() && sameShape(next, shape)) {
      llvm::SmallVector<mlir::Value> yields;
      convertTo(result, shape, bodyLoc, yields);
      if (states.every) {
        mlir::Value one = intConstant(1, at);
        mlir::Value done = arith::AddIOp::create(
            builder, at, arith::SubIOp::create(builder, at, i, first), one);
        saveCheckpoint(states, done, yields, at);
      }
      scf::YieldOp::create(builder, at, yields);
    } else {
      result = Value::poison();
    }
  }
  if (result.isPoison()) {
    eraseSince(mark);
    return Value::poison();
  }
  mark->erase();
  if (states.every)
    pm::CheckpointStoreFreeOp::create(builder, at, states.file);
  if (progress)
    pm::ProgressOp::create(builder, at, pm::LoopEvent::End, to);
  unsigned leaf = 0;
  return rebuild(settleUnits(shape), loop.getResults(), leaf);
}

Value Generator::whileLoop(const Value &init, Checkpointing states,
                           const WhileParts &parts) {
  return settleLoop(init, parts.guess, parts.initLoc, parts.loc,
                    [&](const Value &shape, Value &next) {
                      return loopWhile(init, shape, parts, states, next);
                    });
}

Value Generator::loopWhile(const Value &init, const Value &shape,
                           const WhileParts &parts, Checkpointing &states,
                           Value &next) {
  mlir::Location at = getLoc(parts.loc);
  bool progress = hasField(init);
  mlir::Operation *mark = intConstant(0, at).getDefiningOp();
  llvm::SmallVector<mlir::Value> inits;
  llvm::SmallVector<mlir::Type> types;
  convertTo(init, shape, parts.initLoc, inits);
  mlir::Value begin = intConstant(0, at);
  if (states.every)
    begin = resumeFrom(states, /*total=*/begin, inits, at);
  // A loop over fields counts its steps for the progress bar.
  bool counts = progress || states.every || parts.counts;
  if (counts)
    inits.push_back(begin);
  if (progress) {
    pm::ProgressOp::create(builder, at, pm::LoopEvent::Begin,
                           intConstant(-1, at));
  }
  for (mlir::Value value : inits)
    types.push_back(value.getType());
  auto loop = scf::WhileOp::create(builder, at, types, inits);
  llvm::SmallVector<mlir::Location> locs(types.size(), at);

  Value result;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *before =
        builder.createBlock(&loop.getBefore(), {}, types, locs);
    unsigned leaf = 0;
    auto stepOf = [&](mlir::Block *block) -> mlir::Value {
      return counts ? block->getArguments().back() : mlir::Value();
    };
    Value test = parts.condition(rebuild(shape, before->getArguments(), leaf),
                                 stepOf(before));
    mlir::Value ssa;
    if (test.isBoolLike())
      ssa = materialize(test, i1Type, at);
    else
      ssa = boolConstant(false, at);
    scf::ConditionOp::create(builder, at, ssa, before->getArguments());

    mlir::Block *after = builder.createBlock(&loop.getAfter(), {}, types, locs);
    leaf = 0;
    Value carried = rebuild(shape, after->getArguments(), leaf);
    mlir::Value step = stepOf(after);
    if (progress)
      pm::ProgressOp::create(builder, at, pm::LoopEvent::Step, step);
    llvm::SaveAndRestore<unsigned> depth(loopDepth, loopDepth + 1);
    AroundStatements around(iterations,
                            counts ? scalarOf(step) : Value::nothing());
    result = parts.body(carried, step);
    if (frame->element)
      result = elements(result, parts.bodyLoc);
    if (test.isPoison())
      result = Value::poison();
    next = join(carried, result, parts.initLoc, parts.bodyLoc,
                "what the loop begins with and what its body gives");
    if (!next.isPoison())
      next = requireCarried(rules(), next, parts.loc);
    if (!next.isPoison() && sameShape(next, shape)) {
      llvm::SmallVector<mlir::Value> yields;
      convertTo(result, shape, parts.bodyLoc, yields);
      if (counts)
        step = arith::AddIOp::create(builder, at, step, intConstant(1, at));
      if (states.every)
        saveCheckpoint(states, step, yields, at);
      if (counts)
        yields.push_back(step);
      scf::YieldOp::create(builder, at, yields);
    } else {
      result = Value::poison();
    }
  }
  if (result.isPoison()) {
    eraseSince(mark);
    return Value::poison();
  }
  mark->erase();
  if (states.every)
    pm::CheckpointStoreFreeOp::create(builder, at, states.file);
  if (progress)
    pm::ProgressOp::create(builder, at, pm::LoopEvent::End,
                           loop.getResults().back());
  unsigned leaf = 0;
  return rebuild(settleUnits(shape), loop.getResults(), leaf);
}
