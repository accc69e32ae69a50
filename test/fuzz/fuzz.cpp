//===- fuzz.cpp - Runs the frontend on specs with mistakes ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pmc-fuzz [--inputs=N] [--from=I] [--seconds=T] [--seed=S] [--only=I]
//            [--print] [FOLDER...]
//
// Makes inputs I (0) to N from the specs below the folders, or as many as T
// seconds allow, formats each and compiles it as far as MLIR, in this process.
// A crash or an input that takes too long ends the run: the input is written to
// pmc-fuzz-SEED-NUMBER.pm in the working folder.
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"

#include "frontend/Format/Format.h"
#include "frontend/Parser/Parser.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#ifdef PMC_FUZZ_IRGEN
#include "frontend/IRGen/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#endif

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

using namespace pmc;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What is tested
//===----------------------------------------------------------------------===//

namespace {
enum class Outcome { Rejected, Parsed, Accepted };
} // namespace

#ifdef PMC_FUZZ_IRGEN
/// One context serves many inputs; a new one now and then frees its memory.
static mlir::MLIRContext &getContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses % 2000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    loadDialects(*context);
  }
  return *context;
}

/// Semantic analysis and IR generation. Errors that only MLIR's verifier sees
/// are errors of ours.
static bool compile(StringRef text) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.pm"), {});
  std::string messages;
  llvm::raw_string_ostream os(messages);
  DiagnosticEngine diags(sources, os);
  FrontendOptions options;
  options.modulePaths.push_back(PMC_STDLIB_DIR);
  mlir::MLIRContext &context = getContext();
  std::string complaint;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    if (diag.getSeverity() == mlir::DiagnosticSeverity::Error)
      complaint = diag.str();
  });
  auto module = compileSource(sources, id, "fuzz", options, context, diags);
  if (StringRef(messages).contains("internal error")) {
    llvm::errs() << messages;
    std::abort();
  }
  if (!module && !diags.hasErrors()) {
    llvm::errs() << "pmc-fuzz: no module and no error: " << complaint << '\n';
    std::abort();
  }
  if (!module || diags.hasErrors())
    return false;
  if (mlir::failed(mlir::verify(*module)) || !complaint.empty()) {
    llvm::errs() << "pmc-fuzz: invalid IR: " << complaint << '\n';
    std::abort();
  }
  return true;
}
#else
static bool compile(StringRef) { return false; }
#endif

/// Formats a spec, twice. False if it has syntax errors.
static bool format(StringRef text) {
  const Formatted once = formatSpec(text, "fuzz.pm", llvm::nulls());
  if (once.hasErrors)
    return false;
  auto fail = [&](StringRef what) {
    llvm::errs() << "pmc-fuzz: " << what << ":\n"
                 << text << "----\n"
                 << once.text;
    std::abort();
  };
  if (once.changedLine)
    fail("formatting changes the program at line " +
         std::to_string(once.changedLine));
  // Comments are neither lost nor made.
  if (text.count("//") != StringRef(once.text).count("//"))
    fail("formatting changes comments");
  const Formatted twice = formatSpec(once.text, "fuzz.pm", llvm::nulls());
  if (twice.text != once.text) {
    llvm::errs() << twice.text << "----\n";
    fail("formatting twice is not the same as once");
  }
  return true;
}

static Outcome runFrontend(StringRef text, fuzz::Random &blanks,
                           uint64_t &formatted) {
  llvm::SourceMgr sources;
  unsigned id = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.pm"), {});
  DiagnosticEngine diags(sources, llvm::nulls());
  auto module = parseModule(sources, id, "fuzz", diags);
  ast::dump(*module, llvm::nulls());
  if (diags.hasErrors()) {
    // As `pmc` does, go no further; but see that it stays an error.
    return Outcome::Rejected;
  }
  format(text);
  formatted += format(fuzz::disturb(blanks, text));
  return compile(text) ? Outcome::Accepted : Outcome::Parsed;
}

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

static const std::string *currentInput;
static char currentFile[64];
static constexpr unsigned secondsPerInput = 20;

