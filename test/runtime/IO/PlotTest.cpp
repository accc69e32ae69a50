//===- PlotTest.cpp - Figures ---------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/Plot.h"
#include "test/runtime/Support.h"

#include <cmath>
#include <limits>
#include <png.h>
#include <regex>
#include <set>

using namespace pmrt;
using namespace pmrt::test;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

class Plots : public testing::Test {
protected:
  void SetUp() override {
    try {
      draw = drawingFunction();
    } catch (const std::exception &e) {
      GTEST_SKIP() << e.what();
    }
  }

  Drawing drawn(const Figure &figure, PlotFormat format = PlotFormat::Png) {
    Drawing drawing;
    draw(figure, format, drawing);
    checkLayout(drawing);
    return drawing;
  }

  /// No text leaves the page or lies on another one.
  static void checkLayout(const Drawing &drawing) {
    const auto &all = drawing.texts;
    for (size_t i = 0; i < all.size(); ++i) {
      const FigureText &a = all[i];
      EXPECT_GE(a.x, 0) << a.role << " " << a.text;
      EXPECT_GE(a.y, 0) << a.role << " " << a.text;
      EXPECT_LE(a.x + a.width, drawing.width) << a.role << " " << a.text;
      EXPECT_LE(a.y + a.height, drawing.height) << a.role << " " << a.text;
      for (size_t j = 0; j < i; ++j) {
        const FigureText &b = all[j];
        EXPECT_FALSE(a.x < b.x + b.width && b.x < a.x + a.width &&
                     a.y < b.y + b.height && b.y < a.y + a.height)
            << a.role << " " << a.text << " on " << b.role << " " << b.text;
      }
    }
  }

  decltype(pmrt_plot_plugin_draw) *draw = nullptr;
};

std::vector<std::string> textsOf(const Drawing &drawing,
                                 const std::string &role) {
  std::vector<std::string> all;
  for (const FigureText &text : drawing.texts)
    if (text.role == role)
      all.push_back(text.text);
  return all;
}

using Texts = std::vector<std::string>;

Figure map(int64_t columns, int64_t rows, std::vector<double> values) {
  Figure figure;
  figure.title = "web";
  figure.subtitle = "z = 0 .. 8";
  figure.right = {"x", "Mpc/h", false, 100};
  figure.up = {"y", "Mpc/h", false, 100.0 * double(rows) / double(columns)};
  figure.value = {"density", ""};
  figure.columns = columns;
  figure.rows = rows;
  figure.values = std::move(values);
  return figure;
}

Figure curves(std::vector<double> x, std::vector<FigureCurve> curves) {
  Figure figure;
  figure.title = "spectrum";
  figure.right = {"k", "h/Mpc"};
  figure.x = std::move(x);
  figure.curves = std::move(curves);
  return figure;
}

/// Colours of a PNG.
struct Picture {
  int width, height;
  std::vector<uint8_t> data;

  explicit Picture(const std::string &file) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    png_image_begin_read_from_memory(&image, file.data(), file.size());
    image.format = PNG_FORMAT_RGB;
    width = int(image.width);
    height = int(image.height);
    data.resize(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, data.data(), 0, nullptr);
  }
  std::array<int, 3> at(double x, double y) const {
    const uint8_t *p = &data[3 * (size_t(y) * size_t(width) + size_t(x))];
    return {p[0], p[1], p[2]};
  }
};

/// The middle of a tick's label.
double middle(const Drawing &drawing, const std::string &role,
              const std::string &text, bool down) {
  for (const FigureText &one : drawing.texts)
    if (one.role == role && one.text == text)
      return down ? one.y + one.height / 2 : one.x + one.width / 2;
  ADD_FAILURE() << "no " << role << " " << text;
  return 0;
}

} // namespace

TEST_F(Plots, SayWhatTheyShow) {
  Figure figure = curves({0, 1, 2, 3}, {{"P", "(Mpc/h)^3", {0, 5e6, 3e6, 2e6}},
                                        {"Q", "(Mpc/h)^3", {0, 1, 2, 4}}});
  EXPECT_EQ(textsOf(drawn(figure), "note"), Texts{}); // a point as any other
  figure.bins = true;
  Drawing drawing = drawn(figure);
  EXPECT_EQ(textsOf(drawing, "title"), (Texts{"spectrum"}));
  EXPECT_EQ(textsOf(drawing, "x axis"), (Texts{"k [h/Mpc]"}));
  EXPECT_EQ(textsOf(drawing, "y axis"), (Texts{"P, Q [10⁶ (Mpc/h)³]"}));
  EXPECT_EQ(textsOf(drawing, "legend"), (Texts{"P", "Q"}));
  EXPECT_EQ(textsOf(drawing, "note"), (Texts{"1 empty bin left out"}));
  figure.curves[1].unit = "K";
  drawing = drawn(figure);
  EXPECT_EQ(textsOf(drawing, "legend"), (Texts{"P [(Mpc/h)³]", "Q [K]"}));

  drawing = drawn(map(2, 2, {1, 2, 3, 4}));
  EXPECT_EQ(textsOf(drawing, "subtitle"), (Texts{"z = 0 .. 8"}));
  EXPECT_EQ(textsOf(drawing, "x axis"), (Texts{"x [Mpc/h]"}));
  EXPECT_EQ(textsOf(drawing, "y axis"), (Texts{"y [Mpc/h]"}));
  EXPECT_EQ(textsOf(drawing, "colour axis"), (Texts{"density"}));
}

