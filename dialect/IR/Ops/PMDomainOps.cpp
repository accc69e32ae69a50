//===- PMDomainOps.cpp - Verifiers of loops over a domain -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// Domain ops
//===----------------------------------------------------------------------===//

#define PM_DOMAIN_OP(OP)                                                       \
  ArrayRef<DimAttr> OP::getDomainDims() { return getDomain().getDims(); }      \
  void OP::setDomainDims(ArrayRef<DimAttr> dims) {                             \
    setDomainAttr(DimsAttr::get(getContext(), dims));                          \
  }                                                                            \
  OperandRange OP::getDomainInputs() { return getInputs(); }                   \
  MutableOperandRange OP::getDomainInputsMutable() {                           \
    return getInputsMutable();                                                 \
  }                                                                            \
  Block *OP::getDomainBody() { return &getBody().front(); }
PM_DOMAIN_OP(MapOp)
PM_DOMAIN_OP(ReduceOp)
PM_DOMAIN_OP(BinsOp)
PM_DOMAIN_OP(ScatterOp)
#undef PM_DOMAIN_OP

bool pmc::pm::isSubset(ArrayRef<DimAttr> part, ArrayRef<DimAttr> whole) {
  size_t found = 0;
  for (DimAttr dim : whole)
    if (found < part.size() && part[found] == dim)
      ++found;
  return found == part.size();
}

LogicalResult pmc::pm::verifyDomain(Operation *op,
                                    SmallVectorImpl<Type> &yielded,
                                    size_t more) {
  auto domain = cast<DomainOpInterface>(op);
  Block *body = domain.getDomainBody();
  OperandRange inputs = domain.getDomainInputs();
  if (body->getNumArguments() != inputs.size() + more)
    return op->emitOpError("has ")
           << inputs.size() << " inputs but " << body->getNumArguments()
           << " block arguments";
  for (auto [input, argument] : llvm::zip(inputs, body->getArguments())) {
    auto type = cast<GridType>(input.getType());
    if (type.getElementType() != argument.getType())
      return op->emitOpError("block argument ")
             << argument.getArgNumber() << " is " << argument.getType()
             << ", expected the element " << type.getElementType();
    if (!isSubset(type.getDims(), domain.getDomainDims())) {
      InFlightDiagnostic error =
          op->emitOpError("input ")
          << argument.getArgNumber() << " is over " << toString(type.getDims())
          << ", expected a subset of " << toString(domain.getDomainDims());
      error.attachNote(input.getLoc()) << "the input is made here";
      return error;
    }
  }
  auto yield = dyn_cast<YieldOp>(body->back());
  if (!yield)
    return op->emitOpError("expects pm.yield at the end of its body");
  llvm::append_range(yielded, yield.getOperandTypes());
  return success();
}

/// Results of the value form, outs of the buffer form.
SmallVector<GridType> pmc::pm::getTargets(ResultRange results,
                                          OperandRange outs) {
  SmallVector<GridType> targets;
  for (Type type : results.getTypes())
    targets.push_back(cast<GridType>(getUnderlying(type)));
  for (Type type : outs.getTypes())
    targets.push_back(cast<GridType>(type));
  return targets;
}

static LogicalResult verifyCount(Operation *op, size_t yielded, size_t wanted) {
  if (yielded == wanted && wanted > 0)
    return success();
  return op->emitOpError("yields ")
         << yielded << " values for " << wanted << " results";
}

static LogicalResult verifyBounds(Operation *op,
                                  std::optional<StringRef> within,
                                  OperandRange bounds) {
  if (within.has_value() == (bounds.size() == 2) && bounds.size() <= 2)
    return success();
  return op->emitOpError("has ")
         << bounds.size() << " bounds, expected two of a dim, or none";
}

