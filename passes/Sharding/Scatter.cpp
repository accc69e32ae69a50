//===- Scatter.cpp - Painting beyond a rank's part ------------------------===//
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

struct ScatterModel
    : ShardableOpInterface::ExternalModel<ScatterModel, ScatterOp> {
  /// What a rank's particles add to others' cells is added by halo_reduce over
  /// all axes of the mesh. So these must split the particles, too, or a
  /// particle would be painted by several ranks: along their longest dim, as a
  /// batch may have fewer cells than there are ranks. Over the other axes that
  /// split the particles, the mesh is a partial sum.
  void getLocalForm(Operation *op, const Layout &, LocalForm &form) const {
    SmallVector<DimAttr> mesh = form.results.front();
    SmallVector<StringAttr> meshAxes = getAxes(mesh);
    SmallVector<DimAttr> domain = form.domain;
    DimAttr &longest = *llvm::max_element(domain, [](DimAttr a, DimAttr b) {
      return a.getStoredExtent() < b.getStoredExtent();
    });
    SmallVector<StringAttr> axes(longest.getAxes());
    for (StringAttr axis : meshAxes)
      if (!llvm::is_contained(getAxes(domain), axis))
        axes.push_back(axis);
    longest = longest.withAxes(axes);
    form.setDomain(op, domain);
    for (SmallVector<DimAttr> &result : form.results)
      result = mesh;
    for (StringAttr axis : getAxes(domain))
      if (!llvm::is_contained(meshAxes, axis))
        for (SmallVector<StringAttr> &partial : form.partial)
          partial.push_back(axis);
  }

  LogicalResult buildHalos(Operation *op, OpBuilder &builder) const {
    auto scatter = cast<ScatterOp>(op);
    GridType mesh = scatter.getMeshType();
    if (getAxes(mesh.getDims()).empty())
      return success();
    SmallVector<Value> offsets(scatter.getYieldedOffsets());
    FailureOr<Value> bound = buildDisplacementBound(
        builder, cast<DomainOpInterface>(op),
        {scatter.getDomainBody()->getTerminator(), scatter.getWindow(),
         scatter.getFree(), mesh.getDims(), offsets, scatter.getSelection()});
    if (failed(bound))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Location loc = op->getLoc();
    Value reach = *bound;
    // A tap above of a cell is a cell below of what is painted.
    if (scatter.isComputed())
      reach = widen(builder, loc, reach, mesh.getDims(), [&](size_t d) {
        auto [below, above] = getDistance(scatter.getCellTaps(), d);
        return std::pair(above, below);
      });
    SmallVector<StringAttr> axes = getAxes(scatter.getDomain().getDims());
    auto getPart = [&](Type type) {
      return PartialType::getOver(type, Reduction::Sum, axes);
    };
    SmallVector<Type> parts(scatter.getNumMeshes(), getPart(mesh));
    SmallVector<Type> halos(
        scatter.getNumMeshes(),
        getPart(HaloType::get(op->getContext(), mesh.getDims(),
                              mesh.getElementType())));
    auto painted = ScatterOp::create(
        builder, loc, parts, halos, scatter.getWindow(),
        scatter.getDomainAttr(), scatter.getFree(), scatter.getOrdersAttr(),
        scatter.getInputs(), ValueRange(), reach, scatter.getWordsAttr(),
        scatter.getSteps(), scatter.getTapsAttr());
    painted.getBody().takeBody(scatter.getBody());
    painted.getCell().takeBody(scatter.getCell());
    painted->setDiscardableAttrs(scatter->getDiscardableAttrDictionary());
    for (auto [whole, part, halo] : llvm::zip_equal(
             scatter.getResults(), painted.getResults(), painted.getHalos()))
      whole.replaceAllUsesWith(HaloReduceOp::create(builder, loc,
                                                    whole.getType(), part, halo,
                                                    ValueRange())
                                   .getResult());
    scatter.erase();
    return success();
  }
};

} // namespace

void pmc::passes::registerScatterSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ScatterOp::attachInterface<ScatterModel>(*context);
  });
}
