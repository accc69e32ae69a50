//===- Tape.h - States of loops that are reversed -----------------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_TAPE_H
#define PMRT_CORE_TAPE_H

#include "runtime/Core/Context.h"

/// The ABI's memory for states. A state is its fields, one after the other,
/// each aligned, and then its numbers.
struct pmrt_tape {
  int64_t slots = 0;
  int64_t numbers = 0;
  std::vector<int64_t> fieldBytes; ///< of this rank's parts
  int64_t stateBytes = 0;
  std::vector<char> saved;   ///< whether a slot holds a state
  pmrt::Pages pages;         ///< the fields of every slot
  std::vector<int64_t> kept; ///< the numbers of every slot

  char *state(int64_t slot) { return pages.data() + slot * stateBytes; }
};

namespace pmrt {

/// What is known of a tape before the program runs.
struct TapePlan {
  pmrt_loc location = -1;
  int64_t stateBytes = 0;       ///< on this rank
  std::optional<int64_t> slots; ///< none: known only when the program runs

  double bytes() const {
    return double(slots.value_or(0)) * double(stateBytes);
  }
};

/// One a tape of the descriptor.
std::vector<TapePlan> planTapes(const Context &ctx);

/// Throws Exit::Usage if a tape that the program will make does not fit beside
/// the fields. (Two tapes need not live at one time.)
void checkTapes(Context &ctx);

} // namespace pmrt

#endif // PMRT_CORE_TAPE_H
