//===- Counts.cpp - How often ops are executed ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Counts.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace pmc::cost;
using namespace pmc::pm;

/// Steps that are gone through one by one, if what is in them depends on them.
static constexpr double mostSteps = 100000;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::optional<double> toNumber(Attribute attribute) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return number.getType().isInteger(1) ? double(!number.getValue().isZero())
                                         : double(number.getInt());
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return std::nullopt;
}

/// Null if the type is not one of numbers.
static TypedAttr toAttribute(Type type, std::optional<double> number) {
  if (!number)
    return {};
  if (isa<FloatType>(type))
    return FloatAttr::get(type, *number);
  return type.isIntOrIndex() ? IntegerAttr::get(type, int64_t(*number))
                             : IntegerAttr();
}

Attribute Counts::fold(Value value) {
  if (auto found = known.find(value); found != known.end())
    return toAttribute(value.getType(), found->second);
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  if (auto param = dyn_cast<ParamValueOp>(op)) {
    std::optional<double> number;
    if (auto given = parameters.find(param.getName());
        given != parameters.end())
      number = given->second;
    else
      for (auto declared : module.getOps<ParamOp>())
        if (declared.getName() == param.getName())
          number = toNumber(declared.getDefaultValueAttr());
    return toAttribute(value.getType(), number);
  }
  // How far a loop got that goes on where another run ended: from the start.
  if (auto restore = dyn_cast<RestoreOp>(op))
    if (auto store = restore.getStore().getDefiningOp<CheckpointStoreOp>();
        store && store->hasAttr("newest"))
      return toAttribute(value.getType(), 0);
  if (auto given = dyn_cast<GivenOp>(op))
    return toAttribute(value.getType(),
                       parameters.contains(given.getName().str()));
  if (op->getNumResults() != 1 || op->getNumRegions())
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(fold(operand));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  auto other = dyn_cast<Value>(results.front());
  return other ? fold(other) : cast<Attribute>(results.front());
}

std::optional<double> Counts::evaluate(Value value) {
  return toNumber(fold(value));
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

bool Counts::isUniform(scf::ForOp loop, double from) {
  SmallVector<Value> control;
  loop.getBody()->walk([&](Operation *op) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      control.append({inner.getLowerBound(), inner.getUpperBound()});
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      control.push_back(branch.getCondition());
  });
  Value step = loop.getInductionVar();
  return llvm::none_of(control, [&](Value value) {
    known.erase(step);
    bool without = evaluate(value).has_value();
    known[step] = from;
    bool with = evaluate(value).has_value();
    known.erase(step);
    return with && !without;
  });
}

void Counts::countLoop(scf::ForOp loop, double often) {
  std::optional<double> from = evaluate(loop.getLowerBound()),
                        to = evaluate(loop.getUpperBound()),
                        step = evaluate(loop.getStep());
  if (!from || !to || !step || *step < 1) {
    assumed.insert(loop);
    return count(*loop.getBody(), often);
  }
  double trips = std::max(0.0, std::ceil((*to - *from) / *step));
  if (trips > mostSteps || isUniform(loop, *from))
    return count(*loop.getBody(), trips * often);
  for (int64_t i = 0; double(i) < trips; ++i) {
    known[loop.getInductionVar()] = *from + double(i) * *step;
    count(*loop.getBody(), often);
  }
  known.erase(loop.getInductionVar());
}

void Counts::count(Block &block, double often) {
  for (Operation &op : block) {
    if (isa<CostOpInterface>(op)) {
      times[&op] += often;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      countLoop(loop, often);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      std::optional<double> taken = evaluate(branch.getCondition());
      if (!taken)
        assumed.insert(branch);
      bool isTaken = taken.value_or(1) != 0;
      count(*branch.thenBlock(), isTaken ? often : 0);
      if (Block *other = branch.elseBlock())
        count(*other, isTaken ? 0 : often);
    } else if (op.getNumRegions()) {
      assumed.insert(&op); // until something holds
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          count(inner, often);
    }
  }
}
