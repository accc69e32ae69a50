//===- SharedBoxesTest.cpp - Boxes that loops share -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/SharedBoxes.h"

#include <gtest/gtest.h>

#include <array>

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