LogicalResult MapOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  SmallVector<GridType> targets = getTargets(getResults(), getOuts());
  if (failed(verifyCount(*this, yielded.size(), targets.size())))
    return failure();
  for (auto [type, target] : llvm::zip(yielded, targets)) {
    if (target.getElementType() != type)
      return emitOpError("yields ")
             << type << " for a result of " << target.getElementType();
    if (target.getDims() != getDomain().getDims())
      return emitOpError("has a result over ")
             << toString(target.getDims()) << ", expected "
             << toString(getDomain().getDims());
  }
  if (failed(verifyBounds(*this, getWithin(), getBounds())))
    return failure();
  if (getWithin() && findDim(getDomain().getDims(), *getWithin()) < 0)
    return emitOpError("has bounds along '")
           << *getWithin() << "', expected a dim of "
           << toString(getDomain().getDims());
  return success();
}

LogicalResult ReduceOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  if (!getScalars().empty() && (!getFields().empty() || !getOuts().empty()))
    return emitOpError("has both scalar and field results");
  SmallVector<GridType> targets = getTargets(getFields(), getOuts());
  if (failed(verifyCount(*this, yielded.size(),
                         getScalars().size() + targets.size())))
    return failure();
  for (Type type : yielded)
    if (!isReal(type))
      return emitOpError("reduces a ") << type << ", expected f32 or f64";
  for (GridType target : targets)
    if (!isSubset(target.getDims(), getDomain().getDims()))
      return emitOpError("has a result over ")
             << toString(target.getDims()) << ", expected a subset of "
             << toString(getDomain().getDims());
  if (failed(verifyBounds(*this, getWithin(), getBounds())))
    return failure();
  if (getWithin()) {
    int d = getDomain().getDims().empty()
                ? -1
                : findDim(getDomain().getDims(), *getWithin());
    if (d < 0 || llvm::any_of(
                     targets,
                     [&](GridType target) {
                       return findDim(target.getDims(), *getWithin()) >= 0;
                     }))
      return emitOpError("has bounds along '")
             << *getWithin() << "', expected a dim that it reduces over";
  }
  for (Type type : (*this)->getResultTypes()) {
    SmallVector<DimAttr> reduced(getDomain().getDims());
    if (FieldType field = getField(type))
      llvm::erase_if(reduced, [&](DimAttr dim) {
        return llvm::is_contained(field.getDims(), dim);
      });
    if (failed(verifyPartial(*this, type, getAxes(reduced), getKind())))
      return failure();
  }
  return success();
}

LogicalResult BinsOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  if (yielded.empty() || !yielded.front().isInteger(64))
    return emitOpError("expects to yield an i64 bin first");
  SmallVector<GridType> targets = getTargets(getResults(), getOuts());
  if (failed(verifyCount(*this, yielded.size() - 1, targets.size())))
    return failure();
  for (Type type : ArrayRef<Type>(yielded).drop_front())
    if (!isReal(type))
      return emitOpError("sums a ") << type << ", expected f32 or f64";
  for (GridType target : targets)
    if (target.getDims() != targets.front().getDims() ||
        !target.getElementType().isF64() ||
        !llvm::all_of(target.getDims(),
                      [](DimAttr dim) { return dim.isSpace(); }))
      return emitOpError("has a result ")
             << Type(target) << ", expected f64 over the same space dims";
  for (Type type : (*this)->getResultTypes())
    if (failed(verifyPartial(*this, type, getAxes(getDomain().getDims()),
                             Reduction::Sum)))
      return failure();
  return success();
}

bool pmc::pm::isRefinement(ArrayRef<DimAttr> mesh, ArrayRef<DimAttr> lattice) {
  if (mesh.size() != lattice.size())
    return false;
  for (auto [m, l] : llvm::zip(mesh, lattice))
    if (m.getName() != l.getName() || !m.isSpace() || !l.isSpace() ||
        m.getExtent() % l.getExtent() != 0)
      return false;
  return true;
}

