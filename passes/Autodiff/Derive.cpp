//===- Derive.cpp - Functions that compute derivatives --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Derive.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Demand.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Reverse.h"
#include "passes/Autodiff/Rules/Loops.h"
#include "passes/Optimize/Fusion/InlineFields.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static constexpr StringLiteral adjointName = "pm.adjoint";
static constexpr StringLiteral tangentName = "pm.tangent";
static constexpr StringLiteral againName = "pm.again";
static constexpr StringLiteral orderName = "pm.order";

func::FuncOp pmc::passes::getCustomAdjoint(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  auto name = callee ? callee->getAttrOfType<FlatSymbolRefAttr>(adjointName)
                     : FlatSymbolRefAttr();
  if (!name)
    return {};
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, name);
}

func::FuncOp pmc::passes::getCustomTangent(func::FuncOp function) {
  auto name = function->getAttrOfType<FlatSymbolRefAttr>(tangentName);
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(function,
                                                                   name)
              : func::FuncOp();
}

/// How many times a function has been differentiated.
static int64_t getOrder(func::FuncOp function) {
  auto order = function->getAttrOfType<IntegerAttr>(orderName);
  return order ? order.getInt() : 0;
}

static void setOrder(func::FuncOp function, int64_t order) {
  function->setAttr(orderName, OpBuilder(function).getI64IntegerAttr(order));
}

/// What is by hand need not be the derivative of what is by hand.
static LogicalResult refuseSecond(func::FuncOp function) {
  return function.emitError(
      "[PM0810] a function whose @tangent is given has first derivatives only; "
      "for second derivatives, name a function with the same value that has "
      "them, as in @tangent(h, f2)");
}

bool pmc::passes::isSecondDerivative(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && getOrder(function) > 1;
}

/// Replaces the callees in a derivative: if a function has derivatives by hand
/// and names a function for second derivatives, the latter is called.
static void callAgain(func::FuncOp derivative) {
  derivative.walk([](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (auto again = callee
                         ? callee->getAttrOfType<FlatSymbolRefAttr>(againName)
                         : FlatSymbolRefAttr())
      call.setCalleeAttr(again);
  });
}

void pmc::passes::forgetOrders(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    function->removeAttr(orderName);
}

LogicalResult pmc::passes::checkFirstDerivative(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (callee && callee->hasAttr(tangentName) && !callee->hasAttr(againName) &&
      isSecondDerivative(call))
    return refuseSecond(callee);
  return success();
}

/// A private copy of the function with more arguments.
static func::FuncOp copyBeside(func::FuncOp function, StringRef suffix,
                               TypeRange more) {
  func::FuncOp made = function.clone();
  made.setPrivate();
  made.setName((function.getName() + suffix).str());
  made->removeAttr(adjointName);
  made->removeAttr(tangentName);
  made->removeAttr(againName);
  setOrder(made, getOrder(function) + 1);
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  symbols.insert(made, std::next(function->getIterator()));
  for (Type type : more)
    made.front().addArgument(type, made.getLoc());
  return made;
}

static void setReturned(func::FuncOp function, ArrayRef<Value> values) {
  function.front().getTerminator()->setOperands(values);
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     TypeRange(ValueRange(values))));
  eraseDead(function.getBody());
  callAgain(function);
}

/// A function that calls this one, and its tangent by hand.
static func::FuncOp callTangent(func::FuncOp function, func::FuncOp tangent,
                                ArrayRef<int64_t> wrt) {
  const unsigned count = function.getNumArguments();
  func::FuncOp made = copyBeside(
      function, ".jvp", llvm::map_to_vector(wrt, [&](int64_t position) {
        return function.getArgumentTypes()[position];
      }));
  Block &body = made.front();
  Operation *end = body.getTerminator();
  end->setOperands({});
  while (&body.front() != end)
    body.getTerminator()->getPrevNode()->erase();
  OpBuilder builder(end);
  const Location loc = function.getLoc();
  ValueRange own = ValueRange(body.getArguments()).take_front(count);
  SmallVector<Value> operands(own);
  for (auto [position, argument] : llvm::enumerate(own)) {
    if (!hasTangent(argument.getType()))
      continue;
    const auto *given = llvm::find(wrt, int64_t(position));
    operands.push_back(orZero(
        builder, loc,
        given == wrt.end() ? Value()
                           : body.getArgument(count + (given - wrt.begin())),
        argument));
  }
  SmallVector<Value> returned(
      func::CallOp::create(builder, loc, function, own).getResults());
  llvm::append_range(
      returned,
      func::CallOp::create(builder, loc, tangent, operands).getResults());
  setReturned(made, returned);
  return made;
}

/// Warns if the value depends on the variables only through orders or groups.
/// Its derivative is then 0, which a spec rarely intends.
static void warnOfOrders(func::FuncOp function,
                         llvm::function_ref<bool(Value)> isActive,
                         ValueRange results) {
  if (llvm::any_of(results, isActive))
    return;
  function.walk([&](SortOp sort) {
    if (sort.getKind() == SortKind::Values || !isActive(sort.getInput()))
      return WalkResult::advance();
    const char *name = sort.getKind() == SortKind::Order ? "argsort" : "ranks";
    sort.emitWarning("the derivative is 0: the value depends on the variables "
                     "of the derivative through '")
        << name
        << "' alone, whose ints have no derivative; read numbers at the "
           "order, as in f[x = argsort(f, x)], or use 'sort'";
    return WalkResult::interrupt();
  });
  function.walk([&](FriendsOp friends) {
    if (llvm::none_of(friends.getPositions(), isActive))
      return WalkResult::advance();
    friends.emitWarning("the derivative is 0: the value depends on the "
                        "variables of the derivative through "
                        "'friends_of_friends' alone, whose ints have no "
                        "derivative; sum the positions of each group");
    return WalkResult::interrupt();
  });
}

