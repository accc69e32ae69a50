//===- CostText.cpp - Prints what a program will cost ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/CostReport.h"

#include "frontend/Tools/Measured.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace pmc;
namespace json = llvm::json;

std::string pmc::toText(cost::Part part) {
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

std::string pmc::toText(cost::Pattern pattern) {
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

/// "1.5 GiB"; numbers of operations as "1.5 G".
static std::string shorten(double value, bool bytes = true) {
  const double base = bytes ? 1024 : 1000;
  const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  const char *const decimal[] = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  for (; value >= base && unit + 1 < 6; ++unit)
    value /= base;
  return llvm::formatv(unit ? "{0:f1} {1}" : "{0:f0} {1}", value,
                       (bytes ? binary : decimal)[unit])
      .str();
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

static void printSums(const CostReport &report, llvm::StringRef title,
                      const Sums &sums, double steps, llvm::raw_ostream &os) {
  if (!sums.ops && !sums.moved)
    return;
  os << llvm::formatv("{0,-12} {1,8} {2,12} {3,12} {4,12}", title,
                      toCount(sums.ops / steps), shorten(sums.moved / steps),
                      shorten(sums.operations / steps, false),
                      shorten(sums.sent / steps));
  if (report.hasTimes)
    os << llvm::formatv(" {0,12}", toTime(sums.seconds / steps));
  os << "\n";
}

static void printParts(const CostReport &report, llvm::StringRef title,
                       const Totals &totals, double steps,
                       llvm::raw_ostream &os) {
  os << title << "\n"
     << llvm::formatv("{0,-12} {1,8} {2,12} {3,12} {4,12}", "", "ops", "moved",
                      "operations", "sent");
  if (report.hasTimes)
    os << llvm::formatv(" {0,12}", "time");
  os << "\n";
  for (const auto &[part, sums] : totals.parts)
    if (part != cost::Part::Nothing)
      printSums(report, toText(part), sums, steps, os);
  printSums(report, "messages", totals.messages, steps, os);
  printSums(report, "together", totals.all, steps, os);
}

/// The whole program, and a step of each of its loops.
static void printScreen(const CostReport &report, llvm::raw_ostream &os) {
  Totals all;
  for (const CostRow &row : report.ops)
    all.add(row, row.times);
  printParts(report, "in all", all, 1, os);
  for (auto [i, loop] : llvm::enumerate(report.loops)) {
    Totals step;
    for (const CostRow &row : report.ops)
      if (row.loop == int(i))
        step.add(row, row.times);
    if (loop.steps && step.all.ops)
      printParts(report,
                 "\na step of " + toCount(loop.steps) + ", " + loop.where, step,
                 loop.steps, os);
  }
}

static void printMemory(const CostReport &report, llvm::raw_ostream &os) {
  os << "\nmemory: " << shorten(double(report.peak))
     << " of fields at the peak";
  if (report.tapes)
    os << ", " << shorten(double(report.tapes)) << " of kept states";
  if (report.hasTimes)
    os << "; a rank has " << shorten(report.machineMemory);
  os << "\n";
  constexpr size_t most = 8;
  double rest = 0;
  for (auto [i, field] : llvm::enumerate(report.fields))
    if (i < most)
      os << llvm::formatv("{0,12}  {1}  {2}\n", shorten(double(field.bytes)),
                          field.type, field.where);
    else
      rest += double(field.bytes);
  if (rest)
    os << llvm::formatv("{0,12}  {1} smaller ones\n", shorten(rest),
                        report.fields.size() - most);
}

namespace {

/// Messages of one kind that a line forces.
struct LineRow {
  double times = 0, sent = 0, between = 0, seconds = 0;
  bool assumed = false;
  std::vector<std::string> ops;
};

} // namespace

/// By the spec's line that forces them.
static void printMessages(const CostReport &report, llvm::raw_ostream &os) {
  std::vector<std::pair<std::string, LineRow>> lines;
  for (const CostRow &row : report.ops)
    for (const SentRow &sent : row.sent) {
      if (!sent.most || !row.times)
        continue;
      std::string line = row.where.substr(0, row.where.find(" ("));
      std::string text =
          llvm::formatv("{0,-11} {1,-10} {2}", toText(sent.pattern),
                        llvm::join(sent.axes, ","), line);
      auto known = llvm::find_if(
          lines, [&](const auto &other) { return other.first == text; });
      if (known == lines.end())
        known = lines.insert(known, {text, {}});
      LineRow &all = known->second;
      all.times += row.times;
      all.sent += row.times * double(sent.most);
      all.between += row.times * sent.between;
      all.seconds += row.times * sent.seconds;
      all.assumed |= sent.assumed;
      if (!llvm::is_contained(all.ops, row.op))
        all.ops.push_back(row.op);
    }
  if (lines.empty())
    return;
  os << "\nmessages, by the lines that force them\n"
     << llvm::formatv("{0,8} {1,12}", "times", "sent");
  if (report.hasTimes)
    os << llvm::formatv(" {0,12} {1,12}", "to nodes", "time");
  os << llvm::formatv("  {0,-11} {1,-10} where\n", "what", "along");
  for (const auto &[text, row] : lines) {
    os << llvm::formatv("{0,8} {1,12}", toCount(row.times),
                        shorten(row.sent) + (row.assumed ? "*" : ""));
    if (report.hasTimes)
      os << llvm::formatv(" {0,12} {1,12}", shorten(row.between),
                          toTime(row.seconds));
    os << "  " << text << ": " << llvm::join(row.ops, ", ") << "\n";
  }
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

static void printOps(const CostReport &report, llvm::raw_ostream &os) {
  os << "\nops, each time\n"
     << llvm::formatv("{0,8} {1,10} {2,10} {3,10} {4,10}", "times", "read",
                      "written", "operations", "sent");
  if (report.hasTimes)
    os << llvm::formatv(" {0,9} {1,10} {2,-10}", "messages", "time",
                        "bound by");
  os << llvm::formatv("  {0,-14} where\n", "op");
  for (const CostRow &row : report.ops) {
    if (!row.times)
      continue;
    os << llvm::formatv("{0,8} {1,10} {2,10} {3,10} {4,10}", toCount(row.times),
                        shorten(double(row.read)), shorten(double(row.written)),
                        shorten(double(row.operations), false),
                        shorten(double(row.sentBytes())));
    if (report.hasTimes) {
      double messages = 0;
      for (const SentRow &sent : row.sent)
        messages += sent.messages;
      os << llvm::formatv(" {0,9} {1,10} {2,-10}", toCount(messages),
                          toTime(row.allSeconds()), getBound(row));
    }
    os << llvm::formatv("  {0,-14} {1}\n", row.op, row.where);
  }
}

void pmc::printText(const CostReport &report, llvm::StringRef spec,
                    llvm::raw_ostream &os) {
  os << spec << ", " << describeMesh(report)
     << (report.hasTimes ? " on " + report.machine : "")
     << "; figures of the rank that has the most\n\n";
  printScreen(report, os);
  printMemory(report, os);
  printMessages(report, os);
  bool assumed = false;
  for (const CostRow &row : report.ops)
    for (const SentRow &sent : row.sent)
      assumed |= sent.assumed && sent.most;
  if (assumed)
    os << "* where particles go " << report.reach
       << " cells beyond their rank's part (--reach)\n";
  for (const std::string &note : report.notes)
    os << "note: " << note << "\n";
  printOps(report, os);
}

void pmc::printJson(const CostReport &report, llvm::StringRef spec,
                    const Comparison *measured, llvm::raw_ostream &os) {
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
    loops.push_back(json::Object{{"where", loop.where}, {"steps", loop.steps}});
  for (const FieldRow &field : report.fields)
    fields.push_back(json::Object{
        {"type", field.type}, {"where", field.where}, {"bytes", field.bytes}});
  json::Object all{{"spec", spec},
                   {"mesh", std::move(mesh)},
                   {"ranks", report.ranks},
                   {"reach", report.reach},
                   {"memory", json::Object{{"fields", report.peak},
                                           {"tapes", report.tapes},
                                           {"at_the_peak", std::move(fields)}}},
                   {"ops", std::move(ops)},
                   {"loops", std::move(loops)},
                   {"notes", json::Array(report.notes)}};
  if (report.hasTimes)
    all["machine"] = report.machine;
  if (measured)
    all["measured"] = toJson(*measured);
  os << llvm::formatv("{0:2}\n", json::Value(std::move(all)));
}
