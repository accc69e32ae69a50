//===- CompilerFlags.cpp - Flags of pmc, and their help -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Flags/CompilerFlags.h"

#include "frontend/Tools/Flags/FrontEndFlags.h"

using namespace pmc;

const char *const pmc::compilerHelp =
    "pmc compiles a .pm spec to a program.\n"
    "\n"
    "Commands:\n"
    "  pmc SPEC -o PROGRAM            compile\n"
    "  pmc run SPEC -- --out DIR      compile and run; flags after -- are the "
    "program's\n"
    "  pmc check SPEC                 report mistakes only\n"
    "  pmc fmt SPEC                   format a spec\n"
    "  pmc help NAME                  explain a builtin, a function, a "
    "keyword, a flag\n"
    "  pmc doc MODULE                 print the reference of a library module\n"
    "  pmc lsp                        start a language server for editors\n"
    "  pmc --explain SPEC             predict bytes, operations and times\n"
    "  pmc tune SPEC --machine NAME --ranks N   search the fastest layout\n"
    "  pmc report A B -o FILE         compare the outputs of two runs\n"
    "  pmc checkpoint DIR             check saved states\n"
    "  pmc machine --help             describe and measure machines\n"
    "\n"
    "Examples:\n"
    "  pmc -D n=256 spec.pm           compile with another const\n"
    "  pmc --emit=lowered spec.pm     print the loops\n"
    "  pmc --emit=shared spec.pm      make a function for C and Python\n"
    "  ./PROGRAM --help               list the params of a compiled spec\n"
    "\n"
    "The language: frontend/LANGUAGE.md.";

/// A flag that is given once per value and never takes the next argument.
static CLI::Option *repeated(CLI::Option *option) {
  return option->allow_extra_args(false)->expected(1)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
}

static void addResultFlags(CLI::App &app, Options &options,
                           CompilerFlags &flags) {
  const char *group = "Result";
  app.add_option("-o", options.output,
                 "The file to write (default: named after the spec; text goes "
                 "to standard output)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--emit", flags.stage,
                 "What to make (default: exe):\n"
                 "  ast      the syntax tree\n"
                 "  pm       the pm dialect: the global view, without ranks\n"
                 "  grad     the same with derivatives computed\n"
                 "  sharded  the view of one rank, with messages\n"
                 "  lowered  fused loops on planned buffers\n"
                 "  kernels  kernels of these loops, and their launches\n"
                 "  llvm, asm, obj, ptx  code; ptx is of kernels for GPUs\n"
                 "  lib      a shared library with pmc_main and the runtime\n"
                 "  shared   a shared object for pmrt_open and Python\n"
                 "  exe      a program")
      ->type_name("STAGE")
      ->group(group);
}

static void addSpecFlags(CLI::App &app, Options &options,
                         CompilerFlags &flags) {
  addFrontEndFlags(app, options, flags.defines);
  for (const char *name : {"-D", "-I", "--layout", "--precision"})
    app.get_option(name)->group("Spec");
}

static void addGradientFlags(CLI::App &app, Options &options,
                             CompilerFlags &flags) {
  const char *group = "Gradients";
  addDerivativeFlags(app, flags.derivative);
  for (const char *name : {"--vjp", "--jvp"})
    app.get_option(name)->group(group);
  app.add_option("--schedule", options.schedule,
                 "How gradients reverse loops for which the spec gives no "
                 "schedule:\n"
                 "  keep       store all states (default)\n"
                 "  reverse    recompute states backward, for steps that can "
                 "be undone\n"
                 "  revolve:N  store N snapshots, and recompute the rest")
      ->type_name("HOW")
      ->group(group);
}

static void addTargetFlags(CLI::App &app, Options &options,
                           CompilerFlags &flags) {
  const char *group = "Target and speed";
  app.add_option("--target", flags.target,
                 "cpu (default), or cuda for NVIDIA GPUs")
      ->type_name("TARGET")
      ->group(group);
  app.add_option("--cpu", options.cpu,
                 "The processor to compile for (default: native, that of this "
                 "machine)")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--gpu-arch", flags.archs,
                 "The GPUs to compile for (default: sm_80,sm_90). Programs "
                 "translate kernels for\n"
                 "newer GPUs when they start")
      ->type_name("sm_NN,...")
      ->group(group);
  app.add_option("-O", flags.optimization,
                 "Optimization level, 0 to 3 (default: 2)")
      ->type_name("LEVEL")
      ->group(group);
  app.add_flag("--deterministic", options.deterministic,
               "The same bits for any threads, ranks and mesh (GPUs: of one "
               "kind, with one\n"
               "version of cuFFT). Programs take up to twice the time and more "
               "memory")
      ->group(group);
  app.add_option("--paint", flags.paint,
                 "How paints on GPUs add to cells:\n"
                 "  auto     tiled for particles of a lattice, else atomics "
                 "(default)\n"
                 "  atomics  each particle adds to its cells in memory\n"
                 "  tiled    blocks of particles add in shared memory first; "
                 "faster if\n"
                 "           neighboring particles move together")
      ->type_name("HOW")
      ->group(group);
  app.add_option(
         "--sizes", options.sizes,
         "Sizes of schedules, powers of two. CPU: chunk=64 elements. GPU: "
         "block=256\n"
         "threads, of which group=32 share a row; access=16 bytes; for tiled "
         "paints\n"
         "particles=2048, and row=16 cells along the last dim")
      ->type_name("NAME=NUMBER,...")
      ->group(group);
  app.add_flag("!--no-cache", options.usesCache,
               "Compile every kernel. Without this flag, pmc reuses kernels "
               "from ~/.cache/pmc,\n"
               "or from the folder in the environment variable PMC_CACHE")
      ->group(group);
}

