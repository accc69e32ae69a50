//===- Reversal.h - How well loops were reversed ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_CHECKPOINTS_REVERSAL_H
#define PMRT_CORE_CHECKPOINTS_REVERSAL_H

#include "pmrt/pmrt.h"

#include <string>
#include <vector>

namespace pmrt {

/// The errors of a loop whose states are recovered from the last one. Rounding
/// grows as the loop is gone through backwards, so that the state at the start
/// is the one recovered worst.
class Reversal {
public:
  /// From here on a gradient is not to be trusted.
  static constexpr double limit = 1e-2;

  /// `names`: of what is recovered, with commas.
  Reversal(pmrt_loc loc, const std::string &names);

  /// Adds the errors of one run of the loop. Whether they are worth a message:
  /// the first ones are, and those twice as large as the last told.
  bool add(const double *run);

  bool isOf(pmrt_loc where, const std::string &what) const {
    return loc == where && list == what;
  }
  pmrt_loc location() const { return loc; }
  const std::vector<std::string> &names() const { return fields; }
  /// One a name: the worst so far.
  const std::vector<double> &errors() const { return worst; }
  bool isBad() const { return told > limit; }
  /// "the state at the start was recovered to 3.1e-06 of its rms (s.disp),
  /// 2.0e-05 (s.mom)".
  std::string text() const;

private:
  pmrt_loc loc;
  std::string list;
  std::vector<std::string> fields;
  std::vector<double> worst;
  double told = -1;
};

} // namespace pmrt

#endif // PMRT_CORE_CHECKPOINTS_REVERSAL_H