TEST_F(Plots, HaveRoundTicks) {
  Figure figure = curves({1e-3, 1, 100}, {{"y", "", {-0.5, 0, 0.5}}});
  figure.right.log = true;
  const Drawing drawing = drawn(figure);
  EXPECT_EQ(textsOf(drawing, "x tick"),
            (Texts{"0.001", "0.01", "0.1", "1", "10", "100"}));
  const Texts y = textsOf(drawing, "y tick");
  EXPECT_EQ(y.front(), "−0.4");
  EXPECT_EQ(y.back(), "0.4");
  figure.x = {1e-9, 1e-7, 1e-5};
  EXPECT_EQ(textsOf(drawn(figure), "x tick"),
            (Texts{"10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"}));
}

TEST_F(Plots, PutTheFirstIndexRightAndTheSecondUp) {
  std::vector<double> values(10 * 10, 0.0);
  values[2 * 10 + 8] = 2; // 20 to 30 to the right, 80 to 90 up
  const Drawing drawing = drawn(map(10, 10, values));
  const Picture picture(drawing.file);
  auto at = [&](double x, double y) {
    const double x0 = middle(drawing, "x tick", "0", false),
                 x1 = middle(drawing, "x tick", "100", false),
                 y0 = middle(drawing, "y tick", "0", true),
                 y1 = middle(drawing, "y tick", "100", true);
    return picture.at(2 * std::lerp(x0, x1, x / 100),
                      2 * std::lerp(y0, y1, y / 100));
  };
  EXPECT_EQ(at(25, 85), (std::array{253, 231, 37}));
  EXPECT_EQ(at(25, 75), (std::array{68, 1, 84}));
  EXPECT_EQ(at(85, 25), (std::array{68, 1, 84}));
  EXPECT_EQ(at(35, 85), (std::array{68, 1, 84}));
}

TEST_F(Plots, ClipOutliersAndSaySo) {
  std::vector<double> values;
  for (int i = 0; i < 4096; ++i)
    values.push_back(i % 64);
  values[100] = 1e6;
  const Drawing drawing = drawn(map(64, 64, values));
  EXPECT_EQ(
      textsOf(drawing, "note"),
      (Texts{
          "1 pixel outside of the color scale: values are from 0 to 1e+06"}));
  EXPECT_EQ(textsOf(drawing, "colour tick").back(), "60");
}

TEST_F(Plots, ChooseColoursBySigns) {
  const Drawing drawing = drawn(map(2, 1, {-1, 0.5}));
  const Texts ticks = textsOf(drawing, "colour tick");
  EXPECT_EQ(ticks.front(), "−1.0");
  EXPECT_EQ(ticks.back(), "1.0");
}

TEST_F(Plots, TellCurvesApart) {
  Figure figure = curves({1, 2}, {});
  for (int i = 0; i < 28; ++i)
    figure.curves.push_back({fmt::format("c{}", i), "", {0.0, double(i)}});
  // Lines of curves: their colours and dashes.
  const std::string svg = drawn(figure, PlotFormat::Svg).file;
  std::set<std::string> looks;
  const std::regex line("<path[^>]*stroke-width[:=]\"?1.6[;\"][^>]*>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end;
       ++it)
    looks.insert(
        std::regex_replace(it->str(), std::regex(" d=\"[^\"]*\""), ""));
  EXPECT_EQ(looks.size(), 28u) << svg;
}

TEST_F(Plots, DrawMasksInTwoColours) {
  Figure figure = map(2, 1, {0, 1});
  EXPECT_EQ(textsOf(drawn(figure), "colour tick"), (Texts{"0", "1"}));
  const std::string chosen = drawn(figure).file;
  figure.colormap = "mask";
  EXPECT_EQ(drawn(figure).file, chosen);
  // Means over cells: what most of them are.
  figure.values = {0.4, 0.6};
  EXPECT_EQ(drawn(figure).file, chosen);
  figure.colormap = "gray";
  EXPECT_NE(drawn(figure).file, chosen);
}

