//===- RevolveTest.cpp - Binomial checkpointing ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/pmrt.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace {

/// Does what a program does, on states that know their number. Returns the
/// steps that were made.
int64_t reverse(int64_t steps, int64_t snapshots) {
  std::vector<int64_t> store(size_t(std::min(steps, snapshots)), -1);
  int64_t made = 0;
  auto sweep = [&](int64_t state, int64_t target) {
    for (; state < target; ++state, ++made) {
      const int64_t slot = pmrt_revolve_slot(steps, snapshots, target, state);
      if (slot >= 0)
        store.at(size_t(slot)) = state;
    }
  };
  EXPECT_EQ(pmrt_revolve_from(steps, snapshots, steps), 0);
  sweep(0, steps);
  for (int64_t target = steps - 1; target >= 0; --target) {
    const int64_t from = pmrt_revolve_from(steps, snapshots, target);
    const int64_t slot = pmrt_revolve_from_slot(steps, snapshots, target);
    EXPECT_LE(from, target);
    EXPECT_EQ(store.at(size_t(slot)), from)
        << steps << " steps, " << snapshots << " snapshots, to " << target;
    sweep(from, target);
  }
  return made;
}

/// The fewest steps for `states` states with `slots` slots, of which the first
/// state has one: by trying everything.
std::vector<std::vector<int64_t>> fewest(int64_t states, int64_t slots) {
  std::vector<std::vector<int64_t>> t(
      size_t(slots + 1), std::vector<int64_t>(size_t(states + 1), 0));
  for (int64_t s = 1; s <= slots; ++s)
    for (int64_t l = 2; l <= states; ++l) {
      int64_t best = l * (l - 1) / 2;
      for (int64_t m = 1; s > 1 && m < l; ++m)
        best = std::min(best, m + t[size_t(s - 1)][size_t(l - m)] +
                                  t[size_t(s)][size_t(m)]);
      t[size_t(s)][size_t(l)] = best;
    }
  return t;
}

} // namespace

TEST(Revolve, AsFewStepsAsPossible) {
  const auto best = fewest(201, 12);
  for (int64_t snapshots = 1; snapshots <= 12; ++snapshots)
    for (int64_t steps : {0, 1, 2, 3, 4, 5, 7, 10, 19, 20, 21, 40, 77, 200})
      EXPECT_EQ(reverse(steps, snapshots),
                best[size_t(snapshots)][size_t(steps + 1)])
          << steps << " steps, " << snapshots << " snapshots";
}

TEST(Revolve, PublishedNumbers) {
  // Griewank & Walther: t(l, s) = r l - (s + r over s + 1), of which our last
  // state is the one after the loop.
  EXPECT_EQ(reverse(9, 3), 2 * 10 - 5);   // l = (3 + 2 over 3)
  EXPECT_EQ(reverse(55, 3), 5 * 56 - 70); // l = (3 + 5 over 3)
  EXPECT_EQ(reverse(99, 1), 99 * 100 / 2);
}

TEST(Revolve, EnoughSlotsMeanNothingTwice) {
  for (int64_t steps : {1, 10, 100})
    for (int64_t more : {0, 1, 1000})
      EXPECT_EQ(reverse(steps, steps + more), steps);
}

TEST(Revolve, ManySteps) {
  // r = 3 sweeps reach up to 1771 states with 20 slots.
  EXPECT_EQ(reverse(1770, 20), 3 * 1771 - 1771 * 3 / 21);
  for (int64_t target : {int64_t(1) << 40, (int64_t(1) << 40) - 1, int64_t(5)})
    EXPECT_LE(pmrt_revolve_from(int64_t(1) << 40, 30, target), target);
}
