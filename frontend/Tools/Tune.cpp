//===- Tune.cpp - Which layout is the fastest on a machine ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tune.h"

#include "frontend/Tools/CostTimes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;

namespace {

/// Dims that one axis splits: those that the spec's layout splits together, or
/// one that it does not split.
using Group = std::vector<std::string>;

/// A layout, and the mesh that it is compiled for, whatever its extents.
struct Layout {
  std::vector<Group> groups; ///< one an axis

  /// "x -> row, p -> row, y -> col".
  std::string toText() const {
    std::vector<std::string> entries;
    for (auto [axis, group] : llvm::zip(getAxes(), groups))
      for (const std::string &dim : group)
        entries.push_back(dim + " -> " + axis);
    return llvm::join(entries, ", ");
  }
  std::vector<std::string> getAxes() const {
    return groups.size() == 1 ? std::vector<std::string>{"row"}
                              : std::vector<std::string>{"row", "col"};
  }
};

/// A layout on a mesh.
struct Candidate {
  std::string layout, mesh;
  std::vector<int64_t> extents;
  double seconds = 0, messages = 0, memory = 0, sent = 0;
};

/// What is out, and why.
struct LeftOut {
  std::string layout, mesh, why;
};

/// Without the flag, which nobody has given.
std::string getReason(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  StringRef reason = text;
  reason.consume_front("--mesh: ");
  return reason.str();
}

class Tuner {
public:
  Tuner(ModuleOp program, llvm::function_ref<LogicalResult(ModuleOp)> toBuffers,
        const machine::Machine &machine, const TuneQuestion &question)
      : program(program), toBuffers(toBuffers), machine(machine),
        question(question) {}