TEST_F(Plots, SurviveAnyValues) {
  for (bool log : {false, true}) {
    for (const std::vector<double> &values :
         {std::vector<double>(9, notANumber), std::vector<double>(9, 3.0),
          std::vector<double>(9, -3.0), std::vector<double>(9, 0.0),
          std::vector<double>{notANumber, 1, 2, 3, 4, 5, 6, endless, -endless},
          std::vector<double>{1e-300, 1e300, 1, 1, 1, 1, 1, 1, 1},
          std::vector<double>{1, 1 + 1e-15, 1, 1, 1, 1, 1, 1, -1},
          std::vector<double>{1e5, 1e5 + 1e-3, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5,
                              1e5}}) {
      Figure picture = map(3, 3, values);
      picture.value.log = log;
      drawn(picture);
      Figure graph = curves({1, 2, 3, 4, 5, 6, 7, 8, 9}, {{"y", "", values}});
      graph.up.log = log;
      drawn(graph);
      graph.right.log = log;
      graph.x = values;
      drawn(graph);
    }
    Figure point = curves({-1}, {{"y", "K", {-1}}});
    point.right.log = point.up.log = log;
    drawn(point);
    drawn(curves({}, {{"y", "", {}}}));
  }
  EXPECT_EQ(textsOf(drawn(map(1, 1, {notANumber})), "note"),
            (Texts{"no value is finite"}));
  EXPECT_EQ(textsOf(drawn(map(2, 1, {3, 3})), "note"),
            (Texts{"all values are 3"}));
  Figure negative = map(2, 1, {-1, 2});
  negative.value.log = true;
  EXPECT_EQ(textsOf(drawn(negative), "note")[0], "gray: 1 negative value");
  Figure nothing = map(3, 1, {0, 0, 2});
  nothing.value.log = true;
  EXPECT_EQ(textsOf(drawn(nothing), "note").back(),
            "in the lowest color: 2 values that are 0");
  drawn(map(1, 500, std::vector<double>(500, 1.0)));
  drawn(map(1024, 3, std::vector<double>(size_t(3 * 1024), 1.0)));
  drawn(map(0, 0, {}));
}

TEST_F(Plots, ShortenTextsThatDoNotFit) {
  std::vector<FigureCurve> many(1000000, {"c", "K", {1, 2}});
  many[0].name = std::string(300, 'W') + "é";
  Figure figure = curves({1, 2}, std::move(many));
  figure.title = std::string(500, 'x');
  figure.right.name = std::string(500, 'y');
  const Drawing drawing = drawn(figure);
  EXPECT_EQ(textsOf(drawing, "note"),
            (Texts{"the first 100 of 1000000 curves"}));
  EXPECT_EQ(textsOf(drawing, "legend").back(), "and 999984 more");
  std::vector<double> x(200000), y(200000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = double(i);
    y[i] = std::sin(double(i) / 1e4);
  }
  EXPECT_LT(drawn(curves(x, {{"y", "", y}}), PlotFormat::Svg).file.size(),
            400000u);
  x.assign(x.size(), 0);
  drawn(curves(x, {{"y", "", x}}));
}

TEST_F(Plots, DrawPanelsOnCommonEdges) {
  Figure sheet;
  sheet.title = "All of it";
  sheet.panels = {map(2, 2, {1, 2, 3, 4}), map(2, 2, {10, 20, 30, 40}),
                  curves({0, 1}, {{"P", "K", {1, 2}}, {"Q", "K", {2, 3}}})};
  sheet.panelRows = {2, 1};
  Drawing drawing = drawn(sheet);
  EXPECT_EQ(textsOf(drawing, "title"),
            (Texts{"All of it", "web", "web", "spectrum"}));
  EXPECT_EQ(textsOf(drawing, "legend"), (Texts{"P", "Q"}));
  EXPECT_EQ(textsOf(drawing, "colour tick").front(), "1.0");
  // The first and the third panel begin at the same place.
  const auto &texts = drawing.texts;
  auto left = [&](const std::string &text) {
    return std::find_if(texts.begin(), texts.end(),
                        [&](const auto &one) { return one.text == text; })
        ->x;
  };
  EXPECT_NEAR(left("web"), left("spectrum"), 2);

  sheet.panels.pop_back();
  sheet.panelRows = {2};
  sheet.shared = true;
  drawing = drawn(sheet);
  const Texts ticks = textsOf(drawing, "colour tick");
  EXPECT_EQ(std::count(ticks.begin(), ticks.end(), "40"), 1);
  // One bar for all, with the quantities of all.
  EXPECT_EQ(textsOf(drawing, "colour axis"), (Texts{"density"}));
  sheet.panels[1].value.name = "contrast";
  EXPECT_EQ(textsOf(drawn(sheet), "colour axis"), (Texts{"density, contrast"}));
  sheet.shared = false;
  EXPECT_EQ(textsOf(drawn(sheet), "colour axis"),
            (Texts{"density", "contrast"}));
  sheet.shared = true;

  // Anything in a panel, and many of them.
  for (int i = 0; i < 10; ++i) {
    sheet.panels.push_back(map(1, 1, {notANumber}));
    sheet.panels.push_back(map(1, 40, std::vector<double>(40, 3.0)));
  }
  sheet.panelRows = {1, 3, 5, 13};
  drawn(sheet);
}

