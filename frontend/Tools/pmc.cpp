//===- pmc.cpp - The compiler's driver ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input, output and the order of the stages; the stages are libraries.
//
//===----------------------------------------------------------------------===//

#include "codegen/Link/TemporaryFolder.h"
#include "codegen/Pipeline.h"
#include "frontend/IRGen/Compile.h"
#include "frontend/Tools/CostModel.h"
#include "frontend/Tools/CostTimes.h"
#include "frontend/Tools/Explain.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/ForceChoice.h"
#include "frontend/Tools/InternalErrors.h"
#include "frontend/Tools/MachineCode.h"
#include "frontend/Tools/MachineTool.h"
#include "frontend/Tools/Options.h"
#include "frontend/Tools/Run.h"
#include "frontend/Tools/Spec.h"
#include "frontend/Tools/SpecMessages.h"
#include "frontend/Tools/Tune.h"
#include "passes/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;

namespace {

/// <prefix>/lib, beside the compiler's bin: the runtime, the standard library.
std::string libraryFolder(const char *argv0) {
  static int anchor;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(argv0, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string defaultOutput(const Options &options, const Spec &spec) {
  switch (options.emit) {
  case Stage::Obj:
    return spec.getName() + ".o";
  case Stage::Lib:
    return spec.getName() + ".so";
  case Stage::Exe:
    return spec.getName();
  default:
    return "-";
  }
}

/// The form that no layout has changed.
mlir::LogicalResult expand(mlir::ModuleOp program) {
  mlir::PassManager pm(program.getContext());
  pm.enableVerifier(false); // of what is compared; a program is verified
  codegen::addExpansionPasses(pm);
  return pm.run(program);
}

/// From there to the form that memory is planned in.
mlir::LogicalResult place(mlir::ModuleOp program) {
  mlir::PassManager pm(program.getContext());
  pm.enableVerifier(false);
  codegen::addPlacementPasses(pm);
  return pm.run(program);
}

/// Both.
mlir::LogicalResult toBuffers(mlir::ModuleOp program) {
  mlir::PassManager pm(program.getContext());
  codegen::addBufferPasses(pm);
  return pm.run(program);
}

class Compiler {
public:
  Compiler(const Options &options, std::string library)
      : options(options), library(std::move(library)) {
    if (options.timePasses)
      timing.setEnabled(true);
    root = timing.getRootScope();
  }

  int run() {
    if (!spec.load(options))
      return 1;
    std::string output =
        options.output.empty() ? defaultOutput(options, spec) : options.output;
    if (overwritesSource(output))
      return 1;
    if (!options.run)
      return compileTo(output);
    TemporaryFolder folder("pmc-run");
    if (folder.getPath().empty())
      return fail("cannot make a temporary folder");
    std::string program = folder.getPath() + "/" + spec.getName();
    if (int code = compileTo(program))
      return code;
    return runProgram(program, options.programFlags);
  }

private:
  /// Devices may be read and written.
  bool overwritesSource(const std::string &output) {
    llvm::sys::fs::file_status status;
    if (output == "-" || llvm::sys::fs::status(output, status) ||
        llvm::sys::fs::is_other(status))
      return false;
    std::string source = spec.findSource(output);
    if (!source.empty())
      fail("the result would overwrite '" + source +
           "', which it is made from; choose another file with -o");
    return !source.empty();
  }

  int compileTo(const std::string &output) {
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

    if (options.explainMemory || options.tune) {
      // What has no derivative has none in any schedule.
      mlir::OwningOpRef<mlir::ModuleOp> differentiated(module->clone());
      if (failed(differentiate(*differentiated)))
        return 1;
      InternalErrors errors(context);
      return options.tune ? tuneLayouts(*module) : explain(*module);
    }
    if (failed(differentiate(*module)))
      return 1;
    if (options.emit == Stage::Grad)
      return print(*module, output);

    if (!options.explain.empty())
      return explainCosts(*module);
    InternalErrors errors(context);
    mlir::OwningOpRef<mlir::ModuleOp> before(module->clone());
    if (failed(runPasses(*module)))
      return InternalErrors::writeReproducer(*before);
    if (options.emit >= Stage::Sharded && options.emit <= Stage::Kernels)
      return print(*module, output);
    if (options.emit == Stage::PTX)
      return writePTX(*module, *before, output);
    return emit(*module, *before, output);
  }

  /// What has no derivative is the user's mistake, not ours.
  mlir::LogicalResult differentiate(mlir::ModuleOp module) {
    return differentiate(module, spec.getDiagnostics());
  }

  mlir::LogicalResult differentiate(mlir::ModuleOp module,
                                    DiagnosticEngine &diags) {
    SpecMessages messages(*module.getContext(), diags);
    mlir::PassManager pm(module.getContext());
    passes::buildDerivatives(pm);
    mlir::TimingScope scope = root.nest("Derivatives");
    return pm.run(module);
  }

  mlir::LogicalResult runPasses(mlir::ModuleOp module) {
    if (options.emit >= Stage::LLVM)
      module->setAttr(
          codegen::sourceAttribute,
          mlir::StringAttr::get(module.getContext(), spec.getSource()));
    codegen::PipelineOptions pipeline;
    pipeline.debugInfo = options.debug;
    pipeline.checkUndefined = options.sanitize == "address";
    pipeline.target.kind = codegen::stringifyTarget(
        options.cuda ? codegen::Target::CUDA : codegen::Target::CPU);
    pipeline.target.paint = options.paint;
    pipeline.target.sizes = options.sizes;
    pipeline.target.executable = options.emit != Stage::Lib;
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
    mlir::TimingScope passes = root.nest("Passes");
    if (options.timePasses)
      pm.enableTiming(passes);
    if (options.emit == Stage::Sharded)
      codegen::addShardingPasses(pm);
    else
      codegen::addBufferPasses(pm);
    if (options.emit == Stage::Kernels)
      codegen::addKernelPasses(pm, pipeline.target);
    else if (options.emit == Stage::PTX)
      codegen::addDevicePasses(pm, pipeline);
    else if (options.emit > Stage::Lowered)
      codegen::addMachinePasses(pm, pipeline);
    return pm.run(module);
  }

  int explain(mlir::ModuleOp module) {
    auto write = [&](llvm::raw_ostream &os) {
      return succeeded(explainMemory(module, toBuffers, os));
    };
    return writeReport(options.output.empty() ? "-" : options.output, write);
  }

  CostQuestion getCostQuestion() const {
    CostQuestion question;
    question.mesh.insert(options.mesh.begin(), options.mesh.end());
    question.parameters.insert(options.params.begin(), options.params.end());
    question.displacementBound = options.displacementBound;
    return question;
  }

  /// The spec with other consts, as it is differentiated; null after errors.
  mlir::OwningOpRef<mlir::ModuleOp> compileWith(const Consts &consts,
                                                mlir::MLIRContext &context) {
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

  /// The spec with another force, as it is differentiated, or why there is
  /// none.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  compileWithForce(llvm::StringRef force, mlir::MLIRContext &context) {
    std::string messages;
    llvm::raw_string_ostream os(messages);
    Spec other(os);
    mlir::OwningOpRef<mlir::ModuleOp> module;
    if (other.load(options))
      module = other.compile(options, library + "/pmc/stdlib", context, force);
    if (module) {
      mlir::OwningOpRef<mlir::ModuleOp> differentiated(module->clone());
      if (succeeded(differentiate(*differentiated, other.getDiagnostics())))
        return std::move(module);
    }
    return llvm::createStringError(
        llvm::StringRef(messages).split("error: ").second.split('\n').first);
  }

  int tuneLayouts(mlir::ModuleOp module) {
    std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
    std::vector<TuneVariant> variants;
    for (const Consts &consts : options.listTried()) {
      if (!consts.empty()) {
        modules.push_back(compileWith(consts, *module.getContext()));
        if (!modules.back())
          return 1;
      }
      variants.push_back({consts.empty() ? module : *modules.back(), consts});
    }
    auto machine = machine::Machine::load(options.machine, library);
    if (!machine)
      return fail(llvm::toString(machine.takeError()));
    auto run = [&](mlir::ModuleOp program, llvm::StringRef mesh) {
      return measure(program, mesh);
    };
    TuneTask task{variants, spec.getName(), *machine, expand, place, run};
    TuneQuestion question{getCostQuestion(), options.ranks, options.memory,
                          options.verify};
    double seconds = 0; // of the best layout
    auto search = [&](llvm::raw_ostream &os) -> llvm::Error {
      if (!options.compare.empty())
        return compareLayouts(task, question.costs, options.compare[0],
                              options.compare[1], os);
      llvm::Expected<double> best = tune(task, question, os);
      if (!best)
        return best.takeError();
      seconds = *best;
      return llvm::Error::success();
    };
    auto write = [&](llvm::raw_ostream &os) {
      llvm::Error error = search(os);
      if (!error)
        return true;
      fail(llvm::toString(std::move(error)));
      return false;
    };
    int code =
        writeReport(options.output.empty() ? "-" : options.output, write);
    const ForceUse *use = findForce(spec.getForces());
    if (code || !use || !options.compare.empty() || !options.tries.empty())
      return code;
    question.verify = 0;
    pmc::remarkOnForces(spec.getDiagnostics(), *use, seconds,
                        "in the best layout for each on " + machine->name,
                        [&](llvm::StringRef force) -> llvm::Expected<double> {
                          auto other =
                              compileWithForce(force, *module.getContext());
                          if (!other)
                            return other.takeError();
                          TuneTask one = task;
                          TuneVariant variant{**other, {}};
                          one.variants = variant;
                          return tune(one, question, llvm::nulls());
                        });
    return 0;
  }

  /// Makes a program of the module and runs it on the mesh, ranks as threads.
  llvm::Expected<Profile> measure(mlir::ModuleOp module, llvm::StringRef mesh) {
    TemporaryFolder folder("pmc-tune");
    if (folder.getPath().empty())
      return llvm::createStringError("cannot make a temporary folder");
    std::string program = folder.getPath() + "/" + spec.getName(),
                profile = program + ".json", log = program + ".log";
    {
      InternalErrors errors(*module.getContext());
      mlir::OwningOpRef<mlir::ModuleOp> before(module.clone());
      if (failed(runPasses(module)) || emit(module, *before, program))
        return llvm::createStringError("the program cannot be made for " +
                                       mesh);
    }
    std::vector<std::string> flags{"--mesh=" + mesh.str(),
                                   "--transport=threads",
                                   "--out=" + folder.getPath() + "/out",
                                   "--profile=" + profile, "--quiet"};
    llvm::append_range(flags, options.programFlags);
    if (int code = runProgram(program, flags, log)) {
      auto text = llvm::MemoryBuffer::getFile(log);
      return llvm::createStringError("the program ended with exit code " +
                                     llvm::Twine(code) + " on " + mesh + ":\n" +
                                     (text ? (*text)->getBuffer() : ""));
    }
    return Profile::read(profile);
  }

  /// Of the differentiated program, in the form in which all that runs is
  /// there.
  int explainCosts(mlir::ModuleOp module) {
    std::string sharded;
    {
      InternalErrors errors(*module.getContext());
      mlir::OwningOpRef<mlir::ModuleOp> before(module.clone());
      mlir::PassManager pm(module.getContext());
      codegen::addBufferPasses(pm);
      if (failed(pm.run(module)))
        return InternalErrors::writeReproducer(*before);
      if (options.explain == "html") {
        mlir::PassManager shard(module.getContext());
        codegen::addShardingPasses(shard);
        if (failed(shard.run(*before)))
          return 1;
        llvm::raw_string_ostream(sharded) << *before;
      }
    }
    CostQuestion question = getCostQuestion();
    std::optional<Profile> profile;
    if (!options.profile.empty()) {
      llvm::Expected<Profile> read = Profile::read(options.profile);
      if (!read)
        return fail(llvm::toString(read.takeError()));
      profile = std::move(*read);
      if (profile->sourceHash != spec.hash(options))
        return fail("--profile: " + options.profile +
                    " is of another spec, or was compiled with other flags");
      question.mesh = profile->mesh;
      question.parameters = profile->parameters;
    }
    auto report = CostModel(module, question).at(question.mesh);
    if (!report)
      return fail(llvm::toString(report.takeError()));
    if (!options.machine.empty()) {
      auto machine = machine::Machine::load(options.machine, library);
      if (!machine)
        return fail(llvm::toString(machine.takeError()));
      if (llvm::Error error = addTimes(*report, *machine))
        return fail(llvm::toString(std::move(error)));
      remarkOnForces(*report, question, *machine, *module.getContext());
    }
    std::optional<Comparison> measured;
    if (profile)
      measured = compare(*report, *profile);
    return writeReport(
        options.output.empty() ? "-" : options.output,
        [&](llvm::raw_ostream &os) {
          const Comparison *beside = measured ? &*measured : nullptr;
          if (options.explain == "json")
            printJson(*report, spec.getName(), beside, os);
          else if (options.explain == "html")
            printHtml(*report, spec.getName(), beside, sharded, os);
          else
            printText(*report, spec.getName(), beside, os);
          return true;
        });
  }

  /// Where the spec calls one, of what is reported.
  void remarkOnForces(const CostReport &report, const CostQuestion &question,
                      const machine::Machine &machine,
                      mlir::MLIRContext &context) {
    const ForceUse *use = findForce(spec.getForces());
    if (!use)
      return;
    auto predict = [&](llvm::StringRef force) -> llvm::Expected<double> {
      auto module = compileWithForce(force, context);
      if (!module)
        return module.takeError();
      if (llvm::Error error = runQuietly(**module, toBuffers))
        return std::move(error);
      auto other = CostModel(**module, question).at(question.mesh);
      if (!other)
        return other.takeError();
      if (llvm::Error error = addTimes(*other, machine))
        return std::move(error);
      return other->allSeconds();
    };
    std::string ranks = std::to_string(report.ranks) +
                        (report.ranks == 1 ? " rank of " : " ranks of ");
    pmc::remarkOnForces(spec.getDiagnostics(), *use, report.allSeconds(),
                        "on " + ranks + machine.name, predict);
  }

  int print(mlir::ModuleOp module, const std::string &output) {
    return writeFile(output, [&](llvm::raw_ostream &os) {
      mlir::OpPrintingFlags flags;
      if (options.debug)
        flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
      module.print(os, flags);
      return true;
    });
  }

  /// Waits for what GPUs load.
  mlir::FailureOr<std::vector<codegen::Image>> takeImages(mlir::ModuleOp from) {
    mlir::TimingScope scope = root.nest("Wait for device code");
    codegen::DeviceCode::Images images = deviceCode.take();
    if (!images)
      return from.emitError(llvm::toString(images.takeError()));
    return std::move(*images);
  }

  int writePTX(mlir::ModuleOp module, mlir::ModuleOp before,
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
  mlir::LogicalResult embedImages(mlir::ModuleOp module) {
    mlir::FailureOr<std::vector<codegen::Image>> images = takeImages(module);
    if (failed(images))
      return mlir::failure();
    codegen::embedImages(module, *images);
    return mlir::success();
  }

  int writeCode(mlir::ModuleOp module, mlir::ModuleOp before,
                const std::string &output) {
    mlir::TimingScope scope = root.nest("LLVM");
    return pmc::writeCode(module, before, options, output);
  }

  /// Adds files to `objects`.
  int writeObjects(mlir::ModuleOp module, mlir::ModuleOp before,
                   const std::string &stem, std::vector<std::string> &objects) {
    mlir::TimingScope scope = root.nest("LLVM");
    return pmc::writeObjects(module, before, options, stem, objects);
  }

  int emit(mlir::ModuleOp module, mlir::ModuleOp before,
           const std::string &output) {
    if (options.emit != Stage::Exe && options.emit != Stage::Lib) {
      if (options.cuda && failed(embedImages(module)))
        return InternalErrors::writeReproducer(before);
      return writeCode(module, before, output);
    }
    TemporaryFolder folder("pmc-objects");
    if (folder.getPath().empty())
      return fail("cannot make a temporary folder");
    const std::string stem = folder.getPath() + "/" + spec.getName() + ".";
    std::vector<std::string> objects;
    if (int code = writeObjects(module, before, stem, objects))
      return code;
    if (options.cuda) {
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
    link.shared = options.emit == Stage::Lib;
    if (options.emulate)
      link.simulator = library + "/../fakecuda/libcuda.so.1";
    if (llvm::Error error = codegen::link(objects, output, link))
      return fail(llvm::toString(std::move(error)));
    return 0;
  }

  const Options &options;
  std::string library;
  codegen::DeviceCode deviceCode;
  Spec spec;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope root;
};

} // namespace

/// The exit code, or 1 if what went to standard output did not arrive.
static int finish(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return code;
  llvm::outs().clear_error(); // or LLVM ends the program
  return fail("cannot write to standard output: " + error.message());
}

int main(int argc, char **argv) {
  // Or the first files opened would take the place of closed streams.
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  if (argc > 1 && llvm::StringRef(argv[1]) == "machine")
    return finish(
        runMachineTool(std::vector<std::string>(argv + 2, argv + argc),
                       libraryFolder(argv[0])));
  for (llvm::StringRef tool : {"checkpoint", "report"})
    if (argc > 1 && tool == argv[1])
      return finish(
          runProgram(libraryFolder(argv[0]) + "/../bin/pmrt_" + tool.str(),
                     std::vector<std::string>(argv + 2, argv + argc)));
  Options options;
  if (std::optional<int> code = Options::parse(argc, argv, options))
    return finish(*code);
  return finish(Compiler(options, libraryFolder(argv[0])).run());
}
