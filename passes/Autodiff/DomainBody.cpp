//===- DomainBody.cpp - Derivatives of bodies of domain loops -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/DomainBody.h"
#include "dialect/IR/PMRowOps.h"
#include "passes/Autodiff/Build.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

DomainBody::DomainBody(OpBuilder &builder, DomainOpInterface op,
                       ValueRange more)
    : builder(builder), loc(op.getLoc()), own(op.getDomainInputs().size()) {
  SmallVector<Value> inputs(op.getDomainInputs());
  llvm::append_range(inputs, more);
  scratch =
      MapOp::create(builder, loc, TypeRange(),
                    DimsAttr::get(builder.getContext(), op.getDomainDims()),
                    inputs, ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&scratch.getBody());
  for (Value input : inputs)
    block->addArgument(cast<FieldType>(input.getType()).getElementType(), loc);
  IRMapping mapping;
  mapping.map(op.getDomainBody()->getArguments(),
              block->getArguments().take_front(own));
  for (Operation &inner : op.getDomainBody()->without_terminator())
    builder.clone(inner, mapping);
  for (Value value : op.getDomainBody()->getTerminator()->getOperands())
    yields.push_back(mapping.lookupOrDefault(value));
}

/// What the body does not use need not be there, or be kept until then.
static void dropUnread(DomainOpInterface op) {
  Block *body = op.getDomainBody();
  MutableOperandRange inputs = op.getDomainInputsMutable();
  for (unsigned i = body->getNumArguments(); i-- > 0;)
    if (body->getArgument(i).use_empty()) {
      inputs.erase(i);
      body->eraseArgument(i);
    }
}

ValueRange DomainBody::finish(Operation *made, Region &region,
                              ArrayRef<Value> values) {
  IRMapping mapping;
  scratch.getBody().cloneInto(&region, mapping);
  OpBuilder inner = OpBuilder::atBlockEnd(&region.front());
  YieldOp::create(inner, loc, llvm::map_to_vector(values, [&](Value value) {
                    return mapping.lookupOrDefault(value);
                  }));
  eraseDead(region);
  dropUnread(cast<DomainOpInterface>(made));
  return made->getResults();
}

ValueRange DomainBody::map(ArrayRef<Value> values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(FieldType::get(
        builder.getContext(), scratch.getDomain().getDims(), value.getType()));
  auto made = MapOp::create(builder, loc, types, scratch.getDomainAttr(),
                            scratch.getInputs(), ValueRange());
  return finish(made, made.getBody(), values);
}

ValueRange DomainBody::reduce(ArrayRef<Value> values, TypeRange scalars,
                              TypeRange fields) {
  auto made = ReduceOp::create(builder, loc, scalars, fields, Reduction::Sum,
                               scratch.getDomainAttr(), scratch.getInputs(),
                               ValueRange());
  return finish(made, made.getBody(), values);
}

ValueRange DomainBody::sum(ArrayRef<Value> values) {
  SmallVector<Type> types(values.size(), builder.getF64Type());
  return reduce(values, types, {});
}

ValueRange DomainBody::sum(ArrayRef<Value> values, ArrayRef<DimAttr> kept) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(
        FieldType::get(builder.getContext(), kept, value.getType()));
  return reduce(values, {}, types);
}

ValueRange DomainBody::bins(ArrayRef<Value> values, TypeRange results) {
  auto made = BinsOp::create(builder, loc, results, scratch.getDomainAttr(),
                             scratch.getInputs(), ValueRange());
  return finish(made, made.getBody(), values);
}

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

/// As many rows of a table are summed at once. More of them take accumulators
/// in every thread, fewer of them more passes.
static constexpr int64_t rowsAtOnce = 1024;

/// The dim of sums of rows, which no spec can name.
static DimAttr declareRows(Operation *op) {
  constexpr StringLiteral name = "table.row";
  auto module = op->getParentOfType<ModuleOp>();
  auto dim = DimAttr::get(op->getContext(), name, rowsAtOnce);
  for (auto known : module.getOps<DimOp>())
    if (known.getNameAttr() == name)
      return dim;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Location loc = module.getLoc();
  auto made = DimOp::create(builder, loc, name, uint64_t(rowsAtOnce));
  builder.createBlock(&made.getLength());
  YieldOp::create(
      builder, loc,
      buildConstant(builder, loc, builder.getF64Type(), double(rowsAtOnce)));
  return dim;
}

void DomainBody::addToRows(const RowReading &reading, Value sums) {
  OpBuilder::InsertionGuard guard(builder);
  Value rows = RowsOp::create(builder, loc, reading.table);
  Value end =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), rows);
  auto loop = scf::ForOp::create(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, 0), end,
      arith::ConstantIndexOp::create(builder, loc, rowsAtOnce));
  builder.setInsertionPointToStart(loop.getBody());
  Value from = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          loop.getInductionVar());
  OpBuilder inside = getBuilder();
  SmallVector<Value> values{
      arith::SubIOp::create(inside, loc, reading.row, from), reading.first};
  if (reading.second)
    values.push_back(reading.second);
  SmallVector<Type> types(
      values.size() - 1, FieldType::get(builder.getContext(), declareRows(loop),
                                        builder.getF64Type()));
  ValueRange added = bins(values, types);
  AddToRowsOp::create(builder, loc, sums, from, added.front());
  if (reading.second)
    AddToRowsOp::create(
        builder, loc, sums,
        arith::AddIOp::create(builder, loc, from,
                              arith::ConstantOp::create(
                                  builder, loc, builder.getI64IntegerAttr(1))),
        added.back());
}
