//===- Report.h - The plan before a run, the record after it ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_REPORT_H
#define PMRT_PROGRAM_REPORT_REPORT_H

#include "runtime/Core/Context.h"
#include "runtime/Program/ExchangeMemory.h"

#include <string>
#include <vector>

namespace pmrt {

/// Bytes on the ranks that need the most of each.
struct MemoryNeeds {
  int64_t fields = 0;
  int64_t transforms = 0; ///< over ranks
  int64_t sorting = 0;    ///< of particles
  int64_t likely = 0;     ///< of that, what is likely to be used
  WorkspaceNeeds gpu;     ///< workspaces of calls on a GPU
  /// For dry runs: the memory of halos and messages, by the distance that
  /// particles move.
  std::vector<ExchangeMemory> exchanges;
};

/// What --dry-run prints. `inputs`: what checkInputs returned.
std::string planText(Context &context, const std::vector<std::string> &inputs,
                     const MemoryNeeds &most);
/// What steps of loops take at least; a line a loop of which something is
/// known. Measures: all ranks call it, after memory has been measured.
std::string timeText(Context &context);

/// The text of run.json. `status`: "running", "done", "failed" or
/// "interrupted".
std::string runRecord(Context &context, const std::string &status,
                      const std::string &error, double seconds);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_REPORT_H
