//===- CompareTest.cpp - Figures of two runs in one -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Compare/Figures.h"

#include <functional>
#include <gtest/gtest.h>

using namespace pmrt;

namespace {

Figure map() {
  Figure figure;
  figure.title = "density";
  figure.columns = 3;
  figure.rows = 2;
  figure.values = {1, 2, 3, 4, 5, 6};
  figure.value = {.name = "density", .unit = "K", .log = true};
  figure.right = {.name = "x", .unit = "Mpc", .length = 3};
  figure.up = {.name = "y", .unit = "Mpc", .length = 2};
  return figure;
}

Figure curves(const std::string &unit, size_t count = 1) {
  Figure figure;
  figure.title = "spectrum";
  figure.x = {1, 2};
  for (size_t c = 0; c < count; ++c)
    figure.curves.push_back({"P" + std::to_string(c), unit, {3, 4}});
  return figure;
}

std::vector<std::string> namesOf(const Figure &figure) {
  std::vector<std::string> names;
  for (const FigureCurve &curve : figure.curves)
    names.push_back(curve.name);
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST(Compare, MapsAlikeHaveADifference) {
  Figure b = map();
  for (double &value : b.values)
    value = 10 - value;
  const std::vector<Figure> out = compareFigures(map(), b);
  ASSERT_EQ(out.size(), 2U);
  ASSERT_EQ(out[0].panels.size(), 2U);
  EXPECT_EQ(out[0].panels[0].title, "A");
  EXPECT_EQ(out[0].panels[1].title, "B");
  EXPECT_EQ(out[0].panels[1].subtitle, "density");
  EXPECT_EQ(out[0].panels[1].values, b.values);
  EXPECT_EQ(out[0].panelRows, std::vector<int64_t>{2});
  EXPECT_TRUE(out[0].shared);
  EXPECT_TRUE(out[0].panels[0].notes.empty());
  EXPECT_EQ(out[1].title, "B − A");
  EXPECT_EQ(out[1].values, (std::vector<double>{8, 6, 4, 2, 0, -2}));
  EXPECT_EQ(out[1].value.name, "difference of density");
  EXPECT_FALSE(out[1].value.log);
  EXPECT_EQ(out[1].colormap, "diverging");
}

TEST(Compare, MapsThatDifferInAnythingHaveNone) {
  const std::vector<std::function<void(Figure &)>> changes = {
      [](Figure &f) { f.columns = 2, f.rows = 3; },
      [](Figure &f) { f.columns = 2, f.values.resize(4); },
      [](Figure &f) { f.rows = 1, f.values.resize(3); },
      [](Figure &f) { f.value.unit = "s"; },
      [](Figure &f) { f.value.unit = ""; },
      [](Figure &f) { f.projection = "polar"; },
      [](Figure &f) { f.right.length = 4; },
      [](Figure &f) { f.up.length = 4; }};
  for (size_t i = 0; i < changes.size(); ++i) {
    Figure b = map();
    changes[i](b);
    const std::vector<Figure> out = compareFigures(map(), b);
    ASSERT_EQ(out.size(), 1U) << i;
    ASSERT_EQ(out[0].panels.size(), 2U) << i;
    EXPECT_EQ(out[0].panels[0].notes.size(), 1U) << i;
    EXPECT_EQ(out[0].shared, b.value.unit == "K") << i;
  }
}

TEST(Compare, CurvesTakeTurns) {
  const std::vector<Figure> out =
      compareFigures(curves("K", 2), curves("K", 3));
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(namesOf(out[0]),
            (Names{"A: P0", "B: P0", "A: P1", "B: P1", "B: P2"}));
  EXPECT_TRUE(out[0].x.empty());
  for (const FigureCurve &curve : out[0].curves)
    EXPECT_EQ(curve.x, (std::vector<double>{1, 2})) << curve.name;
  EXPECT_EQ(out[0].up.name, "P0");
  EXPECT_EQ(out[0].up.unit, "K");
}

TEST(Compare, CurvesInOtherUnitsHaveNoUnitTogether) {
  for (const char *name : {"", "power"}) {
    Figure a = curves("K");
    a.up.name = name;
    a.up.unit = *name ? "K" : "";
    const std::vector<Figure> alike = compareFigures(a, curves("K"));
    ASSERT_EQ(alike.size(), 1U);
    EXPECT_EQ(alike[0].up.unit, "K") << name;
    EXPECT_EQ(alike[0].up.name, *name ? name : "P0");
    for (const char *unit : {"s", ""}) {
      const std::vector<Figure> out = compareFigures(a, curves(unit));
      ASSERT_EQ(out.size(), 1U);
      EXPECT_EQ(out[0].up.unit, "") << name << unit;
    }
  }
  Figure mixed = curves("K", 2);
  mixed.curves[1].unit = "s";
  EXPECT_EQ(compareFigures(curves("K"), mixed)[0].up.unit, "");
}

TEST(Compare, EmptyBinsAreLeftOutOfEachRun) {
  Figure a = curves("K"), b = curves("K");
  a.bins = b.bins = true;
  a.x = {0, 2};
  a.curves[0].values = {0, 4};
  const std::vector<Figure> out = compareFigures(a, b);
  EXPECT_EQ(out[0].curves[0].x, std::vector<double>{2});
  EXPECT_EQ(out[0].curves[0].values, std::vector<double>{4});
  EXPECT_EQ(out[0].curves[1].values, (std::vector<double>{3, 4}));
}

TEST(Compare, PanelsOneByOne) {
  Figure a, b;
  a.panels = {map(), curves("K"), map()};
  b.panels = {map(), curves("K")};
  EXPECT_EQ(compareFigures(a, b).size(), 3U); // two maps' pair, their
                                              // difference, and the curves
  EXPECT_TRUE(compareFigures(a, map()).empty());
  EXPECT_TRUE(compareFigures(map(), curves("K")).empty());
  EXPECT_TRUE(compareFigures(curves("K"), map()).empty());
}
