//===- Instances.cpp - Functions as func.func -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function becomes one func.func for each combination of types, units, dims
// and constants that it is called with. Its operands are the run-time parts of
// the arguments (and of what it captured), in order; so are its results.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Limits.h"
#include "frontend/Sema/ValueKey.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

static void appendPointer(std::string &key, const void *pointer) {
  key.append(reinterpret_cast<const char *>(&pointer), sizeof pointer);
}

void Generator::flatten(const Value &value,
                        llvm::SmallVectorImpl<mlir::Value> &leaves) {
  using Kind = Value::Kind;
  tick({});
  switch (value.getKind()) {
  case Kind::Scalar:
  case Kind::Field:
  case Kind::Table:
    leaves.push_back(getSSA(value));
    return;
  case Kind::Complex:
  case Kind::Tuple:
  case Kind::Record:
  case Kind::Range:
  case Kind::Closure:
  case Kind::Derivative:
    for (const Value &element : value.getElements())
      flatten(element, leaves);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// How much calls make
//===----------------------------------------------------------------------===//

static bool isFieldOrTable(mlir::Type type) {
  return llvm::isa<pm::FieldType, pm::TableType>(type);
}

/// A derivative has about that many ops for each of the function.
static constexpr uint64_t derivativeOps = 4;

void Generator::measure(mlir::func::FuncOp function) {
  Expansion made;
  llvm::SmallDenseSet<mlir::Attribute> known[2]; // derivatives apart
  bool onFields =
      llvm::any_of(function.getFunctionType().getInputs(), isFieldOrTable) ||
      llvm::any_of(function.getFunctionType().getResults(), isFieldOrTable);
  bool callsPlaced = false;
  auto add = [](uint64_t &sum, uint64_t ops, uint64_t times = 1) {
    sum = llvm::SaturatingMultiplyAdd<uint64_t>(ops, times, sum);
  };
  function.walk([&](mlir::Operation *op) {
    for (uint64_t *sum : {&made.written, &made.executed, &made.code})
      add(*sum, 1);
    onFields |= llvm::any_of(op->getResultTypes(), isFieldOrTable);
    bool differentiated = llvm::isa<pm::VJPOp, pm::JVPOp>(op);
    made.needsPlace |= llvm::isa<pm::AssertOp>(op);
    if (!differentiated && !llvm::isa<mlir::func::CallOp>(op))
      return;
    auto callee = op->getAttrOfType<mlir::FlatSymbolRefAttr>("callee");
    const Expansion called = expansions.lookup(callee.getValue());
    const uint64_t times = differentiated ? derivativeOps : 1;
    add(made.written, called.written, times);
    add(made.executed, called.executed, times);
    if (known[differentiated].insert(callee).second)
      add(made.code, called.code, times);
    callsPlaced |= called.needsPlace;
  });
  // Functions of numbers stay functions.
  if (!onFields)
    made.written = 0;
  made.needsPlace = callsPlaced || (made.needsPlace && !onFields);
  expansions[function.getName()] = made;
}

bool Generator::checkExpansion(mlir::func::FuncOp function, bool differentiated,
                               llvm::StringRef name, llvm::SMLoc loc) {
  const Expansion made = expansions.lookup(function.getName());
  uint64_t size = llvm::SaturatingMultiply<uint64_t>(
      made.written, differentiated ? derivativeOps : 1);
  mlir::Operation *around = builder.getBlock()->getParentOp();
  bool inMain = around && (around == mainFunction.getOperation() ||
                           mainFunction->isAncestor(around));
  if (inMain)
    mainExpansion = llvm::SaturatingAdd(mainExpansion, size);
  const CallSize call{made, differentiated, derivativeOps, size,
                      inMain ? mainExpansion : 0};
  const bool isSmall = checkCallSize(rules(), call, name, loc);
  if (!isSmall)
    messages.stop();
  return isSmall;
}

mlir::LocationAttr Generator::findLibraryCall(const Value &callee,
                                              llvm::SMLoc loc) {
  if (!callee.getModule()->isLibrary)
    return {};
  return frame->libraryCall && frame->module->isLibrary
             ? frame->libraryCall
             : mlir::LocationAttr(getLoc(loc));
}

bool Generator::runsAlways() const {
  return frame->runsAlways && builder.getBlock() == frame->entry->block;
}

Instance *Generator::buildInstance(const Value &callee, const Binding &binding,
                                   llvm::SMLoc loc) {
  const ast::FunctionStmt &fn = *callee.getFunction();
  llvm::SmallVector<mlir::Value> leaves;
  for (const Value &value : binding.values)
    flatten(value, leaves);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value leaf : leaves)
    types.push_back(leaf.getType());

  Frame inner;
  inner.libraryCall = findLibraryCall(callee, loc);
  inner.runsAlways = runsAlways();
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  mlir::LocationAttr noCallers;
  llvm::SaveAndRestore<mlir::LocationAttr> callers(frame->callers, noCallers);
  mlir::Location at = getLoc(fn.name.loc);
  auto function =
      mlir::func::FuncOp::create(builder, at, uniqueName(fn.name.text),
                                 builder.getFunctionType(types, {}));
  function.setPrivate();
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Prologue entry;
  entry.block = body;
  Scope scope;
  llvm::StringMap<Value> lets;
  unsigned next = 0;
  for (size_t i = 0; i < binding.names.size(); ++i) {
    Value value = rebuild(binding.values[i], body->getArguments(), next);
    if (i < binding.locals)
      scope.names[binding.names[i]] = std::move(value);
    else
      lets[binding.names[i]] = std::move(value);
  }
  inner.module = callee.getModule();
  inner.scope = &scope;
  inner.lets = &lets;
  inner.entry = &entry;
  inner.scalarsOnly = frame->scalarsOnly;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &inner);
  llvm::SaveAndRestore<bool> savedEffects(effectsSeen, false);
  llvm::SaveAndRestore<bool> savedStates(statesSeen, false);
  llvm::SaveAndRestore<unsigned> savedDepth(loopDepth, 0u);
  Value result = evaluateBody(callee, binding, loc, scope);
  if (result.isPoison()) {
    // Other ops may hold on to nothing in here.
    function.erase();
    return nullptr;
  }
  llvm::SmallVector<mlir::Value> results;
  flatten(result, results);
  mlir::func::ReturnOp::create(builder, at, results);
  llvm::SmallVector<mlir::Type> resultTypes;
  for (mlir::Value value : results)
    resultTypes.push_back(value.getType());
  function.setFunctionType(builder.getFunctionType(types, resultTypes));
  measure(function);
  instances.push_back({function, std::move(result), effectsSeen, statesSeen});
  if (inner.libraryCall && expansions.lookup(function.getName()).needsPlace) {
    instances.back().libraryCall = inner.libraryCall;
    function.walk([&](pm::AssertOp check) {
      check->setLoc(mlir::CallSiteLoc::get(check.getLoc(),
                                           mlir::Location(inner.libraryCall)));
    });
  }
  return &instances.back();
}

