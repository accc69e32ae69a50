//===- MergeKernels.cpp - Kernels that do the same ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Kernels/Kernels.h"
#include "codegen/Passes.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_MERGEKERNELS
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc;

/// All that they are but their names.
static DictionaryAttr getAttributes(func::FuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

static bool areEqual(func::FuncOp a, func::FuncOp b) {
  return a->getParentOp() == b->getParentOp() &&
         getAttributes(a) == getAttributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {

struct MergeKernelsPass
    : pmc::codegen::impl::MergeKernelsBase<MergeKernelsPass> {
  void runOnOperation() override {
    // What starts kernels names them, each launch its own.
    SmallVector<Operation *> launches;
    llvm::MapVector<SymbolRefAttr, func::FuncOp> kernels;
    SymbolTableCollection symbols;
    getOperation().walk([&](Operation *op) {
      if (!isa_and_present<pmk::PMKDialect>(op->getDialect()))
        return;
      bool starts = false;
      for (NamedAttribute attribute : op->getAttrs())
        if (auto name = dyn_cast<SymbolRefAttr>(attribute.getValue()))
          if (auto kernel =
                  symbols.lookupNearestSymbolFrom<func::FuncOp>(op, name)) {
            kernels.insert({name, kernel});
            starts = true;
          }
      if (starts)
        launches.push_back(op);
    });
    // The first of equal ones stays.
    llvm::DenseMap<Type, SmallVector<std::pair<SymbolRefAttr, func::FuncOp>>>
        kept;
    llvm::DenseMap<SymbolRefAttr, SymbolRefAttr> same;
    for (auto [name, kernel] : kernels) {
      auto &alike = kept[kernel.getFunctionType()];
      auto found = llvm::find_if(
          alike, [&](auto &other) { return areEqual(other.second, kernel); });
      if (found == alike.end())
        alike.emplace_back(name, kernel);
      else
        same[name] = found->first;
    }
    for (Operation *op : launches)
      for (NamedAttribute attribute : op->getAttrs())
        if (auto name = dyn_cast<SymbolRefAttr>(attribute.getValue()))
          if (SymbolRefAttr other = same.lookup(name))
            op->setAttr(attribute.getName(), other);
    for (auto [name, kernel] : kernels)
      if (same.contains(name))
        kernel.erase();
  }
};

} // namespace
