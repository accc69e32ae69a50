//===- FormatTest.cpp - Sizes and times for people ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
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

TEST(Format, UnitsChangeAtTheirLimits) {
  const std::pair<double, const char *> times[] = {
      {0.9999e-3, "999.9 us"}, {1e-3, "1.00 ms"},
      {0.99999, "999.99 ms"},  {1, "1.0 s"},
      {99.94, "99.9 s"},       {99.96, "1 min 40 s"},
      {3599.4, "59 min 59 s"}, {3599.6, "1 h 00 min"},
      {3600, "1 h 00 min"},    {7199, "1 h 59 min"},
      {7200, "2 h 00 min"},    {360000, "100 h 00 min"}};
  for (const auto &[seconds, text] : times)
    EXPECT_EQ(secondsText(seconds), text);
  double size = 1;
  for (const char *unit : {"KiB", "MiB", "GiB", "TiB", "PiB"}) {
    size *= 1024;
    EXPECT_EQ(bytesText(size), fmt::format("1.0 {}", unit));
    EXPECT_NE(bytesText(size - size / 1024), fmt::format("1.0 {}", unit));
  }
  EXPECT_EQ(bytesText(1024 * size), "1024.0 PiB");
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
