//===- Explain.cpp - What memory a program will need ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Explain.h"

#include "dialect/IR/PM.h"
#include "passes/FieldSize.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;

/// Snapshots of revolve where the program says nothing.
static constexpr int64_t usualSnapshots = 5;

static std::string toText(int64_t bytes) {
  const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = double(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return llvm::formatv(unit ? "{0:f1} {1}" : "{0:f0} {1}", value, units[unit])
      .str();
}

/// The number with parameters at their defaults, if it follows from them.
static std::optional<int64_t> evaluate(ModuleOp module, Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto param = dyn_cast<ParamValueOp>(op)) {
    for (auto declared : module.getOps<ParamOp>())
      if (declared.getName() == param.getName())
        if (auto number =
                dyn_cast_or_null<IntegerAttr>(declared.getDefaultValueAttr()))
          return number.getInt();
    return std::nullopt;
  }
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = evaluate(module, operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  if (isa<arith::IndexCastOp>(op))
    return operands[0];
  if (operands.size() != 2)
    return std::nullopt;
  auto [a, b] = std::pair(operands[0], operands[1]);
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::DivSIOp>(op) && b > 0)
    return a / b;
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  return std::nullopt;
}

/// The most bytes that fields take at one time.
static int64_t getPeak(PlanOp plan) {
  SmallVector<std::pair<int64_t, int64_t>> changes;
  for (auto [type, start, end] :
       llvm::zip(plan.getTypes().getAsValueRange<TypeAttr>(), plan.getStarts(),
                 plan.getEnds())) {
    int64_t bytes = passes::getBytes(cast<GridType>(type));
    changes.push_back({start, bytes});
    changes.push_back({end + 1, -bytes});
  }
  llvm::sort(changes);
  int64_t live = 0, peak = 0;
  for (auto [time, bytes] : changes)
    peak = std::max(peak, live += bytes);
  return peak;
}

static int64_t getStateBytes(TapeOp tape) {
  int64_t bytes = 0;
  for (Type type : tape.getTypes().getAsValueRange<TypeAttr>())
    bytes += isa<GridType>(type) ? passes::getBytes(cast<GridType>(type)) : 8;
  return bytes;
}

/// One line for the planned module.
static void explain(ModuleOp module, StringRef schedule,
                    llvm::raw_ostream &os) {
  int64_t fields = 0, tapes = 0;
  for (auto plan : module.getOps<PlanOp>())
    fields += getPeak(plan);
  std::string states;
  bool isKnown = true;
  module.walk([&](TapeOp tape) {
    if (tape->hasAttr("checkpoint"))
      return; // in files
    int64_t bytes = getStateBytes(tape);
    std::optional<int64_t> slots = evaluate(module, tape.getSlots());
    isKnown &= slots.has_value();
    tapes += slots.value_or(0) * bytes;
    states += (states.empty() ? "" : ", ") +
              (slots ? std::to_string(*slots) : std::string("some")) + " of " +
              toText(bytes);
  });
  os << llvm::formatv("{0,-12} {1,12} {2,12} {3,12}  {4}\n", schedule,
                      toText(fields), isKnown ? toText(tapes) : "?",
                      isKnown ? toText(fields + tapes) : "?",
                      states.empty() ? "none" : states);
}

LogicalResult
pmc::explainMemory(ModuleOp program,
                   llvm::function_ref<LogicalResult(ModuleOp)> toBuffers,
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
