//===- NpyTest.cpp - NumPy's file format ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Npy.h"
#include "test/runtime/Support.h"

using namespace pmrt;
using namespace pmrt::test;

namespace {

std::string file(const std::string &dict, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += char(dict.size() & 255);
  out += char(dict.size() >> 8);
  if (version > 1)
    out += std::string(2, '\0');
  return out + dict;
}

} // namespace

TEST(Npy, WritesAndReadsItsOwnHeader) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{}, {7}, {3, 4}, {128, 128, 65}}) {
    const std::string bytes = npyHeader(PMRT_F32, shape);
    EXPECT_EQ(bytes.size() % 64, 0u);
    const NpyHeader header = parseNpyHeader(bytes);
    EXPECT_EQ(header.shape, shape);
    EXPECT_EQ(header.descr, "<f4");
    EXPECT_FALSE(header.fortran);
    EXPECT_EQ(header.dataOffset, int64_t(bytes.size()));
  }
}

// Texts of 64 lengths that follow each other, so that each number of blanks is
// there.
TEST(Npy, HeadersOfEveryLengthAreAligned) {
  for (size_t rank = 1; rank <= 24; ++rank)
    for (int64_t last : {1, 10, 100}) {
      std::vector<int64_t> shape(rank, 1);
      shape.back() = last;
      const std::string bytes = npyHeader(PMRT_F64, shape);
      ASSERT_EQ(bytes.size() % 64, 0u) << rank << " dims, the last of " << last;
      EXPECT_LE(bytes.size(), 192u);
      EXPECT_EQ(bytes.back(), '\n');
      EXPECT_EQ(parseNpyHeader(bytes).shape, shape);
    }
}

TEST(Npy, ReadsOtherSpellings) {
  for (char version : {1, 2, 3}) {
    const NpyHeader header = parseNpyHeader(file(
        "{\"shape\":(3,),'descr' : \">f8\", 'fortran_order':True}\n", version));
    EXPECT_EQ(header.shape, std::vector<int64_t>{3});
    EXPECT_EQ(header.descr, ">f8");
    EXPECT_TRUE(header.fortran);
  }
}

TEST(Npy, RefusesDamage) {
  for (const std::string &bad :
       {std::string(), std::string("hello, this is text"), file("", 9),
        file("{'descr': '<f4'}"), file("{'descr': '<f4', 'shape': (3"),
        file("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}"),
        file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}"),
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
        file("{'descr': '<f4', 'fortran_order': False, "
             "'shape': (99999999999999999999,)}"),
        file("{'other': '<f4'}"), std::string("\x93NUMPY\1\0\xff\xff{", 11)})
    EXPECT_THROW(parseNpyHeader(bad), std::runtime_error) << bad;
}
