//===- Failures.h - Errors of a run, thrown and printed ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FAILURES_H
#define PMRT_PROGRAM_FAILURES_H

#include "runtime/Base/Error.h"
#include "runtime/Core/Context.h"

#include <functional>
#include <string>

namespace pmrt {

/// Prints `text` on standard output. Throws an Error of all ranks if it cannot
/// be written.
void printOrFail(const std::string &text);

/// Prints an error and its notes on standard error. An error without a location
/// begins with `command`; `rank` is printed before its text.
void printError(const std::string &command, const Error &error,
                const std::string &rank = "");

/// Returns the exception that is being handled as an Error, located at the
/// operation that was running.
Error currentError(const pmrt_context &context);

/// Does work that may fail on some ranks only. If it fails on any rank, all
/// ranks throw Exit::Usage.
void onAll(pmrt_context &context, const std::function<void()> &work);

/// Returns the text of the exception that `work` throws, or "".
std::string whatFails(const std::function<void()> &work);

} // namespace pmrt

#endif // PMRT_PROGRAM_FAILURES_H
