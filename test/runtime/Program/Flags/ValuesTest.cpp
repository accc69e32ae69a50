//===- ValuesTest.cpp - Values on the command line ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Values.h"
#include "test/runtime/Support.h"

#include <map>

using namespace pmrt;
using namespace pmrt::test;

namespace {

Parameter param(ParamType type) {
  Parameter p;
  p.name = "p";
  p.type = type;
  return p;
}

} // namespace

TEST(Values, Numbers) {
  Parameter p = param(ParamType::F64);
  p.unit = "Mpc/h";
  EXPECT_EQ(parseParam(p, "1e-3").real, 1e-3);
  EXPECT_EQ(parseParam(p, "+400").real, 400);
  EXPECT_EQ(parseParam(p, "400 Mpc/h").real, 400);
  EXPECT_EQ(parseParam(p, "-.5").real, -0.5);
  for (const char *bad : {"", "abc", "1,5", "1 2", "--3", "0x"})
    EXPECT_CONTAINS(messageOf([&] { parseParam(p, bad); }), "--p: ");
  for (const char *bad : {"nan", "inf", "-inf", "1e999"})
    EXPECT_CONTAINS(messageOf([&] { parseParam(p, bad); }),
                    "is not a finite number");
  EXPECT_CONTAINS(messageOf([&] { parseParam(p, "400 Mpc"); }),
                  "has the unit Mpc, but the value is in Mpc/h");
}

TEST(Values, WholeNumbers) {
  const Parameter i = param(ParamType::Int), u = param(ParamType::U64);
  EXPECT_EQ(parseParam(i, "-7").bits, -7);
  EXPECT_EQ(parseParam(u, "18446744073709551615").bits, -1);
  for (const char *bad : {"1.5", "1e3", "ten", ""})
    EXPECT_CONTAINS(messageOf([&] { parseParam(i, bad); }),
                    "is not a whole number");
  EXPECT_CONTAINS(messageOf([&] { parseParam(u, "-1"); }),
                  "whole number that is not negative");
  EXPECT_CONTAINS(messageOf([&] { parseParam(u, "18446744073709551616"); }),
                  "does not fit in 64 bits");
  EXPECT_CONTAINS(messageOf([&] { parseParam(i, "9223372036854775808"); }),
                  "does not fit in 64 bits");
}

TEST(Values, Booleans) {
  const Parameter b = param(ParamType::Bool);
  for (const char *yes : {"true", "1", "yes", "On", "TRUE"})
    EXPECT_EQ(parseParam(b, yes).bits, 1);
  for (const char *no : {"false", "0", "no", "off"})
    EXPECT_EQ(parseParam(b, no).bits, 0);
  EXPECT_CONTAINS(messageOf([&] { parseParam(b, "maybe"); }),
                  "'maybe' is not true or false");
}

TEST(Values, RangesNameEverything) {
  Parameter p = param(ParamType::F64);
  p.min = 0;
  p.max = 1;
  p.minOpen = true;
  EXPECT_EQ(parseParam(p, "1").real, 1);
  EXPECT_EQ(messageOf([&] { parseParam(p, "0"); }),
            "--p: 0 is out of range, expected a number in (0, 1] [PM9002]");
  p.max.reset();
  p.unit = "Mpc/h";
  EXPECT_EQ(messageOf([&] { parseParam(p, "-2"); }),
            "--p: -2 is out of range, expected a number, above 0 (in Mpc/h) "
            "[PM9002]");
}

TEST(Values, Sizes) {
  EXPECT_EQ(parseBytes("m", "8GiB"), int64_t(8) << 30);
  EXPECT_EQ(parseBytes("m", "500MB"), 500000000);
  EXPECT_EQ(parseBytes("m", "1.5 g"), int64_t(3) << 29);
  EXPECT_EQ(messageOf([&] { parseBytes("m", "1024"); }),
            "--m: '1024' has no unit; write 1024MiB or 1024GiB [PM9002]");
  const std::map<const char *, int64_t> sizes = {
      {"3 B", 3},          {"3k", 3 << 10},       {"3KiB", 3 << 10},
      {"3kB", 3000},       {"3M", 3 << 20},       {"3MiB", 3 << 20},
      {"3G", 3LL << 30},   {"3GB", 3000000000},   {"3T", 3LL << 40},
      {"3TiB", 3LL << 40}, {"3TB", 3000000000000}};
  for (const auto &[text, bytes] : sizes)
    EXPECT_EQ(parseBytes("m", text), bytes) << text;
  for (const char *bad : {"", "0", "-1G", "8 parsecs", "inf", "1e30T"})
    EXPECT_CONTAINS(messageOf([&] { parseBytes("m", bad); }),
                    "is not a size such as");
}

TEST(Values, Meshes) {
  const std::vector<Axis> axes = {{"row", 1}, {"col", 2}};
  auto mesh = parseMesh(axes, "col=3,row=4");
  EXPECT_EQ(mesh[0].extent, 4);
  EXPECT_EQ(mesh[1].extent, 3);
  EXPECT_EQ(parseMesh(axes, "row=5")[1].extent, 2);
  EXPECT_CONTAINS(messageOf([&] { parseMesh(axes, "rwo=2"); }),
                  "did you mean 'row'?");
  EXPECT_CONTAINS(messageOf([&] { parseMesh(axes, "row=2,row=3"); }), "twice");
  for (const char *bad :
       {"row", "=2", "row=0", "row=-1", "row=x", "row=99999999"})
    EXPECT_CONTAINS(messageOf([&] { parseMesh(axes, bad); }), "--mesh: ");
  EXPECT_CONTAINS(messageOf([&] { parseMesh({}, "row=2"); }),
                  "declares no mesh");
}
