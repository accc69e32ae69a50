//===- Objects.cpp - LLVM IR, assembly, objects ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/LLVM/Objects.h"
#include "codegen/LLVM/ObjectCache.h"
#include "codegen/LLVM/Parts.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

#include <atomic>
#include <future>

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
  initializeLLVM();
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
/// Without optimization LLVM 22 fetches them from there with an SSE instruction
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
    // By default, LLVM uses vectors of 256 bits on Intel processors with
    // AVX-512, because early ones lowered their clock for 512 bits. On recent
    // processors, loops over particles and cells are faster with 512 bits.
    function.addFnAttr("prefer-vector-width", "512");
    keepFromX87(function);
    if (sanitizer == Sanitizer::Address)
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
    if (sanitizer == Sanitizer::Thread)
      function.addFnAttr(llvm::Attribute::SanitizeThread);
  }
}

/// Below -O3, loops of unknown length are not unrolled and addresses are not
/// made cheaper from step to step: it takes a fifth of the time to compile, and
/// kernels, which wait for memory and are vectors already, are not faster.
constexpr unsigned everything = 3;

/// Of the passes that make machine code.
struct PassGate : llvm::OptPassGate {
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != "Loop Strength Reduction";
  }
  bool isEnabled() const override { return true; }
};

void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const EmitOptions &options) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = options.optimization > 1;
  tuning.SLPVectorization = options.optimization > 1;
  tuning.LoopUnrolling = options.optimization >= everything;
  llvm::PassInstrumentationCallbacks callbacks;
  // Carries elements over to the next iteration, too.
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, llvm::Any) {
        return pass != "LoopLoadEliminationPass";
      });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // Loops of a few known steps are unrolled: the cells of a window.
  if (!tuning.LoopUnrolling)
    builder.registerLoopOptimizerEndEPCallback(
        [](llvm::LoopPassManager &passes, llvm::OptimizationLevel level) {
          passes.addPass(
              llvm::LoopFullUnrollPass(int(level.getSpeedupLevel())));
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

/// A row's next element is the neighbor that this element has read: LLVM would
/// carry it over to the next iteration, and make vectors of what is carried
/// with three shuffles each, where a load takes less. The pass has no other
/// switch in the default pipeline.
static void loadNeighborsAgain() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("enable-load-in-loop-pre");
  if (found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(false);
}

void pmc::codegen::initializeLLVM() {
  static const bool isReady = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    loadNeighborsAgain();
    return true;
  }();
  (void)isReady;
}

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

/// LLVM's form of a module for a machine; null after a report at the module.
static std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module,
                                               llvm::TargetMachine &machine,
                                               llvm::LLVMContext &context,
                                               Sanitizer sanitizer) {
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "pmc");
  if (!translated) {
    module.emitError("has no translation to LLVM IR");
    return nullptr;
  }
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  annotate(*translated, sanitizer);
  // Many kernels are equal (a pipeline paints more than once, has one table an
  // axis): optimizing one of them halves the time to compile.
  llvm::MergeFunctionsPass::runOnModule(*translated);
  return translated;
}

/// False if this machine's code cannot be written.
static bool write(llvm::Module &module, llvm::TargetMachine &machine,
                  unsigned optimization, MachineCode kind,
                  llvm::raw_pwrite_stream &out) {
  if (kind == MachineCode::LLVMIR) {
    module.print(out, nullptr);
    return true;
  }
  PassGate gate;
  if (optimization < everything)
    module.getContext().setOptPassGate(gate);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr,
                                  kind == MachineCode::Assembly
                                      ? llvm::CodeGenFileType::AssemblyFile
                                      : llvm::CodeGenFileType::ObjectFile))
    return false;
  passes.run(module);
  return true;
}

/// The register allocator takes time that grows faster than the square of a
/// block's length. Only the program's own function has such long blocks: calls
/// of the runtime, one after the other, which gain nothing from it.
static void allocateFast(const llvm::Module &module,
                         llvm::TargetMachine &machine) {
  constexpr size_t longBlock = 20000;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      if (block.size() > longBlock)
        machine.setOptLevel(llvm::CodeGenOptLevel::None);
}

static constexpr const char *noCode = "this machine's code cannot be written";

