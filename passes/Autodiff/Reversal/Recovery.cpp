//===- Recovery.cpp - States of a loop from the ones behind them ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Reversal/Recovery.h"
#include "passes/Autodiff/Build.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

//===----------------------------------------------------------------------===//
// What is added to
//===----------------------------------------------------------------------===//

namespace {

/// A map that adds to one of its inputs.
struct Addition {
  MapOp map;
  unsigned input;
  Value result;

  Value getInput() { return map.getInputs()[input]; }
  /// What else it reads.
  SmallVector<Value> listOthers() {
    SmallVector<Value> others(listCaptured(map).takeVector());
    for (auto [i, value] : llvm::enumerate(map.getInputs()))
      if (i != input)
        others.push_back(value);
    return others;
  }
};

/// From what a loop carries to a field that is it plus other things: the maps
/// that add them; none if it is something else.
class Additions {
public:
  static std::optional<SmallVector<Addition>> find(Value carried, Value field) {
    Additions additions(carried);
    if (!additions.reaches(field))
      return std::nullopt;
    return additions.path;
  }
  /// Where it becomes clear that the field is something else.
  static Location findEnd(Value carried, Value field) {
    Additions additions(carried);
    additions.reaches(field);
    return additions.end.value_or(field.getLoc());
  }

private:
  explicit Additions(Value carried) : carried(carried) {}

  bool reaches(Value field) {
    if (field == carried)
      return true;
    auto map = field.getDefiningOp<MapOp>();
    if (!map)
      return false;
    unsigned position = cast<OpResult>(field).getResultNumber();
    Operation *yield = map.getDomainBody()->getTerminator();
    return reaches(map, yield->getOperand(position), field);
  }

  bool reaches(MapOp map, Value element, Value result) {
    // Read otherwise too, it would not be known when the rest is computed.
    if (!element.hasOneUse())
      return stop(result);
    if (auto argument = dyn_cast<BlockArgument>(element)) {
      if (argument.getOwner() != map.getDomainBody() ||
          !reaches(map.getInputs()[argument.getArgNumber()]))
        return false;
      path.push_back({map, argument.getArgNumber(), result});
      return true;
    }
    Operation *op = element.getDefiningOp();
    if (!isa<arith::AddFOp, arith::SubFOp>(op))
      return stop(element);
    return reaches(map, op->getOperand(0), result) ||
           (isa<arith::AddFOp>(op) && reaches(map, op->getOperand(1), result));
  }

  bool stop(Value value) {
    if (!end)
      end = value.getLoc();
    return false;
  }

  Value carried;
  SmallVector<Addition> path;
  std::optional<Location> end;
};

} // namespace

static bool isInside(scf::ForOp loop, Value value) {
  return loop->isAncestor(value.getParentBlock()->getParentOp());
}

/// Whether the value can be computed from known ones, and from what is known
/// outside of the loop.
static bool isComputable(scf::ForOp loop, Value value,
                         llvm::DenseSet<Value> &known) {
  if (known.contains(value) || value == loop.getInductionVar() ||
      !isInside(loop, value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !llvm::all_of(listRead(op), [&](Value read) {
        return isComputable(loop, read, known);
      }))
    return false;
  known.insert(op->result_begin(), op->result_end());
  return true;
}

Recovery::Recovery(scf::ForOp loop, ArrayRef<Operation *> ops)
    : loop(loop), ops(ops) {
  llvm::DenseSet<Value> known;
  SmallVector<unsigned> left;
  ReadState read(loop);
  for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!read.isRead(i))
      continue;
    if (isa<FieldType>(carried.getType())) {
      fields.push_back(i);
      left.push_back(i);
      known.insert(loop.getYieldedValues()[i]);
    } else {
      numbers.push_back(i);
      known.insert(carried);
    }
  }
  auto recover = [&](unsigned i) {
    Value carried = loop.getRegionIterArgs()[i];
    auto additions = Additions::find(carried, loop.getYieldedValues()[i]);
    if (!additions)
      return false;
    for (Addition &addition : *additions)
      for (Value other : addition.listOthers())
        if (!isComputable(loop, other, known))
          return false;
    known.insert(carried);
    order.push_back(i);
    return true;
  };
  for (size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    llvm::erase_if(left, recover);
  }
  if (!left.empty())
    hindrance = explain(left.front(), known);
}

