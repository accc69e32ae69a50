//===- CostTimes.cpp - What ops take on a machine -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op after the other: what overlaps is not modeled.
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/CostTimes.h"

using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;

static Precision getPrecision(bool isSingle) {
  return isSingle ? Precision::F32 : Precision::F64;
}

namespace {

class Timer {
public:
  Timer(CostReport &report, const Machine &machine, TimeModel model)
      : report(report), library(*machine.getLibrary("pmc")), model(model) {
    for (const auto &[axis, ranks] : report.mesh)
      extents.push_back(ranks);
  }

  void run() {
    for (CostRow &row : report.ops) {
      addLocal(row);
      for (SentRow &sent : row.sent)
        addMessages(sent);
    }
    report.hasTimes = true;
    report.machine = model.getMachine().name;
    report.machineMemory = model.getMemory();
  }

private:
  double getArithmeticTime(const CostRow &row) const {
    const Kernels &kernels = model.getMachine().kernels;
    const double bytes = double(row.read + row.written);
    return model.arithmeticTime(double(row.operations),
                                getPrecision(row.isSingle)) +
           model.kernelTime(double(row.functions), kernels.functions, bytes) +
           model.kernelTime(double(row.lookups), kernels.lookups, bytes);
  }

  void addLocal(CostRow &row) {
    // Files are not modeled; what messages copy is theirs.
    if (row.part == cost::Part::Files || row.part == cost::Part::Nothing)
      return;
    double launch = model.launchTime();
    if (!row.transforms.empty()) {
      for (const TransformRow &rows : row.transforms)
        row.seconds +=
            launch + model.fftTime(double(rows.batch), rows.length,
                                   getPrecision(rows.isSingle), rows.isReal);
      // Of a filter, the body is between the passes.
      row.seconds += library.transformPasses *
                         model.memoryTime(double(row.read + row.written)) +
                     getArithmeticTime(row);
      row.bound = "transform";
      return;
    }
    const Kernels &kernels = model.getMachine().kernels;
    const double bytes = double(row.read + row.written);
    double arithmetic = getArithmeticTime(row);
    // These rates have all in them that a body does for its cells.
    double windows =
        model.kernelTime(double(row.cells),
                         row.part == cost::Part::Paint ? kernels.paint
                                                       : kernels.readout,
                         bytes) +
        model.kernelTime(double(row.positions), kernels.displacementBound,
                         bytes);
    using Bound = std::pair<double, const char *>;
    auto isLess = [](const Bound &a, const Bound &b) {
      return a.first < b.first;
    };
    Bound longest =
        std::max({Bound(model.memoryTime(bytes), "memory"),
                  Bound(arithmetic, "arithmetic"), Bound(windows, "window")},
                 isLess);
    row.seconds = launch + longest.first;
    row.bound = std::max(Bound(launch, "launch"), longest, isLess).second;
  }

  /// The ranks of several axes together lie as far apart as those of the axis
  /// that lie nearest.
  AxisRanks getRanks(const std::vector<std::string> &axes) const {
    AxisRanks all{1, model.getRanks()};
    for (size_t i = 0; i < extents.size(); ++i)
      if (llvm::is_contained(axes, report.mesh[i].first)) {
        AxisRanks one = TimeModel::getAxis(extents, i);
        all.ranks *= one.ranks;
        all.stride = std::min(all.stride, one.stride);
      }
    return all;
  }

  MessageCost getCost(const SentRow &sent, double bytes, double whole) const {
    if (sent.axes.empty())
      return {};
    switch (sent.pattern) {
    case cost::Pattern::AllToAll:
      return model.allToAll(getRanks(sent.axes), whole);
    case cost::Pattern::AllReduce:
      return model.allReduce(getRanks(sent.axes), whole);
    case cost::Pattern::Neighbors:
      break;
    }
    // The cells around are shared by the axes and the two sides.
    MessageCost sum;
    for (const std::string &axis : sent.axes) {
      AxisRanks ranks = getRanks({axis});
      double sides = ranks.ranks == 2 ? 1 : 2;
      MessageCost one =
          model.halo(ranks, bytes / double(sent.axes.size()) / sides);
      sum.seconds += one.seconds;
      sum.messages += one.messages;
      sum.insideBytes += one.insideBytes;
      sum.betweenBytes += one.betweenBytes;
    }
    return sum;
  }

  void addMessages(SentRow &sent) {
    if (!sent.most)
      return;
    MessageCost cost = getCost(sent, double(sent.most), double(sent.whole));
    sent.seconds = cost.seconds;
    sent.messages = cost.messages;
    // The share that goes between nodes, of the bytes that are exact.
    double bytes = cost.insideBytes + cost.betweenBytes;
    sent.between = bytes ? cost.betweenBytes / bytes * double(sent.most) : 0;
    double latency = getCost(sent, 0, 0).seconds;
    sent.bound = latency > cost.seconds / 2 ? "latency" : "link";
    if (sent.pattern == cost::Pattern::AllToAll)
      sent.seconds +=
          library.transposePasses * model.memoryTime(2 * double(sent.whole));
  }

  CostReport &report;
  const Library &library;
  TimeModel model;
  llvm::SmallVector<int64_t> extents;
};

} // namespace

llvm::Error pmc::machine::addTimes(CostReport &report, const Machine &machine) {
  llvm::Expected<TimeModel> model = TimeModel::make(machine, report.ranks);
  if (!model)
    return model.takeError();
  Timer(report, machine, *model).run();
  return llvm::Error::success();
}
