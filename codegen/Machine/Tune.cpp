//===- Tune.cpp - Which layout is the fastest on a machine ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Tune.h"

#include "codegen/Machine/CostTimes.h"
#include "codegen/Machine/LayoutChoice.h"
#include "passes/Cost/CostModel.h"

#include "dialect/IR/Markers/PMSchedules.h"
#include "dialect/IR/PM.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <thread>
#include <tuple>

using namespace mlir;
using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;
using namespace pmc::pm;

std::string pmc::machine::getReason(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  StringRef reason = text;
  reason.consume_front("--mesh: ");
  return reason.str();
}

llvm::Error
pmc::machine::runQuietly(ModuleOp module,
                         llvm::function_ref<LogicalResult(ModuleOp)> passes) {
  std::string problem;
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error && problem.empty())
      problem = d.str();
    return success();
  });
  if (succeeded(passes(module)))
    return llvm::Error::success();
  return llvm::createStringError(problem.empty() ? "no reason is given"
                                                 : problem);
}

llvm::Expected<OwningOpRef<ModuleOp>>
pmc::machine::planLayout(const TuneTask &task, ModuleOp program,
                         const LayoutChoice &layout) {
  OwningOpRef<ModuleOp> module = layout.apply(program);
  for (auto passes : {task.expand, task.place})
    if (llvm::Error error = runQuietly(*module, passes))
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

/// The report on one variant in one layout, with one schedule.
struct Found {
  std::vector<Candidate> candidates;
  std::vector<LeftOut> leftOut;
  std::string error; ///< that ends the search
};

/// A variant with a schedule, before any layout, as bytecode; or why there is
/// none.
struct Expansion {
  size_t variant;
  LayoutChoice choice; ///< of which the schedule counts
  std::string program = "", problem = "";
};

/// Modules of one thread: in a context of its own, which no other thread has to
/// lock.
class Worker {
public:
  Worker(const TuneTask &task, const TuneQuestion &question,
         const DialectRegistry &registry)
      : task(task), question(question),
        context(registry, MLIRContext::Threading::DISABLED) {}

  void expand(Expansion &expansion, StringRef program) {
    OwningOpRef<ModuleOp> module = parse(program);
    if (!module) {
      expansion.problem = unreadable;
      return;
    }
    expansion.choice.setSchedule(*module);
    expansion.problem = llvm::toString(runQuietly(*module, task.expand));
    llvm::raw_string_ostream os(expansion.program);
    if (expansion.problem.empty() && failed(writeBytecodeToFile(*module, os)))
      expansion.problem = unreadable;
  }

  Found search(const Expansion &expansion, const LayoutChoice &layout) {
    Found found;
    const TuneVariant &variant = task.variants[expansion.variant];
    std::string problem = expansion.problem;
    OwningOpRef<ModuleOp> module;
    if (problem.empty() && !(module = parse(expansion.program)))
      problem = unreadable;
    if (problem.empty()) {
      layout.setLayout(*module);
      problem = llvm::toString(runQuietly(*module, task.place));
    }
    if (!problem.empty()) {
      found.leftOut.push_back({describe(layout, variant), "", problem});
      return found;
    }
    CostModel model(*module, question.costs);
    if (layout.axes.size() == 1) {
      addMesh({layout, {question.ranks}}, model, variant, found);
      return found;
    }
    for (int64_t row = 2; row < question.ranks && found.error.empty(); ++row)
      if (question.ranks % row == 0)
        addMesh({layout, {row, question.ranks / row}}, model, variant, found);
    return found;
  }

private:
  static constexpr const char *unreadable =
      "internal error: a module cannot be handed to another thread";

  OwningOpRef<ModuleOp> parse(StringRef program) {
    return parseSourceString<ModuleOp>(
        program, ParserConfig(&context, /*verifyAfterParse=*/false));
  }

  void addMesh(const MeshChoice &choice, CostModel &model,
               const TuneVariant &variant, Found &found) {
    llvm::Expected<CostReport> report = model.at(choice.ranks());
    if (!report) {
      LayoutChoice layout = choice.layout;
      layout.schedule.clear(); // it is the same with all
      found.leftOut.push_back({describe(layout, variant), choice.meshText(),
                               getReason(report.takeError())});
      return;
    }
    if (llvm::Error error = addTimes(*report, task.machine)) {
      found.error = llvm::toString(std::move(error));
      return;
    }
    Candidate one{choice, &variant, report->allSeconds()};
    for (const CostRow &row : report->ops) {
      one.messages += row.times * (row.allSeconds() - row.seconds);
      one.sent += row.times * double(row.sentBytes());
    }
    one.memory = double(report->peak + report->stores);
    double available =
        question.memory > 0 ? question.memory : report->machineMemory;
    if (one.memory > available)
      found.leftOut.push_back(
          {describe(choice.layout, variant), choice.meshText(),
           llvm::formatv("takes {0:f2} MiB a rank of {1:f2}",
                         one.memory / (1 << 20), available / (1 << 20))
               .str()});
    else
      found.candidates.push_back(one);
  }

  const TuneTask &task;
  const TuneQuestion &question;
  MLIRContext context;
};

class Tuner {
public:
  Tuner(const TuneTask &task, const TuneQuestion &question)
      : task(task), question(question) {}

  llvm::Error run() {
    for (size_t i = 0; i < task.variants.size(); ++i)
      listLayouts(i);
    std::vector<Found> found = searchAll();
    for (size_t i = 0; i < found.size(); ++i)
      if (llvm::Error error = add(i, found[i]))
        return error;
    if (candidates.empty()) {
      std::string reasons;
      for (const LeftOut &one : leftOut)
        reasons += "\n  " + one.mesh + " " + one.layout + ": " + one.why;
      return llvm::createStringError("no layout is possible:" + reasons);
    }
    // Of candidates with equal times, the one that takes the least memory.
    llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
      return std::tie(a.seconds, a.memory) < std::tie(b.seconds, b.memory);
    });
    return llvm::Error::success();
  }

  /// Of the fastest.
  double getSeconds() const { return candidates.front().seconds; }
  void print(llvm::raw_ostream &os) const;
  llvm::Error verify(llvm::raw_ostream &os) const;

