//===- ReportPage.cpp - The page about a run ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/ReportPage.h"

#include "runtime/Base/Format.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <sstream>

using namespace pmrt;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Pictures beyond that are links, so that the page stays small.
static constexpr size_t mostPictureBytes = size_t(14) << 20;

static constexpr const char *style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #5d6670;
  --line: #d5dae0; --back: #ffffff; --panel: #f5f7f9; --mark: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --faint: #9aa4af;
  --line: #3a424b; --back: #16191d; --panel: #1f242a; --mark: #56b4e9; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--back); max-width: 70rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; }
.faint { color: var(--faint); }
.failed { color: #c0392b; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
td.number { text-align: right; white-space: nowrap; }
pre { background: var(--panel); border: 1px solid var(--line); padding: .8rem;
  overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; }
.pictures { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); }
figure { margin: 0; }
figure img { width: 100%; height: auto; background: #fff;
  border: 1px solid var(--line); cursor: zoom-in; box-sizing: border-box; }
figure input { display: none; }
figure:has(input:checked) { grid-column: 1 / -1; }
input:checked + img { cursor: zoom-out; }
figcaption { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
svg.curve { width: 100%; max-width: 34rem; height: auto; color: var(--mark); }
svg.curve text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg.curve .axis { stroke: var(--faint); }
@media print { :root { --ink: #000; --back: #fff; --panel: #fff;
  --line: #999; --faint: #333; } pre { white-space: pre-wrap; }
  figure, tr { break-inside: avoid; } }
)css";

static std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out;
}

/// A value of run.json as a reader wants it.
static std::string shown(const Json &value) {
  return value.is_null()     ? "–"
         : value.is_string() ? escaped(value.get<std::string>())
                             : escaped(value.dump());
}

static std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

static std::string row(const std::vector<std::string> &cells,
                       size_t numbersFrom = ~size_t(0)) {
  std::string out = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    out += (i >= numbersFrom ? "<td class=\"number\">" : "<td>") + cells[i] +
           "</td>";
  return out + "</tr>\n";
}

static std::string table(const std::vector<std::string> &names,
                         const std::string &rows) {
  std::string head;
  for (const std::string &name : names)
    head += "<th>" + name + "</th>";
  return fmt::format("<div class=\"wide\"><table><thead><tr>{}</tr></thead>\n"
                     "<tbody>\n{}</tbody></table></div>\n",
                     head, rows);
}

static std::string section(const std::string &title, const std::string &body) {
  return body.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", title, body);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static std::string parameters(const Context &context, const Json &record) {
  std::string rows;
  for (const Parameter &param : context.program.params) {
    const Json &entry = record["params"][param.name];
    rows +=
        row({"<code>" + escaped(param.name) + "</code>", shown(entry["value"]),
             escaped(param.unit), shown(entry["origin"]), escaped(param.doc)});
  }
  for (const Input &input : context.program.inputs)
    rows += row({"<code>" + escaped(input.name) + "</code>",
                 shown(record["inputs"][input.name]), escaped(input.unit),
                 "input", escaped(input.doc)});
  return rows.empty()
             ? ""
             : table({"name", "value", "unit", "origin", "meaning"}, rows);
}

static std::string encoded(const std::string &bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(
      reinterpret_cast<unsigned char *>(text.data()),
      reinterpret_cast<const unsigned char *>(bytes.data()), int(bytes.size()));
  text.resize(size_t(length));
  return text;
}

static std::string pictures(const Context &context) {
  std::string out;
  size_t bytes = 0;
  for (const std::string &path : context.written) {
    const std::string suffix = fs::path(path).extension();
    if (suffix != ".png" && suffix != ".svg" && suffix != ".pdf")
      continue;
    const std::string name = escaped(fs::path(path).filename());
    std::ifstream stream(path, std::ios::binary);
    std::stringstream read;
    read << stream.rdbuf();
    const std::string file = read.str();
    if (suffix == ".pdf" || file.empty() ||
        bytes + file.size() > mostPictureBytes) {
      out += fmt::format("<p><a href=\"{0}\">{0}</a></p>\n", name);
      continue;
    }
    bytes += file.size();
    out += fmt::format("<figure><label><input type=\"checkbox\"><img "
                       "alt=\"{}\" src=\"data:image/{};base64,{}\"></label>"
                       "<figcaption>{}</figcaption></figure>\n",
                       name, suffix == ".svg" ? "svg+xml" : "png",
                       encoded(file), name);
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
      rows += row({c == 0 ? "<code>" + escaped(output.name) + "</code>" : "",
                   escaped(column), c == 0 ? escaped(output.file) : "",
                   c == 0 ? (output.shape.empty() ? "number"
                                                  : shapeText(output.shape)) +
                                " " + output.element
                          : "",
                   escaped(unitOf(output, c)), number(range.least),
                   number(range.sum / range.count), number(range.most)},
                  5);
    }
  return rows.empty() ? ""
                      : table({"output", "column", "file", "what", "unit",
                               "least", "mean", "largest"},
                              rows);
}

