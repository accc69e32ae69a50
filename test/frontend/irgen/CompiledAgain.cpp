//===- CompiledAgain.cpp - Loops that are compiled twice ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pmc-compiled-again SPEC... prints the places of loops that IR generation
// compiles more than once, and the number of these loops.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Compile.h"
#include "frontend/IRGen/Observer.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>

using namespace pmc;

namespace {

class Loops : public EvaluationObserver {
public:
  explicit Loops(DiagnosticEngine &diags) : diags(diags) {}
  void evaluated(llvm::SMRange, const Value &) override {}
  void bound(llvm::SMLoc, const Value &) override {}
  void compiledAgain(llvm::SMLoc loop) override {
    const SourcePosition place = diags.getLineAndColumn(loop);
    std::printf("%s:%u:%u\n",
                llvm::sys::path::filename(place.file).str().c_str(), place.line,
                place.column);
    ++count;
  }
  bool isCancelled() override { return false; }

  unsigned count = 0;

private:
  DiagnosticEngine &diags;
};

} // namespace

int main(int argc, char **argv) {
  unsigned loops = 0;
  for (int i = 1; i < argc; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (!buffer) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    llvm::SourceMgr sources;
    const unsigned id =
        sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
    std::string messages;
    llvm::raw_string_ostream os(messages);
    DiagnosticEngine diags(sources, os);
    Loops observer(diags);
    FrontendOptions options;
    options.modulePaths.push_back(PMC_STDLIB_DIR);
    options.observer = &observer;
    options.verifies = false;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    if (!compileSource(sources, id, llvm::sys::path::stem(argv[i]), options,
                       context, diags)) {
      std::fprintf(stderr, "%s", messages.c_str());
      return 1;
    }
    loops += observer.count;
  }
  std::printf("%u loops are compiled again\n", loops);
}