FailureOr<func::FuncOp> pmc::passes::deriveForward(func::FuncOp function,
                                                   ArrayRef<int64_t> wrt,
                                                   bool isSecond) {
  func::FuncOp tangent = getCustomTangent(function);
  if (tangent && isSecond && !function->hasAttr(againName))
    return refuseSecond(function);
  if (tangent)
    return callTangent(function, tangent, wrt);
  // Its body need not be what the adjoint is of.
  if (function->hasAttr(adjointName))
    return function.emitError(
        "[PM0809] a function whose adjoint is given has no derivative in "
        "forward mode; "
        "give its @tangent, too, take a gradient, or leave out its @adjoint");
  unsigned count = function.getNumArguments();
  func::FuncOp made = copyBeside(
      function, ".jvp", llvm::map_to_vector(wrt, [&](int64_t position) {
        return function.getArgumentTypes()[position];
      }));
  noteSteep(made);
  Forward tangents;
  for (auto [i, position] : llvm::enumerate(wrt))
    tangents.set(made.getArgument(position), made.getArgument(count + i));
  if (failed(tangents.differentiate(made.front(), Demand().listIdle(made)))) {
    made.erase();
    return failure();
  }
  warnOfOrders(
      made, [&](Value value) { return bool(tangents.get(value)); },
      made.front().getTerminator()->getOperands());
  OpBuilder entry = OpBuilder::atBlockBegin(&made.front());
  for (auto [i, position] : llvm::enumerate(wrt)) {
    // A tangent may have other rows than its table.
    Value tangent = made.getArgument(count + i);
    if (!isa<TableType>(tangent.getType()))
      continue;
    Value table = made.getArgument(position);
    Value own = buildTableOver(entry, tangent.getLoc(), table, tangent);
    tangent.replaceUsesWithIf(own, [&](OpOperand &use) {
      return !own.getDefiningOp()->isAncestor(use.getOwner());
    });
  }
  Operation *end = made.front().getTerminator();
  OpBuilder builder(end);
  SmallVector<Value> returned(end->getOperands());
  for (Value value : end->getOperands())
    if (hasTangent(value.getType()))
      returned.push_back(
          orZero(builder, value.getLoc(), tangents.get(value), value));
  setReturned(made, returned);
  forgetSteep(made);
  return made;
}

//===----------------------------------------------------------------------===//
// Reverse
//===----------------------------------------------------------------------===//

static bool hasLoops(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        if (isa<LoopLikeOpInterface>(op))
          return WalkResult::interrupt();
        auto call = dyn_cast<func::CallOp>(op);
        auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                                 call, call.getCalleeAttr())
                           : func::FuncOp();
        return callee && hasLoops(callee) ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the adjoint of the call is that of the callee's ops.
static bool isInlined(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal() || getCustomAdjoint(call))
    return false;
  return worksOnFields(callee) || !hasLoops(callee);
}

/// In the place of calls whose adjoint is needed, what they do.
static void inlineCalls(func::FuncOp function, ArrayRef<int64_t> wrt) {
  SmallVector<func::CallOp> calls;
  do {
    for (func::CallOp call : calls) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      setOrder(function, std::max(getOrder(function), getOrder(callee) + 1));
      inlineCall(call, callee);
    }
    calls.clear();
    Activity activity([](Value) { return false; });
    for (int64_t position : wrt)
      activity.seed(function.getArgument(position));
    activity.visit(function.front());
    function.walk([&](func::CallOp call) {
      // Activity does not look into bodies.
      bool isActive = activity.reads(call) ||
                      call->getParentOfType<DomainOpInterface>() ||
                      call->getParentOfType<TabulateOp>() ||
                      call->getParentOfType<TransformOp>();
      if (isActive && isInlined(call))
        calls.push_back(call);
    });
  } while (!calls.empty());
}

FailureOr<func::FuncOp> pmc::passes::deriveReverse(func::FuncOp function,
                                                   VJPOp op) {
  unsigned count = function.getNumArguments();
  func::FuncOp made =
      copyBeside(function, ".vjp", op.getCotangents().getTypes());
  inlineCalls(made, op.getWrt());
  setSchedule(made, op.getScheduleAttr(), op.getSnapshotsAttr());

  Block &block = made.front();
  Operation *end = block.getTerminator();
  SmallVector<Operation *> ops = listOps(block);
  Activity activity([](Value) { return false; });
  for (int64_t position : op.getWrt())
    activity.seed(made.getArgument(position));
  activity.visit(block);

  OpBuilder builder(end);
  Reverse cotangents(activity);
  for (int64_t position : op.getOf())
    cotangents.setByRows(end->getOperand(position));
  for (auto [i, position] : llvm::enumerate(op.getOf())) {
    Value result = end->getOperand(position);
    if (cotangents.needs(result))
      cotangents.add(builder, result, made.getArgument(count + i));
  }
  warnOfOrders(
      made, [&](Value value) { return activity.isActive(value); },
      llvm::map_to_vector(op.getOf(), [&](int64_t position) {
        return end->getOperand(position);
      }));
  if (failed(cotangents.differentiate(builder, ops))) {
    made.erase();
    return failure();
  }
  SmallVector<Value> returned(end->getOperands());
  for (int64_t position : op.getWrt()) {
    Value argument = made.getArgument(position);
    cotangents.finishRows(builder, argument);
    returned.push_back(
        orZero(builder, argument.getLoc(), cotangents.get(argument), argument));
  }
  setReturned(made, returned);
  clearSchedule(made);
  return made;
}
