//===- BlocksTest.cpp - Coloured blocks -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Particles/Blocks.h"
#include "test/runtime/Support.h"

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
