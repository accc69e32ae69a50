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

/// Whether `part` is a subsequence of `whole`.
static bool isSubset(ArrayRef<DimAttr> part, ArrayRef<DimAttr> whole) {
  size_t found = 0;
  for (DimAttr dim : whole)
    if (found < part.size() && part[found] == dim)
      ++found;
  return found == part.size();
}

LogicalResult pmc::pm::verifyDomain(Operation *op,
                                    SmallVectorImpl<Type> &yielded) {
  auto domain = cast<DomainOpInterface>(op);
  Block *body = domain.getDomainBody();
  OperandRange inputs = domain.getDomainInputs();
  if (body->getNumArguments() != inputs.size())
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

SmallVector<GridType> pmc::pm::getTargets(ResultRange results,
                                          OperandRange outs) {
  SmallVector<GridType> targets;
  for (Type type : results.getTypes())
    targets.push_back(cast<GridType>(type));
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
  for (OpResult result : (*this)->getResults()) {
    SmallVector<DimAttr> reduced(getDomain().getDims());
    if (auto field = dyn_cast<FieldType>(result.getType()))
      llvm::erase_if(reduced, [&](DimAttr dim) {
        return llvm::is_contained(field.getDims(), dim);
      });
    if (failed(verifyPartialUses(result, getAxes(reduced), getKind())))
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
    if (target.getDims().size() != 1 || !target.getElementType().isF64())
      return emitOpError("has a result ")
             << Type(target) << ", expected f64 over one dim";
  for (OpResult result : (*this)->getResults())
    if (failed(verifyPartialUses(result, getAxes(getDomain().getDims()),
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

/// Constraints 5 to 7.
static LogicalResult verifyReach(ScatterOp op, GridType mesh) {
  SmallVector<StringAttr> meshAxes = getAxes(mesh.getDims());
  SmallVector<StringAttr> axes = getAxes(op.getDomain().getDims());
  if (!meshAxes.empty() != bool(op.getReach()) ||
      !meshAxes.empty() != bool(op.getHalo()))
    return op.emitOpError("has ")
           << (op.getReach() ? "a reach" : "no reach") << " and "
           << (op.getHalo() ? "a halo" : "no halo")
           << (meshAxes.empty() ? ", expected neither, as no axis splits "
                                : ", expected both, as axes split ")
           << toString(mesh.getDims());
  for (StringAttr axis : meshAxes)
    if (!llvm::is_contained(axes, axis))
      return op.emitOpError("paints on ")
             << toString(mesh.getDims()) << ", expected axis '"
             << axis.getValue() << "' to split the domain "
             << toString(op.getDomain().getDims()) << " too";
  if (!op.getReach()) {
    if (Value result = op.getResult())
      return verifyPartialUses(cast<OpResult>(result), axes, Reduction::Sum);
    return success();
  }
  auto halo = cast<HaloType>(op.getHalo().getType());
  if (halo.getDims() != mesh.getDims() ||
      halo.getElementType() != mesh.getElementType())
    return op.emitOpError("has the halo ")
           << Type(halo) << " of the mesh " << Type(mesh);
  for (Value part : op->getResults())
    for (Operation *user : part.getUsers())
      if (!isa<HaloReduceOp>(user)) {
        InFlightDiagnostic error =
            user->emitOpError("uses a mesh of which other ranks hold parts, "
                              "expected pm.halo_reduce before");
        error.attachNote(op.getLoc())
            << "painted here, by '" << op->getName() << "'";
        return error;
      }
  if (!op.getHalo().use_empty() && !op.getHalo().hasOneUse())
    return op.emitOpError("has a halo with ")
           << llvm::range_size(op.getHalo().getUses())
           << " uses, expected one pm.halo_reduce";
  return success();
}

LogicalResult ScatterOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  SmallVector<GridType> targets;
  if (getResult())
    targets.push_back(cast<GridType>(getResult().getType()));
  for (Type type : getOuts().getTypes())
    targets.push_back(cast<GridType>(type));
  if (targets.size() != 1)
    return emitOpError("expects one mesh, has ") << targets.size();
  if (yielded.size() != targets[0].getDims().size() + 1)
    return emitOpError("yields ")
           << yielded.size() << " values, expected one a mesh dim and a weight";
  for (Type type : yielded)
    if (!isReal(type))
      return emitOpError("yields a ") << type << ", expected f32 or f64";
  if (!getFree() && !isRefinement(targets[0].getDims(), getDomain().getDims()))
    return emitOpError("paints on ")
           << toString(targets[0].getDims()) << ", which does not refine "
           << toString(getDomain().getDims());
  return verifyReach(*this, targets[0]);
}

LogicalResult CoordinateOp::verify() {
  auto parent = (*this)->getParentOfType<DomainOpInterface>();
  if (!parent)
    return emitOpError("expects to stand in the body of a domain op");
  if (findDim(parent.getDomainDims(), getDim()) < 0)
    return emitOpError("names dim '")
           << getDim() << "', which is not in the domain "
           << toString(parent.getDomainDims());
  return success();
}

/// Constraint 3.
static LogicalResult verifyHalos(InterpolateOp op, GridType mesh) {
  size_t wanted = getAxes(mesh.getDims()).empty() ? 0 : op.getMeshes().size();
  if (op.getHalos().size() != wanted)
    return op.emitOpError("has ")
           << op.getHalos().size() << " halos, expected " << wanted
           << " for meshes over " << toString(mesh.getDims());
  for (auto [halo, field] : llvm::zip(op.getHalos(), op.getMeshes())) {
    Value source = halo;
    if (auto wait = halo.getDefiningOp<HaloWaitOp>())
      source = wait.getHalo();
    auto exchange = source.getDefiningOp<HaloExchangeOp>();
    if (!exchange)
      return op.emitOpError("has a halo that is no result of pm.halo_exchange");
    bool isWaited = source != halo;
    if (exchange.getStart() != isWaited) {
      InFlightDiagnostic error = op.emitOpError("has a halo that was ")
                                 << (isWaited ? "waited for, but not started"
                                              : "started, but not waited for");
      error.attachNote(exchange.getLoc()) << "exchanged here";
      return error;
    }
    Value exchanged =
        exchange.getMeshes()[cast<OpResult>(source).getResultNumber()];
    if (exchanged != field) {
      InFlightDiagnostic error =
          op.emitOpError("has a halo of another mesh than it reads");
      error.attachNote(exchange.getLoc()) << "exchanged here";
      return error;
    }
  }
  return success();
}

LogicalResult InterpolateOp::verify() {
  if (getMeshes().empty() || getMeshes().size() != getValues().size())
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
  return verifyHalos(*this, first);
}

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<DomainOpInterface, TabulateOp, TransformOp, DimOp>(parent))
    return success();
  return emitOpError("expects to end the body of a domain op, pm.tabulate, "
                     "pm.transform or pm.dim, not of ")
         << parent->getName();
}
