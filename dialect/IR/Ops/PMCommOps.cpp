//===- PMCommOps.cpp - Verifiers of messages ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// Sums and layouts
//===----------------------------------------------------------------------===//

/// At least one axis, each once.
static LogicalResult verifyAxes(Operation *op, ArrayAttr axes) {
  if (axes.empty())
    return op->emitOpError("expects at least one mesh axis");
  for (auto [i, axis] : llvm::enumerate(axes))
    if (llvm::is_contained(axes.getValue().take_front(i), axis))
      return op->emitOpError("names axis ") << axis << " twice";
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyAxes(*this, getAxes())))
    return failure();
  if (getValues().empty() || getValues().size() != getResults().size())
    return emitOpError("has ")
           << getValues().size() << " values and " << getResults().size()
           << " results, expected as many, at least one";
  return verifyParts(*this, getValues().getTypes(), getKindAttr(),
                     getAxesAttr());
}

/// `from` and `to` are the same field but for the axes.
static LogicalResult verifySameField(Operation *op, GridType from,
                                     GridType to) {
  if (withoutAxes(from.getDims()) == withoutAxes(to.getDims()) &&
      from.getElementType() == to.getElementType())
    return success();
  return op->emitOpError("makes ")
         << Type(to) << " of " << Type(from)
         << ", expected that they differ in their axes only";
}

LogicalResult ReshardOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  return verifySameField(*this, cast<GridType>(getInput().getType()), *target);
}

LogicalResult ReshardStartOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  return verifySameField(*this, cast<GridType>(getInput().getType()), *target);
}

static LogicalResult verifyArrived(Operation *op, Value value,
                                   GridType target) {
  auto arriving = cast<GridType>(getUnderlying(value.getType()));
  if (target.getDims() == arriving.getDims() &&
      target.getElementType() == arriving.getElementType())
    return success();
  return op->emitOpError("makes ")
         << Type(target) << ", expected what arrives, " << Type(arriving);
}

LogicalResult ReshardWaitOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  return verifyArrived(*this, getArriving(), *target);
}

/// `from` and `to` differ in the axes reduced over, which do not split `from`.
template <class Op>
static LogicalResult verifyReduced(Op op, GridType from, GridType to) {
  auto haveAsManyCells = [](DimAttr a, DimAttr b) {
    return a.getStoredExtent() == b.getStoredExtent();
  };
  if (from.getElementType() != to.getElementType() ||
      !llvm::equal(from.getDims(), to.getDims(), haveAsManyCells))
    return op.emitOpError("makes ")
           << Type(to) << " of " << Type(from)
           << ", expected the same elements and as many cells along each dim";
  auto isReduced = [&](StringAttr axis) {
    return llvm::is_contained(op.getAxes(), Attribute(axis));
  };
  for (auto [before, after] : llvm::zip(from.getDims(), to.getDims())) {
    for (StringAttr axis : before.getAxes())
      if (isReduced(axis))
        return op.emitOpError("reduces over axis ")
               << axis << ", which splits the input's dim '"
               << before.getLabel() << "'";
    SmallVector<StringAttr> others(after.getAxes());
    llvm::erase_if(others, isReduced);
    if (ArrayRef<StringAttr>(others) != before.getAxes())
      return op.emitOpError("makes ")
             << Type(to) << " of " << Type(from)
             << ", expected that they differ in the axes reduced over only";
  }
  return success();
}

/// Of a pm.reduce_fields, started or not, with these results.
template <class Op>
static LogicalResult verifyReduction(Op op, ResultRange results) {
  if (failed(verifyAxes(op, op.getAxes())))
    return failure();
  SmallVector<GridType> targets = getTargets(results, op.getOuts());
  if (targets.empty() || targets.size() != op.getInputs().size())
    return op.emitOpError("has ")
           << op.getInputs().size() << " inputs and " << targets.size()
           << " results, expected as many, at least one";
  if (failed(verifyParts(op, op.getInputs().getTypes(), op.getKindAttr(),
                         op.getAxesAttr())))
    return failure();
  auto getInput = [](Value value) {
    return cast<GridType>(getUnderlying(value.getType()));
  };
  Type element = getInput(op.getInputs().front()).getElementType();
  for (auto [value, target] : llvm::zip(op.getInputs(), targets)) {
    GridType input = getInput(value);
    if (failed(verifyReduced(op, input, target)))
      return failure();
    if (input.getElementType() != element)
      return op.emitOpError("has fields of ")
             << element << " and " << input.getElementType()
             << ", expected one element";
  }
  if (element.isInteger())
    return op.emitOpError("reduces fields of ")
           << element << ", expected real or complex elements";
  if (op.getKind() != Reduction::Sum && !isReal(element))
    return op.emitOpError("takes the ")
           << stringifyReduction(op.getKind()) << " of fields of " << element
           << ", expected real elements";
  return success();
}

LogicalResult ReduceFieldsOp::verify() {
  return verifyReduction(*this, getResults());
}

LogicalResult ReduceFieldsStartOp::verify() {
  return verifyReduction(*this, getArriving());
}

