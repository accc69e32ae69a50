//===- CostTables.cpp - Costs as tables for people ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Reports/CostTables.h"

#include "codegen/Machine/Reports/CostPrint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

/// In steps of `base`.
static std::string shorten(double value, double base,
                           llvm::ArrayRef<const char *> units) {
  bool isWhole = true;
  for (; value >= base && units.size() > 1; units = units.drop_front()) {
    value /= base;
    isWhole = false;
  }
  return llvm::formatv(isWhole ? "{0:f0} {1}" : "{0:f1} {1}", value,
                       units.front())
      .str();
}

std::string pmc::machine::toBytes(double bytes) {
  return shorten(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

/// "1.5 G".
static std::string toOperations(double operations) {
  return shorten(operations, 1000, {"", "k", "M", "G", "T", "P"});
}

static std::string toCount(double times) {
  return llvm::formatv("{0:f0}", times).str();
}

/// "1.5 ms".
static std::string toTime(double seconds) {
  const std::pair<double, const char *> units[] = {
      {1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  for (auto [unit, name] : units)
    if (seconds >= unit)
      return llvm::formatv("{0:f2} {1}", seconds / unit, name).str();
  return seconds > 0 ? llvm::formatv("{0:f2} us", seconds * 1e6).str() : "-";
}

namespace {

struct Sums {
  double ops = 0, moved = 0, operations = 0, sent = 0, seconds = 0;
};

/// What an op does itself, and, apart, what its messages do.
struct Totals {
  std::map<cost::Part, Sums> parts;
  Sums messages, all;

  void add(const CostRow &row, double times) {
    Sums own{times, times * double(row.read + row.written),
             times * double(row.operations), 0, times * row.seconds};
    Sums sent;
    for (const SentRow &one : row.sent)
      if (one.most) {
        sent.ops += times;
        sent.sent += times * double(one.most);
        sent.seconds += times * one.seconds;
      }
    if (row.part == cost::Part::Nothing)
      own.ops = 0;
    for (Sums *sums : {&parts[row.part], &all})
      add(*sums, own);
    for (Sums *sums : {&messages, &all})
      add(*sums, sent);
  }

private:
  static void add(Sums &to, const Sums &more) {
    to.ops += more.ops;
    to.moved += more.moved;
    to.operations += more.operations;
    to.sent += more.sent;
    to.seconds += more.seconds;
  }
};

} // namespace

static std::string describeMesh(const CostReport &report) {
  std::string text;
  for (const auto &[axis, ranks] : report.mesh)
    text += (text.empty() ? "" : ",") + axis + "=" + std::to_string(ranks);
  return text.empty() ? "one rank"
                      : "mesh " + text + ": " + std::to_string(report.ranks) +
                            (report.ranks == 1 ? " rank" : " ranks");
}

std::string pmc::machine::getTitle(const CostReport &report,
                                   llvm::StringRef spec) {
  return (spec + ", " + describeMesh(report) +
          (report.hasTimes ? " on " + report.machine : "") +
          "; figures of the rank that has the most")
      .str();
}

static void addSums(CostTable &table, const CostReport &report,
                    llvm::StringRef title, const Sums &sums, double steps) {
  if (!sums.ops && !sums.moved)
    return;
  table.rows.push_back(
      {title.str(), toCount(sums.ops / steps), toBytes(sums.moved / steps),
       toOperations(sums.operations / steps), toBytes(sums.sent / steps)});
  if (report.hasTimes)
    table.rows.back().push_back(toTime(sums.seconds / steps));
}

static CostTable makeParts(const CostReport &report, std::string title,
                           const Totals &totals, double steps) {
  CostTable table{std::move(title),
                  {{"", true}, {"ops"}, {"moved"}, {"operations"}, {"sent"}}};
  if (report.hasTimes)
    table.columns.push_back({"time"});
  for (const auto &[part, sums] : totals.parts)
    if (part != cost::Part::Nothing)
      addSums(table, report, toText(part), sums, steps);
  addSums(table, report, "messages", totals.messages, steps);
  addSums(table, report, "together", totals.all, steps);
  return table;
}

/// The whole program, and a step of each of its loops.
static void addSteps(std::vector<CostTable> &tables, const CostReport &report) {
  Totals all;
  for (const CostRow &row : report.ops)
    all.add(row, row.times);
  tables.push_back(makeParts(report, "in all", all, 1));
  for (auto [i, loop] : llvm::enumerate(report.loops)) {
    Totals step;
    for (const CostRow &row : report.ops)
      if (row.loop == int(i))
        step.add(row, row.times);
    if (!loop.iterations || !step.all.ops)
      continue;
    std::string title = loop.steps == loop.iterations
                            ? "a step of " + toCount(loop.steps)
                            : "an iteration of " + toCount(loop.iterations) +
                                  ", for " + toCount(loop.steps) + " steps";
    tables.push_back(
        makeParts(report, title + ", " + loop.where, step, loop.iterations));
  }
}

static CostTable makeMemory(const CostReport &report) {
  CostTable table;
  table.title =
      "memory: " + toBytes(double(report.peak)) + " of fields at the peak";
  if (report.stores)
    table.title += ", " + toBytes(double(report.stores)) + " of kept states";
  if (report.hasTimes)
    table.title += "; a rank has " + toBytes(report.machineMemory);
  table.columns = {{""}, {"", true}, {"", true}};
  constexpr size_t most = 8;
  double rest = 0;
  for (auto [i, field] : llvm::enumerate(report.fields))
    if (i < most)
      table.rows.push_back(
          {toBytes(double(field.bytes)), field.type, field.where});
    else
      rest += double(field.bytes);
  if (rest)
    table.rows.push_back(
        {toBytes(rest),
         std::to_string(report.fields.size() - most) + " smaller ones", ""});
  return table;
}

namespace {

/// Messages of one kind that a line forces.
struct LineRow {
  std::string what, along, where;
  double times = 0, sent = 0, between = 0, seconds = 0;
  bool assumed = false;
  std::vector<std::string> ops = {};
};

} // namespace

static std::vector<LineRow> collectLines(const CostReport &report) {
  std::vector<LineRow> lines;
  for (const CostRow &row : report.ops)
    for (const SentRow &sent : row.sent) {
      if (!sent.most || !row.times)
        continue;
      LineRow line{toText(sent.pattern), llvm::join(sent.axes, ","),
                   row.where.substr(0, row.where.find(" ("))};
      auto known = llvm::find_if(lines, [&](const LineRow &other) {
        return other.what == line.what && other.along == line.along &&
               other.where == line.where;
      });
      if (known == lines.end())
        known = lines.insert(known, line);
      known->times += row.times;
      known->sent += row.times * double(sent.most);
      known->between += row.times * sent.between;
      known->seconds += row.times * sent.seconds;
      known->assumed |= sent.assumed;
      if (!llvm::is_contained(known->ops, row.op))
        known->ops.push_back(row.op);
    }
  return lines;
}

/// By the spec's line that forces them.
static CostTable makeMessages(const CostReport &report) {
  CostTable table{"messages, by the lines that force them",
                  {{"times"}, {"sent"}}};
  if (report.hasTimes)
    table.columns.insert(table.columns.end(), {{"to nodes"}, {"time"}});
  table.columns.insert(table.columns.end(),
                       {{"what", true}, {"along", true}, {"where", true}});
  bool assumed = false;
  for (const LineRow &line : collectLines(report)) {
    std::vector<std::string> row{
        toCount(line.times), toBytes(line.sent) + (line.assumed ? "*" : "")};
    if (report.hasTimes)
      row.insert(row.end(), {toBytes(line.between), toTime(line.seconds)});
    row.insert(row.end(), {line.what, line.along,
                           line.where + ": " + llvm::join(line.ops, ", ")});
    table.rows.push_back(std::move(row));
    assumed |= line.assumed;
  }
  if (assumed)
    table.notes.push_back(
        "* where particles go " + std::to_string(report.displacementBound) +
        " cells beyond their rank's part (--displacement-bound)");
  return table;
}

/// What bounds the slower part.
static std::string getBound(const CostRow &row) {
  std::string bound = row.bound;
  double most = row.seconds;
  for (const SentRow &sent : row.sent)
    if (sent.seconds > most)
      std::tie(most, bound) = std::pair(sent.seconds, sent.bound);
  return bound;
}

/// The ops that run, those first that take the most time, or where no times
/// are known, move the most bytes.
static std::vector<const CostRow *> sortOps(const CostReport &report) {
  std::vector<const CostRow *> ops;
  for (const CostRow &op : report.ops)
    if (op.times)
      ops.push_back(&op);
  auto getWeight = [&](const CostRow &op) {
    return op.times * (report.hasTimes
                           ? op.allSeconds()
                           : double(op.read + op.written + op.sentBytes()));
  };
  llvm::stable_sort(ops, [&](const CostRow *a, const CostRow *b) {
    return getWeight(*a) > getWeight(*b);
  });
  return ops;
}

static CostTable makeOps(const CostReport &report) {
  CostTable table{report.hasTimes ? "ops, each time; the slowest first"
                                  : "ops, each time; those first that move "
                                    "the most bytes",
                  {{"times"}, {"read"}, {"written"}, {"operations"}, {"sent"}}};
  if (report.hasTimes)
    table.columns.insert(table.columns.end(),
                         {{"messages"}, {"time"}, {"bound by", true}});
  table.columns.insert(table.columns.end(), {{"op", true}, {"where", true}});
  // Those of the last percent of the time are many and say little.
  constexpr double negligible = 0.01;
  double left = report.allSeconds();
  std::vector<const CostRow *> ops = sortOps(report);
  for (auto [i, each] : llvm::enumerate(ops)) {
    const CostRow &op = *each;
    if (report.hasTimes && left < negligible * report.allSeconds()) {
      table.notes.push_back("and " + std::to_string(ops.size() - i) +
                            " more, with less than 1 % of the time together "
                            "(--explain=json has all)");
      break;
    }
    left -= op.times * op.allSeconds();
    std::vector<std::string> row{toCount(op.times), toBytes(double(op.read)),
                                 toBytes(double(op.written)),
                                 toOperations(double(op.operations)),
                                 toBytes(double(op.sentBytes()))};
    if (report.hasTimes) {
      double messages = 0;
      for (const SentRow &sent : op.sent)
        messages += sent.messages;
      row.insert(row.end(),
                 {toCount(messages), toTime(op.allSeconds()), getBound(op)});
    }
    row.insert(row.end(), {op.op, op.where});
    table.rows.push_back(std::move(row));
  }
  return table;
}

static std::vector<std::string> toCells(const ComparedRow &row) {
  auto milliseconds = [](double seconds) {
    return llvm::formatv("{0:f3}", seconds * 1e3).str();
  };
  return {row.what,
          toCount(row.calls),
          milliseconds(row.predicted),
          milliseconds(row.measured),
          row.measured > 0 && row.predicted > 0
              ? llvm::formatv("{0:f2}", row.predicted / row.measured).str()
              : "-",
          row.where};
}

static void addMeasured(std::vector<CostTable> &tables,
                        const Comparison &measured) {
  std::vector<CostTable::Column> columns{{"", true},       {"calls"},
                                         {"predicted ms"}, {"measured ms"},
                                         {"ratio"},        {"", true}};
  CostTable parts{"predicted beside measured (" + measured.source + ")",
                  columns};
  for (const ComparedRow &row : measured.parts)
    parts.rows.push_back(toCells(row));
  parts.rows.push_back({"without model", "", "",
                        llvm::formatv("{0:f3}", measured.rest * 1e3).str(), "",
                        ""});
  tables.push_back(std::move(parts));
  CostTable places{"places, the slowest first", columns};
  constexpr size_t most = 24;
  for (const ComparedRow &row :
       llvm::ArrayRef(measured.places).take_front(most))
    places.rows.push_back(toCells(row));
  if (measured.places.size() > most)
    places.notes.push_back("and " +
                           std::to_string(measured.places.size() - most) +
                           " faster ones");
  tables.push_back(std::move(places));
}

std::vector<CostTable> pmc::machine::makeTables(const CostReport &report,
                                                const Comparison *measured) {
  std::vector<CostTable> tables;
  addSteps(tables, report);
  tables.push_back(makeMemory(report));
  if (CostTable messages = makeMessages(report); !messages.rows.empty())
    tables.push_back(std::move(messages));
  for (const std::string &note : report.notes)
    tables.back().notes.push_back("note: " + note);
  if (measured)
    addMeasured(tables, *measured);
  tables.push_back(makeOps(report));
  return tables;
}
