//===- DomainRewrite.cpp - Changes to loops over a domain -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Fusion/DomainRewrite.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

Value pmc::passes::addInput(DomainOpInterface op, Value field) {
  op.getDomainInputsMutable().append(field);
  return op.getDomainBody()->addArgument(
      cast<GridType>(field.getType()).getElementType(), field.getLoc());
}

void pmc::passes::eraseDeadOps(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static void simplifyInputs(DomainOpInterface op) {
  Block *body = op.getDomainBody();
  MutableOperandRange inputs = op.getDomainInputsMutable();
  llvm::SmallDenseMap<Value, BlockArgument> seen;
  SmallVector<Value> kept;
  llvm::BitVector dropped(body->getNumArguments());
  for (auto [operand, argument] : llvm::zip(inputs, body->getArguments())) {
    auto [first, isNew] = seen.insert({operand.get(), argument});
    if (!isNew)
      argument.replaceAllUsesWith(first->second);
  }
  for (auto [operand, argument] : llvm::zip(inputs, body->getArguments())) {
    if (argument.use_empty())
      dropped.set(argument.getArgNumber());
    else
      kept.push_back(operand.get());
  }
  if (dropped.none())
    return;
  inputs.assign(kept);
  body->eraseArguments(dropped);
}

/// The map without the results that nothing uses; null if that is all.
static MapOp dropResults(MapOp map) {
  SmallVector<Value> used;
  SmallVector<Type> types;
  Operation *yield = map.getDomainBody()->getTerminator();
  llvm::BitVector dropped(yield->getNumOperands());
  for (OpResult result : map->getResults()) {
    if (result.use_empty()) {
      dropped.set(result.getResultNumber());
    } else {
      used.push_back(result);
      types.push_back(result.getType());
    }
  }
  if (dropped.none())
    return map;
  if (used.empty()) {
    map.erase();
    return {};
  }
  OpBuilder builder(map);
  auto made = MapOp::create(builder, map.getLoc(), types, map.getDomainAttr(),
                            map.getInputs(), ValueRange());
  yield->eraseOperands(dropped);
  made.getBody().takeBody(map.getBody());
  for (auto [old, now] : llvm::zip(used, made.getResults()))
    old.replaceAllUsesWith(now);
  map.erase();
  return made;
}

Operation *pmc::passes::simplify(DomainOpInterface op) {
  Operation *kept = op;
  if (auto map = dyn_cast<MapOp>(kept); map && map.getOuts().empty()) {
    map = dropResults(map);
    if (!map)
      return nullptr;
    kept = map;
  }
  auto domain = cast<DomainOpInterface>(kept);
  eraseDeadOps(*domain.getDomainBody());
  simplifyInputs(domain);
  return kept;
}

MapOp pmc::passes::combine(MapOp first, MapOp second, Operation *before) {
  // What only `second` read of `first` needs no field any more.
  SmallVector<OpResult> kept;
  for (OpResult result : first->getResults())
    if (llvm::any_of(result.getUsers(),
                     [&](Operation *user) { return user != second; }))
      kept.push_back(result);
  llvm::append_range(kept, second->getResults());

  OpBuilder builder(before);
  Location loc =
      FusedLoc::get(first.getContext(), {first.getLoc(), second.getLoc()});
  auto made =
      MapOp::create(builder, loc,
                    llvm::map_to_vector(
                        kept, [](OpResult result) { return result.getType(); }),
                    first.getDomainAttr(), ValueRange(), ValueRange());
  builder.createBlock(&made.getBody());
  auto domain = cast<DomainOpInterface>(made.getOperation());

  llvm::SmallDenseMap<Value, Value> elements;
  for (MapOp map : {first, second}) {
    Block *body = map.getDomainBody();
    for (auto [input, argument] :
         llvm::zip(map.getInputs(), body->getArguments())) {
      Value computed = elements.lookup(input);
      argument.replaceAllUsesWith(computed ? computed
                                           : addInput(domain, input));
    }
    Operation *yield = body->getTerminator();
    for (auto [result, value] :
         llvm::zip(map.getResults(), yield->getOperands()))
      elements[result] = value;
    yield->erase();
    Block *target = domain.getDomainBody();
    target->getOperations().splice(target->end(), body->getOperations());
  }
  builder.setInsertionPointToEnd(domain.getDomainBody());
  YieldOp::create(builder, loc, llvm::map_to_vector(kept, [&](OpResult result) {
                    return elements.lookup(result);
                  }));

  for (auto [old, now] : llvm::zip(kept, made.getResults()))
    old.replaceUsesWithIf(
        now, [&](OpOperand &use) { return use.getOwner() != second; });
  second.erase();
  first.erase();
  simplifyInputs(domain);
  return made;
}

void pmc::passes::absorb(MapOp producer, DomainOpInterface consumer) {
  Block *body = consumer.getDomainBody();
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  SmallVector<Value> fields(producer.getInputs());
  for (auto [field, argument] :
       llvm::zip(fields, producer.getDomainBody()->getArguments()))
    mapping.map(argument, addInput(consumer, field));
  for (Operation &op : producer.getDomainBody()->without_terminator())
    builder.clone(op, mapping);
  Operation *yield = producer.getDomainBody()->getTerminator();
  for (auto [input, argument] :
       llvm::zip(consumer.getDomainInputs(), body->getArguments())) {
    auto result = dyn_cast<OpResult>(input);
    if (result && result.getOwner() == producer)
      argument.replaceAllUsesWith(
          mapping.lookupOrDefault(yield->getOperand(result.getResultNumber())));
  }
  consumer->setLoc(FusedLoc::get(consumer->getContext(),
                                 {consumer->getLoc(), producer.getLoc()}));
  simplifyInputs(consumer);
}
