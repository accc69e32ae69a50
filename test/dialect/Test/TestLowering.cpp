//===- TestLowering.cpp - The lowering of pmtest.linear -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An external model, attached when the dialect is loaded: neither the dialect
// nor the op knows of code generation.
//
//===----------------------------------------------------------------------===//

#include "test/dialect/Test/TestDialect.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::test;

namespace {

struct LinearLowering
    : LowerableOpInterface::ExternalModel<LinearLowering, LinearOp> {
  /// A call of a function that is named after the op and its element type.
  LogicalResult lower(Operation *op, pmc::codegen::LoweringContext &) const {
    OpBuilder builder(op);
    auto module = op->getParentOfType<ModuleOp>();
    auto buffer = cast<GridType>(op->getOperand(0).getType());
    std::string name = "linear_";
    llvm::raw_string_ostream(name) << buffer.getElementType();
    auto callee = module.lookupSymbol<func::FuncOp>(name);
    if (!callee) {
      OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
      callee = func::FuncOp::create(
          top, op->getLoc(), name,
          builder.getFunctionType(op->getOperandTypes(), {}));
      callee.setPrivate();
    }
    func::CallOp::create(builder, op->getLoc(), callee, op->getOperands());
    return success();
  }
};

} // namespace

void pmc::test::registerLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMTestDialect *) {
    LinearOp::attachInterface<LinearLowering>(*context);
  });
}
