//===- Folder.h - The states in a folder ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_INSPECT_FOLDER_H
#define PMRT_INSPECT_FOLDER_H

#include "runtime/IO/States/StateHead.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pmrt::inspect {

/// A state, and what was found in its parts.
struct Found {
  State state;
  std::string written; ///< when, "2026-11-22T20:50:31Z"; empty: unknown
  int parts = 0;       ///< that are there
  int64_t bytes = 0;   ///< of these
  std::string problem; ///< the first one; empty: it is whole
};

/// What NAME.ckpt names.
struct Checkpoint {
  std::string name, folder;
  StateHead head;
  std::string problem; ///< of NAME.ckpt itself; the rest is empty then
  std::vector<Found> states;

  int ranks() const;
  std::string part(const State &state, int rank) const;
  /// The newest state that is whole: what --resume goes on from. Null: none.
  const Found *newest() const;
  /// Whether NAME.ckpt and all states are whole.
  bool isWhole() const;
};

struct Folder {
  std::string path;
  std::vector<Checkpoint> checkpoints; ///< by name
  /// Parts that no NAME.ckpt names, of runs that were killed as they wrote.
  int64_t left = 0, leftBytes = 0;
};

/// Reads every byte of the states. Throws std::runtime_error where there is no
/// NAME.ckpt. A run may write to the folder at the same time.
Folder look(const std::string &path);

} // namespace pmrt::inspect

#endif // PMRT_INSPECT_FOLDER_H