/// Halos of the meshes, if these are split, and nothing of either if not.
static LogicalResult verifyDisplacementBound(ScatterOp op, GridType mesh) {
  SmallVector<StringAttr> meshAxes = getAxes(mesh.getDims());
  bool isSplit = !meshAxes.empty();
  size_t halos = isSplit ? op.getNumMeshes() : 0;
  if (isSplit != bool(op.getBound()) || op.getHalos().size() != halos)
    return op.emitOpError("has ")
           << (op.getBound() ? "a displacement bound" : "no displacement bound")
           << " and " << op.getHalos().size() << " halos, expected "
           << (isSplit ? "a displacement bound and "
                       : "neither, as no axis splits ")
           << (isSplit ? std::to_string(halos) + ", as axes split " : "")
           << toString(mesh.getDims());
  for (StringAttr axis : meshAxes)
    if (!llvm::is_contained(getAxes(op.getDomain().getDims()), axis))
      return op.emitOpError("paints on ")
             << toString(mesh.getDims()) << ", expected axis '"
             << axis.getValue() << "' to split the domain "
             << toString(op.getDomain().getDims()) << " too";
  for (Type halo : op.getHalos().getTypes())
    if (failed(verifyHaloOf(op, halo, mesh)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyPartial(op, type, getAxes(op.getDomain().getDims()),
                             Reduction::Sum)))
      return failure();
  return success();
}

/// How often a window is differentiated along each of `count` dims.
LogicalResult pmc::pm::verifyOrders(Operation *op,
                                    std::optional<ArrayRef<int64_t>> orders,
                                    size_t count) {
  if (!orders)
    return success();
  if (orders->size() != count)
    return op->emitOpError("has ")
           << orders->size() << " orders, expected " << count;
  for (int64_t order : *orders)
    if (order < 0)
      return op->emitOpError("has order ") << order << ", expected 0 or more";
  return success();
}

GridType ScatterOp::getMeshType() {
  Type type = getResults().empty() ? getOuts().front().getType()
                                   : getResults().front().getType();
  return cast<GridType>(getUnderlying(type));
}

Value pmc::pm::getSelectionOf(OperandRange yielded) {
  bool isLast = !yielded.empty() && yielded.back().getType().isInteger(1);
  return isLast ? yielded.back() : Value();
}

OperandRange ScatterOp::getYieldedOffsets() {
  return getDomainBody()->getTerminator()->getOperands().take_front(
      getMeshType().getDims().size());
}

OperandRange ScatterOp::getYieldedWeights() {
  OperandRange weights =
      getDomainBody()->getTerminator()->getOperands().drop_front(
          getMeshType().getDims().size());
  return weights.drop_back(getSelection() ? 1 : 0);
}

Value ScatterOp::getSelection() {
  return getSelectionOf(getDomainBody()->getTerminator()->getOperands());
}

/// Constraint 9.
static LogicalResult verifyWords(ScatterOp op, GridType mesh) {
  size_t meshes = op.getNumMeshes();
  std::optional<uint64_t> words = op.getWords();
  if (!words)
    return op.getSteps().empty()
               ? success()
               : op.emitOpError("has steps, and is not exact");
  if (*words == 0 || meshes % *words != 0 || op.getSteps().size() != meshes)
    return op.emitOpError("has ")
           << meshes << " meshes and " << op.getSteps().size()
           << " steps, expected a step a mesh, and a multiple of " << *words
           << " words";
  if (!mesh.getElementType().isF64())
    return op.emitOpError("is exact on ") << Type(mesh) << ", expected f64";
  return success();
}

