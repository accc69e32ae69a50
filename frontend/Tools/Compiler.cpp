//===- Compiler.cpp - From a spec to a program ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Compiler.h"

#include "codegen/Link/TemporaryFolder.h"
#include "frontend/IRGen/SpecMessages.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/InternalErrors.h"
#include "frontend/Tools/MachineCode.h"
#include "frontend/Tools/Run.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

static std::string defaultOutput(const Options &options, const Spec &spec) {
  switch (options.emit) {
  case Stage::Obj:
    return spec.getName() + ".o";
  case Stage::Lib:
  case Stage::Shared:
    return spec.getName() + ".so";
  case Stage::Exe:
    return spec.getName();
  default:
    return "-";
  }
}

Compiler::Compiler(const Options &options, std::string library)
    : options(options), library(std::move(library)) {
  if (options.timePasses)
    timing.setEnabled(true);
  root = timing.getRootScope();
}

int Compiler::run(Study study) {
  if (!spec.load(options))
    return 1;
  std::string output =
      options.output.empty() ? defaultOutput(options, spec) : options.output;
  if (overwritesSource(output))
    return 1;
  if (!options.run)
    return compileTo(output, study);
  TemporaryFolder folder("pmc-run");
  if (folder.getPath().empty())
    return fail("[PM1009] cannot make a temporary folder");
  std::string program = folder.getPath() + "/" + spec.getName();
  if (int code = compileTo(program, study))
    return code;
  return runProgram(program, options.programFlags);
}

/// Devices may be read and written.
bool Compiler::overwritesSource(const std::string &output) {
  llvm::sys::fs::file_status status;
  if (output == "-" || llvm::sys::fs::status(output, status) ||
      llvm::sys::fs::is_other(status))
    return false;
  std::string source = spec.findSource(output);
  if (!source.empty())
    fail("[PM1008] the result would overwrite '" + source +
         "', which it is made from; choose another file with -o");
  return !source.empty();
}

