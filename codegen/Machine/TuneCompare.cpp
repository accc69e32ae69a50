//===- TuneCompare.cpp - What changes from one layout to another ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/CostTimes.h"
#include "codegen/Machine/LayoutChoice.h"
#include "codegen/Machine/Reports/CostPrint.h"
#include "codegen/Machine/Tune.h"
#include "passes/Cost/CostModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <map>

using namespace mlir;
using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

namespace {

struct Side {
  double times = 0, sent = 0, seconds = 0;
};

/// Of both layouts.
using Sides = std::array<Side, 2>;

class Comparer {
public:
  Comparer(const TuneTask &task, const CostQuestion &costs)
      : task(task), costs(costs) {}

  llvm::Error add(size_t side, StringRef text) {
    ModuleOp program = task.variants.front().program;
    llvm::Expected<MeshChoice> choice = MeshChoice::parse(text, program);
    if (!choice)
      return choice.takeError();
    names[side] = choice->layout.toText() + " @ " + choice->meshText();
    llvm::Expected<OwningOpRef<ModuleOp>> module =
        planLayout(task, program, choice->layout);
    if (!module)
      return module.takeError();
    llvm::Expected<CostReport> report =
        CostModel(**module, costs).at(choice->ranks());
    if (!report)
      return llvm::createStringError(names[side] + ": " +
                                     getReason(report.takeError()));
    if (llvm::Error error = addTimes(*report, task.machine))
      return error;
    memory[side] = double(report->peak + report->stores);
    for (const CostRow &row : report->ops)
      if (row.times)
        addRow(side, row);
    return llvm::Error::success();
  }

  void print(llvm::raw_ostream &os) {
    os << task.spec << " on " << task.machine.name
       << "; figures of the rank that has the most\n"
       << "  before: " << names[0] << "\n  after:  " << names[1] << "\n\n";
    printHeader("in all", "", os);
    for (auto &[what, sides] : parts)
      printRow(sides, what, os);
    printRow(all, "together", os);
    os << llvm::formatv("memory {0:f2} MiB -> {1:f2} MiB\n\n",
                        memory[0] / (1 << 20), memory[1] / (1 << 20));
    // What changes most comes first.
    std::vector<std::pair<std::string, Sides>> rows(messages.begin(),
                                                    messages.end());
    llvm::stable_sort(rows, [](const auto &a, const auto &b) {
      return change(a.second) > change(b.second);
    });
    printHeader("messages", "what        along      where", os);
    double same = 0;
    for (auto &[what, sides] : rows)
      if (sides[0].sent == sides[1].sent && sides[0].times == sides[1].times &&
          sides[0].seconds == sides[1].seconds)
        ++same;
      else
        printRow(sides, what, os);
    if (same)
      os << "and " << int64_t(same) << " that stay as they are\n";
  }

private:
  void addRow(size_t side, const CostRow &row) {
    auto addTo = [&](Sides &sides, double sent, double seconds) {
      sides[side].times += row.times;
      sides[side].sent += row.times * sent;
      sides[side].seconds += row.times * seconds;
    };
    if (row.part != cost::Part::Nothing && row.seconds > 0) {
      addTo(parts[toText(row.part)], 0, row.seconds);
      addTo(all, 0, row.seconds);
    }
    std::string line = row.where.substr(0, row.where.find(" ("));
    for (const SentRow &sent : row.sent)
      if (sent.most) {
        addTo(messages[llvm::formatv("{0,-11} {1,-10} {2}: {3}",
                                     toText(sent.pattern),
                                     llvm::join(sent.axes, ","), line, row.op)
                           .str()],
              double(sent.most), sent.seconds);
        addTo(parts["messages"], double(sent.most), sent.seconds);
        addTo(all, double(sent.most), sent.seconds);
      }
  }

  static double change(const Sides &sides) {
    return std::abs(sides[1].seconds - sides[0].seconds);
  }

  static void printHeader(StringRef title, StringRef rest,
                          llvm::raw_ostream &os) {
    os << title << "\n"
       << llvm::formatv("{0,16} {1,21} {2,21}  {3}\n", "times", "sent [MiB]",
                        "time [ms]", rest);
  }

  static void printRow(const Sides &sides, StringRef what,
                       llvm::raw_ostream &os) {
    auto pair = [](double before, double after, int digits) {
      return llvm::formatv(digits ? "{0:f3} -> {1:f3}" : "{0:f0} -> {1:f0}",
                           before, after)
          .str();
    };
    os << llvm::formatv(
        "{0,16} {1,21} {2,21}  {3}\n", pair(sides[0].times, sides[1].times, 0),
        pair(sides[0].sent / (1 << 20), sides[1].sent / (1 << 20), 3),
        pair(sides[0].seconds * 1e3, sides[1].seconds * 1e3, 3), what);
  }

  const TuneTask &task;
  const CostQuestion &costs;
  std::array<std::string, 2> names;
  std::array<double, 2> memory = {};
  std::map<std::string, Sides> parts, messages;
  Sides all;
};

} // namespace

llvm::Error pmc::machine::compareLayouts(const TuneTask &task,
                                         const CostQuestion &costs,
                                         StringRef before, StringRef after,
                                         llvm::raw_ostream &os) {
  Comparer comparer(task, costs);
  if (llvm::Error error = comparer.add(0, before))
    return error;
  if (llvm::Error error = comparer.add(1, after))
    return error;
  comparer.print(os);
  return llvm::Error::success();
}
