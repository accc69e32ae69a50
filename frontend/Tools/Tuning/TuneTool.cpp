//===- TuneTool.cpp - The fastest layout of a program ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tuning/TuneTool.h"

#include "codegen/Link/TemporaryFolder.h"
#include "codegen/Machine/Tune.h"
#include "frontend/Tools/Compiler.h"
#include "frontend/Tools/Explain.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/InternalErrors.h"
#include "frontend/Tools/Run.h"
#include "frontend/Tools/Tuning/ForceChoice.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::machine;

/// The form that no layout has changed.
static mlir::LogicalResult expand(mlir::ModuleOp program) {
  mlir::PassManager pm(program.getContext());
  pm.enableVerifier(false); // of what is compared; a program is verified
  codegen::addExpansionPasses(pm);
  return pm.run(program);
}

/// From there to the form that memory is planned in.
static mlir::LogicalResult place(mlir::ModuleOp program,
                                 const Options &options) {
  mlir::PassManager pm(program.getContext());
  pm.enableVerifier(false);
  codegen::addPlacementPasses(pm, getTarget(options));
  return pm.run(program);
}

/// Makes a program of the module and runs it on the mesh, ranks as threads.
static llvm::Expected<Profile>
measure(Compiler &compiler, mlir::ModuleOp module, llvm::StringRef mesh) {
  TemporaryFolder folder("pmc-tune");
  if (folder.getPath().empty())
    return llvm::createStringError("cannot make a temporary folder");
  std::string program = folder.getPath() + "/" + compiler.getSpec().getName(),
              profile = program + ".json", log = program + ".log";
  if (!compiler.makeProgram(module, program))
    return llvm::createStringError("the program cannot be made for " + mesh);
  std::vector<std::string> flags{"--mesh=" + mesh.str(), "--transport=threads",
                                 "--out=" + folder.getPath() + "/out",
                                 "--profile=" + profile, "--quiet"};
  llvm::append_range(flags, compiler.getOptions().programFlags);
  if (int code = runProgram(program, flags, log)) {
    auto text = llvm::MemoryBuffer::getFile(log);
    return llvm::createStringError("the program ended with exit code " +
                                   llvm::Twine(code) + " on " + mesh + ":\n" +
                                   (text ? (*text)->getBuffer() : ""));
  }
  return Profile::read(profile);
}

static int tuneLayouts(Compiler &compiler, mlir::ModuleOp module) {
  const Options &options = compiler.getOptions();
  Spec &spec = compiler.getSpec();
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<TuneVariant> variants;
  for (const Consts &consts : options.listTried()) {
    if (!consts.empty()) {
      modules.push_back(compiler.compileWith(consts, *module.getContext()));
      if (!modules.back())
        return 1;
    }
    variants.push_back({consts.empty() ? module : *modules.back(), consts});
  }
  auto machine = Machine::load(options.machine, compiler.getLibrary());
  if (!machine)
    return fail("[PM1014] " + llvm::toString(machine.takeError()));
  auto run = [&](mlir::ModuleOp program, llvm::StringRef mesh) {
    return measure(compiler, program, mesh);
  };
  auto toBuffers = [&](mlir::ModuleOp program) {
    return place(program, options);
  };
  TuneTask task{variants, spec.getName(), *machine, expand, toBuffers, run};
  TuneQuestion question{getCostQuestion(options), options.ranks, options.memory,
                        options.verify};
  double seconds = 0; // of the best layout
  auto search = [&](llvm::raw_ostream &os) -> llvm::Error {
    if (!options.compare.empty())
      return compareLayouts(task, question.costs, options.compare[0],
                            options.compare[1], os);
    llvm::Expected<double> best = machine::tune(task, question, os);
    if (!best)
      return best.takeError();
    seconds = *best;
    return llvm::Error::success();
  };
  auto write = [&](llvm::raw_ostream &os) {
    llvm::Error error = search(os);
    if (!error)
      return true;
    fail("[PM1004] " + llvm::toString(std::move(error)));
    return false;
  };
  int code = writeReport(options.output.empty() ? "-" : options.output, write);
  const LibraryCall *use = findForce(spec.getForces());
  if (code || !use || !options.compare.empty() || !options.tries.empty())
    return code;
  question.verify = 0;
  pmc::remarkOnForces(
      spec.getDiagnostics(), *use, seconds,
      "in the best layout for each on " + machine->name,
      [&](const LibraryFunction &force) -> llvm::Expected<double> {
        auto other = compiler.compileWithForce(force, *module.getContext());
        if (!other)
          return other.takeError();
        TuneTask one = task;
        TuneVariant variant{**other, {}};
        one.variants = variant;
        return machine::tune(one, question, llvm::nulls());
      });
  return 0;
}

int pmc::tune(Compiler &compiler) {
  return compiler.run([&](mlir::ModuleOp module) {
    // What has no derivative has none in any schedule.
    mlir::OwningOpRef<mlir::ModuleOp> differentiated(module.clone());
    if (failed(compiler.differentiate(*differentiated)))
      return 1;
    InternalErrors errors(*module.getContext());
    return tuneLayouts(compiler, module);
  });
}
