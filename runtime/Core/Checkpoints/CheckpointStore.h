//===- CheckpointStore.h - States of loops that are reversed ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_CHECKPOINTS_CHECKPOINTSTORE_H
#define PMRT_CORE_CHECKPOINTS_CHECKPOINTSTORE_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// Where a checkpoint store's states are if not in memory.
class StateStore {
public:
  virtual ~StateStore() = default;
  virtual void save(pmrt_loc loc, int64_t slot, const int64_t *numbers,
                    const pmrt_array *const *fields) = 0;
  virtual void restore(pmrt_loc loc, int64_t slot, int64_t *numbers,
                       const pmrt_array *const *fields) = 0;
};

} // namespace pmrt

/// The ABI's memory for states. The fields of a state lie one after the other,
/// each aligned, where fields are; numbers are the host's.
struct pmrt_checkpoint_store {
  int64_t slots = 0;
  int64_t numbers = 0;
  std::vector<int64_t> fieldBytes; ///< of this rank's parts
  int64_t stateBytes = 0;          ///< of all fields of a state
  std::vector<char> saved;         ///< whether a slot holds a state
  std::vector<int64_t> savedNumbers;
  pmrt::Pages pages;
  std::unique_ptr<pmrt::StateStore> store; ///< null: in `pages`

  char *state(int64_t slot) { return pages.data() + slot * stateBytes; }
};

namespace pmrt {

/// None if a parameter was not given, or there is no such number.
std::optional<int64_t> evaluate(const Context &ctx, const Count &count);

/// What is known of a checkpoint store before the program runs.
struct CheckpointStorePlan {
  pmrt_loc location = -1;
  int64_t stateBytes = 0;       ///< on this rank
  std::optional<int64_t> slots; ///< none: known only when the program runs

  double bytes() const {
    return double(slots.value_or(0)) * double(stateBytes);
  }
};

/// One a checkpoint store of the descriptor.
std::vector<CheckpointStorePlan> planCheckpointStores(const Context &ctx);

/// Throws Exit::Usage if a checkpoint store that the program will make does not
/// fit beside the fields. (Two checkpoint stores need not live at one time.)
void checkCheckpointStores(Context &ctx);

} // namespace pmrt

#endif // PMRT_CORE_CHECKPOINTS_CHECKPOINTSTORE_H
