//===- HashTest.cpp - Whether two contents are the same -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Hash.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace pmrt;

static std::string textOf(const std::vector<double> &values) {
  Hash hash;
  hash.add(values.data(), int64_t(values.size() * sizeof(double)));
  return hash.value().text();
}

static std::vector<double> noise() {
  std::vector<double> values(4096);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(double(i * i + 1));
  return values;
}

// `xxhsum -H2` of the same bytes.
TEST(Hash, IsXXH3) {
  EXPECT_EQ(hashOf("").text(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hashOf("particle mesh").text(), "357ec260128be240f79cf2383edccda1");
}

TEST(Hash, PiecesDoNotMatter) {
  const std::vector<double> values = noise();
  const auto *bytes = reinterpret_cast<const char *>(values.data());
  const auto size = int64_t(values.size() * sizeof(double));
  for (int64_t piece : {1, 7, 240, 1000, 32767}) {
    Hash hash;
    for (int64_t at = 0; at < size; at += piece)
      hash.add(bytes + at, std::min(piece, size - at));
    EXPECT_EQ(hash.value().text(), textOf(values)) << piece;
  }
}

// As of paired simulations.
TEST(Hash, SignsCount) {
  std::vector<double> values = noise(), negative = values;
  for (double &value : negative)
    value = -value;
  EXPECT_NE(textOf(negative), textOf(values));
  std::set<std::string> seen = {textOf(values)};
  size_t count = 1;
  for (size_t i = 0; i < 64; ++i)
    for (size_t j = i + 1; j < 64; ++j, ++count) {
      values[i] = -values[i];
      values[j] = -values[j];
      seen.insert(textOf(values));
      values[i] = -values[i];
      values[j] = -values[j];
    }
  EXPECT_EQ(seen.size(), count);
}