TEST_F(Plots, SayWhyAPanelShowsNothing) {
  auto hintOf = [&](const Figure &figure) {
    const Texts hints = textsOf(drawn(figure), "hint");
    return hints.empty() ? std::string() : hints.front();
  };
  const Figure shown = curves({1, 2}, {{"y", "", {1, 2}}});
  Figure graph = curves({1, 2}, {{"y", "", {notANumber, notANumber}}});
  EXPECT_EQ(hintOf(shown), "");
  EXPECT_EQ(hintOf(graph), "no point is finite");
  Figure sheet;
  sheet.panels = {shown, graph};
  sheet.panelRows = {2};
  EXPECT_EQ(hintOf(sheet), "no point is finite");
  graph = curves({1, 2}, {{"y", "", {0, -2}}});
  graph.up.log = true;
  sheet.panels = {shown, graph};
  sheet.panels[0].up.log = true;
  sheet.shared = true;
  EXPECT_EQ(hintOf(sheet), "no point is finite and positive");
  graph = curves({0, 1}, {{"y", "", {0, notANumber}}});
  graph.bins = true;
  EXPECT_EQ(hintOf(graph), "no point is finite");

  EXPECT_EQ(hintOf(map(2, 1, {1, 2})), "");
  EXPECT_EQ(hintOf(map(2, 1, {notANumber, endless})), "no value is finite");
  // Values that others outshine.
  sheet.panels = {map(2, 1, {1, 100}), map(2, 1, {0.1, 0.2}),
                  map(2, 1, {7, 7})};
  sheet.panelRows = {3};
  EXPECT_EQ(textsOf(drawn(sheet), "hint"),
            (Texts{"one color: 0.1 to 0.2", "all values are 7"}));
  sheet.shared = false;
  EXPECT_EQ(hintOf(sheet), "");
  // Notes of panels begin with their titles, if they have any.
  sheet = {};
  sheet.panels = {map(3, 1, {1, 2, notANumber}), map(2, 1, {5, 5})};
  sheet.panels[1].title = "";
  sheet.panelRows = {2};
  EXPECT_EQ(textsOf(drawn(sheet), "note"),
            (Texts{"web: gray: 1 value not finite", "all values are 5"}));
}

TEST_F(Plots, DrawMinorTicksHalfAsLong) {
  const std::string svg =
      drawn(curves({0, 2}, {{"y", "", {0, 2}}}), PlotFormat::Svg).file;
  // Ticks of x are straight down; those of y go to the left.
  std::multiset<double> down, left;
  const std::regex line(" d=\"M ([0-9.]+) ([0-9.]+) L ([0-9.]+) ([0-9.]+) ?\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end;
       ++it) {
    auto at = [&](size_t i) { return std::stod((*it)[i]); };
    if (at(1) == at(3) && at(4) > at(2))
      down.insert(std::round(10 * (at(4) - at(2))) / 10);
    if (at(2) == at(4) && at(3) < at(1))
      left.insert(std::round(10 * (at(1) - at(3))) / 10);
  }
  // x has steps of 0.2 with four parts.
  EXPECT_EQ(down.count(5), 11u);
  EXPECT_EQ(down.count(2.5), 32u); // two of them beyond the values
  EXPECT_GE(left.count(2.5), 2 * left.count(5));
}

