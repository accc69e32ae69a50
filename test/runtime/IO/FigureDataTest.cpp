//===- FigureDataTest.cpp - Values of plots in their pictures -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/FigureData.h"

#include "runtime/Base/PngChunks.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pmrt;

namespace {

/// A picture without pixels, which has the values of the figure.
std::string frameOf(const Figure &figure) {
  const std::string empty =
      png::signature + png::chunk("IHDR", "") + png::chunk("IEND", "");
  return withWholeFigure(empty, figure, {{{0, 3}, {0, 2}, {1, 6}}});
}

Figure mapWithContours() {
  Figure figure;
  figure.title = "density";
  figure.columns = 3;
  figure.rows = 2;
  figure.values = {1, 2, 3, 4, 5, 6};
  figure.contours = {{"phi", "K", {6, 5, 4, 3, 2, 1}}};
  return figure;
}

Figure curveWithBand() {
  Figure figure;
  figure.title = "spectrum";
  figure.x = {1, 2};
  figure.curves = {{"P", "Mpc^3", {3, 4}}};
  figure.curves[0].low = {2, 3};
  figure.curves[0].high = {5, 6};
  return figure;
}

/// The panels of a figure that shares its scales.
Figure figureOfPanels(const Figure &first, const Figure &second) {
  Figure figure;
  figure.title = "both";
  figure.panels = {first, second};
  figure.panelRows = {2};
  figure.shared = true;
  return figure;
}

/// Why the values cannot be read, or "".
std::string readingProblem(const Figure &figure) {
  try {
    (void)wholeFigureIn(frameOf(figure));
  } catch (const std::runtime_error &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST(FigureData, AWholeFigureIsReadAsItIsWritten) {
  const auto whole = wholeFigureIn(
      frameOf(figureOfPanels(mapWithContours(), curveWithBand())));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->figure.title, "both");
  EXPECT_EQ(whole->figure.panelRows, std::vector<int64_t>{2});
  EXPECT_TRUE(whole->figure.shared);
  ASSERT_EQ(whole->figure.panels.size(), 2U);
  const Figure &first = whole->figure.panels[0];
  EXPECT_EQ(first.columns, 3);
  EXPECT_EQ(first.rows, 2);
  EXPECT_EQ(first.values, mapWithContours().values);
  ASSERT_EQ(first.contours.size(), 1U);
  EXPECT_EQ(first.contours[0].name, "phi");
  EXPECT_EQ(first.contours[0].unit, "K");
  EXPECT_EQ(first.contours[0].values, mapWithContours().contours[0].values);
  const Figure &second = whole->figure.panels[1];
  EXPECT_EQ(second.x, curveWithBand().x);
  ASSERT_EQ(second.curves.size(), 1U);
  EXPECT_EQ(second.curves[0].values, curveWithBand().curves[0].values);
  EXPECT_EQ(second.curves[0].low, curveWithBand().curves[0].low);
  EXPECT_EQ(second.curves[0].high, curveWithBand().curves[0].high);
  ASSERT_EQ(whole->ranges.size(), 1U);
  EXPECT_EQ(whole->ranges[0].right, (std::vector<double>{0, 3}));
  EXPECT_EQ(whole->ranges[0].up, (std::vector<double>{0, 2}));
  EXPECT_EQ(whole->ranges[0].value, (std::vector<double>{1, 6}));
}

TEST(FigureData, ListsThatDoNotFitTogetherAreRefused) {
  EXPECT_EQ(readingProblem(mapWithContours()), "");
  EXPECT_EQ(readingProblem(curveWithBand()), "");
  for (const size_t count : {0U, 1U, 5U, 7U, 12U}) {
    Figure figure = mapWithContours();
    figure.contours[0].values.resize(count);
    EXPECT_EQ(readingProblem(figure),
              "its contours have a different size than its map")
        << count;
    EXPECT_EQ(readingProblem(figureOfPanels(mapWithContours(), figure)),
              "its contours have a different size than its map")
        << count;
  }
  Figure second = mapWithContours();
  second.contours.insert(second.contours.begin(), {"psi", "", {1, 2, 3}});
  EXPECT_EQ(readingProblem(second),
            "its contours have a different size than its map");
  for (const size_t count : {1U, 3U}) {
    Figure figure = curveWithBand();
    figure.curves[0].low.resize(count);
    EXPECT_EQ(readingProblem(figure),
              "its bands have different lengths than its curves");
    figure = curveWithBand();
    figure.curves[0].high.resize(count);
    EXPECT_EQ(readingProblem(figure),
              "its bands have different lengths than its curves");
    figure = curveWithBand();
    figure.x.resize(count);
    EXPECT_EQ(readingProblem(figure), "its curves have different lengths");
  }
}
