//===- CostText.cpp - Prints what a program will cost ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Reports/CostPrint.h"

#include "codegen/Machine/Reports/CostMatrix.h"
#include "codegen/Machine/Reports/CostTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;
namespace json = llvm::json;

std::string pmc::machine::toText(cost::Part part) {
  switch (part) {
  case cost::Part::Transforms:
    return "transforms";
  case cost::Part::Paint:
    return "paint";
  case cost::Part::Readout:
    return "readout";
  case cost::Part::Kernels:
    return "kernels";
  case cost::Part::Files:
    return "files";
  case cost::Part::Nothing:
    return "messages";
  }
  llvm_unreachable("unknown part");
}

std::string pmc::machine::toText(cost::Pattern pattern) {
  switch (pattern) {
  case cost::Pattern::AllToAll:
    return "all to all";
  case cost::Pattern::Neighbors:
    return "halo";
  case cost::Pattern::AllReduce:
    return "reduction";
  }
  llvm_unreachable("unknown pattern");
}

static void print(const CostTable &table, llvm::raw_ostream &os) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(table.columns[i].name.size());
    for (const std::vector<std::string> &row : table.rows)
      widths[i] = std::max(widths[i], row[i].size());
  }
  auto printRow = [&](llvm::function_ref<llvm::StringRef(size_t)> cell) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      std::string space(widths[i] - cell(i).size(), ' ');
      line +=
          (i ? "  " : "") + (table.columns[i].isText ? cell(i).str() + space
                                                     : space + cell(i).str());
    }
    os << llvm::StringRef(line).rtrim() << "\n";
  };
  os << "\n" << table.title << "\n";
  if (llvm::any_of(table.columns,
                   [](const auto &column) { return !column.name.empty(); }))
    printRow([&](size_t i) { return llvm::StringRef(table.columns[i].name); });
  for (const std::vector<std::string> &row : table.rows)
    printRow([&](size_t i) { return llvm::StringRef(row[i]); });
  for (const std::string &note : table.notes)
    os << note << "\n";
}

void pmc::machine::printText(const CostReport &report, llvm::StringRef spec,
                             const Comparison *measured,
                             llvm::raw_ostream &os) {
  os << getTitle(report, spec) << "\n";
  for (const CostTable &table : makeTables(report, measured))
    print(table, os);
}

void pmc::machine::printJson(const CostReport &report, llvm::StringRef spec,
                             const Comparison *measured,
                             llvm::raw_ostream &os) {
  json::Object mesh;
  for (const auto &[axis, ranks] : report.mesh)
    mesh[axis] = ranks;
  json::Array ops, fields;
  for (const CostRow &row : report.ops) {
    json::Array sent;
    for (const SentRow &one : row.sent) {
      json::Object message{{"pattern", toText(one.pattern)},
                           {"axes", json::Array(one.axes)},
                           {"bytes", one.most},
                           {"bytes_first_rank", one.first},
                           {"assumed", one.assumed}};
      if (report.hasTimes) {
        message["seconds"] = one.seconds;
        message["messages"] = one.messages;
        message["bytes_between_nodes"] = one.between;
        message["bound"] = one.bound;
      }
      sent.push_back(std::move(message));
    }
    json::Object op{{"op", row.op},
                    {"where", row.where},
                    {"part", toText(row.part)},
                    {"times", row.times},
                    {"read", row.read},
                    {"written", row.written},
                    {"operations", row.operations},
                    {"functions", row.functions},
                    {"lookups", row.lookups},
                    {"cells", row.cells},
                    {"positions", row.positions},
                    {"messages", std::move(sent)}};
    if (report.hasTimes) {
      op["seconds"] = row.seconds;
      op["bound"] = row.bound;
    }
    if (row.loop >= 0)
      op["loop"] = row.loop;
    ops.push_back(std::move(op));
  }
  json::Array loops;
  for (const LoopRow &loop : report.loops)
    loops.push_back(json::Object{{"where", loop.where},
                                 {"iterations", loop.iterations},
                                 {"steps", loop.steps}});
  for (const FieldRow &field : report.fields)
    fields.push_back(json::Object{
        {"type", field.type}, {"where", field.where}, {"bytes", field.bytes}});
  json::Object all{{"spec", spec},
                   {"mesh", std::move(mesh)},
                   {"ranks", report.ranks},
                   {"reach", report.displacementBound},
                   {"memory", json::Object{{"fields", report.peak},
                                           {"tapes", report.stores},
                                           {"at_the_peak", std::move(fields)}}},
                   {"ops", std::move(ops)},
                   {"loops", std::move(loops)},
                   {"notes", json::Array(report.notes)}};
  json::Array matrix;
  for (const std::vector<double> &row : makeMatrix(report))
    matrix.push_back(json::Array(row));
  if (!matrix.empty())
    all["bytes_between_ranks"] = std::move(matrix);
  if (report.hasTimes)
    all["machine"] = report.machine;
  if (measured)
    all["measured"] = toJson(*measured);
  os << llvm::formatv("{0:2}\n", json::Value(std::move(all)));
}
