//===- StepBound.h - What a step takes at least -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_CHECKPOINTS_STEPBOUND_H
#define PMRT_CORE_CHECKPOINTS_STEPBOUND_H

#include "pmrt/pmrt.h"
#include "runtime/Core/Descriptor.h"

#include <optional>
#include <string>

namespace pmrt {

class Context;

/// A lower bound of the time of a step, from what it surely reads and writes
/// and from how fast memory is swept over.
struct StepBound {
  double bytes = 0;   ///< that all ranks move, each its own
  double rate = 0;    ///< bytes/s that all ranks together sweep over
  double seconds = 0; ///< at twice that rate; 0: nothing is known

  /// "moves at least 3 GiB of memory; the measured rate is 12 GiB/s: at least
  /// 125 ms at twice that rate".
  std::string text() const;
};

/// Of a step of the program's loop. Measures for some ms, in memory of its own,
/// which it gives back. A collective.
StepBound boundStep(Context &context, const LoopMoves &loop);

/// Of the loop at that place; if there are several, of the fastest. The host's
/// alone: of a GPU nothing is known.
StepBound boundStep(Context &context, pmrt_loc loc);

} // namespace pmrt

#endif // PMRT_CORE_CHECKPOINTS_STEPBOUND_H