LogicalResult ScatterOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  if (!yielded.empty() && yielded.back().isInteger(1))
    yielded.pop_back();
  if (getResults().empty() == getOuts().empty())
    return emitOpError("expects results or outs, has ")
           << getResults().size() << " and " << getOuts().size();
  GridType mesh = getMeshType();
  for (ValueRange meshes : {ValueRange(getResults()), ValueRange(getOuts())})
    for (Type type : meshes.getTypes())
      if (getUnderlying(type) != Type(mesh))
        return emitOpError("has meshes ")
               << Type(mesh) << " and " << getUnderlying(type)
               << ", expected one type";
  size_t rank = mesh.getDims().size();
  if (failed(verifyWords(*this, mesh)))
    return failure();
  if (yielded.size() <= rank ||
      (!isComputed() && (yielded.size() - rank) % getNumSums() != 0))
    return emitOpError("yields ")
           << yielded.size() << " values, expected one a mesh dim, " << rank
           << ", and weights, a multiple of " << getNumSums() << " meshes";
  for (Type type : yielded)
    if (!isReal(type))
      return emitOpError("yields a ") << type << ", expected f32 or f64";
  if (!getFree() && !isRefinement(mesh.getDims(), getDomain().getDims()))
    return emitOpError("paints on ")
           << toString(mesh.getDims()) << ", which does not refine "
           << toString(getDomain().getDims());
  if (failed(verifyOrders(*this, getOrders(), (yielded.size() - rank) * rank)))
    return failure();
  if (isComputed() && getWords())
    return emitOpError("is exact and computes cells, expected one of them");
  if (failed(verifyCell(*this, getCell(), getTaps(), rank,
                        yielded.size() - rank, getNumMeshes(),
                        mesh.getElementType())))
    return failure();
  return verifyDisplacementBound(*this, mesh);
}

LogicalResult CoordinateOp::verify() {
  auto parent = (*this)->getParentOfType<DomainOpInterface>();
  if (!parent)
    return emitOpError("expects to be in the body of a domain op");
  if (findDim(parent.getDomainDims(), getDim()) < 0)
    return emitOpError("names dim '")
           << getDim() << "', which is not in the domain "
           << toString(parent.getDomainDims());
  return success();
}

/// A halo is of a mesh's dims and element.
LogicalResult pmc::pm::verifyHaloOf(Operation *op, Type halo, GridType mesh) {
  auto type = cast<HaloType>(getUnderlying(halo));
  if (type.getDims() == mesh.getDims() &&
      type.getElementType() == mesh.getElementType())
    return success();
  return op->emitOpError("has the halo ")
         << Type(type) << " of the mesh " << Type(mesh);
}

/// Constraint 3.
static LogicalResult verifyHalos(InterpolateOp op, GridType mesh) {
  size_t wanted = getAxes(mesh.getDims()).empty() ? 0 : op.getMeshes().size();
  if (op.getHalos().size() != wanted)
    return op.emitOpError("has ")
           << op.getHalos().size() << " halos, expected " << wanted
           << " for meshes over " << toString(mesh.getDims());
  for (auto [halo, field] : llvm::zip(op.getHalos(), op.getMeshes()))
    if (failed(
            verifyHaloOf(op, halo.getType(), cast<GridType>(field.getType()))))
      return failure();
  return success();
}

LogicalResult InterpolateOp::verify() {
  if (getMeshes().empty() ||
      (!isComputed() && getMeshes().size() != getValues().size()))
    return emitOpError("has ") << getMeshes().size() << " meshes but "
                               << getValues().size() << " values";
  auto first = cast<GridType>(getMeshes().front().getType());
  for (Value mesh : getMeshes())
    if (mesh.getType() != Type(first) || !isReal(first.getElementType()))
      return emitOpError("expects real meshes of one type, has ")
             << Type(first) << " and " << mesh.getType();
  if (getOffsets().size() != first.getDims().size())
    return emitOpError("has ") << getOffsets().size() << " offsets for "
                               << first.getDims().size() << " dims";
  if (failed(verifyOrders(*this, getOrders(),
                          getValues().size() * first.getDims().size())))
    return failure();
  if (failed(verifyCell(*this, getCell(), getTaps(), getOffsets().size(),
                        getMeshes().size(), getValues().size(),
                        first.getElementType())))
    return failure();
  return verifyHalos(*this, first);
}

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<DomainOpInterface, TabulateOp, TransformOp, DimOp, InterpolateOp>(
          parent))
    return success();
  return emitOpError("expects to end the body of a domain op, pm.tabulate, "
                     "pm.transform, pm.interpolate or pm.dim, not of ")
         << parent->getName();
}
