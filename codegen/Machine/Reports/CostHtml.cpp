//===- CostHtml.cpp - Costs as a page -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Reports/CostMatrix.h"
#include "codegen/Machine/Reports/CostPrint.h"
#include "codegen/Machine/Reports/CostTables.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

/// The reader's colours, light or dark; on paper, everything is shown.
static constexpr llvm::StringLiteral style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, p { overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .8rem .15rem 0; text-align: right; white-space: nowrap; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid GrayText; }
.text { text-align: left; } .where { white-space: normal; overflow-wrap: anywhere; min-width: 16rem; }
tr:hover { background: color-mix(in srgb, CanvasText 8%, Canvas); }
pre { overflow-x: auto; font-size: 12px; }
.matrix { font-size: 11px; fill: CanvasText; }
.matrix rect { fill: #2166ac; stroke: GrayText; stroke-width: .3; }
@media print { tr { break-inside: avoid; } }
)";

static void print(const CostTable &table, llvm::raw_ostream &os) {
  os << "<h2>";
  llvm::printHTMLEscaped(table.title, os);
  os << "</h2>\n<div class=wide><table>\n";
  auto printCell = [&](llvm::StringRef tag, size_t column,
                       llvm::StringRef text) {
    bool isLast = column + 1 == table.columns.size();
    os << "<" << tag
       << (!table.columns[column].isText ? ""
           : isLast                      ? " class='text where'"
                                         : " class=text")
       << ">";
    llvm::printHTMLEscaped(text, os);
    os << "</" << tag << ">";
  };
  os << "<thead><tr>";
  for (auto [i, column] : llvm::enumerate(table.columns))
    printCell("th", i, column.name);
  os << "</tr></thead><tbody>\n";
  for (const std::vector<std::string> &row : table.rows) {
    os << "<tr>";
    for (auto [i, cell] : llvm::enumerate(row))
      printCell("td", i, cell);
    os << "</tr>\n";
  }
  os << "</tbody></table></div>\n";
  for (const std::string &note : table.notes) {
    os << "<p>";
    llvm::printHTMLEscaped(note, os);
    os << "</p>\n";
  }
}

void pmc::machine::printHtml(const CostReport &report, llvm::StringRef spec,
                             const Comparison *measured,
                             llvm::StringRef sharded, llvm::raw_ostream &os) {
  std::string title = getTitle(report, spec);
  os << "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
        "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
        "<title>";
  llvm::printHTMLEscaped(title, os);
  os << "</title>\n<style>" << style << "</style></head>\n<body>\n<h1>";
  llvm::printHTMLEscaped(title, os);
  os << "</h1>\n";
  for (const CostTable &table : makeTables(report, measured))
    print(table, os);
  printMatrix(report, os);
  os << "<h2>The program of one rank, with its messages</h2>\n"
        "<details><summary>pmc --emit=sharded</summary>\n<pre>";
  llvm::printHTMLEscaped(sharded, os);
  os << "</pre></details>\n</body></html>\n";
}
