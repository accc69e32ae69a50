//===- FigureDataTest.cpp - Values of plots in their pictures -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/FigureData.h"

#include "runtime/Base/Files/PngChunks.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
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

TEST(FigureData, LargeMapsAreMeansOfTheirKnownCells) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  Figure figure;
  figure.columns = 385; // 128 blocks of three columns, and one column
  figure.rows = 4;      // a block of three rows, and one row
  for (int64_t i = 0; i < figure.columns; ++i)
    for (int64_t j = 0; j < figure.rows; ++j)
      figure.values.push_back(double(10 * i + j));
  for (size_t cell : {0, 1, 2, 4, 5, 6, 8, 9}) // all but one of a block
    figure.values[cell] = unknown;
  for (size_t cell : {3, 7, 11}) // all of a block
    figure.values[cell] = unknown;
  const std::string empty =
      png::signature + png::chunk("IHDR", "") + png::chunk("IEND", "");
  const Figure found = figureIn(withFigure(empty, figure)).value();
  ASSERT_EQ(found.columns, 129);
  ASSERT_EQ(found.rows, 2);
  EXPECT_EQ(found.values[0], 22);
  EXPECT_TRUE(std::isnan(found.values[1]));
  // Columns 3 to 5, rows 0 to 2, and row 3.
  EXPECT_EQ(found.values[2], 41);
  EXPECT_EQ(found.values[3], 43);
  // Column 384.
  EXPECT_EQ(found.values[256], 3841);
  EXPECT_EQ(found.values[257], 3843);
}
