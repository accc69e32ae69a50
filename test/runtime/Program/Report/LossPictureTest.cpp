//===- LossPictureTest.cpp - Pictures of the losses of fits ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/LossPicture.h"
#include "test/runtime/Support.h"

#include <algorithm>

using namespace pmrt;
using namespace pmrt::test;

using Points = std::vector<std::pair<double, double>>;

/// Losses that go up and down, with one far above and one far below.
static Points zigzag(size_t count) {
  Points points;
  for (size_t i = 0; i < count; ++i)
    points.emplace_back(double(i), double((7 * i) % 5));
  if (count > 900) {
    points[777].second = 1000;
    points[888].second = -1000;
  }
  return points;
}

TEST(LossPicture, FewPointsStay) {
  for (const size_t count : {1, 2, 999, 1000})
    EXPECT_EQ(thinnedLosses(zigzag(count)), zigzag(count)) << count;
}

TEST(LossPicture, ManyPointsKeepExtremesAndTheLastOne) {
  // With last losses that are least, largest and neither in their part.
  for (size_t count = 1001; count < 1031; ++count) {
    const Points all = zigzag(count), few = thinnedLosses(all);
    EXPECT_LE(few.size(), size_t(1001)) << count;
    EXPECT_TRUE(std::is_sorted(few.begin(), few.end())) << count;
    EXPECT_EQ(few.front().first, 0) << count;
    EXPECT_EQ(few.back(), all.back()) << count;
    for (const size_t extreme : {777, 888})
      EXPECT_NE(std::find(few.begin(), few.end(), all[extreme]), few.end())
          << count;
  }
}
