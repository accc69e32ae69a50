//===- Measured.h - What a run took, beside what was predicted --*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_MEASURED_H
#define PMC_CODEGEN_MACHINE_MEASURED_H

#include "passes/Cost/CostReport.h"

#include "llvm/Support/JSON.h"

namespace pmc::machine {

/// What a program's --profile has counted on its first rank.
struct Profile {
  /// Calls of a name and place together; seconds without calls inside of them.
  struct Row {
    std::string name, where;
    double seconds = 0, calls = 0;
  };

  std::string file, sourceHash;
  cost::Ranks mesh;
  cost::Parameters parameters;
  int64_t ranks = 1, threads = 1;
  double seconds = 0; ///< of the whole run
  std::vector<Row> rows;

  /// The file, of a run that went to its end. Errors name it.
  static llvm::Expected<Profile> read(const std::string &file);
};

/// Of one kind of work, at one place or all together.
struct ComparedRow {
  std::string what, where;
  double calls = 0, predicted = 0, measured = 0;
};

/// Times of the report beside those of a run.
struct Comparison {
  std::string source; ///< "p.json, the first of 4 ranks, 1 thread each"
  std::vector<ComparedRow> parts;  ///< transforms, paint, … and together
  std::vector<ComparedRow> places; ///< the slowest first, as measured
  /// Of the run, what has no model: files, planning of transforms, and what is
  /// outside of the runtime's calls.
  double rest = 0;
};

/// The report has times.
Comparison compare(const cost::CostReport &report, const Profile &profile);

llvm::json::Object toJson(const Comparison &comparison);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_MEASURED_H