/// Losses over iterations, by powers of ten if all are positive.
static std::string
lossCurve(const std::string &name,
          const std::vector<std::pair<double, double>> &all) {
  const bool log = std::all_of(all.begin(), all.end(),
                               [](const auto &p) { return p.second > 0; });
  auto height = [&](double loss) { return log ? std::log10(loss) : loss; };
  double least = height(all[0].second), most = least;
  for (const auto &[step, loss] : all) {
    least = std::min(least, height(loss));
    most = std::max(most, height(loss));
  }
  if (least == most) {
    least -= 1;
    most += 1;
  }
  const double last = std::max(1.0, all.back().first);
  std::string points;
  for (const auto &[step, loss] : all)
    points += fmt::format("{:.1f},{:.1f} ", 70 + 440 * step / last,
                          190 - 165 * (height(loss) - least) / (most - least));
  auto label = [&](double at) {
    return fmt::format("{:.3g}", log ? std::pow(10.0, at) : at);
  };
  return fmt::format(
      "<svg class=\"curve\" viewBox=\"0 0 530 235\" role=\"img\" "
      "aria-label=\"loss of {0}\"><path class=\"axis\" fill=\"none\" "
      "d=\"M70 20V195H515\"/><polyline fill=\"none\" stroke=\"currentColor\" "
      "stroke-width=\"2\" points=\"{1}\"/>"
      "<text x=\"64\" y=\"29\" text-anchor=\"end\">{2}</text>"
      "<text x=\"64\" y=\"194\" text-anchor=\"end\">{3}</text>"
      "<text x=\"70\" y=\"212\" text-anchor=\"middle\">0</text>"
      "<text x=\"510\" y=\"212\" text-anchor=\"middle\">{4:.0f}</text>"
      "<text x=\"290\" y=\"228\" text-anchor=\"middle\">iteration</text>"
      "<text x=\"70\" y=\"12\">loss of {0}{5}</text></svg>\n",
      escaped(name), points, label(most), label(least), last,
      log ? ", logarithmic" : "");
}

static std::string losses(const Context &context) {
  std::string out;
  for (const auto &[name, all] : context.losses)
    out += lossCurve(name, all);
  return out;
}

static std::string machine(const Json &record) {
  std::string rows;
  auto add = [&](const char *name, const std::string &value) {
    rows += row({name, value});
  };
  add("host", shown(record["host"]));
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      add("processor", escaped(line.substr(line.find(':') + 2)));
      break;
    }
  if (const Json &device = record["device"]; !device.is_null())
    add("GPU", shown(device["name"]) + ", " + shown(device["driver"]));
  add("ranks",
      fmt::format("{} of {} threads, transport {}", record["ranks"].dump(),
                  record["threads"].dump(), shown(record["transport"])));
  std::string mesh;
  for (const auto &[axis, extent] : record["mesh"].items())
    mesh += fmt::format("{}{}={}", mesh.empty() ? "" : ", ", escaped(axis),
                        extent.dump());
  if (!mesh.empty())
    add("mesh", mesh);
  const Json &memory = record["memory"];
  add("memory",
      fmt::format("{} for fields, {} at most in the first process",
                  bytesText(memory["fields_bytes"].get<double>()),
                  bytesText(memory["peak_resident_bytes"].get<double>())));
  add("compiler", "pmc " + shown(record["compiler_version"]));
  for (const auto &[name, version] : record["versions"].items())
    add(escaped(name).c_str(), shown(version));
  add("precision", shown(record["precision"]));
  add("target", shown(record["target"]));
  add("hash of the spec", "<code>" + shown(record["source_hash"]) + "</code>");
  return table({"", ""}, rows);
}

std::string pmrt::reportPage(const Context &context,
                             const std::string &recordText) {
  const Json record = Json::parse(recordText);
  const std::string name = escaped(context.program.name);
  const auto status = record["status"].get<std::string>();
  const Json &timing = record["timing"];
  std::string warnings;
  for (const std::string &line : context.progress.warnings())
    warnings += "<p>" + escaped(line) + "</p>\n";
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p>{2}</p>\n<p><span class=\"{3}\">{3}</span> "
      "<span class=\"faint\">in {4}, {5}</span></p>\n",
      name, style, escaped(context.program.doc), status,
      secondsText(timing["seconds"].get<double>()),
      shown(timing.contains("finished") ? timing["finished"]
                                        : timing["started"]));
  if (record.contains("error"))
    out += "<p class=\"failed\">" + shown(record["error"]) + "</p>\n";
  out += section("Warnings", warnings);
  out += section("Pictures", pictures(context));
  out += section("Losses", losses(context));
  out += section("Outputs", outputs(context));
  out += section("Parameters", parameters(context, record));
  out += section("Machine and versions", machine(record));
  if (!context.program.source.empty())
    out +=
        section("Spec", "<pre>" + escaped(context.program.source) + "</pre>\n");
  return out + "</body></html>\n";
}
