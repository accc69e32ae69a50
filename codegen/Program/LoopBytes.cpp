//===- LoopBytes.cpp - What a step of a loop must move --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/LoopBytes.h"

#include "codegen/Program/RuntimeFunction.h"
#include "passes/Cost/Cost.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;
namespace cost = pmc::cost;
namespace json = llvm::json;

json::Value pmc::codegen::describeCount(Value value,
                                        const ProgramTables &tables) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op)
    return nullptr;
  if (isa<arith::IndexCastOp>(op))
    return describeCount(op->getOperand(0), tables);
  if (auto param = dyn_cast<ParamValueOp>(op)) {
    if (!value.getType().isInteger(64))
      return nullptr;
    return json::Object{{"param", int64_t(tables.param(param.getName()))}};
  }
  // How far a loop got that goes on where another run ended: a new run's.
  if (auto restore = dyn_cast<RestoreOp>(op)) {
    auto store = restore.getStore().getDefiningOp<CheckpointStoreOp>();
    return store && store->hasAttr("newest") ? json::Value(0) : nullptr;
  }
  // What they become when ops are lowered.
  if (isa<LLVM::CallOp>(op)) {
    if (!PMRT_FUNCTION(pmrt_param_i64).isCalledBy(op))
      return nullptr;
    return json::Object{{"param", describeCount(op->getOperand(1), tables)}};
  }
  StringRef name = llvm::TypeSwitch<Operation *, StringRef>(op)
                       .Case<arith::AddIOp>([](auto) { return "add"; })
                       .Case<arith::SubIOp>([](auto) { return "sub"; })
                       .Case<arith::MulIOp>([](auto) { return "mul"; })
                       .Case<arith::DivSIOp>([](auto) { return "div"; })
                       .Case<arith::MinSIOp>([](auto) { return "min"; })
                       .Case<arith::MaxSIOp>([](auto) { return "max"; })
                       .Default([](auto) { return ""; });
  if (name.empty())
    return nullptr;
  json::Array operands;
  for (Value operand : op->getOperands())
    operands.push_back(describeCount(operand, tables));
  if (llvm::is_contained(operands, json::Value(nullptr)))
    return nullptr;
  return json::Object{{name, std::move(operands)}};
}

/// Null if unknown.
static json::Value describeTrips(scf::ForOp loop, const ProgramTables &tables) {
  json::Value from = describeCount(loop.getLowerBound(), tables),
              to = describeCount(loop.getUpperBound(), tables);
  APInt step;
  if (from == nullptr || to == nullptr ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isOne())
    return nullptr;
  if (from.getAsInteger() && to.getAsInteger())
    return std::max<int64_t>(0, *to.getAsInteger() - *from.getAsInteger());
  if (from != json::Value(0))
    to = json::Object{{"sub", json::Array{std::move(to), std::move(from)}}};
  return json::Object{{"max", json::Array{0, std::move(to)}}};
}

namespace {

/// A number times what follows from parameters alone.
struct Often {
  int64_t number = 1;
  json::Value factor = 1;
};

/// What is counted of one loop: how often a step reads or writes fields over
/// the same dims, and so many bytes a cell, in one go.
class LoopMoves {
public:
  explicit LoopMoves(ProgramTables &tables) : tables(tables) {}

  /// Of a block that is gone through so often in a step.
  void count(Block &block, const Often &often) {
    for (Operation &op : block) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop) {
        countOp(&op, often);
        continue;
      }
      json::Value trips = describeTrips(loop, tables);
      Often inner = often;
      if (auto number = trips.getAsInteger())
        inner.number *= *number;
      else
        inner.factor = multiply(often.factor, trips);
      if (trips != nullptr)
        count(*loop.getBody(), inner);
    }
  }

  json::Array take() {
    json::Array list;
    for (Row &row : rows)
      list.push_back(json::Object{
          {"dims", std::move(row.dims)},
          {"bytes", row.bytes},
          {"times", row.often.factor == json::Value(1)
                        ? json::Value(row.often.number)
                        : multiply(row.often.number, row.often.factor)}});
    return list;
  }

private:
  /// Buffers, each once, and their elements' bytes by dims.
  struct Fields {
    llvm::SmallDenseSet<Value> values;
    llvm::SmallDenseSet<int64_t> buffers;
    llvm::MapVector<ArrayAttr, int64_t> bytes;

    void add(Value value) {
      auto grid = dyn_cast<GridType>(value.getType());
      auto alloc = value.getDefiningOp<AllocOp>();
      if (!grid || !(alloc ? buffers.insert(alloc.getId()).second
                           : values.insert(value).second))
        return;
      SmallVector<Attribute> dims(grid.getDims().begin(), grid.getDims().end());
      bytes[ArrayAttr::get(value.getContext(), dims)] +=
          getElementBytes(grid.getElementType());
    }
  };

  struct Row {
    json::Array dims;
    int64_t bytes;
    Often often;
  };

  static json::Value multiply(json::Value a, json::Value b) {
    if (a == json::Value(1))
      return b;
    return json::Object{{"mul", json::Array{std::move(a), std::move(b)}}};
  }

  void countOp(Operation *op, const Often &often) {
    auto model = dyn_cast<cost::CostOpInterface>(op);
    if (!model)
      return;
    cost::Sweeps sweeps = model.getSweeps();
    for (ArrayRef<Value> side :
         {ArrayRef(sweeps.read), ArrayRef(sweeps.written)}) {
      Fields fields;
      llvm::for_each(side, [&](Value value) { fields.add(value); });
      for (auto [dims, bytes] : fields.bytes)
        addRow(dims, bytes, often);
    }
  }

  void addRow(ArrayAttr dims, int64_t bytes, const Often &often) {
    json::Array indices;
    for (DimAttr dim : dims.getAsRange<DimAttr>())
      indices.push_back(tables.dim(dim));
    for (Row &row : rows)
      if (row.dims == indices && row.bytes == bytes &&
          row.often.factor == often.factor) {
        row.often.number += often.number;
        return;
      }
    rows.push_back({std::move(indices), bytes, often});
  }

  ProgramTables &tables;
  SmallVector<Row> rows;
};

} // namespace

json::Array pmc::codegen::describeLoops(func::FuncOp main,
                                        ProgramTables &tables) {
  json::Array loops;
  Value steps; // of the loop that begins next
  for (Operation &op : main.getBody().front()) {
    if (auto progress = dyn_cast<ProgressOp>(op))
      steps = progress.getValue();
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    for (auto progress : loop.getBody()->getOps<ProgressOp>()) {
      if (progress.getEvent() != LoopEvent::Step)
        continue;
      LoopMoves moves(tables);
      moves.count(*loop.getBody(), {});
      json::Object row{{"location", tables.location(progress.getLoc())},
                       {"moves", moves.take()}};
      json::Value count = describeCount(steps, tables);
      if (auto known = count.getAsInteger())
        row["steps"] = std::max<int64_t>(0, *known);
      else if (count != nullptr)
        row["steps"] = json::Object{{"max", json::Array{0, std::move(count)}}};
      loops.push_back(std::move(row));
    }
  }
  return loops;
}