  llvm::Error run() {
    std::vector<Group> groups = findGroups();
    for (size_t i = 0; i < groups.size(); ++i) {
      if (llvm::Error error = addLayout({{groups[i]}}))
        return error;
      for (size_t j = 0; j < groups.size(); ++j)
        if (i != j)
          if (llvm::Error error = addLayout({{groups[i], groups[j]}}))
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

  void print(StringRef spec, llvm::raw_ostream &os) const;

private:
  std::vector<Group> findGroups() {
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
      if (!split.contains(dim.getName()))
        groups.push_back({dim.getName().str()});
    return groups;
  }

  /// The program with this layout in the place of its own.
  OwningOpRef<ModuleOp> applyLayout(const Layout &layout) {
    OwningOpRef<ModuleOp> module(program.clone());
    for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
      if (isa<MeshOp, LayoutOp>(op))
        op.erase();
    OpBuilder builder(module->getBody(), module->getBody()->begin());
    Location loc = module->getLoc();
    std::vector<std::string> axes = layout.getAxes();
    SmallVector<StringRef> names(axes.begin(), axes.end());
    SmallVector<int64_t> extents(names.size(), 1);
    MeshOp::create(builder, loc, "ranks", builder.getStrArrayAttr(names),
                   extents);
    for (auto [axis, group] : llvm::zip(names, layout.groups))
      for (const std::string &dim : group)
        LayoutOp::create(builder, loc, dim, builder.getStrArrayAttr(axis));
    return module;
  }

  llvm::Error addLayout(const Layout &layout) {
    OwningOpRef<ModuleOp> module = applyLayout(layout);
    std::string problem;
    ScopedDiagnosticHandler handler(program.getContext(), [&](Diagnostic &d) {
      if (d.getSeverity() == DiagnosticSeverity::Error && problem.empty())
        problem = d.str();
      return success();
    });
    if (failed(toBuffers(*module))) {
      leftOut.push_back({layout.toText(), "", problem});
      return llvm::Error::success();
    }
    if (layout.groups.size() == 1)
      return addMesh(layout, *module, {question.ranks});
    for (int64_t row = 2; row < question.ranks; ++row)
      if (question.ranks % row == 0)
        if (llvm::Error error =
                addMesh(layout, *module, {row, question.ranks / row}))
          return error;
    return llvm::Error::success();
  }

  llvm::Error addMesh(const Layout &layout, ModuleOp module,
                      std::vector<int64_t> extents) {
    CostQuestion costs = question.costs;
    std::vector<std::string> mesh;
    for (auto [axis, ranks] : llvm::zip(layout.getAxes(), extents)) {
      costs.mesh[axis] = ranks;
      mesh.push_back(axis + "=" + std::to_string(ranks));
    }
    Candidate one{layout.toText(), llvm::join(mesh, ","), extents};
    llvm::Expected<CostReport> report = collectCosts(module, costs);
    if (!report) {
      leftOut.push_back({one.layout, one.mesh, getReason(report.takeError())});
      return llvm::Error::success();
    }
    if (llvm::Error error = addTimes(*report, machine))
      return error;
    for (const CostRow &row : report->ops) {
      one.seconds += row.times * row.allSeconds();
      one.messages += row.times * (row.allSeconds() - row.seconds);
      one.sent += row.times * double(row.sentBytes());
    }
    one.memory = double(report->peak + report->tapes);
    double room = question.memory > 0 ? question.memory : report->machineMemory;
    if (one.memory > room)
      leftOut.push_back({one.layout, one.mesh,
                         llvm::formatv("takes {0:f2} MiB a rank of {1:f2}",
                                       one.memory / (1 << 20), room / (1 << 20))
                             .str()});
    else
      candidates.push_back(one);
    return llvm::Error::success();
  }

  ModuleOp program;
  llvm::function_ref<LogicalResult(ModuleOp)> toBuffers;
  const machine::Machine &machine;
  const TuneQuestion &question;
  std::vector<Candidate> candidates;
  std::vector<LeftOut> leftOut;
};

} // namespace

void Tuner::print(StringRef spec, llvm::raw_ostream &os) const {
  os << spec << ", " << question.ranks
     << (question.ranks == 1 ? " rank" : " ranks") << " on " << machine.name
     << "\n\n"
     << llvm::formatv("{0,12} {1,12} {2,12} {3,12}  {4,-16} {5}\n", "time [ms]",
                      "messages", "sent [MiB]", "fields [MiB]", "mesh",
                      "layout");
  // Nobody takes the slowest.
  constexpr size_t most = 20;
  for (const Candidate &one : ArrayRef(candidates).take_front(most))
    os << llvm::formatv(
        "{0,12:f3} {1,12:f3} {2,12:f2} {3,12:f2}  {4,-16} {5}\n",
        one.seconds * 1e3, one.messages * 1e3, one.sent / (1 << 20),
        one.memory / (1 << 20), one.mesh, one.layout);
  if (candidates.size() > most)
    os << "and " << candidates.size() - most << " slower ones\n";
  if (!leftOut.empty())
    os << "\nleft out\n";
  for (const LeftOut &one : leftOut)
    os << llvm::formatv("  {0,-16} {1}: {2}\n", one.mesh, one.layout, one.why);
  const Candidate &best = candidates.front();
  os << "\nthe fastest, as flags:\n  pmc --layout '" << best.layout
     << "' ...\n  ./" << spec << " --mesh " << best.mesh
     << "\nor in the spec:\n";
  std::string axes = best.mesh;
  size_t at = 0;
  while ((at = axes.find_first_of("=,", at)) != std::string::npos) {
    std::string with = axes[at] == '=' ? " = " : ", ";
    axes.replace(at, 1, with);
    at += with.size();
  }
  os << "  mesh ranks(" << axes << ")\n  layout " << best.layout << "\n";
}

llvm::Error pmc::tune(ModuleOp program,
                      llvm::function_ref<LogicalResult(ModuleOp)> toBuffers,
                      const machine::Machine &machine,
                      const TuneQuestion &question, StringRef spec,
                      llvm::raw_ostream &os) {
  Tuner tuner(program, toBuffers, machine, question);
  if (llvm::Error error = tuner.run())
    return error;
  tuner.print(spec, os);
  return llvm::Error::success();
}
