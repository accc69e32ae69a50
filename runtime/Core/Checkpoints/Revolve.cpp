//===- Revolve.cpp - Binomial checkpointing
//-----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Griewank & Walther, Algorithm 799: revolve, ACM TOMS 26 (2000).
//
// States lo ... hi - 1 are to be made in falling order, of which lo is kept and
// `free` others can be. The best way is to keep lo + m as well, make those from
// there on with one slot less, and then those before with the slot free again.
// With s = free + 1 slots, r sweeps reach up to b(s, r) = (s + r over s)
// states, and the fewest steps for l of them, b(s, r - 1) < l <= b(s, r), are
// r l - b(s + 1, r - 1).
//
//===----------------------------------------------------------------------===//

#include "pmrt/pmrt.h"

#include <algorithm>
#include <limits>

namespace {

/// (s + r over s), or the largest number if it is larger.
int64_t binomial(int64_t s, int64_t r) {
  if (s < 0 || r < 0)
    return 0;
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  __int128 product = 1;
  for (int64_t i = 1; i <= std::min(s, r); ++i) {
    product = product * (std::max(s, r) + i) / i;
    if (product > largest)
      return largest;
  }
  return int64_t(product);
}

/// The states [lo, hi), lo of which is kept in `slot`.
struct StepRange {
  int64_t lo, hi, free, slot;

  int64_t size() const { return hi - lo; }
  /// Whether a sweep to its last state keeps another one.
  bool splits() const { return size() > 1 && free > 0; }
  /// How far after lo the next one is kept.
  int64_t split() const {
    const int64_t s = free + 1, l = size();
    int64_t r = 1;
    while (binomial(s, r) < l)
      ++r;
    // Larger ones are as good, up to here; each keeps fewer states.
    return std::min(binomial(s, r - 1), l - binomial(s - 1, r - 1));
  }
  StepRange after(int64_t m) const { return {lo + m, hi, free - 1, slot + 1}; }
  StepRange before(int64_t m) const { return {lo, lo + m, free, slot}; }
};

/// That which the sweep to `target` begins.
StepRange find(int64_t steps, int64_t snapshots, int64_t target) {
  StepRange here{0, std::max<int64_t>(steps, 0) + 1,
                 std::max<int64_t>(snapshots, 1) - 1, 0};
  while (target != here.hi - 1 && here.splits()) {
    const int64_t m = here.split();
    here = target >= here.lo + m ? here.after(m) : here.before(m);
  }
  return here;
}

} // namespace

int64_t pmrt_revolve_from(int64_t steps, int64_t snapshots, int64_t target) {
  return find(steps, snapshots, target).lo;
}

int64_t pmrt_revolve_from_slot(int64_t steps, int64_t snapshots,
                               int64_t target) {
  return find(steps, snapshots, target).slot;
}

int64_t pmrt_revolve_slot(int64_t steps, int64_t snapshots, int64_t target,
                          int64_t state) {
  StepRange here = find(steps, snapshots, target);
  // The first state of all is nowhere yet when the first sweep begins.
  if (state == here.lo)
    return target == steps ? 0 : -1;
  while (here.splits() && here.lo < state && here.hi - 1 == target) {
    here = here.after(here.split());
    if (here.lo == state)
      return here.slot;
  }
  return -1;
}