mlir::LogicalResult
pmc::codegen::emitMachineCode(mlir::ModuleOp module, const EmitOptions &options,
                              MachineCode kind, llvm::raw_pwrite_stream &out) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(options, error);
  if (!machine)
    return module.emitError("no code generator for this machine: ") << error;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translate(module, *machine, context, options.sanitizer);
  if (!translated)
    return mlir::failure();
  optimize(*translated, *machine, options);
  allocateFast(*translated, *machine);
  if (!write(*translated, *machine, options.optimization, kind, out))
    return module.emitError(noCode);
  return mlir::success();
}

/// Of a part, in instructions. Fewer are not worth the time that an object
/// takes.
static constexpr uint64_t partSize = 2000;

/// The object of one part; empty if this machine's code cannot be written.
static ObjectCode compilePart(llvm::MemoryBufferRef bitcode, bool isProgram,
                              EmitOptions options) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      llvm::cantFail(llvm::parseBitcodeFile(bitcode, context));
  // A program's long lists of calls gain nothing from optimization, which takes
  // a third of the time to compile.
  if (isProgram && options.optimization < everything)
    options.optimization = 0;
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(options, error);
  optimize(*module, *machine, options);
  allocateFast(*module, *machine);
  ObjectCode code;
  llvm::raw_svector_ostream os(code);
  if (!write(*module, *machine, options.optimization, MachineCode::Object, os))
    code.clear();
  return code;
}

namespace {

/// The parts of a module on their way to objects.
class PartCompiler {
public:
  PartCompiler(const EmitOptions &options, llvm::TargetMachine &machine)
      : options(options), cache(options.cacheFolder),
        processor(machine.getTargetCPU().str() + " " +
                  machine.getTargetFeatureString().str()) {}

  void add(const llvm::Module &module, const Part &part) {
    llvm::raw_svector_ostream os(bitcode.emplace_back());
    llvm::WriteBitcodeToFile(*extract(module, part, bitcode.size() == 1), os);
    weight.push_back(part.weight);
  }

  /// On as many threads as there are processors.
  std::vector<ObjectCode> run() {
    objects.resize(bitcode.size());
    // The longest first, so that no thread waits for it at the end.
    auto order = llvm::to_vector(llvm::seq(bitcode.size()));
    llvm::stable_sort(
        order, [&](size_t a, size_t b) { return weight[a] > weight[b]; });
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t i = next++; i < order.size(); i = next++)
        compile(order[i]);
    };
    std::vector<std::future<void>> workers;
    size_t processors = llvm::hardware_concurrency().compute_thread_count();
    for (size_t i = 1; i < std::min(order.size(), processors); ++i)
      // Where there can be no thread, this one does all.
      workers.push_back(
          std::async(std::launch::async | std::launch::deferred, work));
    work();
    for (std::future<void> &worker : workers)
      worker.wait();
    cache.prune();
    return std::move(objects);
  }

private:
  void compile(size_t part) {
    llvm::StringRef code(bitcode[part].data(), bitcode[part].size());
    const bool isProgram = part == 0 && bitcode.size() > 1;
    std::string key = ObjectCache::getKey(
        {code, processor, std::to_string(options.optimization),
         std::to_string(int(options.sanitizer)), isProgram ? "program" : ""});
    ObjectCode &object = objects[part];
    if (cache.read(key, object))
      return;
    object = compilePart({code, "pmc"}, isProgram, options);
    if (!object.empty())
      cache.store(key, {object.data(), object.size()});
  }

  const EmitOptions &options;
  ObjectCache cache;
  std::string processor;
  std::vector<llvm::SmallVector<char, 0>> bitcode;
  std::vector<uint64_t> weight;
  std::vector<ObjectCode> objects;
};

} // namespace

mlir::FailureOr<std::vector<ObjectCode>>
pmc::codegen::emitObjects(mlir::ModuleOp module, const EmitOptions &options) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(options, error);
  if (!machine)
    return module.emitError("no code generator for this machine: ") << error;
  PartCompiler compiler(options, *machine);
  {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> translated =
        translate(module, *machine, context, options.sanitizer);
    if (!translated)
      return mlir::failure();
    for (const Part &part : divide(*translated, partSize))
      compiler.add(*translated, part);
  }
  std::vector<ObjectCode> objects = compiler.run();
  for (const ObjectCode &object : objects)
    if (object.empty())
      return module.emitError(noCode);
  return objects;
}
