//===- Targets.h - What a run will write ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FLAGS_TARGETS_H
#define PMRT_PROGRAM_FLAGS_TARGETS_H

#include "runtime/Core/Context.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pmrt {

/// A file that the run writes.
struct Target {
  std::string what;           ///< "output 'density'"
  std::filesystem::path path; ///< '*': the number of an iteration
};
std::vector<Target> targetsOf(const Context &context);

/// Every file can be written, as far as can be known before, and no file that
/// the run will write takes the place of an input, by whatever
/// name or link, or of another file that it writes. Throws Exit::Usage.
void checkTargets(const Context &context);

/// Bytes of the outputs, as far as their sizes are known.
int64_t leastOutputBytes(const Context &context);

/// Throws Exit::Usage if the disk has less space than the outputs will take, as
/// far as their sizes are known; those in loops count once.
void checkDisk(const Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_FLAGS_TARGETS_H