static void addCheckFlags(CLI::App &app, Options &options) {
  const char *group = "Checks in the program";
  app.add_flag("--check-finite", options.checksFinite,
               "Stop at the first expression outside of maps whose value is "
               "not finite. Slower")
      ->group(group);
  app.add_option("--sanitize", options.sanitize,
                 "address: bounds and undefined behavior; thread: data races")
      ->type_name("WHAT")
      ->group(group);
  app.add_flag("-g", options.debug,
               "Line tables in programs, locations in printed IR")
      ->group(group);
  app.add_flag("--emulate-gpu", options.emulate,
               "For tests: run programs for GPUs on a simulated one")
      ->group(group);
}

static void addExplainFlags(CLI::App &app, Options &options,
                            CompilerFlags &flags) {
  const char *group = "Predictions (--explain)";
  app.add_flag("--explain{text}", options.explain,
               "Print the memory, bytes, operations and messages of each op, "
               "and compile\n"
               "nothing: text, json or html (--explain=html writes a page)")
      ->group(group);
  app.add_flag("--explain-memory", options.explainMemory,
               "Print the memory of fields and of stored states, for each "
               "schedule of loops")
      ->group(group);
  app.add_option("--mesh", flags.mesh,
                 "Ranks along the axes of the mesh (default: the spec's)")
      ->type_name("AXIS=N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  repeated(app.add_option("--param", flags.params,
                          "Value of a param, which may decide how often loops "
                          "are executed\n"
                          "(default: the spec's)"))
      ->type_name("NAME=VALUE")
      ->group(group);
  app.add_option("--machine", options.machine,
                 "Predict times on this machine: a name of `pmc machine list`, "
                 "or a file")
      ->type_name("MACHINE")
      ->group(group);
  app.add_option("--profile", options.profile,
                 "Print the times of a run beside the predictions, for its "
                 "mesh and params. The\n"
                 "program's flag --profile writes the file")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--displacement-bound", options.displacementBound,
                 "Cells that particles move beyond the part of their rank "
                 "(default: 2)")
      ->type_name("N")
      ->group(group);
}

static void addTuneFlags(CLI::App &app, Options &options,
                         CompilerFlags &flags) {
  const char *group = "Layouts (pmc tune)";
  app.add_option("--ranks", options.ranks, "Number of ranks")
      ->type_name("N")
      ->group(group);
  app.add_option("--memory", flags.memory,
                 "Memory of a rank, such as 80GiB or 0.5GB (default: that of "
                 "the machine)")
      ->type_name("SIZE")
      ->group(group);
  repeated(app.add_option("--try", flags.tries,
                          "Also compare values of a const: --try "
                          "kernel=fd4,exact"))
      ->type_name("NAME=A,B")
      ->group(group);
  app.add_option("--compare", options.compare,
                 "Compare two layouts message by message:\n"
                 "--compare 'x -> row @ row=4' 'y -> row @ row=4'")
      ->type_name("'LAYOUT @ MESH'")
      ->expected(2)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
  app.add_option("--verify", options.verify,
                 "Run the N fastest layouts here, with ranks as threads, and "
                 "print their times.\n"
                 "Flags after -- are passed to the program")
      ->type_name("N")
      ->group(group);
}

static void addDeveloperFlags(CLI::App &app, Options &options) {
  const char *group = "For developers of pmc";
  app.add_flag("--time-passes", options.timePasses,
               "Print the time of each pass")
      ->group(group);
  app.add_flag("--verify-each", options.verifyEach,
               "Verify the IR after each pass, not only after each stage")
      ->group(group);
  app.add_flag("--print-ir-after-all", options.printAfterAll,
               "Print the IR after each pass")
      ->group(group);
}

void pmc::addCompilerFlags(CLI::App &app, Options &options,
                           CompilerFlags &flags) {
  app.set_help_flag("-h,--help", "Print this help");
  app.add_flag("--version", options.version, "Print the version");
  app.add_flag("--verbose", options.verbose,
               "With --version: also print the bundled libraries and their "
               "licenses")
      ->needs("--version");
  app.add_option("spec", flags.positional, "The spec; 'run SPEC' also runs it")
      ->type_name("[run] SPEC.pm")
      ->expected(0, -1);
  addResultFlags(app, options, flags);
  addSpecFlags(app, options, flags);
  addGradientFlags(app, options, flags);
  addTargetFlags(app, options, flags);
  addCheckFlags(app, options);
  addExplainFlags(app, options, flags);
  addTuneFlags(app, options, flags);
  addDeveloperFlags(app, options);
}
