//===- InlineFields.cpp - Functions on fields into main -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Fusion/InlineFields.h"
#include "passes/Optimize/PureCalls.h"
#include "passes/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace pmc::passes {
#define GEN_PASS_DEF_INLINEFIELDS
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static bool isFieldOrTable(Type type) {
  return isa<FieldType, TableType>(type);
}

bool pmc::passes::worksOnFields(func::FuncOp function) {
  if (llvm::any_of(function.getArgumentTypes(), isFieldOrTable) ||
      llvm::any_of(function.getResultTypes(), isFieldOrTable))
    return true;
  return function
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isFieldOrTable)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isInDomainBody(func::CallOp call) {
  return bool(call->getParentOfType<DomainOpInterface>());
}

void pmc::passes::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  Operation *terminator = callee.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip(call.getResults(), terminator->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

namespace {

class InlineFieldsPass
    : public pmc::passes::impl::InlineFieldsBase<InlineFieldsPass> {
public:
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<func::FuncOp> done;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isPrivate())
        inlineInto(function, symbols, done);
    getOperation().walk([&](DimOp dim) { inlineInto(dim, symbols, done); });
    markPureCalls(getOperation());
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
    // What is called still has been visited, but not all that was visited is.
    eraseUnused(symbols);
  }

private:
  /// Callees first, so that what is cloned needs no further work.
  void inlineInto(Operation *root, SymbolTable &symbols,
                  llvm::SetVector<func::FuncOp> &done) {
    auto function = dyn_cast<func::FuncOp>(root);
    if (function && (function.isExternal() || !done.insert(function)))
      return;
    SmallVector<func::CallOp> calls;
    root->walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal())
        continue;
      inlineInto(callee, symbols, done);
      if (isInDomainBody(call) || worksOnFieldsCached(callee))
        inlineCall(call, callee);
    }
    // A scalar function inlined into a body may call further ones.
    SmallVector<func::CallOp> inner;
    root->walk([&](func::CallOp call) {
      if (isInDomainBody(call))
        inner.push_back(call);
    });
    for (func::CallOp call : inner)
      inlineDeeply(call, symbols);
  }

  void inlineDeeply(func::CallOp call, SymbolTable &symbols) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return;
    Block *block = call->getBlock();
    Operation *before = call->getPrevNode();
    Operation *after = call->getNextNode();
    inlineCall(call, callee);
    SmallVector<func::CallOp> inner;
    Block::iterator begin =
        before ? std::next(before->getIterator()) : block->begin();
    for (Operation &op : llvm::make_range(begin, after->getIterator()))
      op.walk([&](func::CallOp further) { inner.push_back(further); });
    for (func::CallOp further : inner)
      inlineDeeply(further, symbols);
  }

  bool worksOnFieldsCached(func::FuncOp function) {
    auto [entry, isNew] = onFields.insert({function, false});
    if (isNew)
      entry->second = worksOnFields(function);
    return onFields.lookup(function);
  }

  void eraseUnused(SymbolTable &symbols) {
    llvm::SetVector<Operation *> used;
    for (Operation &op : getOperation().getOps()) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function || !function.isPrivate())
        used.insert(&op);
    }
    for (size_t i = 0; i < used.size(); ++i)
      used[i]->walk([&](func::CallOp call) {
        if (Operation *callee = symbols.lookup(call.getCallee()))
          used.insert(callee);
      });
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!used.contains(function))
        function.erase();
  }

  llvm::DenseMap<func::FuncOp, bool> onFields;
};

} // namespace
