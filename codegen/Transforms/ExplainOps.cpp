//===- ExplainOps.cpp - Which op implements what --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/KernelInterfaces.h"
#include "codegen/Passes.h"
#include "passes/Cost/Cost.h"

#include "llvm/Support/raw_ostream.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_EXPLAINOPS
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct Column {
  StringLiteral title;
  bool (*has)(RegisteredOperationName);
};

template <typename Interface> constexpr Column column(StringLiteral title) {
  return {title, [](RegisteredOperationName op) {
            return op.hasInterface<Interface>();
          }};
}

constexpr Column columns[] = {
    column<DomainOpInterface>("domain"),
    column<DifferentiableOpInterface>("differentiable"),
    column<ShardableOpInterface>("shardable"),
    column<PlaceableOpInterface>("placeable"),
    column<pmc::cost::CostOpInterface>("cost"),
    column<LowerableOpInterface>("runtime"),
    column<KernelOpInterface>("kernel"),
};

struct ExplainOpsPass : pmc::codegen::impl::ExplainOpsBase<ExplainOpsPass> {
  void runOnOperation() override {
    llvm::outs() << "| op |";
    for (const Column &each : columns)
      llvm::outs() << " " << each.title << " |";
    llvm::outs() << "\n|---|";
    for (size_t i = 0; i < std::size(columns); ++i)
      llvm::outs() << "---|";
    llvm::outs() << "\n";
    SmallVector<RegisteredOperationName> ops(
        getContext().getRegisteredOperations());
    llvm::sort(ops, [](RegisteredOperationName a, RegisteredOperationName b) {
      return a.getStringRef() < b.getStringRef();
    });
    for (RegisteredOperationName op : ops)
      if (op.getDialectNamespace() == PMDialect::getDialectNamespace())
        printRow(op);
  }

private:
  static void printRow(RegisteredOperationName op) {
    llvm::outs() << "| " << op.getStringRef() << " |";
    for (const Column &each : columns)
      llvm::outs() << (each.has(op) ? " yes |" : " |");
    llvm::outs() << "\n";
  }
};

} // namespace
