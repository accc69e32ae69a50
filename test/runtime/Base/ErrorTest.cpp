//===- ErrorTest.cpp - Codes of messages ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Error.h"

#include <gtest/gtest.h>

using namespace pmrt;

TEST(Codes, AreAtTheEnd) {
  EXPECT_EQ(coded("[PM9001] --a is unknown"), "--a is unknown [PM9001]");
  EXPECT_EQ(coded("--a is unknown [PM9001]"), "--a is unknown [PM9001]");
  EXPECT_EQ(coded("rank 2: [PM9001] text"), "rank 2: text [PM9001]");
  EXPECT_EQ(coded("[PM9105] a rank is lost\ntable\n"),
            "a rank is lost [PM9105]\ntable\n");
}

TEST(Codes, OfAPartRemain) {
  EXPECT_EQ(coded("[PM9006] --data: a.npy is too large [PM9009]"),
            "--data: a.npy is too large [PM9009]");
  EXPECT_EQ(coded("[PM9006] --data: [PM9009] too large; use less"),
            "--data: too large; use less [PM9009]");
}

TEST(Codes, OfWarningsRemain) {
  EXPECT_EQ(codedWarning("a.pm:1:2: warning: [PM9201] a is large"),
            "a.pm:1:2: warning: a is large [PM9201]");
  EXPECT_EQ(codedWarning("[PM9205] a state is damaged [PM9008]; use another"),
            "a state is damaged; use another [PM9205]");
  EXPECT_EQ(codedWarning("[PM9208] slower [PM9011]\ntable"),
            "slower [PM9208]\ntable");
}

TEST(Codes, OfOtherMessages) {
  EXPECT_EQ(coded("no space"), "no space [PM9109]");
  EXPECT_EQ(coded("internal error: a"), "internal error: a [PM9110]");
  EXPECT_EQ(coded("a[PM901] [PMabcd] [PM90012]"),
            "a[PM901] [PMabcd] [PM90012] [PM9109]");
}

TEST(Codes, OfErrors) {
  EXPECT_STREQ(usageError("[PM9001] {} is unknown", "--a").what(),
               "--a is unknown [PM9001]");
  EXPECT_STREQ(Error(Exit::Interrupted, "", "interrupted").what(),
               "interrupted");
}
