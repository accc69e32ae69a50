//===- FormatTest.cpp - Sizes and times for people ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Format.h"
#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

TEST(Format, Sizes) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1023), "1023 B");
  EXPECT_EQ(bytesText(1536), "1.5 KiB");
  EXPECT_EQ(bytesText(64.0 * (1 << 20)), "64.0 MiB");
}

TEST(Format, Times) {
  EXPECT_EQ(secondsText(2e-6), "2.0 us");
  EXPECT_EQ(secondsText(0.0015), "1.50 ms");
  EXPECT_EQ(secondsText(12.34), "12.3 s");
  EXPECT_EQ(secondsText(125), "2 min 05 s");
  EXPECT_EQ(secondsText(3720), "1 h 02 min");
}

TEST(Format, Indices) {
  EXPECT_EQ(shapeText({128, 128, 65}), "128x128x65");
  EXPECT_EQ(shapeText({}), "scalar");
  EXPECT_EQ(indexText({4, 5, 6}, 37), "[1, 1, 1]");
  EXPECT_EQ(indexText({7}, 3), "[3]");
}

TEST(Format, Suggestions) {
  const std::vector<std::string> names = {"omega_m", "omega_b", "seed", "box"};
  EXPECT_EQ(closest("omga_m", names), 0);
  EXPECT_EQ(closest("sede", names), 2); // letters swapped
  EXPECT_EQ(closest("bx", names), 3);
  EXPECT_EQ(closest("temperature", names), -1);
  EXPECT_EQ(closest("", names), -1);
}
