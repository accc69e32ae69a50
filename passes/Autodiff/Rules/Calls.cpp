//===- Calls.cpp - Rules for calls ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tangent of a call is `pm.jvp` of the function, which the pass that this
// is part of replaces in turn. Adjoints of functions on fields are made of
// their bodies, which have been inlined; what stays has an adjoint of the
// user's, or is a function of a few numbers that loops: it gets its derivative
// by each of them.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Derive.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct CallModel
    : DifferentiableOpInterface::ExternalModel<CallModel, func::CallOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto call = cast<func::CallOp>(op);
    SmallVector<int64_t> wrt;
    SmallVector<Value> along;
    for (auto [i, operand] : llvm::enumerate(call.getOperands()))
      if (Value tangent = tangents.get(operand)) {
        wrt.push_back(int64_t(i));
        along.push_back(tangent);
      }
    SmallVector<Type> types(call.getResultTypes());
    llvm::append_range(
        types, llvm::make_filter_range(call.getResultTypes(), hasTangent));
    auto differentiated = JVPOp::create(
        builder, op->getLoc(), types, call.getCallee(), call.getOperands(),
        builder.getDenseI64ArrayAttr(wrt), along);
    ValueRange results = differentiated.getResults();
    ValueRange values = results.take_front(call.getNumResults());
    ValueRange rest = results.drop_front(call.getNumResults());
    for (Value result : call.getResults())
      if (hasTangent(result.getType())) {
        tangents.set(result, rest.front());
        rest = rest.drop_front();
      }
    asForward(tangents).replace(op, values);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto call = cast<func::CallOp>(op);
    if (failed(checkFirstDerivative(call)))
      return failure();
    func::FuncOp adjoint = getCustomAdjoint(call);
    if (!adjoint)
      return asReverse(cotangents).addColumns(builder, op);
    SmallVector<Value> operands(call.getOperands());
    for (Value result : call.getResults())
      if (hasTangent(result.getType()))
        operands.push_back(
            orZero(builder, op->getLoc(), cotangents.get(result), result));
    auto back = func::CallOp::create(builder, op->getLoc(), adjoint, operands);
    ResultRange results = back.getResults();
    for (Value operand : call.getOperands()) {
      if (!hasTangent(operand.getType()))
        continue;
      if (cotangents.needs(operand))
        cotangents.add(builder, operand, results.front());
      results = results.drop_front();
    }
    return success();
  }
};

} // namespace

void pmc::passes::registerCallDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<CallModel>(*context);
  });
}
