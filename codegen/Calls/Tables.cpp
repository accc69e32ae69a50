//===- Tables.cpp - Tables ------------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/Handles.h"
#include "dialect/IR/PMRowOps.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// The members of a pmrt_table that generated code reads.
struct Table {
  Value size, x, y;

  Table(OpBuilder &builder, Location loc, Value table) {
    table = getAddress(table);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i64 = builder.getI64Type();
    auto record = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                   {i64, pointer, pointer});
    auto load = [&](Type type, int32_t member) -> Value {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, record, table,
                                          ArrayRef<LLVM::GEPArg>{0, member});
      return LLVM::LoadOp::create(builder, loc, type, address);
    };
    size = load(i64, 0);
    x = load(pointer, 1);
    y = load(pointer, 2);
  }

  static Value address(OpBuilder &builder, Location loc, Value column,
                       Value row) {
    return LLVM::GEPOp::create(builder, loc, column.getType(),
                               builder.getF64Type(), column,
                               ArrayRef<LLVM::GEPArg>{row});
  }
};

/// for (row = 0; row < size; ++row) body(builder, row); the op's region may be
/// moved into it.
template <typename Body>
void forRows(OpBuilder &builder, Location loc, Value size, Body body) {
  Type index = builder.getIndexType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::IndexCastOp::create(builder, loc, index, size);
  auto loop = scf::ForOp::create(builder, loc, zero, end, one);
  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  Value row = arith::IndexCastOp::create(inner, loc, inner.getI64Type(),
                                         loop.getInductionVar());
  body(inner, row);
}

/// Puts the region's ops at the builder; returns what it yields.
SmallVector<Value> inlineRegion(OpBuilder &builder, Region &region,
                                ValueRange arguments) {
  IRMapping mapping;
  mapping.map(region.getArguments(), arguments);
  for (Operation &op : region.front().without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : region.front().getTerminator()->getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

void finish(LoweringContext &context, OpBuilder &builder, Operation *op,
            Value table) {
  Location loc = op->getLoc();
  context.call(
      builder, loc, PMRT_FUNCTION(pmrt_table_check),
      {context.getContext(builder), context.location(builder, loc), table});
  replaceResult(op->getResult(0), table);
}

Value create(LoweringContext &context, OpBuilder &builder, Location loc,
             Value size) {
  if (const std::optional<int64_t> rows = getConstantIntValue(size))
    context.getTables().addTable(*rows);
  return context.call(
      builder, loc, PMRT_FUNCTION(pmrt_table_create),
      {context.getContext(builder), context.location(builder, loc), size});
}

struct TabulateLowering
    : LowerableOpInterface::ExternalModel<TabulateLowering, TabulateOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto tabulate = cast<TabulateOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type f64 = builder.getF64Type();
    Value made = create(context, builder, loc, tabulate.getPoints());
    Table table(builder, loc, made);
    Value one = context.constant(builder, int64_t(1), 64);
    Value last = arith::SubIOp::create(builder, loc, table.size, one);
    Value pieces = arith::SIToFPOp::create(builder, loc, f64, last);
    Value range = arith::SubFOp::create(builder, loc, tabulate.getTo(),
                                        tabulate.getFrom());
    forRows(builder, loc, table.size, [&](OpBuilder &inner, Value row) {
      // i (to - from)/(points - 1): the last row is `to` but for rounding.
      Value i = arith::SIToFPOp::create(inner, loc, f64, row);
      Value scaled = arith::MulFOp::create(inner, loc, i, range);
      Value offset = arith::DivFOp::create(inner, loc, scaled, pieces);
      Value x = arith::AddFOp::create(inner, loc, tabulate.getFrom(), offset);
      Value y = inlineRegion(inner, tabulate.getBody(), x)[0];
      LLVM::StoreOp::create(inner, loc, x,
                            Table::address(inner, loc, table.x, row));
      LLVM::StoreOp::create(inner, loc, y,
                            Table::address(inner, loc, table.y, row));
    });
    finish(context, builder, op, made);
    return success();
  }
};

