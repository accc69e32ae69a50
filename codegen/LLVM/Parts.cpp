//===- Parts.cpp - A module in parts that compile side by side ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/LLVM/Parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

#include <algorithm>

using namespace llvm;
using namespace pmc::codegen;

namespace {

struct Root {
  Function *function;
  llvm::SetVector<const Function *> copies; ///< of functions that it calls
  uint64_t weight = 0;                      ///< instructions
  stable_hash hash = 0;
};

} // namespace

static bool isKnownElsewhere(const Function &function) {
  return !function.isDeclaration() &&
         (!function.hasLocalLinkage() || function.hasAddressTaken());
}

static bool takesAddress(const Function &function) {
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      for (const Use &use : instruction.operands()) {
        const auto *other = dyn_cast<Function>(use.get());
        const auto *call = dyn_cast<CallBase>(&instruction);
        if (other && !other->isDeclaration() && !(call && call->isCallee(&use)))
          return true;
      }
  return false;
}

/// The functions with bodies that a function calls.
template <typename Visit>
static void forCallees(const Function &function, const Visit &visit) {
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration())
          visit(*callee);
}

static Root getRoot(Function &function) {
  Root root{&function, {}, function.getInstructionCount()};
  auto copy = [&](const Function &callee) {
    if (!isKnownElsewhere(callee) && &callee != &function &&
        root.copies.insert(&callee))
      root.weight += callee.getInstructionCount();
  };
  forCallees(function, copy);
  size_t next = 0;
  while (next < root.copies.size()) // grows
    forCallees(*root.copies[next++], copy);
  return root;
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

/// A function's name without the numbers that make it unique.
static std::string getTitle(const GlobalValue &value) {
  std::string title;
  for (StringRef word : split(value.getName(), '.'))
    if (StringRef kept = word.rtrim("0123456789"); !kept.empty())
      title += (title.empty() ? "" : ".") + kept.rtrim('_').str();
  return title;
}

/// Replaces the number of a kernel in the program by a hash of its code.
static void nameByCode(Root &root) {
  root.hash = StructuralHash(*root.function, /*DetailedHash=*/true);
  const std::string name =
      getTitle(*root.function) + "." + utohexstr(root.hash, /*LowerCase=*/true);
  // Code that differs can have equal hashes.
  std::string unique = name;
  for (unsigned i = 1; root.function->getParent()->getNamedValue(unique); ++i)
    unique = name + "." + std::to_string(i);
  root.function->setName(unique);
}

static void add(Part &part, const Root &root) {
  part.roots.insert(root.function);
  part.copies.insert_range(root.copies);
  part.weight += root.weight;
}

/// The program's functions: functions that are visible outside of the module,
/// functions that start kernels, and the callers of both.
static llvm::SetVector<Function *> getProgram(Module &module) {
  llvm::SetVector<Function *> program;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (!function.hasLocalLinkage() || takesAddress(function)))
      program.insert(&function);
  for (size_t i = 0; i < program.size(); ++i)
    for (User *user : program[i]->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == program[i])
        program.insert(call->getFunction());
  return program;
}

/// Whether the call is of the runtime, which works much longer than the call
/// takes. Exceptions: `pmrt_table_lookup` finds one number, `pmrt_interrupts`
/// returns an address, and `pmrt_stop` ends the program.
static bool callsRuntime(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee || (callee->getName().starts_with("pmrt_") &&
                     callee->getName() != "pmrt_table_lookup" &&
                     callee->getName() != "pmrt_interrupts" &&
                     callee->getName() != "pmrt_stop");
}

/// Whether the loop only computes.
static bool computes(const llvm::Loop &loop) {
  return llvm::none_of(loop.blocks(), [](const BasicBlock *block) {
    return llvm::any_of(*block, callsRuntime);
  });
}