/// Only calls that are safe in a signal handler.
static void saveInput() {
  if (!currentInput)
    return;
  const std::string *input = currentInput;
  currentInput = nullptr;
  auto say = [](StringRef text) {
    (void)!write(STDERR_FILENO, text.data(), text.size());
  };
  int fd = open(currentFile, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0) {
    (void)!write(fd, input->data(), input->size());
    close(fd);
  }
  say("\npmc-fuzz: crashed or hung; the input is in ");
  say(currentFile);
  say("\n");
}

static void onSignal(int signal) {
  saveInput();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// Of the sanitizers' runtime, where it is linked.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) void
__sanitizer_set_death_callback(void (*callback)());
// NOLINTEND(bugprone-reserved-identifier)

/// SIGPROF after so many seconds of this process's own time: how busy the
/// machine is does not count.
static void setTimer(unsigned seconds) {
  itimerval value = {};
  value.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &value, nullptr);
}

static void catchCrashes() {
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(saveInput);
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGABRT, SIGPROF})
    sigaction(signal, &action, nullptr);
  if (!__sanitizer_set_death_callback)
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
      sigaction(signal, &action, nullptr);
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

int main(int argc, char **argv) {
  uint64_t inputs = 100000, from = 0, seconds = UINT64_MAX, seed = 1, only = 0;
  bool single = false, print = false, bad = false;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    StringRef arg = argv[i];
    if (arg.consume_front("--inputs="))
      bad |= arg.getAsInteger(10, inputs);
    else if (arg.consume_front("--from="))
      bad |= arg.getAsInteger(10, from);
    else if (arg.consume_front("--seconds="))
      bad |= arg.getAsInteger(10, seconds);
    else if (arg.consume_front("--seed="))
      bad |= arg.getAsInteger(10, seed);
    else if (arg.consume_front("--only="))
      single = true, bad |= arg.getAsInteger(10, only);
    else if (arg == "--print")
      print = true;
    else if (arg.starts_with("-"))
      bad = true;
    else
      folders.push_back(arg.str());
  }
  if (bad) {
    llvm::errs() << "usage: pmc-fuzz [--inputs=N] [--from=I] [--seconds=T] "
                    "[--seed=S] [--only=I] [--print] [FOLDER...]\n";
    return 1;
  }
  if (folders.empty())
    for (StringRef folder : {"examples", "frontend/Stdlib", "test"})
      folders.push_back((PMC_SOURCE_DIR "/" + folder).str());

  fuzz::Corpus corpus;
  for (const std::string &folder : folders)
    corpus.add(folder);
  if (corpus.size() == 0) {
    llvm::errs() << "pmc-fuzz: no .pm files\n";
    return 1;
  }

  catchCrashes();
  uint64_t parsed = 0, accepted = 0, done = 0, formatted = 0;
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double slowest = 0;
  uint64_t slowestInput = 0;
  for (uint64_t i = single ? only : from, end = single ? only + 1 : inputs;
       i < end && elapsed() < static_cast<double>(seconds); ++i) {
    std::string text = corpus.input(seed, i);
    if (print)
      llvm::outs() << text;
    snprintf(currentFile, sizeof(currentFile), "pmc-fuzz-%llu-%llu.pm",
             static_cast<unsigned long long>(seed),
             static_cast<unsigned long long>(i));
    currentInput = &text;
    double before = elapsed();
    setTimer(secondsPerInput);
    fuzz::Random blanks(seed + i);
    Outcome outcome = runFrontend(text, blanks, formatted);
    setTimer(0);
    currentInput = nullptr;
    if (double took = elapsed() - before; took > slowest) {
      slowest = took;
      slowestInput = i;
    }
    ++done;
    parsed += outcome != Outcome::Rejected;
    accepted += outcome == Outcome::Accepted;
  }
  llvm::errs() << done << " inputs, " << parsed << " parsed, " << accepted
               << " accepted, " << formatted << " formatted with other blanks, "
               << llvm::format("%.1f", elapsed())
               << " seconds (slowest: " << llvm::format("%.3f", slowest)
               << " s, number " << slowestInput << ")\n";
  return 0;
}
