//===- RowCotangents.cpp - Cotangents of tables ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table's cotangent is summed row by row: sums begin beside the table, what
// reads a row adds to its sum, and where the reverse sweep comes to the table,
// they become a table over the same x. The x of rows are held fixed.
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMRowOps.h"
#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Guarded.h"
#include "passes/Autodiff/Reverse.h"
#include "passes/Autodiff/Rules/Loops.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

bool Reverse::isByRows(Value table) const {
  if (!isa<TableType>(table.getType()) || !needs(table))
    return false;
  if (!activity.isLocal(table) && outer)
    return outer->isByRows(table);
  Operation *op = table.getDefiningOp();
  return !op || byRows.contains(table) || readsRows(op);
}

bool Reverse::readsRows(Operation *op) const {
  return llvm::any_of(listRead(op),
                      [&](Value value) { return isByRows(value); });
}

static bool isInDomain(OpBuilder &builder) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  return isa<DomainOpInterface>(parent) ||
         parent->getParentOfType<DomainOpInterface>();
}

void Reverse::add(OpBuilder &builder, const RowReading &reading) {
  if (isByRows(reading.table) && isInDomain(builder))
    return note(reading);
  Location loc = reading.first.getLoc();
  auto addTo = [&](Value row, Value value) {
    if (isByRows(reading.table)) {
      AddToRowOp::create(builder, loc, getRowSums(reading.table), row, value);
      return;
    }
    for (const TableDerivative &derivative : getDerivatives(reading.table)) {
      Value slope = RowYOp::create(builder, loc, derivative.table, row);
      Value product = isGuarded(reading.table)
                          ? buildGuardedProduct(builder, loc, value, slope)
                          : arith::MulFOp::create(builder, loc, value, slope);
      add(builder, derivative.number,
          buildCast(builder, loc, product, derivative.number.getType()));
    }
  };
  addTo(reading.row, reading.first);
  if (!reading.second)
    return;
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  addTo(arith::AddIOp::create(builder, loc, reading.row, one), reading.second);
}

Value Reverse::getRowSums(Value table) {
  if (!activity.isLocal(table) && outer)
    return outer->getRowSums(table);
  Value &made = rowSums[table];
  if (!made) {
    OpBuilder beside(table.getContext());
    beside.setInsertionPointAfterValue(table);
    made = RowSumsOp::create(beside, table.getLoc(), table);
  }
  return made;
}

void Reverse::finishRows(OpBuilder &builder, Value table) {
  Value made = rowSums.lookup(table);
  if (!made)
    return;
  rowSums.erase(table);
  set(table, SumRowsOp::create(builder, table.getLoc(), made));
}

LogicalResult Reverse::addOverRows(OpBuilder &builder, Value table,
                                   ArrayRef<Value> wanted, RowStep step) {
  Location loc = table.getLoc();
  SmallVector<Value> zeros = llvm::map_to_vector(wanted, [&](Value value) {
    return buildZero(builder, loc, value.getType());
  });
  Value begin = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         RowsOp::create(builder, loc, table));
  auto loop = scf::ForOp::create(builder, loc, begin, end, one, zeros);
  if (!loop.getBody()->empty())
    loop.getBody()->getTerminator()->erase();
  OpBuilder inside = OpBuilder::atBlockEnd(loop.getBody());
  FailureOr<SmallVector<Value>> given =
      step(inside, arith::IndexCastOp::create(inside, loc, inside.getI64Type(),
                                              loop.getInductionVar()));
  if (failed(given))
    return failure();
  SmallVector<Value> yields;
  for (auto [sum, value] : llvm::zip_equal(loop.getRegionIterArgs(), *given))
    yields.push_back(buildSum(inside, loc, sum, value));
  scf::YieldOp::create(inside, loc, yields);
  eraseEffects(loop.getRegion());
  eraseDead(loop.getRegion());
  for (auto [value, sum] : llvm::zip_equal(wanted, loop.getResults()))
    add(builder, value, sum);
  return success();
}

void Reverse::addTable(OpBuilder &builder, Value primal, Value cotangent) {
  Location loc = primal.getLoc();
  Activity activity([&](Value value) { return needs(value); });
  llvm::SetVector<Value> one, wanted;
  one.insert(primal);
  wanted = getWanted(one);
  // It may have other rows.
  auto step = [&](OpBuilder &inside,
                  Value row) -> FailureOr<SmallVector<Value>> {
    Reverse inner(activity, this);
    Value x = RowXOp::create(inside, loc, primal, row);
    Value y = LookupOp::create(inside, loc, cotangent, x);
    inner.add(inside, {primal, row, y, Value()});
    return llvm::map_to_vector(wanted,
                               [&](Value value) { return inner.get(value); });
  };
  // Nothing that fails.
  (void)addOverRows(builder, primal, wanted.getArrayRef(), step);
}