/// Makes functions of the outermost loops that only compute.
static void outlineLoops(Function &function) {
  // All loops can be found first, because an extraction moves only the blocks
  // of its own loop.
  std::vector<SmallVector<BasicBlock *>> found;
  {
    DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    SmallVector<llvm::Loop *> open(loops.begin(), loops.end());
    while (!open.empty()) {
      llvm::Loop *loop = open.pop_back_val();
      if (computes(*loop) &&
          CodeExtractor(loop->getBlocks(), &tree).isEligible())
        found.emplace_back(loop->getBlocks());
      else
        llvm::append_range(open, *loop);
    }
  }
  if (found.empty())
    return;
  CodeExtractorAnalysisCache cache(function);
  for (const SmallVector<BasicBlock *> &blocks : found)
    CodeExtractor(blocks).extractCodeRegion(cache);
}

/// The program's functions are added to the first part. Returns the other
/// roots.
static std::vector<Root> takeProgram(Module &module, Part &part) {
  llvm::SetVector<Function *> program = getProgram(module), others;
  for (Function *function : program)
    outlineLoops(*function);
  auto add = [&](Function &function) {
    if (!program.contains(&function))
      others.insert(&function);
  };
  for (Function &function : module)
    if (isKnownElsewhere(function))
      add(function);
  for (Function *function : program) {
    part.roots.insert(function);
    part.weight += function->getInstructionCount();
    forCallees(*function, add);
  }
  std::vector<Root> roots;
  for (Function *function : others)
    roots.push_back(getRoot(*function));
  return roots;
}

std::vector<Part> pmc::codegen::divide(Module &module, uint64_t size) {
  std::vector<Part> parts(1);
  uint64_t all = 0;
  for (Function &function : module)
    all += function.getInstructionCount();
  if (all < size) {
    for (Function &function : module)
      if (!function.isDeclaration())
        add(parts.front(), Root{&function, {}});
    return parts;
  }
  std::vector<Root> roots = takeProgram(module, parts.front());
  for (Function &function : module)
    if (parts.front().roots.contains(&function))
      makeVisible(function);
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !variable.isConstant())
      makeVisible(variable);
  for (Root &root : roots) {
    nameByCode(root);
    makeVisible(*root.function);
  }
  sort(roots, [](const Root &one, const Root &other) {
    return one.function->getName() < other.function->getName();
  });
  // Extracting a part takes time in proportion to the module.
  constexpr uint64_t mostParts = 64;
  while (all / size > mostParts)
    size *= 2;
  // Where a part ends depends on the functions in it, so that another function
  // changes one or two parts, and not all that follow it.
  bool isFull = true;
  for (const Root &root : roots) {
    if (isFull)
      parts.emplace_back();
    Part &part = parts.back();
    add(part, root);
    isFull =
        part.weight >= size || (part.weight >= size / 4 && root.hash % 4 == 0);
  }
  // A function can be a root of one part and copied to another.
  for (Part &part : parts)
    for (const Function *root : part.roots)
      part.copies.erase(root);
  return parts;
}

/// Removes declarations and constants that nothing refers to.
static void removeUnused(Module &module) {
  // Constants refer to others.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.use_empty() ||
          !(variable.isDeclaration() || variable.hasLocalLinkage()))
        continue;
      variable.eraseFromParent();
      isDone = false;
    }
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

/// Numbers the names that other parts do not know.
static void renumberLocals(Module &module) {
  unsigned count = 0;
  auto rename = [&](GlobalValue &value) {
    if (value.hasLocalLinkage())
      value.setName(getTitle(value) + "." + Twine(count++));
  };
  for_each(module.globals(), rename);
  for_each(module.functions(), rename);
}

std::unique_ptr<Module>
pmc::codegen::extract(const Module &module, const Part &part, bool isProgram) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> extracted =
      CloneModule(module, map, [&](const GlobalValue *value) {
        if (const auto *function = dyn_cast<Function>(value))
          return part.roots.contains(function) ||
                 part.copies.contains(function);
        return isProgram || value->hasLocalLinkage();
      });
  for (const Function *function : part.copies) {
    auto *copy = cast<Function>(map[function]);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->setVisibility(GlobalValue::DefaultVisibility);
  }
  removeUnused(*extracted);
  if (!isProgram)
    renumberLocals(*extracted);
  return extracted;
}
