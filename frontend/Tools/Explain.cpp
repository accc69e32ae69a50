//===- Explain.cpp - The costs of a program -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Explain.h"

#include "codegen/Machine/CostTimes.h"
#include "codegen/Machine/Reports/CostPrint.h"
#include "codegen/Machine/Reports/MemoryReport.h"
#include "codegen/Machine/Tune.h"
#include "frontend/Tools/Compiler.h"
#include "frontend/Tools/Files.h"
#include "frontend/Tools/InternalErrors.h"
#include "frontend/Tools/Tuning/ForceChoice.h"
#include "passes/Cost/CostModel.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

/// Brings a module to the form that memory is planned in.
static mlir::LogicalResult toBuffers(mlir::ModuleOp program,
                                     const Options &options) {
  mlir::PassManager pm(program.getContext());
  codegen::addBufferPasses(pm, getTarget(options));
  return pm.run(program);
}

CostQuestion pmc::getCostQuestion(const Options &options) {
  CostQuestion question;
  question.mesh.insert(options.mesh.begin(), options.mesh.end());
  question.parameters.insert(options.params.begin(), options.params.end());
  question.displacementBound = options.displacementBound;
  return question;
}

/// Where the spec calls one, of what is reported.
static void remarkOnForces(Compiler &compiler, const CostReport &report,
                           const CostQuestion &question, const Machine &machine,
                           mlir::MLIRContext &context) {
  const LibraryCall *use = findForce(compiler.getSpec().getForces());
  if (!use)
    return;
  auto predict = [&](const LibraryFunction &force) -> llvm::Expected<double> {
    auto module = compiler.compileWithForce(force, context);
    if (!module)
      return module.takeError();
    auto toPlan = [&](mlir::ModuleOp program) {
      return toBuffers(program, compiler.getOptions());
    };
    if (llvm::Error error = runQuietly(**module, toPlan))
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
  pmc::remarkOnForces(compiler.getSpec().getDiagnostics(), *use,
                      report.allSeconds(), "on " + ranks + machine.name,
                      predict);
}

/// Of the differentiated program, in the form in which all that runs is
/// there.
static int explainCosts(Compiler &compiler, mlir::ModuleOp module) {
  const Options &options = compiler.getOptions();
  const Spec &spec = compiler.getSpec();
  std::string sharded;
  {
    InternalErrors errors(*module.getContext());
    mlir::OwningOpRef<mlir::ModuleOp> before(module.clone());
    mlir::PassManager pm(module.getContext());
    codegen::addBufferPasses(pm, getTarget(options));
    if (failed(pm.run(module)))
      return InternalErrors::writeReproducer(*before);
    if (options.explain == "html") {
      mlir::PassManager shard(module.getContext());
      codegen::addShardingPasses(shard, getTarget(options));
      if (failed(shard.run(*before)))
        return 1;
      llvm::raw_string_ostream(sharded) << *before;
    }
  }
  CostQuestion question = getCostQuestion(options);
  std::optional<Profile> profile;
  if (!options.profile.empty()) {
    llvm::Expected<Profile> read = Profile::read(options.profile);
    if (!read)
      return fail("[PM1007] " + llvm::toString(read.takeError()));
    profile = std::move(*read);
    if (profile->sourceHash != spec.hash(options))
      return fail("[PM1007] --profile: " + options.profile +
                  " is of another spec, or was compiled with other flags");
    question.mesh = profile->mesh;
    question.parameters = profile->parameters;
  }
  auto report = CostModel(module, question).at(question.mesh);
  if (!report)
    return fail("[PM1004] " + llvm::toString(report.takeError()));
  if (!options.machine.empty()) {
    auto machine = Machine::load(options.machine, compiler.getLibrary());
    if (!machine)
      return fail("[PM1014] " + llvm::toString(machine.takeError()));
    if (llvm::Error error = addTimes(*report, *machine))
      return fail("[PM1014] " + llvm::toString(std::move(error)));
    remarkOnForces(compiler, *report, question, *machine, *module.getContext());
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

static int explainMemoryOf(Compiler &compiler, mlir::ModuleOp module) {
  const std::string &output = compiler.getOptions().output;
  InternalErrors errors(*module.getContext());
  return writeReport(output.empty() ? "-" : output, [&](llvm::raw_ostream &os) {
    auto toPlan = [&](mlir::ModuleOp program) {
      return toBuffers(program, compiler.getOptions());
    };
    return succeeded(explainMemory(module, toPlan, os));
  });
}

int pmc::explain(Compiler &compiler) {
  return compiler.run([&](mlir::ModuleOp module) {
    const bool isOfMemory = compiler.getOptions().explainMemory;
    // What has no derivative has none in any schedule.
    mlir::OwningOpRef<mlir::ModuleOp> copy(
        isOfMemory ? mlir::cast<mlir::ModuleOp>(module->clone()) : nullptr);
    if (failed(compiler.differentiate(isOfMemory ? *copy : module)))
      return 1;
    return isOfMemory ? explainMemoryOf(compiler, module)
                      : explainCosts(compiler, module);
  });
}
