//===- Tune.cpp - Which layout is the fastest on a machine ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tune.h"

#include "frontend/Tools/CostModel.h"
#include "frontend/Tools/CostTimes.h"
#include "frontend/Tools/LayoutChoice.h"

#include "dialect/IR/PM.h"
#include "frontend/IRGen/Compile.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;

std::string pmc::getReason(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  StringRef reason = text;
  reason.consume_front("--mesh: ");
  return reason.str();
}

llvm::Error
pmc::runQuietly(ModuleOp module,
                llvm::function_ref<LogicalResult(ModuleOp)> passes) {
  std::string problem;
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error && problem.empty())
      problem = d.str();
    return success();
  });
  return failed(passes(module)) ? llvm::createStringError(problem)
                                : llvm::Error::success();
}

llvm::Expected<OwningOpRef<ModuleOp>>
pmc::planLayout(const TuneTask &task, ModuleOp program,
                const LayoutChoice &layout) {
  OwningOpRef<ModuleOp> module = layout.apply(program);
  if (llvm::Error error = runQuietly(*module, task.toBuffers))
    return std::move(error);
  return std::move(module);
}

namespace {

/// Dims that one axis splits: those that the spec's layout splits together, or
/// one that it does not split.
using Group = std::vector<std::string>;

struct Candidate {
  MeshChoice choice;
  const TuneVariant *variant;
  double seconds = 0, messages = 0, memory = 0, sent = 0;

  bool costsTheSame(const Candidate &other) const {
    return choice.extents == other.choice.extents && seconds == other.seconds &&
           memory == other.memory;
  }
};

/// "x -> row", the schedule of gradients, and consts.
std::string describe(const LayoutChoice &layout, const TuneVariant &variant) {
  std::string text = layout.toText();
  if (!layout.schedule.empty())
    text += ", schedule " + layout.schedule;
  for (const auto &[name, value] : variant.consts)
    text += ", " + name + " = " + value;
  return text;
}

/// What is out, and why.
struct LeftOut {
  std::string layout, mesh, why;

  bool operator==(const LeftOut &other) const {
    return std::tie(layout, mesh, why) ==
           std::tie(other.layout, other.mesh, other.why);
  }
};

class Tuner {
public:
  Tuner(const TuneTask &task, const TuneQuestion &question)
      : task(task), question(question) {}

  llvm::Error run() {
    for (const TuneVariant &one : task.variants) {
      variant = &one;
      if (llvm::Error error = addVariant())
        return error;
    }
    if (candidates.empty()) {
      std::string reasons;
      for (const LeftOut &one : leftOut)
        reasons += "\n  " + one.mesh + " " + one.layout + ": " + one.why;
      return llvm::createStringError("no layout is possible:" + reasons);
    }
    llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
      return a.seconds < b.seconds;
    });
    return llvm::Error::success();
  }

  /// Of the fastest.
  double getSeconds() const { return candidates.front().seconds; }
  void print(llvm::raw_ostream &os) const;
  llvm::Error verify(llvm::raw_ostream &os) const;

private:
  llvm::Error addVariant() {
    std::vector<Group> groups = findGroups();
    std::vector<LayoutChoice> layouts;
    for (size_t i = 0; i < groups.size(); ++i) {
      layouts.push_back({{"row"}, {groups[i]}});
      for (size_t j = 0; j < groups.size(); ++j)
        if (i != j)
          layouts.push_back({{"row", "col"}, {groups[i], groups[j]}});
    }
    std::vector<std::string> schedules = findSchedules();
    for (LayoutChoice &layout : layouts) {
      ofLayout = {candidates.size(), leftOut.size()};
      for (const std::string &schedule : schedules) {
        layout.schedule = schedule;
        if (llvm::Error error = addLayout(layout))
          return error;
      }
    }
    return llvm::Error::success();
  }

  std::vector<Group> findGroups() {
    ModuleOp program = variant->program;
    llvm::MapVector<Attribute, Group> together;
    std::vector<Group> groups;
    llvm::StringSet<> split;
    for (auto layout : program.getOps<LayoutOp>()) {
      together[layout.getAxes()].push_back(layout.getDim().str());
      split.insert(layout.getDim());
    }
    for (auto &[axes, group] : together)
      groups.push_back(group);
    for (auto dim : program.getOps<DimOp>())
      if (isForLayouts(dim) && !split.contains(dim.getName()))
        groups.push_back({dim.getName().str()});
    return groups;
  }

  /// Of gradients that the spec leaves open; "" if there is nothing to choose.
  std::vector<std::string> findSchedules() {
    bool isOpen = false;
    ModuleOp program = variant->program;
    program.walk([&](VJPOp vjp) { isOpen |= vjp->hasAttr(openSchedule); });
    if (!isOpen)
      return {""};
    return {"keep", "reverse", "revolve:5"};
  }

  llvm::Error addLayout(const LayoutChoice &layout) {
    llvm::Expected<OwningOpRef<ModuleOp>> module =
        planLayout(task, variant->program, layout);
    if (!module) {
      leaveOut(
          {describe(layout, *variant), "", llvm::toString(module.takeError())});
      return llvm::Error::success();
    }
    CostModel model(**module, question.costs);
    if (layout.axes.size() == 1)
      return addMesh({layout, {question.ranks}}, model);
    for (int64_t row = 2; row < question.ranks; ++row)
      if (question.ranks % row == 0)
        if (llvm::Error error =
                addMesh({layout, {row, question.ranks / row}}, model))
          return error;
    return llvm::Error::success();
  }

  llvm::Error addMesh(const MeshChoice &choice, CostModel &model) {
    llvm::Expected<CostReport> report = model.at(choice.ranks());
    if (!report) {
      LayoutChoice layout = choice.layout;
      layout.schedule.clear(); // it is the same with all
      leaveOut({describe(layout, *variant), choice.meshText(),
                getReason(report.takeError())});
      return llvm::Error::success();
    }
    if (llvm::Error error = addTimes(*report, task.machine))
      return error;
    Candidate one{choice, variant, report->allSeconds()};
    for (const CostRow &row : report->ops) {
      one.messages += row.times * (row.allSeconds() - row.seconds);
      one.sent += row.times * double(row.sentBytes());
    }
    one.memory = double(report->peak + report->tapes);
    double room = question.memory > 0 ? question.memory : report->machineMemory;
    if (one.memory > room)
      leaveOut({describe(choice.layout, *variant), choice.meshText(),
                llvm::formatv("takes {0:f2} MiB a rank of {1:f2}",
                              one.memory / (1 << 20), room / (1 << 20))
                    .str()});
    else
      add(one);
    return llvm::Error::success();
  }

  /// Where loops cannot be undone, the schedule "reverse" keeps their states:
  /// one of the two is enough.
  void add(const Candidate &one) {
    if (llvm::none_of(
            ArrayRef(candidates).drop_front(ofLayout.candidates),
            [&](const Candidate &other) { return one.costsTheSame(other); }))
      candidates.push_back(one);
  }

  /// Most reasons are the same with all schedules.
  void leaveOut(const LeftOut &one) {
    if (!llvm::is_contained(ArrayRef(leftOut).drop_front(ofLayout.leftOut),
                            one))
      leftOut.push_back(one);
  }

  const TuneTask &task;
  const TuneQuestion &question;
  const TuneVariant *variant = nullptr; ///< that is looked at
  std::vector<Candidate> candidates;
  std::vector<LeftOut> leftOut;
  /// Where those of the layout begin that is looked at.
  struct {
    size_t candidates = 0, leftOut = 0;
  } ofLayout;
};

} // namespace

