//===- Html.cpp - Pages about runs ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/Html.h"

#include "runtime/Base/Files/PngChunks.h"
#include "runtime/Base/Text/Base64.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace pmrt;

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
.columns { columns: 2 30rem; column-gap: 2.5rem; }
.columns section { break-inside: avoid; padding-top: 2rem; }
.columns h2 { margin-top: 0; }
code { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
pre { background: var(--panel); border: 1px solid var(--line); padding: .8rem;
  overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem;
  align-items: flex-start; }
figure { margin: 0; flex: 1 1 min(22rem, 100%); max-width: 48rem; }
figure.broad { flex-basis: 100%; max-width: none; }
figure img { width: 100%; height: auto; background: #fff;
  border: 1px solid var(--line); cursor: zoom-in; box-sizing: border-box; }
figure input { display: none; }
figure:has(input:checked) { flex-basis: 100%; max-width: none; }
input:checked + img { cursor: zoom-out; }
figcaption { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
svg.curve { width: 100%; max-width: 34rem; height: auto; color: var(--mark); }
svg.curve text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg.curve .axis { stroke: var(--faint); fill: none; }
@media print { :root { --ink: #000; --back: #fff; --panel: #fff;
  --line: #999; --faint: #333; } pre { white-space: pre-wrap; }
  figure, tr { break-inside: avoid; } }
)css";

std::string pmrt::escapedHtml(const std::string &text) {
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

std::string pmrt::tableRow(const std::vector<std::string> &cells,
                           size_t numbersFrom) {
  std::string out = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    out += (i >= numbersFrom ? "<td class=\"number\">" : "<td>") + cells[i] +
           "</td>";
  return out + "</tr>\n";
}

std::string pmrt::tableOf(const std::vector<std::string> &names,
                          const std::string &rows, size_t numbersFrom) {
  std::string head;
  for (size_t i = 0; i < names.size(); ++i)
    head += (i >= numbersFrom ? "<th class=\"number\">" : "<th>") + names[i] +
            "</th>";
  return fmt::format("<div class=\"wide\"><table><thead><tr>{}</tr></thead>\n"
                     "<tbody>\n{}</tbody></table></div>\n",
                     head, rows);
}

std::string pmrt::shownJson(const nlohmann::ordered_json &value) {
  return value.is_null()     ? "–"
         : value.is_string() ? escapedHtml(value.get<std::string>())
                             : escapedHtml(value.dump());
}

/// Whether a picture is so wide that its texts would be small beside others.
static bool isBroad(const std::string &file) {
  constexpr size_t sizes = 16; // of a PNG
  return file.starts_with("\x89PNG") && file.size() >= sizes + 8 &&
         png::numberAt(file, sizes) > 1.6 * png::numberAt(file, sizes + 4);
}

std::string pmrt::pictureOf(const std::string &name, const std::string &type,
                            const std::string &file) {
  return fmt::format(
      "<figure{3}><label><input type=\"checkbox\"><img alt=\"{0}\" "
      "src=\"data:image/{1};base64,{2}\"></label>"
      "<figcaption>{0}</figcaption></figure>\n",
      escapedHtml(name), type, base64(file),
      isBroad(file) ? " class=\"broad\"" : "");
}

std::string pmrt::sectionOf(const std::string &title, const std::string &body) {
  return body.empty()
             ? ""
             : fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, body);
}

std::string pmrt::htmlPage(const std::string &title, const std::string &body,
                           const std::string &moreStyle) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title><style>{}{}</style></head><body>\n"
      "{}</body></html>\n",
      title, style, moreStyle, body);
}
