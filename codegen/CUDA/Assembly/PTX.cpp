//===- PTX.cpp - Kernels to assembly for GPUs -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Assembly/PTX.h"
#include "codegen/CUDA/Assembly/DeviceCode.h"
#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/CUDA/DeviceMath.h"
#include "codegen/LLVM/Objects.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace pmc::codegen;

static std::unique_ptr<llvm::TargetMachine>
createMachine(const PTXOptions &options, std::string &error) {
  initializeLLVM();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  // What drivers of CUDA 12 understand; newer chips are newer words.
  std::string features = options.arch < 100 ? "+ptx80" : "+ptx88";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "sm_" + std::to_string(options.arch), features, targetOptions,
      llvm::Reloc::PIC_, std::nullopt,
      options.optimization == 0 ? llvm::CodeGenOptLevel::None
                                : llvm::CodeGenOptLevel::Default));
}

std::vector<unsigned> pmc::codegen::getKnownArchs() {
  std::vector<unsigned> archs;
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine({/*arch=*/80, /*optimization=*/0}, error);
  if (!machine)
    return archs;
  for (const llvm::SubtargetSubTypeKV &one :
       machine->getMCSubtargetInfo()->getAllProcessorDescriptions()) {
    llvm::StringRef name = one.Key;
    unsigned arch = 0;
    // Not those with features that other GPUs lack: sm_90a.
    if (name.consume_front("sm_") && !name.getAsInteger(10, arch))
      archs.push_back(arch);
  }
  llvm::sort(archs);
  return archs;
}

/// Kernels are entries, all else is theirs.
static void annotate(llvm::Module &module, int64_t blockSize) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.hasFnAttribute(kernelAttribute)) {
      function.removeFnAttr(kernelAttribute);
      function.setCallingConv(llvm::CallingConv::PTX_Kernel);
      function.addFnAttr("nvvm.maxntid", std::to_string(blockSize));
      if (function.hasFnAttribute(fewRegistersAttribute)) {
        function.removeFnAttr(fewRegistersAttribute);
        constexpr int64_t threads = 1024;
        function.addFnAttr("nvvm.minctasm", std::to_string(std::max<int64_t>(
                                                threads / blockSize, 1)));
      }
    } else {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
}

/// Lets the atomic operations at the address `from`, or at an offset from it,
/// use `to` instead. `to` is the same address in the global address space.
/// Returns whether there are such operations.
static bool retargetAtomics(llvm::Value *from, llvm::Value *to) {
  bool found = false;
  for (llvm::User *user : llvm::make_early_inc_range(from->users())) {
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(user)) {
      atomic->setOperand(llvm::AtomicRMWInst::getPointerOperandIndex(), to);
      found = true;
    } else if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::SmallVector<llvm::Value *> indices(step->indices());
      auto *there = llvm::GetElementPtrInst::Create(
          step->getSourceElementType(), to, indices, "", step->getIterator());
      there->setNoWrapFlags(step->getNoWrapFlags());
      if (retargetAtomics(step, there))
        found = true;
      else
        there->eraseFromParent();
    }
  }
  return found;
}

/// Uses global atomic operations at addresses that kernels load from memory,
/// such as those of the rows of a halo, because these addresses are in global
/// memory. Generic operations would test the address at run time.
static void useGlobalAtomics(llvm::Module &module) {
  constexpr unsigned global = 1;
  auto *type = llvm::PointerType::get(module.getContext(), global);
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &one : llvm::make_early_inc_range(block)) {
        auto *load = llvm::dyn_cast<llvm::LoadInst>(&one);
        if (!load || !load->getType()->isPointerTy() ||
            load->getType()->getPointerAddressSpace() != 0 ||
            llvm::isa<llvm::AllocaInst>(
                llvm::getUnderlyingObject(load->getPointerOperand())))
          continue;
        auto *there = new llvm::AddrSpaceCastInst(
            load, type, "", std::next(load->getIterator()));
        if (!retargetAtomics(load, there))
          there->eraseFromParent();
      }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned optimization) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes =
      optimization == 0
          ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
          : builder.buildPerModuleDefaultPipeline(
                optimization == 1 ? llvm::OptimizationLevel::O1
                                  : llvm::OptimizationLevel::O2);
  passes.run(module, modules);
}

/// There is nothing to link kernels with: names the first missing function.
static llvm::Error checkComplete(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      return llvm::createStringError("kernels for GPUs have no '" +
                                     function.getName() + "'");
  return llvm::Error::success();
}

mlir::FailureOr<KernelModule>
pmc::codegen::translateKernels(mlir::ModuleOp device,
                               const PTXOptions &options) {
  std::string error;
  KernelModule kernels{std::make_unique<llvm::LLVMContext>(),
                       createMachine(options, error), nullptr,
                       options.optimization, ScheduleSizes::get(device).block};
  if (!kernels.machine)
    return device.emitError("no code generator for GPUs: ") << error;
  kernels.module =
      mlir::translateModuleToLLVMIR(device, *kernels.context, "pmc.device");
  if (!kernels.module)
    return device.emitError("has no translation to LLVM IR");
  return kernels;
}

llvm::Expected<std::string> pmc::codegen::emitPTX(KernelModule kernels) {
  llvm::Module &module = *kernels.module;
  llvm::TargetMachine &machine = *kernels.machine;
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  if (llvm::Error wrong = linkDeviceMath(module))
    return wrong;
  annotate(module, kernels.blockSize);
  useGlobalAtomics(module);
  optimize(module, machine, kernels.optimization);
  if (llvm::Error wrong = checkComplete(module))
    return wrong;
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("PTX cannot be written");
  passes.run(module);
  return std::string(text.begin(), text.end());
}