void Tuner::print(llvm::raw_ostream &os) const {
  os << task.spec << ", " << question.ranks
     << (question.ranks == 1 ? " rank" : " ranks") << " on "
     << task.machine.name << "\n\n"
     << llvm::formatv("{0,12} {1,12} {2,12} {3,12}  {4,-16} {5}\n", "time [ms]",
                      "messages", "sent [MiB]", "fields [MiB]", "mesh",
                      "layout");
  // Nobody takes the slowest.
  constexpr size_t most = 20;
  for (const Candidate &one : ArrayRef(candidates).take_front(most))
    os << llvm::formatv(
        "{0,12:f3} {1,12:f3} {2,12:f2} {3,12:f2}  {4,-16} {5}\n",
        one.seconds * 1e3, one.messages * 1e3, one.sent / (1 << 20),
        one.memory / (1 << 20), one.choice.meshText(),
        describe(one.choice.layout, *one.variant));
  if (candidates.size() > most)
    os << "and " << candidates.size() - most << " slower ones\n";
  if (!leftOut.empty())
    os << "\nleft out\n";
  for (const LeftOut &one : leftOut)
    os << llvm::formatv("  {0,-16} {1}: {2}\n", one.mesh, one.layout, one.why);
  const MeshChoice &best = candidates.front().choice;
  std::vector<std::string> axes;
  for (auto [axis, count] : llvm::zip(best.layout.axes, best.extents))
    axes.push_back(axis + " = " + std::to_string(count));
  os << "\nthe fastest, as flags:\n  pmc --layout '" << best.layout.toText()
     << "'"
     << (best.layout.schedule.empty() ? ""
                                      : " --schedule " + best.layout.schedule);
  for (const auto &[name, value] : candidates.front().variant->consts)
    os << " -D " << name << "=" << value;
  os << " ...\n  ./" << task.spec << " --mesh " << best.meshText()
     << "\nor in the spec:\n  mesh ranks(" << llvm::join(axes, ", ")
     << ")\n  layout " << best.layout.toText() << "\n";
}

llvm::Error Tuner::verify(llvm::raw_ostream &os) const {
  os << llvm::formatv("\nrun here\n{0,13} {1,13} {2,8}  {3,-16} {4}\n",
                      "predicted ms", "measured ms", "ratio", "mesh", "layout");
  for (const Candidate &one :
       ArrayRef(candidates).take_front(size_t(question.verify))) {
    OwningOpRef<ModuleOp> module =
        one.choice.layout.apply(one.variant->program);
    llvm::Expected<Profile> profile = task.run(*module, one.choice.meshText());
    if (!profile)
      return profile.takeError();
    // Files, and planning of transforms, are not predicted.
    double measured = compare({}, *profile).parts.back().measured;
    os << llvm::formatv("{0,13:f3} {1,13:f3} {2,8:f2}  {3,-16} {4}\n",
                        one.seconds * 1e3, measured * 1e3,
                        one.seconds / measured, one.choice.meshText(),
                        describe(one.choice.layout, *one.variant));
    os.flush();
  }
  return llvm::Error::success();
}

llvm::Expected<double> pmc::tune(const TuneTask &task,
                                 const TuneQuestion &question,
                                 llvm::raw_ostream &os) {
  Tuner tuner(task, question);
  if (llvm::Error error = tuner.run())
    return std::move(error);
  tuner.print(os);
  if (question.verify)
    if (llvm::Error error = tuner.verify(os))
      return std::move(error);
  return tuner.getSeconds();
}
