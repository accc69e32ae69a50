//===- Parts.cpp - A module in parts that compile side by side ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/LLVM/Parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;
using namespace pmc::codegen;

static bool isRoot(const Function &function) {
  return !function.isDeclaration() &&
         (!function.hasLocalLinkage() || function.hasAddressTaken());
}

/// A root and the functions that come with it.
static llvm::SetVector<const Function *> getClosure(const Function &root) {
  llvm::SetVector<const Function *> closure;
  closure.insert(&root);
  for (size_t i = 0; i < closure.size(); ++i)
    for (const BasicBlock &block : *closure[i])
      for (const Instruction &instruction : block)
        if (const auto *call = dyn_cast<CallBase>(&instruction))
          if (const Function *callee = call->getCalledFunction();
              callee && !callee->isDeclaration() && !isRoot(*callee))
            closure.insert(callee);
  return closure;
}

/// Names of C have no dot: the program's may not be those of the libraries that
/// it is linked with.
static void makeVisible(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  if (!value.getName().contains('.'))
    value.setName("pmc." + value.getName());
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
}

Parts pmc::codegen::divide(Module &module, unsigned size, unsigned most) {
  std::vector<std::pair<uint64_t, Function *>> roots;
  uint64_t all = 0;
  for (Function &function : module)
    if (isRoot(function)) {
      uint64_t weight = 0;
      for (const Function *one : getClosure(function))
        weight += one->getInstructionCount();
      roots.emplace_back(weight, &function);
      all += weight;
    }
  Parts parts;
  parts.count = unsigned(std::clamp<uint64_t>(all / size, 1, most));
  if (parts.count == 1)
    return parts;
  // The largest first, each to the part that has least.
  stable_sort(roots, [](const auto &one, const auto &other) {
    return one.first > other.first;
  });
  std::vector<uint64_t> loads(parts.count, 0);
  for (auto [weight, root] : roots) {
    auto least = std::min_element(loads.begin(), loads.end());
    *least += weight;
    makeVisible(*root);
    parts.ofRoot[root->getName()] = unsigned(least - loads.begin());
  }
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !variable.isConstant())
      makeVisible(variable);
  return parts;
}

void pmc::codegen::keepPart(Module &module, const Parts &parts, unsigned part) {
  for (Function &function : module)
    if (auto root = parts.ofRoot.find(function.getName());
        root != parts.ofRoot.end() && root->second != part)
      function.deleteBody();
  if (part == 0)
    return;
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !variable.hasLocalLinkage())
      variable.setInitializer(nullptr);
}
