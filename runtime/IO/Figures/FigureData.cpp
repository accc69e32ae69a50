//===- FigureData.cpp - The values of a plot, in its picture --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Figures/FigureData.h"

#include "runtime/Base/Files/PngChunks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

using namespace pmrt;
using Json = nlohmann::json;

static constexpr int64_t mostCells = 192;
/// Of any picture.
static constexpr int64_t mostPixels = 1024;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Json axisData(const FigureAxis &axis) {
  return {{"name", axis.name},
          {"unit", axis.unit},
          {"log", axis.log},
          {"length", axis.length},
          {"asked", axis.isAsked},
          {"range", axis.isGiven ? axis.range : std::vector<double>()}};
}

template <typename T> static Json binary(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

/// A map of fewer cells: the means of those that are known.
static void addMap(const Figure &figure, int64_t most, Json &data) {
  const int64_t each = std::max<int64_t>(
      1, (std::max(figure.columns, figure.rows) + most - 1) / most);
  const int64_t columns = (figure.columns + each - 1) / each,
                rows = (figure.rows + each - 1) / each;
  std::vector<float> means;
  for (int64_t i = 0; i < columns; ++i)
    for (int64_t j = 0; j < rows; ++j) {
      double sum = 0, known = 0;
      for (int64_t a = i * each; a < std::min((i + 1) * each, figure.columns);
           ++a)
        for (int64_t b = j * each; b < std::min((j + 1) * each, figure.rows);
             ++b)
          if (const double one = figure.values[size_t(a * figure.rows + b)];
              std::isfinite(one)) {
            sum += one;
            known += 1;
          }
      means.push_back(known > 0 ? float(sum / known)
                                : std::numeric_limits<float>::quiet_NaN());
    }
  data["columns"] = columns;
  data["rows"] = rows;
  data["values"] = binary(means);
}

static Json dataOf(const Figure &figure, int64_t most) {
  Json data = {{"title", figure.title},
               {"subtitle", figure.subtitle},
               {"right", axisData(figure.right)},
               {"up", axisData(figure.up)},
               {"value", axisData(figure.value)},
               {"colormap", figure.colormap},
               {"projection", figure.projection},
               {"counts", figure.counts},
               {"bins", figure.bins}};
  if (!figure.values.empty())
    addMap(figure, most, data);
  if (!figure.curves.empty())
    data["x"] = binary(figure.x);
  for (const FigureCurve &curve : figure.curves)
    data["curves"].push_back({{"name", curve.name},
                              {"unit", curve.unit},
                              {"points", curve.points},
                              {"values", binary(curve.values)}});
  for (const Figure &panel : figure.panels)
    data["panels"].push_back(dataOf(panel, most));
  return data;
}

/// What is left out of the above.
static void addRest(const Figure &figure, Json &data) {
  data["notes"] = figure.notes;
  data["panelRows"] = figure.panelRows;
  data["shared"] = figure.shared;
  for (const FigureContours &one : figure.contours)
    data["contours"].push_back({{"name", one.name},
                                {"unit", one.unit},
                                {"asked", one.isAsked},
                                {"values", binary(one.values)}});
  for (size_t c = 0; c < figure.curves.size(); ++c)
    if (!figure.curves[c].low.empty()) {
      data["curves"][c]["low"] = binary(figure.curves[c].low);
      data["curves"][c]["high"] = binary(figure.curves[c].high);
    }
  for (size_t p = 0; p < figure.panels.size(); ++p)
    addRest(figure.panels[p], data["panels"][p]);
}

static std::string withData(const std::string &png, const Json &data) {
  const std::vector<uint8_t> bytes = Json::to_msgpack(data);
  return png::withChunk(png, png::valuesType, {bytes.begin(), bytes.end()});
}

std::string pmrt::withFigure(const std::string &png, const Figure &figure) {
  return withData(png, dataOf(figure, mostCells));
}

std::string pmrt::withWholeFigure(const std::string &png, const Figure &figure,
                                  const std::vector<PanelRanges> &ranges) {
  Json data = dataOf(figure, mostPixels);
  addRest(figure, data);
  data["ranges"] = Json::array();
  for (const PanelRanges &one : ranges)
    data["ranges"].push_back({one.right, one.up, one.value});
  return withData(png, data);
}

std::string pmrt::withoutFigure(const std::string &png) {
  return png::withChunk(png, png::valuesType, "");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static FigureAxis readAxis(const Json &data) {
  FigureAxis axis{data.at("name"), data.at("unit"), data.at("log"),
                  data.at("length")};
  axis.range = data.value("range", std::vector<double>());
  axis.isGiven = axis.range.size() == 2;
  axis.isAsked = data.value("asked", false);
  if (!axis.isGiven)
    axis.range.clear();
  return axis;
}

template <typename T> static std::vector<double> readBinary(const Json &data) {
  const auto &bytes = data.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

static Figure readFigure(const Json &data) {
  Figure figure;
  figure.title = data.at("title");
  figure.subtitle = data.at("subtitle");
  figure.right = readAxis(data.at("right"));
  figure.up = readAxis(data.at("up"));
  figure.value = readAxis(data.at("value"));
  figure.colormap = data.at("colormap");
  figure.projection = data.at("projection");
  figure.counts = data.at("counts");
  figure.bins = data.at("bins");
  if (data.contains("values")) {
    figure.columns = data.at("columns");
    figure.rows = data.at("rows");
    figure.values = readBinary<float>(data.at("values"));
    if (figure.columns < 1 || figure.rows < 1 || figure.columns > mostPixels ||
        figure.rows > mostPixels ||
        int64_t(figure.values.size()) != figure.columns * figure.rows)
      throw std::runtime_error(
          "its map has a different size than its header says");
  }
  if (data.contains("x"))
    figure.x = readBinary<double>(data.at("x"));
  if (data.contains("curves"))
    for (const Json &curve : data.at("curves")) {
      figure.curves.push_back({curve.at("name"), curve.at("unit"),
                               readBinary<double>(curve.at("values")),
                               curve.at("points")});
      if (figure.curves.back().values.size() != figure.x.size())
        throw std::runtime_error("its curves have different lengths");
    }
  if (data.contains("panels"))
    for (const Json &panel : data.at("panels"))
      figure.panels.push_back(readFigure(panel));
  return figure;
}

/// What `withFigure` leaves out.
static void readRest(const Json &data, Figure &figure) {
  figure.notes = data.at("notes").get<std::vector<std::string>>();
  figure.panelRows = data.at("panelRows").get<std::vector<int64_t>>();
  figure.shared = data.at("shared");
  if (data.contains("contours"))
    for (const Json &one : data.at("contours")) {
      figure.contours.push_back({one.at("name"), one.at("unit"),
                                 readBinary<double>(one.at("values")),
                                 one.value("asked", false)});
      if (figure.contours.back().values.size() != figure.values.size())
        throw std::runtime_error(
            "its contours have a different size than its map");
    }
  for (size_t c = 0; c < figure.curves.size(); ++c)
    if (const Json &curve = data.at("curves").at(c); curve.contains("low")) {
      FigureCurve &one = figure.curves[c];
      one.low = readBinary<double>(curve.at("low"));
      one.high = readBinary<double>(curve.at("high"));
      if (one.low.size() != one.values.size() ||
          one.high.size() != one.values.size())
        throw std::runtime_error(
            "its bands have different lengths than its curves");
    }
  for (size_t p = 0; p < figure.panels.size(); ++p)
    readRest(data.at("panels").at(p), figure.panels[p]);
}

/// What the chunk of a picture says, read by `read`.
template <typename Result, typename Read>
static std::optional<Result> readChunk(const std::string &png,
                                       const Read &read) {
  for (const png::Chunk &chunk : png::chunksOf(png))
    if (chunk.type == png::valuesType) {
      try {
        return read(Json::from_msgpack(chunk.data));
      } catch (const Json::exception &e) {
        throw std::runtime_error(e.what());
      }
    }
  return std::nullopt;
}

std::optional<Figure> pmrt::figureIn(const std::string &png) {
  return readChunk<Figure>(png, readFigure);
}

std::optional<WholeFigure> pmrt::wholeFigureIn(const std::string &png) {
  return readChunk<WholeFigure>(png, [](const Json &data) {
    WholeFigure whole{readFigure(data), {}};
    readRest(data, whole.figure);
    for (const Json &one : data.at("ranges")) {
      using Range = std::vector<double>;
      whole.ranges.push_back({one.at(0).get<Range>(), one.at(1).get<Range>(),
                              one.at(2).get<Range>()});
    }
    return whole;
  });
}
