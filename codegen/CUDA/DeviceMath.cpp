//===- DeviceMath.cpp - Mathematical functions on GPUs --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/DeviceMath.h"
#include "codegen/CUDA/Toolkit.h"

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

/// Gives what GPUs cannot do the names of libdevice's functions.
static bool rename(Module &module) {
  bool any = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    std::string name;
    if (!function.isIntrinsic()) {
      name = function.getName();
    } else if (StringRef known = getFunction(function.getIntrinsicID());
               !known.empty()) {
      name = known.str() + (function.getReturnType()->isFloatTy() ? "f" : "");
    }
    if (name.empty())
      continue;
    any = true;
    FunctionCallee callee =
        module.getOrInsertFunction("__nv_" + name, function.getFunctionType());
    function.replaceAllUsesWith(callee.getCallee());
    function.eraseFromParent();
  }
  return any;
}

Error pmc::codegen::linkDeviceMath(Module &module) {
  if (!rename(module))
    return Error::success();
  Expected<std::string> path =
      findToolkitFile("nvvm/libdevice/libdevice.10.bc");
  if (!path)
    return path.takeError();
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library =
      parseIRFile(*path, diagnostic, module.getContext());
  if (!library)
    return createStringError("cannot read '" + *path +
                             "': " + diagnostic.getMessage());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library),
                          Linker::Flags::LinkOnlyNeeded))
    return createStringError("cannot link with '" + *path + "'");
  // Denormal numbers count.
  module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 0U);
  return Error::success();
}