private:
  /// What is compiled once.
  struct Work {
    size_t expansion; ///< its number
    LayoutChoice layout;
    bool isFirst; ///< of the schedules of this layout
  };

  void listLayouts(size_t variant) {
    ModuleOp program = task.variants[variant].program;
    std::vector<Group> groups = findGroups(program);
    std::vector<LayoutChoice> layouts;
    for (size_t i = 0; i < groups.size(); ++i) {
      layouts.push_back({{"row"}, {groups[i]}});
      for (size_t j = 0; j < groups.size(); ++j)
        if (i != j)
          layouts.push_back({{"row", "col"}, {groups[i], groups[j]}});
    }
    std::vector<std::string> schedules = findSchedules(program);
    size_t first = expansions.size();
    for (const std::string &schedule : schedules)
      expansions.push_back({variant, {{}, {}, schedule}});
    for (LayoutChoice &layout : layouts)
      for (size_t i = 0; i < schedules.size(); ++i) {
        layout.schedule = schedules[i];
        works.push_back({first + i, layout, i == 0});
      }
  }

  static std::vector<Group> findGroups(ModuleOp program) {
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
  static std::vector<std::string> findSchedules(ModuleOp program) {
    bool isOpen = false;
    program.walk([&](VJPOp vjp) { isOpen |= vjp->hasAttr(openSchedule); });
    if (!isOpen)
      return {""};
    return {"keep", "reverse", "revolve:5"};
  }

  /// In the order of `works`, whoever did them.
  std::vector<Found> searchAll() {
    std::vector<std::string> programs;
    for (const TuneVariant &variant : task.variants) {
      llvm::raw_string_ostream os(programs.emplace_back());
      // What cannot be written cannot be read either, and is told then.
      (void)writeBytecodeToFile(variant.program, os);
    }
    shareOut(expansions.size(), [&](Worker &worker, size_t i) {
      worker.expand(expansions[i], programs[expansions[i].variant]);
    });
    std::vector<Found> found(works.size());
    shareOut(works.size(), [&](Worker &worker, size_t i) {
      found[i] = worker.search(expansions[works[i].expansion], works[i].layout);
    });
    return found;
  }

  /// Calls `work` with the numbers up to `count`, on all processors.
  void shareOut(size_t count,
                llvm::function_ref<void(Worker &, size_t)> work) const {
    const DialectRegistry &registry = ModuleOp(task.variants.front().program)
                                          .getContext()
                                          ->getDialectRegistry();
    std::atomic<size_t> next{0};
    auto help = [&] {
      Worker worker(task, question, registry);
      for (size_t i = next++; i < count; i = next++)
        work(worker, i);
    };
    std::vector<std::thread> helpers;
    size_t most = llvm::hardware_concurrency().compute_thread_count();
    for (size_t i = 1; i < std::min(most, count); ++i)
      helpers.emplace_back(help);
    help();
    for (std::thread &helper : helpers)
      helper.join();
  }

  /// Most reasons are the same with all schedules. Where loops cannot be
  /// undone, the schedule "reverse" keeps their states: one of the two is
  /// enough.
  llvm::Error add(size_t work, Found &found) {
    if (!found.error.empty())
      return llvm::createStringError(found.error);
    if (works[work].isFirst)
      ofLayout = {candidates.size(), leftOut.size()};
    for (const Candidate &one : found.candidates)
      if (llvm::none_of(
              ArrayRef(candidates).drop_front(ofLayout.candidates),
              [&](const Candidate &other) { return one.costsTheSame(other); }))
        candidates.push_back(one);
    for (const LeftOut &one : found.leftOut)
      if (!llvm::is_contained(ArrayRef(leftOut).drop_front(ofLayout.leftOut),
                              one))
        leftOut.push_back(one);
    return llvm::Error::success();
  }

  const TuneTask &task;
  const TuneQuestion &question;
  std::vector<Expansion> expansions;
  std::vector<Work> works;
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
  // The slowest layouts are left out.
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

llvm::Expected<double> pmc::machine::tune(const TuneTask &task,
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
