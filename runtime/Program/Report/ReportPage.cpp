//===- ReportPage.cpp - The page about a run ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/ReportPage.h"

#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Figures/FigureData.h"
#include "runtime/Program/Report/Html.h"
#include "runtime/Program/Report/LossPicture.h"
#include "runtime/Program/Report/Timeline.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace pmrt;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Pictures beyond that are links, so that the page stays small.
static constexpr size_t mostPictureBytes = size_t(13) << 20;

static std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static std::string parameters(const Context &context, const Json &record) {
  std::string rows;
  for (const Parameter &param : context.program.params) {
    const Json &entry = record["params"][param.name];
    rows += tableRow({"<code>" + escapedHtml(param.name) + "</code>",
                      shownJson(entry["value"]), escapedHtml(param.unit),
                      shownJson(entry["origin"]), escapedHtml(param.doc)});
  }
  for (const Input &input : context.program.inputs)
    rows +=
        tableRow({"<code>" + escapedHtml(input.name) + "</code>",
                  shownJson(record["inputs"][input.name]),
                  escapedHtml(input.unit), "input", escapedHtml(input.doc)});
  return rows.empty()
             ? ""
             : tableOf({"name", "value", "unit", "origin", "meaning"}, rows);
}

static std::string pictures(const Context &context) {
  std::string out;
  size_t bytes = 0;
  const std::string losses = lossPicturePath(context);
  std::set<std::string> frames;
  for (const auto &[plot, all] : context.frames)
    frames.insert(all.begin(), all.end());
  for (const std::string &path : context.written) {
    const std::string suffix = fs::path(path).extension();
    if ((context.lossesGrew && path == losses) || frames.contains(path))
      continue; // shown by itself, or as an animation
    if (suffix != ".png" && suffix != ".svg" && suffix != ".pdf")
      continue;
    const std::string name = escapedHtml(fs::path(path).filename());
    std::string file, trouble;
    try {
      file = readWholeFile(path);
    } catch (const std::runtime_error &error) {
      trouble = fmt::format(" ({})", error.what());
    }
    if (suffix == ".png" && !file.empty())
      file = withoutFigure(file);
    if (suffix == ".pdf" || file.empty() ||
        bytes + file.size() > mostPictureBytes) {
      out += fmt::format("<p><a href=\"{0}\">{0}</a>{1}</p>\n", name,
                         escapedHtml(trouble));
      continue;
    }
    bytes += file.size();
    out += pictureOf(fs::path(path).filename(),
                     suffix == ".svg" ? "svg+xml" : "png", file);
  }
  return out.empty() ? "" : "<div class=\"pictures\">\n" + out + "</div>\n";
}

/// The units of columns: "h/Mpc, (Mpc/h)^3" has one for each.
static std::string unitOf(const WrittenOutput &output, size_t column) {
  std::vector<std::string> units;
  std::istringstream list(output.unit);
  for (std::string unit; std::getline(list >> std::ws, unit, ',');)
    units.push_back(unit);
  return units.size() == output.ranges.size() ? units[column] : output.unit;
}

static std::string outputs(const Context &context) {
  std::string rows;
  for (const WrittenOutput &output : context.outputs)
    for (size_t c = 0; c < output.ranges.size(); ++c) {
      const ValueRange &range = output.ranges[c];
      const bool only = output.ranges.size() == 1;
      const std::string column = c < output.columns.size() ? output.columns[c]
                                 : only ? ""
                                        : fmt::format("{}", c);
      rows += tableRow(
          {c == 0 ? "<code>" + escapedHtml(output.name) + "</code>" : "",
           escapedHtml(column), c == 0 ? escapedHtml(output.file) : "",
           c == 0
               ? (output.shape.empty() ? "number" : shapeText(output.shape)) +
                     " " + output.element
               : "",
           escapedHtml(unitOf(output, c)), number(range.least),
           number(range.sum / range.count), number(range.most)},
          5);
    }
  return rows.empty() ? ""
                      : tableOf({"output", "column", "file", "what", "unit",
                                 "least", "mean", "largest"},
                                rows, 5);
}

