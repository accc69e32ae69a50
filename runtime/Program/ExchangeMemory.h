//===- ExchangeMemory.h - Memory of halos and messages ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_EXCHANGEMEMORY_H
#define PMRT_PROGRAM_EXCHANGEMEMORY_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// The largest number of bytes at one time if particles move at most `distance`
/// cells out of their rank's cells.
struct ExchangeMemory {
  int64_t distance = 0;
  int64_t halos = 0;    ///< where the fields are
  int64_t rows = 0;     ///< addresses of rows, in the host's memory
  int64_t messages = 0; ///< on a GPU, beside fields and halos
};

/// Follows the halos and messages of the program, without memory for them.
ExchangeMemory exchangeMemory(Context &context, int64_t distance);

/// Distances 0, 1, 2, 4 and so on, up to the whole mesh; only 0 if no halo
/// depends on how far particles move. The same on all ranks.
std::vector<int64_t> exchangeDistances(const Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_EXCHANGEMEMORY_H
