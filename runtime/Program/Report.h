//===- Report.h - The plan before a run, the record after it ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_H
#define PMRT_PROGRAM_REPORT_H

#include "runtime/Core/Context.h"

#include <string>
#include <vector>

namespace pmrt {

/// What --dry-run prints. `inputs`: what checkInputs returned; `most`, `work`:
/// bytes for fields and for transforms on the ranks that have the most.
std::string planText(Context &context, const std::vector<std::string> &inputs,
                     int64_t most, int64_t work);

/// The text of run.json. `status`: "done", "failed" or "interrupted".
std::string runRecord(Context &context, const std::string &status,
                      const std::string &error, double seconds);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_H
