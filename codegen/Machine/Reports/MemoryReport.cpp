//===- MemoryReport.cpp - What memory a program will need -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/Reports/MemoryReport.h"

#include "codegen/Machine/Reports/CostTables.h"
#include "passes/Cost/CostModel.h"

#include "dialect/IR/PM.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pmc::cost;
using namespace pmc::machine;
using namespace pmc::pm;

/// Snapshots of revolve where the program says nothing.
static constexpr int64_t usualSnapshots = 5;

/// One line for the planned module, on one rank.
static void explain(ModuleOp module, StringRef schedule,
                    llvm::raw_ostream &os) {
  Ranks alone;
  for (auto mesh : module.getOps<MeshOp>())
    for (auto axis : mesh.getAxes().getAsRange<StringAttr>())
      alone[axis.str()] = 1;
  CostQuestion question;
  // Any program fits one rank.
  CostReport report = llvm::cantFail(CostModel(module, question).at(alone));
  std::string states;
  bool isKnown = true;
  for (const StatesRow &row : report.states) {
    isKnown &= row.count.has_value();
    states += (states.empty() ? "" : ", ") +
              (row.count ? std::to_string(*row.count) : "some") + " of " +
              toBytes(double(row.bytes));
  }
  os << llvm::formatv("{0,-12} {1,12} {2,12} {3,12}  {4}\n", schedule,
                      toBytes(double(report.peak)),
                      isKnown ? toBytes(double(report.stores)) : "?",
                      isKnown ? toBytes(double(report.peak + report.stores))
                              : "?",
                      states.empty() ? "none" : states);
}

LogicalResult pmc::machine::explainMemory(
    ModuleOp program, llvm::function_ref<LogicalResult(ModuleOp)> toBuffers,
    llvm::raw_ostream &os) {
  os << "memory of one rank that owns everything, parameters at their "
        "defaults:\n"
     << llvm::formatv("{0,-12} {1,12} {2,12} {3,12}  {4}\n", "loops", "fields",
                      "kept", "together", "states kept");
  bool hasAdjoint = false;
  program.walk([&](VJPOp) { hasAdjoint = true; });
  if (!hasAdjoint) {
    OwningOpRef<ModuleOp> planned(program.clone());
    if (failed(toBuffers(*planned)))
      return failure();
    explain(*planned, "forward", os);
    return success();
  }
  for (Schedule schedule :
       {Schedule::Keep, Schedule::Revolve, Schedule::Reverse}) {
    OwningOpRef<ModuleOp> planned(program.clone());
    std::string name = stringifySchedule(schedule).str();
    planned->walk([&](VJPOp vjp) {
      int64_t snapshots = vjp.getSnapshots().value_or(usualSnapshots);
      vjp.setSchedule(schedule);
      vjp.removeSnapshotsAttr();
      if (schedule != Schedule::Revolve)
        return;
      vjp.setSnapshots(snapshots);
      name = "revolve " + std::to_string(snapshots);
    });
    if (failed(toBuffers(*planned)))
      return failure();
    explain(*planned, name, os);
  }
  return success();
}
