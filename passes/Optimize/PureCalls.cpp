//===- PureCalls.cpp - Calls that only compute ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls say nothing about effects, so that no pass erases one or merges it with
// its equal. The adjoint of a step computes the step again, and leaves many of
// both behind: growth factors. So calls of functions without effects are
// marked.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/PureCalls.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace pmc::passes;

static constexpr StringLiteral pureName = "pm.pure";

namespace {

struct CallEffects
    : MemoryEffectOpInterface::ExternalModel<CallEffects, func::CallOp> {
  void getEffects(Operation *op,
                  SmallVectorImpl<MemoryEffects::EffectInstance> &all) const {
    if (op->hasAttr(pureName))
      return;
    all.emplace_back(MemoryEffects::Read::get());
    all.emplace_back(MemoryEffects::Write::get());
  }
};

/// Marks calls, callees first.
class PureCalls {
public:
  explicit PureCalls(ModuleOp module) : symbols(module) {}

  /// Whether the function does nothing but compute its results.
  bool mark(func::FuncOp function) {
    auto [known, isNew] = pure.insert({function, false});
    if (!isNew || function.isExternal())
      return known->second;
    function.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && mark(callee))
        call->setAttr(pureName, UnitAttr::get(call.getContext()));
    });
    bool answer =
        llvm::all_of(function.front().without_terminator(),
                     [](Operation &op) { return wouldOpBeTriviallyDead(&op); });
    return pure[function] = answer;
  }

private:
  SymbolTable symbols;
  llvm::DenseMap<func::FuncOp, bool> pure;
};

} // namespace

void pmc::passes::markPureCalls(ModuleOp module) {
  PureCalls calls(module);
  for (auto function : module.getOps<func::FuncOp>())
    calls.mark(function);
}

void pmc::passes::registerCallEffects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallEffects>(*context);
  });
}
