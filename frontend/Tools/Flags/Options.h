//===- Options.h - The flags of pmc -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_FLAGS_OPTIONS_H
#define PMC_FRONTEND_TOOLS_FLAGS_OPTIONS_H

#include "codegen/Program/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pmc {

/// What pmc makes, in the order in which a spec becomes it.
enum class Stage {
  AST,
  PM,
  Grad,
  Sharded,
  Lowered,
  Kernels,
  PTX,
  LLVM,
  Asm,
  Obj,
  Lib,
  Shared,
  Exe
};

/// Names and values, as -D gives them.
using Consts = std::vector<std::pair<std::string, std::string>>;

/// A derivative that takes the program's place.
struct DerivativeEntry {
  std::string kind; ///< "vjp" or "jvp"
  std::vector<std::string> wrt, of;
};

struct Options {
  std::string input;                     ///< a spec; "-": standard input
  bool version = false, verbose = false; ///< the version only
  std::string output; ///< empty: named after the spec; text to standard output
  Stage emit = Stage::Exe;
  Consts defines;
  std::vector<std::string> include;
  std::string layout;
  std::string precision = "f32";
  std::string schedule = "keep"; ///< or "reverse", "revolve:SNAPSHOTS"
  bool isScheduleGiven = false;
  std::vector<DerivativeEntry> derivatives; ///< each of the one before
  std::string cpu = "native";
  codegen::Target target = codegen::Target::CPU;
  std::vector<unsigned> gpuArchs{80, 90};
  bool checksFinite = false;  ///< every value, while the program runs
  bool deterministic = false; ///< the same bits in every run on GPUs
  std::string paint = "auto"; ///< how paints on GPUs add
  std::string sizes;          ///< of schedules, NAME=NUMBER,...
  bool emulate = false;       ///< for a simulated GPU, too
  std::string sanitize;       ///< "address", "thread" or empty
  unsigned optimization = 2;
  bool usesCache = true;   ///< of objects that earlier compilations made
  bool verifies = true;    ///< whether the IR of the front end is verified
  bool verifyEach = false; ///< the IR, after each pass
  bool debug = false;
  bool timePasses = false;
  bool printAfterAll = false;
  bool explainMemory = false; ///< print what memory is for, make nothing
  std::string explain;        ///< print costs: "text", "json" or empty
  /// Of which mesh and parameters.
  std::vector<std::pair<std::string, int64_t>> mesh;
  std::vector<std::pair<std::string, double>> params;
  int64_t displacementBound = 2;
  std::string machine; ///< its file or name; empty: no times

  /// `pmc tune`: layouts for so many ranks of the machine are compared.
  bool tune = false;
  /// Two layouts that it compares instead, "x -> row @ row=4".
  std::vector<std::string> compare;
  /// Values of consts that it compares, too.
  std::vector<std::pair<std::string, std::vector<std::string>>> tries;
  int64_t verify = 0;  ///< how many of the best it runs here
  std::string profile; ///< a run's, to be shown beside the costs
  int64_t ranks = 0;
  double memory = 0; ///< bytes a rank may take; 0: what the machine has

  /// `pmc run`: the program is executed with these flags and then removed.
  bool run = false;
  std::vector<std::string> programFlags;

  bool hasGpu() const { return target == codegen::Target::CUDA; }

  /// Each choice of one value for each of `tries`; an empty one if there are
  /// none.
  std::vector<Consts> listTried() const;

  /// The N of `--schedule=revolve:N`; 0: there is none.
  int64_t getSnapshots() const;

  /// Adds what -D says, "NAME=VALUE"; the exit code.
  int addDefines(llvm::ArrayRef<std::string> texts);

  /// Reads the command line. If there is nothing to do (--help, or a mistake,
  /// both of which have been printed), the exit code.
  static std::optional<int> parse(int argc, char **argv, Options &options);
};

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_FLAGS_OPTIONS_H
