//===- DescriptorTest.cpp - The compiler's description of a program -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

TEST(Descriptor, Minimal) {
  const Descriptor d = Descriptor::parse(R"({"name": "p"})");
  EXPECT_EQ(d.name, "p");
  EXPECT_TRUE(d.params.empty());
}

TEST(Descriptor, Values) {
  const Descriptor d = Descriptor::parse(R"({"name": "p", "params": [
    {"name": "a", "type": "f64", "default": 1.5, "min": 0, "max": 2,
     "min_open": true},
    {"name": "s", "type": "u64", "default": 18446744073709551615},
    {"name": "b", "type": "bool", "default": true},
    {"name": "o", "type": "int", "optional": true}],
    "dims": [{"name": "kz", "extent": 128, "kind": "half"}]})");
  EXPECT_EQ(d.params[0].initial->real, 1.5);
  EXPECT_EQ(rangeText(d.params[0]), "(0, 2]");
  EXPECT_EQ(valueText(d.params[1], *d.params[1].initial),
            "18446744073709551615");
  EXPECT_EQ(d.params[2].initial->bits, 1);
  EXPECT_FALSE(d.params[3].initial);
  EXPECT_TRUE(d.params[3].optional);
  EXPECT_EQ(d.dims[0].stored(), 65);
}

TEST(Descriptor, DamageIsAnInternalError) {
  for (const char *bad :
       {"", "{", "[]", "{}", R"({"name": "p", "params": [{"name": "a"}]})",
        R"({"name": "p", "params": [{"name": "a", "type": "text"}]})",
        R"({"name": "p", "buffers": [{"element": "f32", "dims": [0],
            "start": 0, "end": 1}]})",
        R"({"name": "p", "buffers": [{"element": "f32", "dims": [],
            "start": 2, "end": 1}]})",
        R"({"name": "p", "dims": [{"name": "x", "extent": -1}]})",
        R"({"name": "p", "halos": [{"element": "f32", "dims": [0]}]})",
        R"({"name": "p", "outputs": [{"name": "a", "kind": "video"}]})"})
    EXPECT_CONTAINS(messageOf([&] { Descriptor::parse(bad); }),
                    "internal error: bad program descriptor");
}
