//===- Convolve.cpp - Convolutions over ranks -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMConvolve.h"
#include "dialect/IR/Forms/PMViews.h"
#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Halos/Margins.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct ConvolveModel
    : ShardableOpInterface::ExternalModel<ConvolveModel, ConvolveOp> {
  /// The field is split as the dims that its indices go along, and whole where
  /// they may be anywhere. Every rank sums over what it has.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    auto convolve = cast<ConvolveOp>(op);
    SmallVector<DimAttr> domain =
        getConvolutionDomain(form.operands[1], form.results[0]);
    for (auto [d, dim] : llvm::enumerate(form.operands[0])) {
      int near = convolve.findNear(d);
      dim = near < 0 ? dim.withoutAxes()
                     : dim.withAxes(domain[size_t(near)].getAxes());
    }
    for (DimAttr dim : domain)
      if (findDim(form.results[0], dim.getLabel()) < 0)
        llvm::append_range(form.partial[0], dim.getAxes());
  }

  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    auto convolve = cast<ConvolveOp>(op);
    if (convolve.getHalo() || !convolve.readsOthers())
      return success();
    Value field = convolve.getField();
    auto type = cast<FieldType>(field.getType());
    SmallVector<DimAttr> domain = convolve.getDomain();
    Margin margin(type.getDims().size());
    for (auto [d, dim] : llvm::enumerate(type.getDims()))
      if (!dim.getAxes().empty())
        margin.add(d, convolve.getMargin(d), convolve.getMargin(d, true),
                   View(dim, domain[size_t(convolve.findNear(d))]).getBlocks());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(getExchangePlace(op, field));
    Value bound = margin.build(builder, op->getLoc(),
                               DimsAttr::get(op->getContext(), type.getDims()));
    Type halo =
        HaloType::get(op->getContext(), type.getDims(), type.getElementType());
    auto exchange = HaloExchangeOp::create(builder, op->getLoc(), halo, field,
                                           bound, /*start=*/false);
    convolve.getHaloMutable().assign(exchange.getHalos().front());
    return success();
  }
};

} // namespace

void pmc::passes::registerConvolveSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ConvolveOp::attachInterface<ConvolveModel>(*context);
  });
}
