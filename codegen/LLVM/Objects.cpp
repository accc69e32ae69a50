//===- Objects.cpp - LLVM IR, assembly, objects ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/LLVM/Objects.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace pmc::codegen;

namespace {

struct Processor {
  std::string name, features;
};

Processor resolve(llvm::StringRef cpu) {
  if (cpu != "native")
    return {cpu.str(), ""};
  std::string features;
  for (const auto &[feature, present] : llvm::sys::getHostCPUFeatures()) {
    features += features.empty() ? "" : ",";
    features += present ? "+" : "-";
    features += feature.str();
  }
  return {llvm::sys::getHostCPUName().str(), features};
}

std::unique_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options,
                                                   std::string &error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  Processor processor = resolve(options.cpu);
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, processor.name, processor.features, targetOptions,
      llvm::Reloc::PIC_, std::nullopt,
      options.optimization == 0 ? llvm::CodeGenOptLevel::None
                                : llvm::CodeGenOptLevel::Default));
}

/// The floats of a function's results, those of complex numbers too.
unsigned countFloats(llvm::Type *type) {
  unsigned count = type->isFloatingPointTy();
  for (llvm::Type *part : type->subtypes())
    count += countFloats(part);
  return count;
}

/// C returns a third and a fourth float on the x87 stack (more in memory).
/// Without optimisation LLVM 22 fetches them from there with an SSE instruction
/// even into the registers that only AVX-512 has, and the processor refuses it.
/// Swift's convention has four vector registers for results.
void keepFromX87(llvm::Function &function) {
  unsigned floats = countFloats(function.getReturnType());
  if ((floats != 3 && floats != 4) || !function.hasLocalLinkage())
    return;
  for (llvm::User *user : function.users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledFunction() != &function)
      return;
  }
  function.setCallingConv(llvm::CallingConv::Swift);
  for (llvm::User *user : function.users())
    llvm::cast<llvm::CallBase>(user)->setCallingConv(llvm::CallingConv::Swift);
}

/// What LLVM should know of our functions beyond their bodies.
void annotate(llvm::Module &module, Sanitizer sanitizer) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    // The runtime throws through generated code.
    function.setUWTableKind(llvm::UWTableKind::Async);
    if (function.getName() != "main" && function.getName() != "pmc_main" &&
        !function.hasFnAttribute(exportedAttribute))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    keepFromX87(function);
    if (sanitizer == Sanitizer::Address)
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
    if (sanitizer == Sanitizer::Thread)
      function.addFnAttr(llvm::Attribute::SanitizeThread);
  }
}

/// A row's next element is the neighbour that this element has read: LLVM would
/// carry it over to the next iteration, and make vectors of what is carried
/// with three shuffles each, where a load takes less. The pass has no other
/// switch in the default pipeline.
void loadNeighborsAgain() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("enable-load-in-loop-pre");
  if (found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(false);
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const EmitOptions &options) {
  static const bool isSet = (loadNeighborsAgain(), true);
  (void)isSet;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = options.optimization > 1;
  tuning.SLPVectorization = options.optimization > 1;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // Many kernels are equal (a pipeline paints more than once, has one table an
  // axis): optimising one of them halves the time to compile.
  builder.registerPipelineStartEPCallback(
      [&](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::MergeFunctionsPass());
      });
  builder.registerOptimizerLastEPCallback([&](llvm::ModulePassManager &passes,
                                              llvm::OptimizationLevel,
                                              llvm::ThinOrFullLTOPhase) {
    if (options.sanitizer == Sanitizer::Address)
      passes.addPass(llvm::AddressSanitizerPass({}));
    if (options.sanitizer == Sanitizer::Thread) {
      passes.addPass(llvm::ModuleThreadSanitizerPass());
      passes.addPass(
          llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
    }
  });
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[options.optimization];
  llvm::ModulePassManager passes =
      options.optimization == 0 ? builder.buildO0DefaultPipeline(level)
                                : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

} // namespace

std::string pmc::codegen::checkProcessor(llvm::StringRef cpu) {
  if (cpu == "native")
    return {};
  EmitOptions options;
  options.cpu = "native";
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(options, error);
  if (!machine)
    return error;
  if (machine->getMCSubtargetInfo()->isCPUStringValid(cpu))
    return {};
  return ("unknown processor '" + cpu + "' for " +
          machine->getTargetTriple().getArchName())
      .str();
}

mlir::LogicalResult
pmc::codegen::emitMachineCode(mlir::ModuleOp module, const EmitOptions &options,
                              MachineCode kind, llvm::raw_pwrite_stream &out) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(options, error);
  if (!machine)
    return module.emitError("no code generator for this machine: ") << error;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "pmc");
  if (!translated)
    return module.emitError("has no translation to LLVM IR");
  translated->setDataLayout(machine->createDataLayout());
  translated->setTargetTriple(machine->getTargetTriple());
  annotate(*translated, options.sanitizer);
  optimize(*translated, *machine, options);
  if (kind == MachineCode::LLVMIR) {
    translated->print(out, nullptr);
    return mlir::success();
  }
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr,
                                   kind == MachineCode::Assembly
                                       ? llvm::CodeGenFileType::AssemblyFile
                                       : llvm::CodeGenFileType::ObjectFile))
    return module.emitError("this machine's code cannot be written");
  passes.run(*translated);
  return mlir::success();
}
