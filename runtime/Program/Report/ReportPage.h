//===- ReportPage.h - The page about a run ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_REPORT_REPORTPAGE_H
#define PMRT_PROGRAM_REPORT_REPORTPAGE_H

#include "runtime/Core/Context.h"

#include <string>

namespace pmrt {

/// One page of HTML that needs no other file: what ran, its pictures, outputs,
/// losses and warnings, and with --profile where the time went. `record`:
/// run.json; `events`: what gatherEvents gave.
std::string reportPage(Context &context, const std::string &record,
                       const std::string &events);

} // namespace pmrt

#endif // PMRT_PROGRAM_REPORT_REPORTPAGE_H