int Compiler::compileTo(const std::string &output, Study study) {
  if (options.emit == Stage::AST)
    return writeFile(output,
                     [&](llvm::raw_ostream &os) { return spec.dump(os); });
  mlir::DialectRegistry registry;
  codegen::registerCodegen(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::TimingScope frontend = root.nest("Front end");
  mlir::OwningOpRef<mlir::ModuleOp> module =
      spec.compile(options, library + "/pmc/stdlib", context);
  frontend.stop();
  if (!module || overwritesSource(output)) // by now the modules are known
    return 1;
  if (options.emit == Stage::PM)
    return print(*module, output);

  if (study)
    return study(*module);
  if (failed(differentiate(*module)))
    return 1;
  if (options.emit == Stage::Grad)
    return print(*module, output);

  InternalErrors errors(context);
  mlir::OwningOpRef<mlir::ModuleOp> before(module->clone());
  if (failed(runPasses(*module)))
    return InternalErrors::writeReproducer(*before);
  if (options.emit >= Stage::Sharded && options.emit <= Stage::Kernels)
    return print(*module, output);
  if (options.emit == Stage::PTX)
    return writePTX(*module, *before, output);
  if (options.emit == Stage::Exe)
    spec.warnWithoutResults(*before);
  return emit(*module, *before, output);
}

mlir::LogicalResult Compiler::differentiate(mlir::ModuleOp module) {
  return differentiate(module, spec.getDiagnostics());
}

mlir::LogicalResult Compiler::differentiate(mlir::ModuleOp module,
                                            DiagnosticEngine &diags) {
  SpecMessages messages(*module.getContext(), diags);
  mlir::PassManager pm(module.getContext());
  for (const DerivativeEntry &entry : options.derivatives) {
    passes::DerivativeEntryOptions derivative;
    derivative.kind = entry.kind;
    llvm::append_range(derivative.wrt, entry.wrt);
    llvm::append_range(derivative.of, entry.of);
    derivative.snapshots = options.getSnapshots();
    derivative.schedule =
        derivative.snapshots > 0 ? "revolve" : options.schedule;
    pm.addPass(passes::createDerivativeEntry(derivative));
  }
  passes::buildDerivatives(pm);
  mlir::TimingScope scope = root.nest("Derivatives");
  return pm.run(module);
}

codegen::AttachTargetOptions pmc::getTarget(const Options &options) {
  codegen::AttachTargetOptions target;
  target.kind = codegen::stringifyTarget(options.target);
  target.paint = options.paint;
  target.sizes = options.sizes;
  target.executable =
      options.emit != Stage::Lib && options.emit != Stage::Shared;
  return target;
}

mlir::LogicalResult Compiler::runPasses(mlir::ModuleOp module) {
  if (options.emit >= Stage::LLVM)
    module->setAttr(
        codegen::sourceAttribute,
        mlir::StringAttr::get(module.getContext(), spec.getSource()));
  // The memory plan may use arrays of the process.
  if (options.emit == Stage::Shared && options.target == codegen::Target::CPU)
    module->setAttr("pm.embedded", mlir::UnitAttr::get(module.getContext()));
  codegen::PipelineOptions pipeline;
  pipeline.debugInfo = options.debug;
  pipeline.checkUndefined = options.sanitize == "address";
  pipeline.target = getTarget(options);
  pipeline.program = {spec.getName(),
                      spec.hash(options),
                      spec.describe(options),
                      spec.describeBuild(options),
                      PMC_VERSION,
                      options.precision};
  pipeline.device = {options.gpuArchs,
                     options.optimization,
                     /*assemble=*/options.emit >= Stage::Obj &&
                         !options.emulate,
                     options.emulate,
                     options.debug,
                     &deviceCode};
  mlir::PassManager pm(module.getContext());
  if (options.printAfterAll)
    pm.enableIRPrinting([](mlir::Pass *, mlir::Operation *) { return false; },
                        [](mlir::Pass *, mlir::Operation *) { return true; });
  pm.enableVerifier(options.verifyEach);
  mlir::TimingScope passes = root.nest("Passes");
  if (options.timePasses)
    pm.enableTiming(passes);
  if (options.emit == Stage::Sharded)
    codegen::addShardingPasses(pm, pipeline.target);
  else
    codegen::addBufferPasses(pm, pipeline.target);
  if (options.emit == Stage::Kernels)
    codegen::addKernelPasses(pm, pipeline.target);
  else if (options.emit == Stage::PTX)
    codegen::addDevicePasses(pm, pipeline);
  else if (options.emit > Stage::Lowered)
    codegen::addMachinePasses(pm, pipeline);
  if (failed(pm.run(module)))
    return mlir::failure();
  // Stages before the last one verify themselves.
  return mlir::verify(module);
}

mlir::OwningOpRef<mlir::ModuleOp>
Compiler::compileWith(const Consts &consts, mlir::MLIRContext &context) {
  Options changed = options;
  llvm::append_range(changed.defines, consts);
  Spec other;
  if (!other.load(changed))
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> module =
      other.compile(changed, library + "/pmc/stdlib", context);
  if (!module)
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> differentiated(module->clone());
  return succeeded(differentiate(*differentiated)) ? std::move(module)
                                                   : nullptr;
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
Compiler::compileWithForce(const LibraryFunction &force,
                           mlir::MLIRContext &context) {
  std::string messages;
  llvm::raw_string_ostream os(messages);
  Spec other(os);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (other.load(options))
    module = other.compile(options, library + "/pmc/stdlib", context, &force);
  if (module) {
    mlir::OwningOpRef<mlir::ModuleOp> differentiated(module->clone());
    if (succeeded(differentiate(*differentiated, other.getDiagnostics())))
      return std::move(module);
  }
  return llvm::createStringError(
      llvm::StringRef(messages).split("error: ").second.split('\n').first);
}

bool Compiler::makeProgram(mlir::ModuleOp module, const std::string &program) {
  InternalErrors errors(*module.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> before(module.clone());
  return succeeded(runPasses(module)) && !emit(module, *before, program);
}

int Compiler::print(mlir::ModuleOp module, const std::string &output) {
  return writeFile(output, [&](llvm::raw_ostream &os) {
    mlir::OpPrintingFlags flags;
    if (options.debug)
      flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
    module.print(os, flags);
    return true;
  });
}

/// Waits for what GPUs load.
mlir::FailureOr<std::vector<codegen::Image>>
Compiler::takeImages(mlir::ModuleOp from) {
  mlir::TimingScope scope = root.nest("Wait for device code");
  codegen::DeviceCode::Images images = deviceCode.take();
  if (!images)
    return from.emitError(llvm::toString(images.takeError()));
  return std::move(*images);
}

int Compiler::writePTX(mlir::ModuleOp module, mlir::ModuleOp before,
                       const std::string &output) {
  mlir::FailureOr<std::vector<codegen::Image>> images = takeImages(module);
  if (failed(images))
    return InternalErrors::writeReproducer(before);
  return writeFile(output, [&](llvm::raw_ostream &os) {
    for (const codegen::Image &image : *images)
      os << image.data;
    return true;
  });
}

/// Into the program's module, or one that is linked with it.
mlir::LogicalResult Compiler::embedImages(mlir::ModuleOp module) {
  mlir::FailureOr<std::vector<codegen::Image>> images = takeImages(module);
  if (failed(images))
    return mlir::failure();
  codegen::embedImages(module, *images);
  return mlir::success();
}

int Compiler::writeCode(mlir::ModuleOp module, mlir::ModuleOp before,
                        const std::string &output) {
  mlir::TimingScope scope = root.nest("LLVM");
  return pmc::writeCode(module, before, options, output);
}

/// Adds files to `objects`.
int Compiler::writeObjects(mlir::ModuleOp module, mlir::ModuleOp before,
                           const std::string &stem,
                           std::vector<std::string> &objects) {
  mlir::TimingScope scope = root.nest("LLVM");
  return pmc::writeObjects(module, before, options, stem, objects);
}

int Compiler::emit(mlir::ModuleOp module, mlir::ModuleOp before,
                   const std::string &output) {
  if (options.emit < Stage::Lib) {
    if (options.hasGpu() && failed(embedImages(module)))
      return InternalErrors::writeReproducer(before);
    return writeCode(module, before, output);
  }
  TemporaryFolder folder("pmc-objects");
  if (folder.getPath().empty())
    return fail("[PM1009] cannot make a temporary folder");
  const std::string stem = folder.getPath() + "/" + spec.getName() + ".";
  std::vector<std::string> objects;
  if (int code = writeObjects(module, before, stem, objects))
    return code;
  if (options.hasGpu()) {
    // An object of their own, so that the host's need not wait for them.
    mlir::OwningOpRef<mlir::ModuleOp> images =
        mlir::ModuleOp::create(module.getLoc());
    if (failed(embedImages(*images)))
      return InternalErrors::writeReproducer(before);
    if (int code = writeObjects(*images, before, stem, objects))
      return code;
  }
  mlir::TimingScope scope = root.nest("Link");
  codegen::LinkOptions link;
  link.runtimeFolder = library;
  link.sanitizer = options.sanitize;
  link.kind = options.emit == Stage::Exe   ? codegen::LinkKind::Executable
              : options.emit == Stage::Lib ? codegen::LinkKind::Library
                                           : codegen::LinkKind::SharedObject;
  if (options.emulate)
    link.simulator = library + "/../fakecuda/libcuda.so.1";
  if (llvm::Error error = codegen::link(objects, output, link))
    return fail("[PM1009] " + llvm::toString(std::move(error)));
  return 0;
}
