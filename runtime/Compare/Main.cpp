//===- Main.cpp - Two runs side by side -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `pmrt_report A B [-o FILE]`, which `pmc report` starts: a page about two
// folders of outputs.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Error.h"
#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Compare/Figures.h"
#include "runtime/IO/Figures/FigureData.h"
#include "runtime/IO/Figures/Plot.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/Program/Report/Html.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

using namespace pmrt;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct Run {
  std::string folder;
  Json record;
};

} // namespace

static Run load(const std::string &folder) {
  const fs::path path = fs::path(folder) / "run.json";
  if (!fs::exists(path))
    throw std::runtime_error(fmt::format(
        "{} has no run.json: it is not an output folder of a run", folder));
  try {
    return {folder, Json::parse(readWholeFile(path))};
  } catch (const Json::exception &e) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), e.what()));
  }
}

/// What a run.json says at a path of names, or null.
static Json at(const Json &record, std::initializer_list<const char *> path) {
  const Json *here = &record;
  for (const char *name : path) {
    if (!here->is_object() || !here->contains(name))
      return {};
    here = &(*here)[name];
  }
  return *here;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Those that differ, or that one has alone.
static std::string parameters(const Run &a, const Run &b) {
  std::string rows;
  std::vector<std::string> names;
  for (const char *kind : {"params", "inputs"}) {
    const Json left = at(a.record, {kind}), right = at(b.record, {kind});
    std::set<std::string> seen;
    for (const Json *side : {&left, &right})
      for (const auto &[name, entry] : side->items()) {
        if (!seen.insert(name).second)
          continue;
        auto value = [&](const Json &all) {
          if (!all.is_object() || !all.contains(name))
            return Json("missing");
          return all[name].is_object() ? all[name].value("value", Json())
                                       : all[name];
        };
        const Json one = value(left), other = value(right);
        if (one == other)
          continue;
        const Json unit =
            entry.is_object() ? entry.value("unit", Json("")) : "";
        rows += tableRow({"<code>" + escapedHtml(name) + "</code>",
                          shownJson(one), shownJson(other), shownJson(unit)});
      }
  }
  return rows.empty() ? "<p>There are no differences.</p>\n"
                      : tableOf({"name", "A", "B", "unit"}, rows);
}

static std::string runs(const Run &a, const Run &b) {
  std::string rows;
  auto add = [&](const char *name, std::initializer_list<const char *> path) {
    const Json one = at(a.record, path), other = at(b.record, path);
    rows += tableRow({one == other ? name : fmt::format("<b>{}</b>", name),
                      shownJson(one), shownJson(other)});
  };
  rows += tableRow({"folder", escapedHtml(a.folder), escapedHtml(b.folder)});
  add("program", {"program"});
  add("hash of the spec", {"source_hash"});
  add("status", {"status"});
  add("finished", {"timing", "finished"});
  add("seconds", {"timing", "seconds"});
  add("ranks", {"ranks"});
  add("threads of a rank", {"threads"});
  add("precision", {"precision"});
  add("target", {"target"});
  add("compiler", {"compiler_version"});
  add("host", {"host"});
  return tableOf({"", "A", "B"}, rows);
}

static std::string drawn(const Figure &figure, const std::string &name) {
  Drawing drawing;
  drawingFunction()(figure, PlotFormat::Png, drawing);
  static int count = 0;
  tellLayout(fmt::format("compare_{}", ++count), drawing);
  return pictureOf(name, "png", drawing.file);
}

static std::set<std::string> picturesOf(const Run &run) {
  std::set<std::string> names;
  for (const Json &name : at(run.record, {"outputs"}))
    if (name.is_string() && name.get<std::string>().ends_with(".png"))
      names.insert(name);
  return names;
}

static std::string pictures(const Run &a, const Run &b) {
  std::string out, left;
  const std::set<std::string> ofA = picturesOf(a), ofB = picturesOf(b);
  for (const std::string &name : ofA) {
    if (!ofB.contains(name)) {
      left += fmt::format("<p>{}: only in A.</p>\n", escapedHtml(name));
      continue;
    }
    std::vector<std::optional<Figure>> figures;
    for (const Run *run : {&a, &b}) {
      const fs::path path = fs::path(run->folder) / name;
      try {
        figures.push_back(figureIn(readWholeFile(path)));
      } catch (const std::runtime_error &e) {
        throw std::runtime_error(
            fmt::format("{}: {}", path.string(), e.what()));
      }
    }
    if (!figures[0] || !figures[1])
      continue; // frames and animations keep no values
    const std::vector<Figure> both = compareFigures(*figures[0], *figures[1]);
    if (both.empty())
      left += fmt::format(
          "<p>{}: the figures in A and B have different contents.</p>\n",
          escapedHtml(name));
    for (const Figure &figure : both)
      out += drawn(figure, name);
  }
  for (const std::string &name : ofB)
    if (!ofA.contains(name))
      left += fmt::format("<p>{}: only in B.</p>\n", escapedHtml(name));
  if (!out.empty())
    out = "<div class=\"pictures\">\n" + out + "</div>\n";
  return out + left;
}

static std::string losses(const Run &a, const Run &b) {
  std::string out;
  const Json left = at(a.record, {"losses"}), right = at(b.record, {"losses"});
  std::set<std::string> names;
  for (const Json *side : {&left, &right})
    for (const auto &[name, points] : side->items())
      names.insert(name);
  for (const std::string &name : names) {
    Figure figure;
    figure.title = "loss of " + name;
    figure.right.name = "iteration";
    figure.up.name = "loss";
    figure.up.log = true;
    for (const Json *side : {&left, &right}) {
      if (!side->is_object() || !side->contains(name))
        continue;
      FigureCurve curve{side == &left ? "A" : "B", "", {}};
      for (const Json &point : (*side)[name]) {
        curve.x.push_back(point.at(0).get<double>());
        // JSON has no NaN; curves leave it out, and say so.
        curve.values.push_back(point.at(1).is_null()
                                   ? std::numeric_limits<double>::quiet_NaN()
                                   : point.at(1).get<double>());
      }
      figure.up.log &= std::all_of(curve.values.begin(), curve.values.end(),
                                   [](double loss) { return !(loss <= 0); });
      if (!curve.x.empty())
        figure.curves.push_back(std::move(curve));
    }
    out += drawn(figure, figure.title);
  }
  return out.empty() ? "" : "<div class=\"pictures\">\n" + out + "</div>\n";
}

extern "C" int pmrt_report(int argc, char **argv) {
  std::vector<std::string> folders;
  std::string file = "compare.html";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if ((word == "-o" || word == "--output") && i + 1 < argc) {
      file = argv[++i];
    } else if (word == "-h" || word == "--help") {
      fmt::print("pmc report A B [-o FILE]: a page about the folders A and B "
                 "of two runs' outputs (default compare.html): parameters that "
                 "differ, curves over one another, maps and their "
                 "difference.\n");
      return 0;
    } else if (word.starts_with("-")) {
      printMessage(
          fmt::format("pmc report: error: unknown flag '{}' [PM9001]\n", word));
      return 1;
    } else {
      folders.push_back(word);
    }
  }
  if (folders.size() != 2) {
    fmt::print(stderr,
               "pmc report: error: expected two output folders, found {}: pmc "
               "report A B -o compare.html [PM9001]\n",
               folders.size());
    return 1;
  }
  try {
    const Run a = load(folders[0]), b = load(folders[1]);
    const std::string title =
        shownJson(at(a.record, {"program"})) + ", two runs";
    writeNamedFile(file,
                   htmlPage(title, "<h1>" + title + "</h1>\n" +
                                       sectionOf("Parameters that differ",
                                                 parameters(a, b)) +
                                       sectionOf("Pictures", pictures(a, b)) +
                                       sectionOf("Losses", losses(a, b)) +
                                       sectionOf("Runs", runs(a, b))));
  } catch (const std::exception &e) {
    printMessage(fmt::format("pmc report: error: {}\n", coded(e.what())));
    return 1;
  }
  return 0;
}
