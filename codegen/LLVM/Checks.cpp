//===- Checks.cpp - Undefined behavior of generated code -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/Program/RuntimeFunction.h"
#include "dialect/IR/Markers/PMPlaces.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>

namespace pmc::codegen {
#define GEN_PASS_DEF_CHECKUNDEFINED
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

using namespace mlir;

namespace {

class CheckUndefinedPass
    : public pmc::codegen::impl::CheckUndefinedBase<CheckUndefinedPass> {
public:
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::FPToSIOp, arith::DivSIOp, arith::RemSIOp, arith::DivUIOp,
              arith::RemUIOp>(op) &&
          op->getResult(0).getType().isIntOrIndex())
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto conversion = dyn_cast<arith::FPToSIOp>(op))
        check(builder, op, inRange(builder, conversion),
              "a number does not fit into the integer that it is converted to");
      else if (!matchPattern(op->getOperand(1), m_NonZero()))
        check(builder, op, isNonZero(builder, op), "a division by zero");
    }
  }

private:
  /// -2^(n-1) <= x < 2^(n-1), exact in floats; false for NaN.
  static Value inRange(OpBuilder &builder, arith::FPToSIOp op) {
    Location loc = op.getLoc();
    auto type = cast<FloatType>(op.getIn().getType());
    double bound =
        std::ldexp(1.0, int(op.getType().getIntOrFloatBitWidth()) - 1);
    auto constant = [&](double value) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getFloatAttr(type, value));
    };
    Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE,
                                        op.getIn(), constant(-bound));
    Value below = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        op.getIn(), constant(bound));
    return arith::AndIOp::create(builder, loc, above, below);
  }

  static Value isNonZero(OpBuilder &builder, Operation *op) {
    Value divisor = op->getOperand(1);
    Value zero = arith::ConstantOp::create(
        builder, op->getLoc(), builder.getZeroAttr(divisor.getType()));
    return arith::CmpIOp::create(builder, op->getLoc(),
                                 arith::CmpIPredicate::ne, divisor, zero);
  }

  void check(OpBuilder &builder, Operation *op, Value defined, StringRef what) {
    Location loc = op->getLoc();
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value undefined = arith::XOrIOp::create(builder, loc, defined, one);
    auto branch = scf::IfOp::create(builder, loc, undefined,
                                    /*withElseRegion=*/false);
    OpBuilder inner = OpBuilder::atBlockBegin(branch.thenBlock());
    std::string where;
    if (FileLineColLoc line = pmc::pm::findLine(loc))
      where = line.getFilename().str() + ":" + std::to_string(line.getLine()) +
              ":" + std::to_string(line.getColumn());
    Value operands[] = {getString(inner, where), getString(inner, what)};
    LLVM::CallOp::create(
        inner, loc, PMRT_FUNCTION(pmrt_undefined).declareIn(getOperation()),
        operands);
  }

  Value getString(OpBuilder &builder, StringRef text) {
    ModuleOp module = getOperation();
    std::string value = text.str();
    value.push_back('\0');
    LLVM::GlobalOp &global = strings[text];
    if (!global) {
      OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
      global = LLVM::GlobalOp::create(
          top, module.getLoc(),
          LLVM::LLVMArrayType::get(top.getI8Type(), value.size()),
          /*isConstant=*/true, LLVM::Linkage::Internal,
          "pmc.check." + std::to_string(strings.size()),
          top.getStringAttr(value));
    }
    return LLVM::AddressOfOp::create(builder, module.getLoc(), global);
  }

  llvm::StringMap<LLVM::GlobalOp> strings;
};

} // namespace
