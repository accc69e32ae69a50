//===- ChartTest.cpp - Pictures and curves --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Chart.h"
#include "test/runtime/Support.h"

#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

namespace {

double distance(Colour a, Colour b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
}

std::vector<std::string> labels(const Scale &scale, int wanted) {
  std::vector<std::string> all;
  for (const auto &tick : scale.ticks(wanted))
    all.push_back(tick.label);
  return all;
}

} // namespace

TEST(Chart, ColormapsLookLikeTheirNames) {
  EXPECT_LT(distance(colormap("viridis", 0), {68, 1, 84}), 12);
  EXPECT_LT(distance(colormap("viridis", 0.5), {33, 145, 140}), 12);
  EXPECT_LT(distance(colormap("viridis", 1), {253, 231, 37}), 12);
  EXPECT_LT(distance(colormap("inferno", 0), {0, 0, 4}), 12);
  EXPECT_LT(distance(colormap("inferno", 0.5), {188, 55, 84}), 16);
  EXPECT_LT(distance(colormap("inferno", 1), {252, 255, 164}), 12);
  EXPECT_EQ(colormap("gray", 0.5), (Colour{128, 128, 128}));
  EXPECT_EQ(colormap("gray", NAN), colormap("gray", NAN)); // no crash
  EXPECT_FALSE(isColormap("rainbow"));
}

TEST(Chart, TicksAreRound) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(labels(Scale(0, 100), 5),
            (Texts{"0", "20", "40", "60", "80", "100"}));
  EXPECT_EQ(labels(Scale(-0.5, 0.5), 4), (Texts{"-0.5", "0", "0.5"}));
  EXPECT_EQ(labels(Scale({0.01, 1000}, true), 6),
            (Texts{"0.01", "0.1", "1", "10", "100", "1000"}));
  EXPECT_EQ(labels(Scale({1e-8, 1e-5}, true), 6),
            (Texts{"1e-8", "1e-7", "1e-6", "1e-5"}));
  EXPECT_EQ(labels(Scale(0, 2e6), 2), (Texts{"0", "1e6", "2e6"}));
}

TEST(Chart, ScalesSurviveOddRanges) {
  for (const std::vector<double> &values : {std::vector<double>{},
                                            {0},
                                            {5, 5},
                                            {-1, 0},
                                            {1e-300, 1e300},
                                            {1, 1 + 1e-16},
                                            {NAN, 1},
                                            {-3}})
    for (bool logarithmic : {false, true}) {
      const Scale scale(values, logarithmic);
      EXPECT_LT(scale.low(), scale.high());
      EXPECT_LT(scale.ticks(6).size(), 60u);
    }
  EXPECT_FALSE(Scale({-1, -2}, true).logarithmic());
}

TEST(Chart, PicturesPutTheFirstIndexRightAndTheSecondUp) {
  std::vector<double> values(8 * 4, 0.0);
  values[1 * 4 + 3] = 1; // second column from the left, top row
  const Canvas canvas = drawPicture(values, 8, 4, {"x", 8}, {"y", 4}, {});
  const Colour bright = colormap("viridis", 1), dark = colormap("viridis", 0);
  // 80 pixels a cell, margins of 118 and 44.
  EXPECT_EQ(canvas.get(118 + 120, 44 + 40), bright);
  EXPECT_EQ(canvas.get(118 + 40, 44 + 40), dark);
  EXPECT_EQ(canvas.get(118 + 120, 44 + 280), dark);
}

TEST(Chart, LargeAndTinyPictures) {
  for (auto [rows, columns] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 500}, {2000, 3}, {1025, 1025}}) {
    std::vector<double> values(size_t(rows * columns), 1.0);
    const Canvas canvas =
        drawPicture(values, rows, columns, {"x", 0}, {"y", 0}, {});
    EXPECT_LE(canvas.width(), 1500);
    EXPECT_LE(canvas.height(), 1500);
  }
}

TEST(Chart, CurvesAndText) {
  ChartStyle style;
  style.title = std::string(300, 'W') + "\xc3\xa9";
  style.logarithmic = true;
  const Canvas canvas =
      drawCurves({0, 1, 2, 4}, {{1, 1, 0, 5}, {2, 2, 2, 2}}, style);
  EXPECT_GT(canvas.width(), 0);
  drawCurves({}, {}, {});
  drawCurves({1}, {{1}}, style);
  drawCurves({-1}, {{-1}}, style);
}

TEST(Chart, PngIsAPng) {
  Canvas canvas(5, 3);
  canvas.line(-10, -10, 20, 20, 3, {1, 2, 3});
  canvas.fill(-5, -5, 100, 100, {9, 9, 9});
  const std::string png = canvas.png();
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_GT(png.size(), 50u);
}