TEST_F(Plots, LimitColours) {
  auto limits = [&](const Figure &figure) {
    return drawn(figure).ranges.at(0).value;
  };
  using Range = std::vector<double>;
  EXPECT_EQ(limits(map(3, 1, {2, 3, 4})), (Range{2, 4}));
  // Magnitudes begin at 0, unless they are all of one size.
  EXPECT_EQ(limits(map(3, 1, {0.04, 0.5, 1})), (Range{0, 1}));
  EXPECT_EQ(limits(map(3, 1, {0.06, 0.5, 1})), (Range{0.06, 1}));
  Figure figure = map(3, 1, {0.04, 0.5, 1});
  figure.value.log = true;
  EXPECT_EQ(limits(figure), (Range{0.04, 1}));
  // Of 1000 values, two at either end may be clipped: those that would make
  // the scale half as long again.
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(10 + i % 10);
  values[0] = values[1] = 100;
  EXPECT_EQ(limits(map(1000, 1, values)), (Range{10, 19}));
  values[2] = 100;
  EXPECT_EQ(limits(map(1000, 1, values)), (Range{10, 100}));
  values[0] = values[1] = values[2] = 23;
  values[2] = 19;
  EXPECT_EQ(limits(map(1000, 1, values)), (Range{10, 23}));
  // A scale that is given holds.
  figure = map(3, 1, {2, 3, 4});
  figure.value.range = {0, 10};
  EXPECT_EQ(textsOf(drawn(figure), "colour tick").back(), "10");
  // The colour of a value is its place on the scale.
  figure.value.range = {2, 4};
  figure.colormap = "gray";
  const Drawing drawing = drawn(figure);
  const Picture picture(drawing.file);
  const double y = middle(drawing, "y tick", "20", true) * 2,
               x0 = middle(drawing, "x tick", "0", false) * 2,
               x1 = middle(drawing, "x tick", "100", false) * 2;
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(picture.at(std::lerp(x0, x1, (i + 0.5) / 3), y)[0], i * 127.5,
                1);
}

TEST_F(Plots, ShadeBandsAndDrawPoints) {
  FigureCurve line{"P", "", {1, 2, 3, 2}, false, {0.5, 1, 2, 1}, {2, 3, 4, 9}};
  FigureCurve data{"data", "", {1.5, 2.5, notANumber, 2}, true};
  Figure figure = curves({1, 2, 3, 4}, {line, data});
  Drawing drawing = drawn(figure);
  EXPECT_EQ(textsOf(drawing, "legend"), (Texts{"P", "data"}));
  // The band is inside.
  EXPECT_EQ(textsOf(drawing, "y tick").back(), "8");
  figure.curves[0].low = {-1, notANumber, -endless, 1};
  for (bool log : {false, true}) {
    figure.up.log = log;
    drawn(figure);
  }
  figure.counts = true;
  figure.x = {0, 0, 1, 1};
  figure.curves[0].values = figure.curves[1].values = {0, 0, 2, 2};
  EXPECT_TRUE(textsOf(drawn(figure), "note").empty());
}

TEST_F(Plots, DrawContoursOverMaps) {
  std::vector<double> planes[2];
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      planes[0].push_back(i);
      planes[1].push_back(j);
    }
  Figure figure = map(10, 10, std::vector<double>(100, 1));
  for (const std::vector<double> &plane : planes) {
    figure.contours = {{"phi", "K", plane}};
    const Drawing drawing = drawn(figure);
    EXPECT_EQ(textsOf(drawing, "note").back(),
              "contours: phi [K] at 2, 4, 6, 8");
    // phi is 4 in the middle of the fifth column or row, and there alone near
    // it.
    const Picture picture(drawing.file);
    auto at = [&](double across, double up) {
      auto place = [&](const char *ticks, bool isUp, double part) {
        return 2 * std::lerp(middle(drawing, ticks, "0", isUp),
                             middle(drawing, ticks, "100", isUp), part / 100);
      };
      return picture.at(place("x tick", false, across),
                        place("y tick", true, up))[1];
    };
    if (&plane == planes)
      EXPECT_LT(at(45, 50), at(40, 50) - 30);
    else
      EXPECT_LT(at(50, 45), at(50, 40) - 30);
  }
  figure.contours[0].values.assign(100, 2);
  EXPECT_EQ(textsOf(drawn(figure), "note").back(),
            "contours: phi [K]: no values that differ");
  figure.contours[0].values.assign(100, notANumber);
  drawn(figure);
}

TEST_F(Plots, HaveTheSameBytesEveryTime) {
  const Figure figure = map(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(drawn(figure).file.substr(1, 3), "PNG");
  EXPECT_EQ(drawn(figure, PlotFormat::Pdf).file.substr(1, 3), "PDF");
  EXPECT_NE(drawn(figure, PlotFormat::Svg).file.find("<svg"),
            std::string::npos);
  for (PlotFormat format : {PlotFormat::Png, PlotFormat::Pdf})
    EXPECT_EQ(drawn(figure, format).file, drawn(figure, format).file);
}
