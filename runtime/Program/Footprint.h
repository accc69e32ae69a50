//===- Footprint.h - Memory of a process besides its fields -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_FOOTPRINT_H
#define PMRT_PROGRAM_FOOTPRINT_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// The most bytes of this process that were resident since it began. Unlike
/// those of getrusage, they are not those of who has started it.
int64_t peakResident();

struct Footprint {
  int64_t computing; ///< when outputs are written, at the latest
  int64_t atEnd;     ///< with what makes the outputs' checksums
};

/// What a program and its libraries have resident: pages come when they are
/// used first, so each library does a little of what it will do. Writes no file
/// and does not wait.
Footprint measureFootprint(Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_FOOTPRINT_H
