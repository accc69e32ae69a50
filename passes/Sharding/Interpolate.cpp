//===- Interpolate.cpp - Reading meshes beyond a rank's part --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"
#include "passes/Sharding/Halos/Halos.h"
#include "passes/Sharding/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct InterpolateModel
    : ShardableOpInterface::ExternalModel<InterpolateModel, InterpolateOp> {
  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    auto interpolate = cast<InterpolateOp>(op);
    auto mesh = cast<FieldType>(interpolate.getMeshes().front().getType());
    if (getAxes(mesh.getDims()).empty())
      return success();
    auto domain = op->getParentOfType<DomainOpInterface>();
    SmallVector<Value> offsets(interpolate.getOffsets());
    FailureOr<Value> bound = buildDisplacementBound(
        builder, domain,
        {interpolate, interpolate.getWindow(), interpolate.getFree(),
         mesh.getDims(), offsets, /*selection=*/{}});
    if (failed(bound))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(domain);
    // By what a cell reads around itself.
    if (interpolate.isComputed())
      bound =
          widen(builder, op->getLoc(), *bound, mesh.getDims(), [&](size_t d) {
            return getDistance(interpolate.getCellTaps(), d);
          });
    // Derivatives read one mesh several times.
    llvm::SetVector<Value> meshes(interpolate.getMeshes().begin(),
                                  interpolate.getMeshes().end());
    SmallVector<Type> types(
        meshes.size(),
        HaloType::get(op->getContext(), mesh.getDims(), mesh.getElementType()));
    auto exchange = HaloExchangeOp::create(builder, op->getLoc(), types,
                                           meshes.getArrayRef(), *bound, false);
    SmallVector<Value> halos;
    for (Value read : interpolate.getMeshes())
      halos.push_back(
          exchange.getHalos()[llvm::find(meshes, read) - meshes.begin()]);
    interpolate.getHalosMutable().assign(halos);
    return success();
  }
};

} // namespace

void pmc::passes::registerInterpolateSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    InterpolateOp::attachInterface<InterpolateModel>(*context);
  });
}
