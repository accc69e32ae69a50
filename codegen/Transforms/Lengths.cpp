//===- Lengths.cpp - The lengths of dims ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Transforms/Lengths.h"
#include "codegen/Lowering/Emit.h"
#include "codegen/Passes.h"

#include <limits>

namespace pmc::codegen {
#define GEN_PASS_DEF_OUTLINELENGTHS
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

std::string pmc::codegen::getLengthFunction(StringRef dim) {
  return ("pmc.length." + dim).str();
}

void pmc::codegen::tellLengths(LoweringContext &context, func::FuncOp main) {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (auto [dim, index] : context.getTables().getDims()) {
    auto length = context.getModule().lookupSymbol<func::FuncOp>(
        getLengthFunction(dim.getName()));
    if (!dim.isSpace() || !length)
      continue;
    auto call = func::CallOp::create(builder, length.getLoc(), length,
                                     ValueRange(main.getArgument(0)));
    context.call(builder, length.getLoc(), PMRT_FUNCTION(pmrt_set_length),
                 {main.getArgument(0),
                  context.constant(builder, int64_t(index), 32),
                  call.getResult(0)});
  }
}

void pmc::codegen::requireLengths(LoweringContext &context, func::FuncOp main) {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (auto length : context.getModule().getOps<func::FuncOp>()) {
    StringRef dim = length.getSymName();
    if (!dim.consume_front(getLengthFunction("")) ||
        matchPattern(length.getBody().front().getTerminator()->getOperand(0),
                     m_Constant()))
      continue;
    Location loc = length.getLoc();
    Emit emit(builder, loc);
    Value value = func::CallOp::create(builder, loc, length,
                                       ValueRange(main.getArgument(0)))
                      .getResult(0);
    Type f64 = value.getType();
    Value good = emit.both(
        emit.less(emit.constant(f64, 0), value),
        emit.less(value,
                  emit.constant(f64, std::numeric_limits<double>::infinity())));
    context.call(builder, loc, PMRT_FUNCTION(pmrt_require),
                 {main.getArgument(0), context.location(builder, loc),
                  emit.widen(good, builder.getI32Type()),
                  context.string(builder, ("the length of '" + dim +
                                           "' is {}; it must be above 0 and "
                                           "finite")
                                              .str()),
                  context.constant(builder, int64_t(1), 32),
                  context.pack(builder, value, f64)});
  }
}

static void outline(DimOp dim) {
  OpBuilder builder(dim);
  auto function = func::FuncOp::create(
      builder, dim.getLoc(), getLengthFunction(dim.getName()),
      builder.getFunctionType({}, builder.getF64Type()));
  function.setPrivate();
  function.getBody().takeBody(dim.getLength());
  Operation *yield = function.getBody().front().getTerminator();
  builder.setInsertionPoint(yield);
  func::ReturnOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
  dim.erase();
}

namespace {

struct OutlineLengthsPass
    : pmc::codegen::impl::OutlineLengthsBase<OutlineLengthsPass> {
  void runOnOperation() override {
    for (auto dim : llvm::make_early_inc_range(getOperation().getOps<DimOp>()))
      outline(dim);
  }
};

} // namespace
