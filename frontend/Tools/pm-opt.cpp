//===- pm-opt.cpp - Reads, checks and transforms pm IR --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Pipeline.h"
#include "frontend/Basic/Diagnostics.h"
#include "frontend/Tools/Flags/DeprecatedNames.h"
#include "passes/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

static bool isPass(llvm::StringRef name) {
  return mlir::PassInfo::lookup(name) || mlir::PassPipelineInfo::lookup(name);
}

/// Reports a pass that does not exist. MLIR would suggest unrelated flags.
static int checkPasses(llvm::ArrayRef<std::string> arguments) {
  for (llvm::StringRef argument : arguments.drop_front()) {
    if (!argument.starts_with("-"))
      continue;
    const llvm::StringRef name = argument.ltrim('-').split('=').first;
    const std::string full = ("pm-" + name).str();
    const bool isShort =
        isPass(full) && !llvm::cl::getRegisteredOptions().contains(name);
    if (isPass(name) || !(name.starts_with("pm-") || isShort))
      continue;
    // The parser registers a flag for each pass.
    const mlir::PassPipelineCLParser parser("", "");
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &option : llvm::cl::getRegisteredOptions())
      if (option.first.starts_with("pm-"))
        known.push_back(option.first);
    llvm::sort(known);
    const auto closest = isShort ? std::optional<llvm::StringRef>(full)
                                 : pmc::closestName(name, known);
    llvm::errs() << "pm-opt: error: there is no pass '" << name << "'"
                 << (closest ? "; did you mean '--" + closest->str() + "'?"
                             : "; pm-opt --help lists the passes")
                 << " [PM1001]\n";
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  pmc::replaceDeprecatedNames("pm-opt", arguments);
  for (int i = 0; i < argc; ++i)
    argv[i] = arguments[size_t(i)].data();
  mlir::DialectRegistry registry;
  pmc::codegen::registerCodegen(registry);
  pmc::passes::registerPassesAndPipelines();
  pmc::codegen::registerCodegenPasses();
  mlir::registerTransformsPasses();
  if (const int code = checkPasses(arguments))
    return code;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "pm-opt: passes on pm IR\n", registry));
}
