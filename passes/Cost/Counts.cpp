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

static bool compare(arith::CmpIPredicate predicate, double a, double b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
  case P::ult:
    return a < b;
  case P::sle:
  case P::ule:
    return a <= b;
  case P::sgt:
  case P::ugt:
    return a > b;
  case P::sge:
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}

static std::optional<bool> compare(arith::CmpFPredicate predicate, double a,
                                   double b) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ:
  case P::UEQ:
    return a == b;
  case P::ONE:
  case P::UNE:
    return a != b;
  case P::OLT:
  case P::ULT:
    return a < b;
  case P::OLE:
  case P::ULE:
    return a <= b;
  case P::OGT:
  case P::UGT:
    return a > b;
  case P::OGE:
  case P::UGE:
    return a >= b;
  default:
    return std::nullopt;
  }
}

/// What an op makes of numbers.
static std::optional<double> compute(Operation *op, ArrayRef<double> in) {
  if (in.size() == 1) {
    if (isa<arith::IndexCastOp, arith::SIToFPOp, arith::UIToFPOp,
            arith::ExtUIOp, arith::ExtFOp, arith::TruncFOp>(op))
      return in[0];
    if (isa<arith::FPToSIOp>(op))
      return std::trunc(in[0]);
    if (isa<arith::NegFOp>(op))
      return -in[0];
    if (isa<math::CeilOp>(op))
      return std::ceil(in[0]);
    if (isa<math::FloorOp>(op))
      return std::floor(in[0]);
    if (isa<math::SqrtOp>(op))
      return std::sqrt(in[0]);
    return std::nullopt;
  }
  if (isa<arith::SelectOp>(op))
    return in[0] != 0 ? in[1] : in[2];
  if (in.size() != 2)
    return std::nullopt;
  double a = in[0], b = in[1];
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return compare(cmp.getPredicate(), a, b);
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return compare(cmp.getPredicate(), a, b);
  if (isa<arith::AddIOp, arith::AddFOp>(op))
    return a + b;
  if (isa<arith::SubIOp, arith::SubFOp>(op))
    return a - b;
  if (isa<arith::MulIOp, arith::MulFOp>(op))
    return a * b;
  if (isa<arith::DivFOp>(op))
    return a / b;
  if (isa<arith::DivSIOp, arith::DivUIOp>(op) && b != 0)
    return std::trunc(a / b);
  if (isa<arith::FloorDivSIOp>(op) && b != 0)
    return std::floor(a / b);
  if (isa<arith::CeilDivSIOp>(op) && b != 0)
    return std::ceil(a / b);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && b != 0)
    return std::fmod(a, b);
  if (isa<arith::MinSIOp, arith::MinimumFOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp, arith::MaximumFOp>(op))
    return std::max(a, b);
  bool areTruths = op->getResult(0).getType().isInteger(1);
  if (isa<arith::AndIOp>(op) && areTruths)
    return a != 0 && b != 0;
  if (isa<arith::OrIOp>(op) && areTruths)
    return a != 0 || b != 0;
  if (isa<arith::XOrIOp>(op) && areTruths)
    return (a != 0) != (b != 0);
  return std::nullopt;
}

static std::optional<double> toNumber(Attribute attribute) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return number.getType().isInteger(1) ? double(!number.getValue().isZero())
                                         : double(number.getInt());
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return std::nullopt;
}

std::optional<double> Counts::evaluate(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return toNumber(constant);
  if (auto param = dyn_cast<ParamValueOp>(op)) {
    if (auto given = parameters.find(param.getName());
        given != parameters.end())
      return given->second;
    for (auto declared : module.getOps<ParamOp>())
      if (declared.getName() == param.getName())
        return toNumber(declared.getDefaultValueAttr());
    return std::nullopt;
  }
  // How far a loop got that goes on where another run ended: from the start.
  if (auto restore = dyn_cast<RestoreOp>(op))
    if (auto store = restore.getStore().getDefiningOp<CheckpointStoreOp>();
        store && store->hasAttr("newest"))
      return 0;
  if (auto given = dyn_cast<GivenOp>(op))
    return parameters.contains(given.getName().str());
  if (op->getNumResults() != 1 || op->getNumRegions())
    return std::nullopt;
  SmallVector<double> operands;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = evaluate(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  return compute(op, operands);
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