static std::string machine(const Json &record) {
  std::string rows;
  auto add = [&](const char *name, const std::string &value) {
    rows += tableRow({name, value});
  };
  add("host", shownJson(record["host"]));
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      add("processor", escapedHtml(line.substr(line.find(':') + 2)));
      break;
    }
  if (const Json &device = record["device"]; !device.is_null())
    add("GPU", shownJson(device["name"]) + ", " + shownJson(device["driver"]));
  add("ranks",
      fmt::format("{} of {} threads, transport {}", record["ranks"].dump(),
                  record["threads"].dump(), shownJson(record["transport"])));
  std::string mesh;
  for (const auto &[axis, extent] : record["mesh"].items())
    mesh += fmt::format("{}{}={}", mesh.empty() ? "" : ", ", escapedHtml(axis),
                        extent.dump());
  if (!mesh.empty())
    add("mesh", mesh);
  const Json &memory = record["memory"];
  add("memory",
      fmt::format("{} for fields, {} at most in the first process",
                  bytesText(memory["fields_bytes"].get<double>()),
                  bytesText(memory["peak_resident_bytes"].get<double>())));
  add("compiler", "pmc " + shownJson(record["compiler_version"]));
  for (const auto &[name, version] : record["versions"].items())
    add(escapedHtml(name).c_str(), shownJson(version));
  add("precision", shownJson(record["precision"]));
  add("target", shownJson(record["target"]));
  add("hash of the spec",
      "<code>" + shownJson(record["source_hash"]) + "</code>");
  return tableOf({"", ""}, rows);
}

/// What took how long, of the first rank. With --profile.
static std::string times(Context &context, double seconds) {
  constexpr size_t most = 40;
  std::string rows;
  size_t count = 0;
  double covered = 0;
  auto share = [&](double part) {
    return fmt::format("{:.1f}%", seconds > 0 ? 100 * part / seconds : 0.0);
  };
  for (const Profile::Row &one : context.profile.rows()) {
    covered += one.seconds;
    if (++count <= most)
      rows += tableRow({escapedHtml(context.location(one.loc)),
                        escapedHtml(one.name), secondsText(one.seconds),
                        share(one.seconds), fmt::format("{}", one.calls),
                        one.bytes ? bytesText(double(one.bytes)) : "–"},
                       2);
  }
  const double rest = std::max(0.0, seconds - covered);
  rows += tableRow(
      {"", "outside of runtime calls", secondsText(rest), share(rest), "", ""},
      2);
  std::string out =
      tableOf({"line", "call", "time", "share", "calls", "bytes"}, rows, 2);
  if (count > most)
    out += fmt::format("<p class=\"faint\">the slowest {} of {}</p>\n", most,
                       count);
  return out;
}

std::string pmrt::reportPage(Context &context, const std::string &recordText,
                             const std::string &events) {
  const Json record = Json::parse(recordText);
  const std::string name = escapedHtml(context.program.name);
  const auto status = record["status"].get<std::string>();
  const Json &timing = record["timing"];
  std::string warnings;
  for (const std::string &line : context.progress.warnings())
    warnings += "<p>" + escapedHtml(line) + "</p>\n";
  std::string out =
      fmt::format("<h1>{0}</h1>\n<p>{1}</p>\n<p><span class=\"{2}\">{2}</span> "
                  "<span class=\"faint\">in {3}, {4}</span></p>\n",
                  name, escapedHtml(context.program.doc), status,
                  secondsText(timing["seconds"].get<double>()),
                  shownJson(timing.contains("finished") ? timing["finished"]
                                                        : timing["started"]));
  if (record.contains("error"))
    out += "<p class=\"failed\">" + shownJson(record["error"]) + "</p>\n";
  out += sectionOf("Warnings", warnings);
  out += sectionOf("Pictures", pictures(context));
  out += sectionOf("Outputs", outputs(context));
  std::string narrow;
  if (context.profile.enabled()) {
    narrow = sectionOf("Time by line", times(context, timing["seconds"]));
    const TimePictures time = picturesOverTime(events);
    out += sectionOf("Ranks over time", time.ranks);
    out += sectionOf("Memory over time", time.memory);
  }
  narrow += sectionOf("Losses", lossCurves(context.losses)) +
            sectionOf("Parameters", parameters(context, record)) +
            sectionOf("Machine and versions", machine(record));
  out += "<div class=\"columns\">\n" + narrow + "</div>\n";
  if (!context.program.source.empty())
    out += sectionOf("Spec", "<pre>" + escapedHtml(context.program.source) +
                                 "</pre>\n");
  return htmlPage(name, out, timelineStyle);
}