struct TransformLowering
    : LowerableOpInterface::ExternalModel<TransformLowering, TransformOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto transform = cast<TransformOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type f64 = builder.getF64Type();
    Table from(builder, loc, op->getOperand(0));
    Value made = create(context, builder, loc, from.size);
    Table to(builder, loc, made);
    forRows(builder, loc, from.size, [&](OpBuilder &inner, Value row) {
      auto load = [&](Value column) -> Value {
        return LLVM::LoadOp::create(inner, loc, f64,
                                    Table::address(inner, loc, column, row));
      };
      SmallVector<Value> point = inlineRegion(
          inner, transform.getBody(), ValueRange{load(from.x), load(from.y)});
      LLVM::StoreOp::create(inner, loc, point[0],
                            Table::address(inner, loc, to.x, row));
      LLVM::StoreOp::create(inner, loc, point[1],
                            Table::address(inner, loc, to.y, row));
    });
    finish(context, builder, op, made);
    return success();
  }
};

RuntimeFunction getFunction(LookupOp lookup) {
  return lookup.getSlope() ? PMRT_FUNCTION(pmrt_table_lookup_derivative)
                           : PMRT_FUNCTION(pmrt_table_lookup);
}
RuntimeFunction getFunction(FindRowOp) {
  return PMRT_FUNCTION(pmrt_table_find);
}
RuntimeFunction getFunction(RowXOp) { return PMRT_FUNCTION(pmrt_table_x); }
RuntimeFunction getFunction(RowYOp) { return PMRT_FUNCTION(pmrt_table_y); }
RuntimeFunction getFunction(AddToRowOp) {
  return PMRT_FUNCTION(pmrt_table_add);
}

/// An op that is a call of the runtime with its operands.
template <class Op>
struct CallLowering
    : LowerableOpInterface::ExternalModel<CallLowering<Op>, Op> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Value result = context.call(builder, op->getLoc(),
                                getFunction(cast<Op>(op)), op->getOperands());
    if (result)
      op->getResult(0).replaceAllUsesWith(result);
    return success();
  }
};

struct RowsLowering
    : LowerableOpInterface::ExternalModel<RowsLowering, RowsOp> {
  LogicalResult lower(Operation *op, LoweringContext &) const {
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(
        Table(builder, op->getLoc(), op->getOperand(0)).size);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Sums for rows: a table that is added to
//===----------------------------------------------------------------------===//

struct RowSumsLowering
    : LowerableOpInterface::ExternalModel<RowSumsLowering, RowSumsOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    replaceResult(
        op->getResult(0),
        context.call(builder, loc, PMRT_FUNCTION(pmrt_table_zeros),
                     {context.getContext(builder),
                      context.location(builder, loc), op->getOperand(0)}));
    return success();
  }
};

struct AddToRowsLowering
    : LowerableOpInterface::ExternalModel<AddToRowsLowering, AddToRowsOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    context.call(builder, loc, PMRT_FUNCTION(pmrt_table_add_rows),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc), op->getOperand(0),
                  op->getOperand(1),
                  context.array(builder, op->getOperand(2))});
    return success();
  }
};

struct SumRowsLowering
    : LowerableOpInterface::ExternalModel<SumRowsLowering, SumRowsOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    OpBuilder builder(op);
    finish(context, builder, op, getAddress(op->getOperand(0)));
    return success();
  }
};

} // namespace

void pmc::codegen::registerTableLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    TabulateOp::attachInterface<TabulateLowering>(*context);
    TransformOp::attachInterface<TransformLowering>(*context);
    LookupOp::attachInterface<CallLowering<LookupOp>>(*context);
    FindRowOp::attachInterface<CallLowering<FindRowOp>>(*context);
    RowXOp::attachInterface<CallLowering<RowXOp>>(*context);
    RowYOp::attachInterface<CallLowering<RowYOp>>(*context);
    RowsOp::attachInterface<RowsLowering>(*context);
    RowSumsOp::attachInterface<RowSumsLowering>(*context);
    AddToRowOp::attachInterface<CallLowering<AddToRowOp>>(*context);
    AddToRowsOp::attachInterface<AddToRowsLowering>(*context);
    SumRowsOp::attachInterface<SumRowsLowering>(*context);
  });
}