Recovery::Hindrance Recovery::explain(unsigned position,
                                      llvm::DenseSet<Value> &known) {
  Value carried = loop.getRegionIterArgs()[position];
  Value next = loop.getYieldedValues()[position];
  auto additions = Additions::find(carried, next);
  if (!additions)
    return {position, Additions::findEnd(carried, next),
            "its new value is more than the old one plus or minus something"};
  for (Addition &addition : *additions)
    for (Value other : addition.listOthers())
      if (!isComputable(loop, other, known))
        return {position, addition.map.getLoc(),
                "what is added depends on its old value, or on that of a field "
                "that cannot be recovered before it"};
  llvm_unreachable("all that is added is known");
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

namespace {

/// Computes values of a step in an order that differs from the loop's.
class Slice {
public:
  Slice(OpBuilder &builder, scf::ForOp loop, IRMapping mapping)
      : builder(builder), loop(loop), mapping(std::move(mapping)) {}

  void know(Value value, Value is) { mapping.map(value, is); }
  Value get(Value value) const { return mapping.lookup(value); }

  void compute(Value value) {
    if (mapping.contains(value) || !isInside(loop, value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value read : listRead(op))
      compute(read);
    builder.clone(*op, mapping);
  }

  /// What is added to what the loop carries.
  Value computeSum(MutableArrayRef<Addition> additions, Value carriedBehind) {
    Value sum;
    for (Addition &addition : additions) {
      for (Value other : addition.listOthers())
        compute(other);
      IRMapping inner = mapping;
      inner.map(addition.getInput(), sum ? sum : carriedBehind);
      auto made = cast<MapOp>(builder.clone(*addition.map, inner));
      if (!sum) {
        // x + (-0) is x.
        BlockArgument argument =
            made.getDomainBody()->getArgument(addition.input);
        OpBuilder inside = OpBuilder::atBlockBegin(made.getDomainBody());
        argument.replaceAllUsesWith(
            buildConstant(inside, made.getLoc(), argument.getType(), -0.0));
      }
      sum = made.getResult(cast<OpResult>(addition.result).getResultNumber());
    }
    return sum;
  }

private:
  OpBuilder &builder;
  scf::ForOp loop;
  IRMapping mapping;
};

} // namespace

SmallVector<Value> Recovery::recover(OpBuilder &builder, Again &again,
                                     ValueRange fieldsBehind,
                                     ValueRange numbersBefore) {
  for (auto [i, value] : llvm::zip_equal(numbers, numbersBefore))
    again.mapping.map(loop.getRegionIterArgs()[i], value);
  // Growth and the like are computed once, for the recovery and the step.
  auto isKnown = [&](Value value) {
    return !isa<FieldType>(value.getType()) &&
           (!isInside(loop, value) || again.mapping.contains(value));
  };
  for (Operation *op : ops)
    if (llvm::all_of(listRead(op), isKnown) &&
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<FieldType>))
      again.make(builder, op);

  Slice slice(builder, loop, again.mapping);
  for (auto [i, value] : llvm::zip_equal(fields, fieldsBehind))
    slice.know(loop.getYieldedValues()[i], value);
  for (unsigned i : order) {
    Value carried = loop.getRegionIterArgs()[i];
    Value behind = slice.get(loop.getYieldedValues()[i]);
    auto additions = Additions::find(carried, loop.getYieldedValues()[i]);
    Value before = behind;
    if (!additions->empty()) {
      Value sum = slice.computeSum(*additions, behind);
      before = buildMap(builder, loop.getLoc(),
                        cast<FieldType>(behind.getType()), {behind, sum},
                        [&](OpBuilder &inner, ValueRange elements) -> Value {
                          return arith::SubFOp::create(
                              inner, loop.getLoc(), elements[0], elements[1]);
                        });
    }
    slice.know(carried, before);
  }
  ReadState read(loop);
  return read.expand(
      builder,
      llvm::map_to_vector(read.select(loop.getRegionIterArgs()),
                          [&](Value carried) { return slice.get(carried); }));
}
