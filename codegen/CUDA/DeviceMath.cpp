//===- DeviceMath.cpp - Mathematical functions on GPUs --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/DeviceMath.h"
#include "codegen/CUDA/Assembly/Toolkit.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace pmc::codegen;

/// The function of libm that an intrinsic stands for; empty if GPUs have it.
static StringRef getFunction(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return {};
  }
}

/// Math/Functions.cpp as LLVM IR.
extern "C" const char pmc_device_functions[];

namespace {

/// Where functions come from, and what goes in front of their names there.
struct Library {
  std::unique_ptr<Module> module;
  StringRef prefix;
};

} // namespace

/// The toolkit's libdevice, else our own.
static Expected<Library> findLibrary(LLVMContext &context) {
  SMDiagnostic diagnostic;
  Expected<std::string> path =
      findToolkitFile("nvvm/libdevice/libdevice.10.bc");
  if (path) {
    std::unique_ptr<Module> found = parseIRFile(*path, diagnostic, context);
    if (!found)
      return createStringError("cannot read '" + *path +
                               "': " + diagnostic.getMessage());
    return Library{std::move(found), "__nv_"};
  }
  consumeError(path.takeError());
  std::unique_ptr<Module> own =
      parseIR(MemoryBufferRef(pmc_device_functions, "Functions.ll"), diagnostic,
              context);
  if (!own)
    return createStringError(diagnostic.getMessage());
  return Library{std::move(own), "pmc_"};
}

/// The function of libm that a declaration stands for; empty if it is no such.
static std::string getFunction(const Function &declaration) {
  if (!declaration.isIntrinsic())
    return declaration.getName().str();
  StringRef known = getFunction(declaration.getIntrinsicID());
  if (known.empty())
    return "";
  return known.str() + (declaration.getReturnType()->isFloatTy() ? "f" : "");
}

Error pmc::codegen::linkDeviceMath(Module &module) {
  SmallVector<std::pair<Function *, std::string>> wanted;
  for (Function &function : module)
    if (function.isDeclaration() && !function.use_empty())
      if (std::string name = getFunction(function); !name.empty())
        wanted.emplace_back(&function, name);
  if (wanted.empty())
    return Error::success();
  Expected<Library> library = findLibrary(module.getContext());
  if (!library)
    return library.takeError();
  for (auto [function, name] : wanted) {
    FunctionCallee callee = module.getOrInsertFunction(
        library->prefix.str() + name, function->getFunctionType());
    function->replaceAllUsesWith(callee.getCallee());
    function->eraseFromParent();
  }
  library->module->setTargetTriple(module.getTargetTriple());
  library->module->setDataLayout(module.getDataLayout());
  // Flags of the version that it was compiled with are not ours.
  for (Function &function : *library->module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  if (Linker::linkModules(module, std::move(library->module),
                          Linker::Flags::LinkOnlyNeeded))
    return createStringError("cannot link with the mathematical functions");
  // Denormal numbers count.
  module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 0U);
  return Error::success();
}
