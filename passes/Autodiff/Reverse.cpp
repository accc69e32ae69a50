//===- Reverse.cpp - Cotangents of what a block reads ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Reverse.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

SmallVector<Operation *> pmc::passes::listOps(Block &block) {
  return llvm::map_to_vector(block.without_terminator(),
                             [](Operation &op) { return &op; });
}

void Reverse::add(OpBuilder &builder, Value primal, Value cotangent) {
  if (isa<TableType>(primal.getType()))
    return addTable(builder, primal, cotangent);
  Value &sum = sums[primal];
  sum = buildSum(builder, cotangent.getLoc(), sum, cotangent);
}

Value Reverse::take(Value primal) {
  Value sum = sums.lookup(primal);
  sums.erase(primal);
  return sum;
}

void Reverse::guardReads(Operation *op) {
  if (!isAnyGuarded(op->getResults()) && !needsGuards(op, activity))
    return;
  llvm::SetVector<Value> read = listRead(op);
  for (Value value : read)
    guard(value);
  // The numbers that its tables are made of.
  for (Value value : getWanted(read))
    guard(value);
}

LogicalResult Reverse::differentiate(OpBuilder &builder,
                                     ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    for (Value result : op->getResults())
      finishRows(builder, result);
    if (llvm::none_of(op->getResults(),
                      [&](Value result) { return bool(get(result)); }) ||
        !activity.reads(op))
      continue;
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if (!differentiable)
      return op->emitError("[PM0809] '")
             << op->getName() << "' has no derivative";
    guardReads(op);
    if (failed(differentiable.buildAdjoint(builder, *this)) || isBroken)
      return failure();
  }
  return success();
}

llvm::SetVector<Value>
Reverse::getWanted(const llvm::SetVector<Value> &values) {
  llvm::SetVector<Value> wanted;
  for (Value value : values) {
    if (!needs(value) || isByRows(value))
      continue;
    if (isa<TableType>(value.getType()))
      for (const TableDerivative &derivative : getDerivatives(value))
        wanted.insert(derivative.number);
    else
      wanted.insert(value);
  }
  return wanted;
}

Forward Reverse::seed(OpBuilder &builder, Operation *op, Value number) {
  Forward tangents(nullptr, /*replaces=*/false);
  for (Value value : listRead(op)) {
    if (value == number)
      tangents.set(value,
                   buildConstant(builder, op->getLoc(), number.getType(), 1));
    else if (needs(value) && isa<TableType>(value.getType()))
      for (const TableDerivative &derivative : getDerivatives(value))
        if (derivative.number == number)
          tangents.set(value, derivative.table);
  }
  return tangents;
}

ArrayRef<TableDerivative> Reverse::getDerivatives(Value table) {
  if (!activity.isLocal(table) && outer)
    return outer->getDerivatives(table);
  auto known = derivatives.find(table);
  if (known != derivatives.end())
    return known->second;
  SmallVector<TableDerivative> made;
  if (Operation *op = table.getDefiningOp()) {
    // Beside the table, so that whatever reads the table may read them.
    for (Value number : getWanted(listRead(op))) {
      if (!isa<FloatType>(number.getType())) {
        isBroken = true;
        op->emitError("[PM0809] a table that depends on a ")
            << number.getType()
            << " has no derivative by it, expected a real number";
        continue;
      }
      OpBuilder builder(op);
      Forward tangents = seed(builder, op, number);
      builder.setInsertionPointAfter(op);
      if (failed(cast<DifferentiableOpInterface>(op).buildTangent(builder,
                                                                  tangents)))
        isBroken = true;
      else if (Value tangent = tangents.get(table))
        made.push_back({number, tangent});
    }
  }
  return derivatives[table] = std::move(made);
}

LogicalResult Reverse::addColumns(OpBuilder &builder, Operation *op) {
  llvm::SetVector<Value> wanted = getWanted(listRead(op));
  SmallVector<Value> results(op->getResults());
  SmallVector<Value> cotangents =
      llvm::map_to_vector(results, [&](Value value) { return get(value); });
  for (Value number : wanted) {
    if (!isa<FloatType>(number.getType()))
      return op->emitError("[PM0809] '")
             << op->getName() << "' depends on a " << number.getType()
             << ", and has derivatives by real numbers alone";
    OpBuilder beside(op);
    Forward tangents = seed(beside, op, number);
    beside.setInsertionPointAfter(op);
    if (failed(
            cast<DifferentiableOpInterface>(op).buildTangent(beside, tangents)))
      return failure();
    for (auto [result, cotangent] : llvm::zip_equal(results, cotangents)) {
      Value tangent = tangents.get(result);
      if (!tangent || !cotangent)
        continue;
      Value product = buildInner(builder, op->getLoc(), cotangent, tangent,
                                 isGuarded(result));
      add(builder, number,
          buildCast(builder, op->getLoc(), product, number.getType()));
    }
  }
  return success();
}