Value Generator::callInstance(const Value &callee, const Binding &binding,
                              llvm::SMLoc loc) {
  std::string key;
  appendPointer(key, callee.getFunction());
  key += frame->scalarsOnly ? 's' : 'f';
  key += isPrecise() ? "p" : "";
  llvm::SmallVector<mlir::Value> leaves;
  for (size_t i = 0; i < binding.names.size(); ++i) {
    key += binding.names[i] + "=";
    appendKey(key, binding.values[i]);
    flatten(binding.values[i], leaves);
  }
  if (messages.areStopped())
    return Value::poison();
  auto known = instanceByKey.find(key);
  // Assertions name one place in the spec, so that each has a function.
  auto isElsewhere = [&](const Instance *other) {
    return other && other->libraryCall &&
           other->libraryCall != findLibraryCall(callee, loc);
  };
  if (known != instanceByKey.end() && isElsewhere(known->second)) {
    appendPointer(key, findLibraryCall(callee, loc).getAsOpaquePointer());
    known = instanceByKey.find(key);
  }
  Instance *instance = nullptr;
  if (known != instanceByKey.end()) {
    instance = known->second;
  } else {
    const size_t postponed = byHand.enter();
    instance = buildInstance(callee, binding, loc);
    // Known before its derivatives by hand are built, which may call it.
    instanceByKey[key] = instance;
    if (instance)
      byHand.add(callee, binding, *instance, key);
    if (!byHand.leave(postponed, /*isBuilt=*/instance != nullptr))
      instance = nullptr;
  }
  if (!instance)
    return Value::poison();
  effectsSeen |= instance->hasEffects;
  // Every call has states of its own.
  if (instance->keepsStates)
    instanceByKey.erase(key);
  if (!checkStatesAt(*instance, callee.getFunction()->name.text, loc) ||
      !checkExpansion(instance->op, /*differentiated=*/false,
                      "'" + callee.getFunction()->name.text + "'", loc))
    return Value::poison();
  llvm::SmallVector<mlir::Type> types(
      instance->op.getFunctionType().getResults());
  // What the compiler has computed needs no call.
  if (types.empty() && !instance->hasEffects)
    return instance->result;
  auto op =
      mlir::func::CallOp::create(builder, getLoc(loc), instance->op, leaves);
  unsigned next = 0;
  return rebuild(instance->result, op.getResults(), next);
}