LogicalResult ReduceFieldsWaitOp::verify() {
  SmallVector<GridType> targets = getTargets(getResults(), getOuts());
  if (targets.empty() || targets.size() != getArriving().size())
    return emitOpError("has ")
           << getArriving().size() << " fields that arrive and "
           << targets.size() << " results, expected as many, at least one";
  for (auto [value, target] : llvm::zip(getArriving(), targets))
    if (failed(verifyArrived(*this, value, target)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Halos
//===----------------------------------------------------------------------===//

ArrayRef<DimAttr> DisplacementBoundOp::getDomainDims() {
  return getDomain().getDims();
}
void DisplacementBoundOp::setDomainDims(ArrayRef<DimAttr> dims) {
  setDomainAttr(DimsAttr::get(getContext(), dims));
}
OperandRange DisplacementBoundOp::getDomainInputs() { return getInputs(); }
MutableOperandRange DisplacementBoundOp::getDomainInputsMutable() {
  return getInputsMutable();
}
Block *DisplacementBoundOp::getDomainBody() { return &getBody().front(); }

OperandRange DisplacementBoundOp::getYieldedOffsets() {
  return getBody().front().getTerminator()->getOperands().take_front(
      getMesh().getDims().size());
}

Value DisplacementBoundOp::getSelection() {
  return getSelectionOf(getBody().front().getTerminator()->getOperands());
}

LogicalResult DisplacementBoundOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  ArrayRef<DimAttr> mesh = getMesh().getDims();
  if (!yielded.empty() && yielded.back().isInteger(1))
    yielded.pop_back();
  if (yielded.size() != mesh.size())
    return emitOpError("yields ")
           << yielded.size() << " values, expected one a mesh dim, "
           << mesh.size();
  for (Type type : yielded)
    if (!isReal(type))
      return emitOpError("yields a ") << type << ", expected f32 or f64";
  if (!getFree() && !isRefinement(mesh, getDomain().getDims()))
    return emitOpError("has a mesh over ")
           << toString(mesh) << ", which does not refine "
           << toString(getDomain().getDims());
  return success();
}

LogicalResult WidenDisplacementBoundOp::verify() {
  if (getBelow().size() != getAbove().size())
    return emitOpError("has ") << getBelow().size() << " widths below and "
                               << getAbove().size() << " above";
  for (ArrayRef<int64_t> widths : {getBelow(), getAbove()})
    for (int64_t width : widths)
      if (width < 0)
        return emitOpError("has the width ") << width << ", expected 0 or more";
  return success();
}

LogicalResult HaloExchangeOp::verify() {
  if (getMeshes().empty() || getMeshes().size() != getHalos().size())
    return emitOpError("has ")
           << getMeshes().size() << " meshes and " << getHalos().size()
           << " halos, expected as many, at least one";
  auto first = cast<GridType>(getMeshes().front().getType());
  for (auto [mesh, halo] : llvm::zip(getMeshes(), getHalos())) {
    auto type = cast<GridType>(mesh.getType());
    if (type.getDims() != first.getDims())
      return emitOpError("has meshes over ")
             << toString(first.getDims()) << " and " << toString(type.getDims())
             << ", expected the same dims";
    if (failed(verifyHaloOf(*this, halo.getType(), type)))
      return failure();
    if (getStart() != isa<InFlightType>(halo.getType()))
      return emitOpError("has the halo ")
             << halo.getType() << ", expected "
             << (getStart() ? "one in flight, as it is started"
                            : "one that is there, as it is not started");
  }
  return success();
}

LogicalResult HaloReduceOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto input = cast<GridType>(getUnderlying(getInput().getType()));
  if (target->getDims() != input.getDims() ||
      target->getElementType() != input.getElementType())
    return emitOpError("makes ") << Type(*target) << " of " << Type(input)
                                 << ", expected the same type";
  if (failed(verifyHaloOf(*this, getHalo().getType(), input)))
    return failure();
  auto halo = cast<PartialType>(getHalo().getType());
  SmallVector<StringAttr> meshAxes = pm::getAxes(input.getDims());
  SmallVector<StringAttr> others(halo.getAxes());
  llvm::erase_if(others, [&](StringAttr axis) {
    return llvm::is_contained(meshAxes, axis);
  });
  if (halo.getKind() != Reduction::Sum ||
      others.size() + meshAxes.size() != halo.getAxes().size())
    return emitOpError("has the halo ")
           << Type(halo) << ", expected a sum over axes that split the mesh "
           << toString(input.getDims()) << ", all of them";
  auto part = dyn_cast<PartialType>(getInput().getType());
  if (part &&
      (part.getKind() != halo.getKind() || part.getAxes() != halo.getAxes()))
    return emitOpError("has the mesh ")
           << Type(part) << " and the halo " << Type(halo)
           << ", expected sums over the same axes";
  // Axes that split the particles but not the mesh.
  return getResult() ? verifyPartial(*this, getResult().getType(), others,
                                     Reduction::Sum)
                     : success();
}
