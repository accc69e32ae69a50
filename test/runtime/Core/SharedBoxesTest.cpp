//===- SharedBoxesTest.cpp - Boxes that loops share -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/SharedBoxes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace pmrt;

namespace {

constexpr std::array<int64_t, 2> extent = {10, 7}, sites = {4, 4};

/// The limits of a range, and how often they are computed.
double get(SharedBoxes &boxes, std::array<int64_t, 4> range, int &count) {
  return boxes.get(range.data(), [&](BoxLimits &limits) {
    ++count;
    limits[0] = double(100 * range[0] + 10 * range[2] + count);
  })[0];
}

} // namespace

TEST(SharedBoxes, LimitsOfABlockAreComputedOnce) {
  SharedBoxes boxes;
  boxes.reset(2, extent.data(), sites.data());
  int count = 0;
  EXPECT_EQ(get(boxes, {4, 8, 4, 7}, count), 441);
  EXPECT_EQ(get(boxes, {8, 10, 4, 7}, count), 842);
  EXPECT_EQ(get(boxes, {4, 8, 4, 7}, count), 441);
  EXPECT_EQ(count, 2);
}

TEST(SharedBoxes, PartsOfBlocksAreComputedEachTime) {
  SharedBoxes boxes;
  boxes.reset(2, extent.data(), sites.data());
  int count = 0;
  get(boxes, {4, 6, 4, 7}, count);
  get(boxes, {4, 6, 4, 7}, count);
  get(boxes, {5, 8, 4, 7}, count);
  get(boxes, {4, 10, 4, 7}, count);
  EXPECT_EQ(count, 4);
}

TEST(SharedBoxes, ResetForgetsAndOtherBlocksDoNotFit) {
  SharedBoxes boxes;
  EXPECT_FALSE(boxes.fits(2, extent.data(), sites.data())); // none yet
  boxes.reset(2, extent.data(), sites.data());
  EXPECT_TRUE(boxes.fits(2, extent.data(), sites.data()));
  constexpr std::array<int64_t, 2> larger = {4, 8}, longer = {10, 8};
  EXPECT_FALSE(boxes.fits(2, extent.data(), larger.data()));
  EXPECT_FALSE(boxes.fits(2, longer.data(), sites.data()));
  int count = 0;
  get(boxes, {0, 4, 0, 4}, count);
  boxes.reset(2, extent.data(), sites.data());
  get(boxes, {0, 4, 0, 4}, count);
  EXPECT_EQ(count, 2);
}

TEST(SharedBoxes, RenewedLimitsAreKeptForOneLoop) {
  SharedBoxes boxes;
  boxes.reset(2, extent.data(), sites.data());
  int count = 0;
  constexpr std::array<int64_t, 4> whole = {4, 8, 0, 4}, upper = {4, 6, 0, 4},
                                   lower = {6, 8, 0, 4}, other = {0, 4, 0, 4};
  get(boxes, whole, count);
  get(boxes, other, count);
  boxes.forget(whole.data());
  boxes.include(upper.data(), {1, 5, -2, 3});
  boxes.include(lower.data(), {-1, 4, -1, 7});
  boxes.renew();
  boxes.reset(2, extent.data(), sites.data());
  const BoxLimits limits = boxes.get(whole.data(), [](BoxLimits &) { FAIL(); });
  EXPECT_EQ(limits[0], -1);
  EXPECT_EQ(limits[1], 5);
  EXPECT_EQ(limits[2], -2);
  EXPECT_EQ(limits[3], 7);
  boxes.reset(2, extent.data(), sites.data());
  get(boxes, whole, count);
  get(boxes, other, count);
  EXPECT_EQ(count, 4);
}

TEST(SharedBoxes, RenewedLimitsOfOtherBlocksAreForgotten) {
  SharedBoxes boxes;
  boxes.reset(2, extent.data(), sites.data());
  int count = 0;
  get(boxes, {0, 4, 0, 4}, count);
  boxes.renew();
  constexpr std::array<int64_t, 2> longer = {10, 9};
  boxes.reset(2, longer.data(), sites.data());
  get(boxes, {0, 4, 0, 4}, count);
  EXPECT_EQ(count, 2);
}

TEST(SharedBoxes, APositionThatIsNotFiniteStaysSo) {
  for (const bool isFirst : {true, false}) {
    SharedBoxes boxes;
    boxes.reset(2, extent.data(), sites.data());
    constexpr std::array<int64_t, 4> upper = {0, 2, 0, 4}, lower = {2, 4, 0, 4},
                                     whole = {0, 4, 0, 4};
    const BoxLimits bad = {NAN, NAN, 1, 2}, good = {1, 2, 1, 2};
    boxes.include(upper.data(), isFirst ? bad : good);
    boxes.include(lower.data(), isFirst ? good : bad);
    const BoxLimits limits =
        boxes.get(whole.data(), [](BoxLimits &) { FAIL(); });
    EXPECT_TRUE(std::isnan(limits[0]) && std::isnan(limits[1]));
    EXPECT_EQ(limits[3], 2);
  }
}
