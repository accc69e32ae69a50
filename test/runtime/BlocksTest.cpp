//===- BlocksTest.cpp - Coloured blocks -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Blocks.h"
#include "test/runtime/Support.h"

#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

TEST(Blocks, CoverEvenlyAndAreWideEnough) {
  for (int64_t rows : {1, 2, 3, 7, 16, 31, 128, 255, 256})
    for (int64_t width : {1, 2, 3, 5, 8, 40, 128, 1000}) {
      const Blocks blocks = cut(rows, width, 32);
      EXPECT_TRUE(blocks.count == 1 || blocks.count % 2 == 0);
      EXPECT_LE(blocks.count, 32);
      EXPECT_EQ(blocks.begin(0), 0);
      EXPECT_EQ(blocks.end(blocks.count - 1), rows);
      for (int64_t b = 0; b < blocks.count; ++b) {
        if (b)
          EXPECT_EQ(blocks.begin(b), blocks.end(b - 1));
        if (blocks.count > 1)
          EXPECT_GE(blocks.end(b) - blocks.begin(b), width);
      }
    }
}

TEST(Blocks, OddCountsBecomeEven) {
  EXPECT_EQ(cut(50, 10, 32).count, 4); // five would fit
  EXPECT_EQ(cut(30, 10, 32).count, 2);
  EXPECT_EQ(cut(19, 10, 32).count, 1);
}

// Blocks of one colour touch different cells, also around the end.
TEST(Blocks, SameColourNeverTouchesTheSameCell) {
  for (double ratio : {0.5, 1.0, 1.5, 2.0, 3.0})
    for (int64_t rows : {12, 30, 64})
      for (int64_t low : {-9, -2, 0, 1})
        for (int64_t spread : {0, 1, 3, 6, 11})
          for (int64_t support : {1, 2, 3, 4}) {
            const int64_t high = low + spread;
            const int64_t width =
                separatingWidth(double(low), double(high), support, ratio);
            const Blocks blocks = cut(rows, width, 32);
            if (blocks.count < 4)
              continue;
            const auto cells = int64_t(std::ceil(double(rows) * ratio));
            for (int64_t colour = 0; colour < 2; ++colour) {
              std::vector<int64_t> owner(size_t(cells), -1);
              for (int64_t b = colour; b < blocks.count; b += 2)
                for (int64_t row = blocks.begin(b); row < blocks.end(b); ++row)
                  for (int64_t c = low; c <= high + support - 1; ++c) {
                    const auto at =
                        int64_t(std::floor(double(row) * ratio)) + c;
                    int64_t &seen =
                        owner[size_t(((at % cells) + cells) % cells)];
                    ASSERT_TRUE(seen == -1 || seen == b)
                        << "ratio " << ratio << " rows " << rows << " low "
                        << low << " high " << high << " support " << support;
                    seen = b;
                  }
            }
          }
}

TEST(Blocks, NarrowSpreadAllowsNarrowBlocks) {
  EXPECT_EQ(separatingWidth(0, 0, 1, 1), 1); // NGP on the lattice
  EXPECT_EQ(separatingWidth(0, 0, 2, 1), 1);
  EXPECT_EQ(separatingWidth(-3, 3, 2, 1), 7);
  EXPECT_EQ(separatingWidth(-3, 3, 2, 2), 3);
}

TEST(Blocks, AbsurdSpreadsGiveOneBlock) {
  EXPECT_EQ(cut(64, separatingWidth(-1e300, 1e300, 2, 1), 32).count, 1);
  EXPECT_EQ(cut(64, separatingWidth(0, 1, 2, 0), 32).count, 1);
  EXPECT_EQ(cut(64, separatingWidth(0, INFINITY, 2, 1), 32).count, 1);
}
