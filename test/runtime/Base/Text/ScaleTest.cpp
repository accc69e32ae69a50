//===- ScaleTest.cpp - Ranges and ticks of axes ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Scale.h"
#include "test/runtime/Support.h"

#include <cmath>

using namespace pmrt;

namespace {

using Texts = std::vector<std::string>;

Texts labelsOf(const std::vector<Scale::Tick> &ticks) {
  Texts all;
  for (const Scale::Tick &tick : ticks)
    if (!tick.label.empty())
      all.push_back(tick.label);
  return all;
}

/// Values of ticks with or without labels.
std::vector<double> valuesOf(const std::vector<Scale::Tick> &ticks,
                             bool labeled) {
  std::vector<double> all;
  for (const Scale::Tick &tick : ticks)
    if (tick.label.empty() != labeled)
      all.push_back(tick.value);
  return all;
}

void expectNear(const std::vector<double> &is,
                const std::vector<double> &expected) {
  ASSERT_EQ(is.size(), expected.size());
  for (size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], expected[i], 1e-9 * std::abs(expected[i])) << i;
}

} // namespace

TEST(Scales, LabelRoundNumbers) {
  EXPECT_EQ(labelsOf(Scale(0, 10).ticks(5)),
            (Texts{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labelsOf(Scale(0, 10).ticks(4)), (Texts{"0", "5", "10"}));
  EXPECT_EQ(labelsOf(Scale(0, 10).ticks(10)).size(), 11u);
  EXPECT_EQ(labelsOf(Scale(-0.12, 0.31).ticks(5)),
            (Texts{"−0.1", "0.0", "0.1", "0.2", "0.3"}));
  // In units of a power of ten.
  EXPECT_EQ(Scale(0, 3.1e7).exponent(), 7);
  EXPECT_EQ(labelsOf(Scale(0, 3.1e7).ticks(4)), (Texts{"0", "1", "2", "3"}));
  EXPECT_EQ(Scale(0, 99999).exponent(), 0);
  EXPECT_EQ(Scale(0, 0.01).exponent(), 0);
  EXPECT_EQ(Scale(0, 0.0099).exponent(), -3);
}

TEST(Scales, DivideStepsByMinorTicks) {
  // A step of 1 or 5 has five parts, one of 2 has four.
  expectNear(valuesOf(Scale(0, 2).ticks(2), false),
             {0.2, 0.4, 0.6, 0.8, 1.2, 1.4, 1.6, 1.8});
  expectNear(valuesOf(Scale(0, 10).ticks(2), false), {1, 2, 3, 4, 6, 7, 8, 9});
  expectNear(valuesOf(Scale(0, 4).ticks(2), false), {0.5, 1, 1.5, 2.5, 3, 3.5});
  // Both ends of the range have them, too.
  expectNear(valuesOf(Scale(0.7, 2.3).ticks(2), false),
             {0.8, 1.2, 1.4, 1.6, 1.8, 2.2});
  expectNear(valuesOf(Scale(0.7, 2.3).ticks(2), true), {1, 2});
}

TEST(Scales, LabelDecades) {
  const auto ticks = Scale(1, 1000, true).ticks(10);
  EXPECT_EQ(labelsOf(ticks), (Texts{"1", "10", "100", "1000"}));
  expectNear(valuesOf(ticks, false),
             {2,  3,  4,  5,  6,   7,   8,   9,   20,  30,  40,  50,
              60, 70, 80, 90, 200, 300, 400, 500, 600, 700, 800, 900});
  // Every third of many has a label, the others a minor tick.
  const auto many = Scale(1e-5, 1e6, true).ticks(4);
  EXPECT_EQ(labelsOf(many), (Texts{"10⁻⁵", "0.01", "10", "10000"}));
  EXPECT_EQ(valuesOf(many, false).size(), 8u);
  EXPECT_EQ(labelsOf(Scale(3e-5, 4e-3, true).ticks(8)),
            (Texts{"3×10⁻⁵", "10⁻⁴", "3×10⁻⁴", "0.001", "0.003"}));
}

TEST(Scales, LabelBothEndsOfShortLogarithmicAxes) {
  EXPECT_EQ(labelsOf(Scale(0.155, 2.05, true).ticks(12)),
            (Texts{"0.2", "0.3", "0.5", "1", "2"}));
  EXPECT_EQ(labelsOf(Scale(13.8, 19.6, true).ticks(8)),
            (Texts{"14", "15", "16", "17", "18", "19"}));
  EXPECT_EQ(labelsOf(Scale(2.9e6, 7.1e6, true).ticks(8)),
            (Texts{"3", "4", "5", "6", "7"}));
  for (double low : {1.01, 1.5, 2.1, 3.3, 4.9, 6.2, 9.8})
    for (double ratio :
         {1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 19.0, 21.0, 50.0, 200.0, 3e4, 1e9}) {
      const Scale scale(low, low * ratio, true);
      const auto ticks = scale.ticks(8);
      const std::vector<double> values = valuesOf(ticks, true);
      EXPECT_LE(values.size(), 8u);
      double before = 0, gap = 0;
      for (double value : values) {
        gap = std::max(gap, scale.position(value) - before);
        before = scale.position(value);
      }
      EXPECT_LT(std::max(gap, 1 - before), 0.44) << low << " " << ratio;
    }
}

TEST(Scales, HoldTheValuesThatTheyCanShow) {
  const double nan = std::nan("");
  const Scale linear({3, nan, -1, 2}, false), log({3, nan, -1, 2}, true);
  EXPECT_EQ(linear.low(), -1);
  EXPECT_EQ(linear.high(), 3);
  EXPECT_EQ(log.low(), 2);
  EXPECT_EQ(log.high(), 3);
  EXPECT_DOUBLE_EQ(linear.position(0), 0.25);
  EXPECT_DOUBLE_EQ(Scale(1, 100, true).position(10), 0.5);
  EXPECT_DOUBLE_EQ(Scale(0, 1).widened(0.1).high(), 1.1);
  EXPECT_DOUBLE_EQ(Scale(1, 100, true).widened(0.5).low(), 0.1);
  EXPECT_FALSE(log.shows(0));
  EXPECT_TRUE(linear.shows(0));
  // A single value is amid its range.
  EXPECT_DOUBLE_EQ(Scale(4, 4).position(4), 0.5);
  EXPECT_DOUBLE_EQ(Scale(4, 4, true).position(4), 0.5);
}
