//===- DerivedResults.cpp - Results that follow from others ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/DerivedResults.h"

#include "passes/Optimize/Fusion/DomainRewrite.h"
#include "passes/Optimize/Neighbors.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

/// The operations that make one yielded value of another one.
struct Derivation {
  OpResult base;
  Value yieldedBase;
  SmallVector<Operation *> ops; // in the order of the body

  /// False if there is no such value.
  bool find(MapOp map, OpResult result, unsigned mostOps) {
    Block *body = map.getDomainBody();
    OperandRange yields = body->getTerminator()->getOperands();
    Value value = yields[result.getResultNumber()];
    llvm::SmallPtrSet<Operation *, 8> found;
    SmallVector<Value> open{value};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      auto yield = llvm::find(yields, next);
      if (next != value && yield != yields.end()) {
        OpResult other = map->getResult(unsigned(yield - yields.begin()));
        if (base && base != other)
          return false;
        base = other;
        yieldedBase = next;
        continue;
      }
      Operation *op = next.getDefiningOp();
      if (op ? op->getBlock() != body
             : cast<BlockArgument>(next).getOwner() != body)
        continue;
      if (!op || !isCheapOp(op))
        return false;
      if (found.insert(op).second)
        llvm::append_range(open, op->getOperands());
      if (found.size() > mostOps)
        return false;
    }
    for (Operation &op : *body)
      if (found.contains(&op))
        ops.push_back(&op);
    return bool(base);
  }

  Value build(OpBuilder &builder, Value element, Value derived) const {
    IRMapping mapping;
    mapping.map(yieldedBase, element);
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    return mapping.lookup(derived);
  }
};

} // namespace

static bool reads(Operation *op, Value field) {
  return llvm::any_of(field.getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

/// The loops that read the result elementwise, if nothing else does and all
/// read the base too.
static FailureOr<llvm::SetVector<Operation *>> findReaders(OpResult result,
                                                           OpResult base) {
  llvm::SetVector<Operation *> readers;
  for (Operation *user : result.getUsers()) {
    auto domain = dyn_cast<DomainOpInterface>(user);
    if (!domain || !reads(user, base) ||
        !llvm::is_contained(domain.getDomainInputs(), result))
      return failure();
    readers.insert(user);
  }
  return readers;
}

void pmc::passes::inlineDerivedResults(MapOp map, unsigned mostOperations) {
  for (OpResult result : map->getResults()) {
    Derivation derivation;
    if (result.use_empty() || !derivation.find(map, result, mostOperations))
      continue;
    FailureOr<llvm::SetVector<Operation *>> readers =
        findReaders(result, derivation.base);
    if (failed(readers))
      continue;
    Value yielded = map.getDomainBody()->getTerminator()->getOperand(
        result.getResultNumber());
    for (Operation *reader : *readers) {
      auto domain = cast<DomainOpInterface>(reader);
      Block *body = domain.getDomainBody();
      Value element = addInput(domain, derivation.base);
      OpBuilder builder = OpBuilder::atBlockBegin(body);
      Value made = derivation.build(builder, element, yielded);
      for (auto [input, argument] :
           llvm::zip(domain.getDomainInputs(), body->getArguments()))
        if (input == result)
          argument.replaceAllUsesWith(made);
    }
  }
}
