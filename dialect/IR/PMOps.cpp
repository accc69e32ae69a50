//===- PMOps.cpp - Verifiers of the pm dialect --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Verify.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pmc::pm;

#define GET_OP_CLASSES
#include "dialect/IR/PMOps.cpp.inc"

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

bool pmc::pm::isReal(Type type) { return type.isF32() || type.isF64(); }

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

/// Results of the value form, outs of the buffer form.
static SmallVector<GridType> getTargets(ResultRange results,
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

/// Halos of the meshes, if these are split, and nothing of either if not.
static LogicalResult verifyReach(ScatterOp op, GridType mesh) {
  SmallVector<StringAttr> meshAxes = getAxes(mesh.getDims());
  bool isSplit = !meshAxes.empty();
  size_t halos = isSplit ? op.getNumMeshes() : 0;
  if (isSplit != bool(op.getReach()) || op.getHalos().size() != halos)
    return op.emitOpError("has ")
           << (op.getReach() ? "a reach" : "no reach") << " and "
           << op.getHalos().size() << " halos, expected "
           << (isSplit ? "a reach and " : "neither, as no axis splits ")
           << (isSplit ? std::to_string(halos) + ", as axes split " : "")
           << toString(mesh.getDims());
  for (StringAttr axis : meshAxes)
    if (!llvm::is_contained(getAxes(op.getDomain().getDims()), axis))
      return op.emitOpError("paints on ")
             << toString(mesh.getDims()) << ", expected axis '"
             << axis.getValue() << "' to split the domain "
             << toString(op.getDomain().getDims()) << " too";
  for (Value halo : op.getHalos()) {
    auto type = cast<HaloType>(halo.getType());
    if (type.getDims() != mesh.getDims() ||
        type.getElementType() != mesh.getElementType())
      return op.emitOpError("has the halo ")
             << Type(type) << " of the mesh " << Type(mesh);
  }
  return success();
}

/// What goes to others' cells is not lost.
static LogicalResult verifyParts(ScatterOp op) {
  SmallVector<StringAttr> axes = getAxes(op.getDomain().getDims());
  if (!op.getReach()) {
    for (Value result : op.getResults())
      if (failed(
              verifyPartialUses(cast<OpResult>(result), axes, Reduction::Sum)))
        return failure();
    return success();
  }
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
  for (Value halo : op.getHalos())
    if (!halo.use_empty() && !halo.hasOneUse())
      return op.emitOpError("has a halo with ")
             << llvm::range_size(halo.getUses())
             << " uses, expected one pm.halo_reduce";
  return success();
}

/// How often a window is derived along each of `count` dims.
static LogicalResult verifyOrders(Operation *op,
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
  return cast<GridType>(getResults().empty() ? getOuts().front().getType()
                                             : getResults().front().getType());
}

OperandRange ScatterOp::getYieldedOffsets() {
  return getDomainBody()->getTerminator()->getOperands().take_front(
      getMeshType().getDims().size());
}

LogicalResult ScatterOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded)))
    return failure();
  if (getResults().empty() == getOuts().empty())
    return emitOpError("expects results or outs, has ")
           << getResults().size() << " and " << getOuts().size();
  GridType mesh = getMeshType();
  for (ValueRange meshes : {ValueRange(getResults()), ValueRange(getOuts())})
    for (Type type : meshes.getTypes())
      if (type != Type(mesh))
        return emitOpError("has meshes ")
               << Type(mesh) << " and " << type << ", expected one type";
  size_t rank = mesh.getDims().size();
  if (yielded.size() <= rank || (yielded.size() - rank) % getNumMeshes() != 0)
    return emitOpError("yields ")
           << yielded.size() << " values, expected one a mesh dim, " << rank
           << ", and weights, a multiple of " << getNumMeshes() << " meshes";
  for (Type type : yielded)
    if (!isReal(type))
      return emitOpError("yields a ") << type << ", expected f32 or f64";
  if (!getFree() && !isRefinement(mesh.getDims(), getDomain().getDims()))
    return emitOpError("paints on ")
           << toString(mesh.getDims()) << ", which does not refine "
           << toString(getDomain().getDims());
  if (failed(
          verifyOrders(*this, getOrders(), (yielded.size() - rank) * rank)) ||
      failed(verifyReach(*this, mesh)))
    return failure();
  return verifyParts(*this);
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
  if (failed(verifyOrders(*this, getOrders(),
                          getMeshes().size() * first.getDims().size())))
    return failure();
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

FailureOr<GridType> pmc::pm::verifyOneTarget(Operation *op, Value result,
                                             OperandRange outs) {
  size_t count = (result ? 1 : 0) + outs.size();
  if (count != 1)
    return op->emitOpError("expects one result or one out, has ") << count;
  return cast<GridType>(result ? result.getType() : outs.front().getType());
}

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

static LogicalResult verifyParticles(Operation *op, bool isFree,
                                     OperandRange displacements,
                                     ArrayRef<DimAttr> mesh) {
  if (displacements.size() != mesh.size())
    return op->emitOpError("has ")
           << displacements.size() << " displacements for " << mesh.size()
           << " mesh dims";
  auto first = cast<FieldType>(displacements.front().getType());
  for (Value value : displacements)
    if (value.getType() != Type(first) || !isReal(first.getElementType()))
      return op->emitOpError("expects real displacements of one type, has ")
             << Type(first) << " and " << value.getType();
  if (!isFree && !isRefinement(mesh, first.getDims()))
    return op->emitOpError("has a mesh over ")
           << toString(mesh) << ", which does not refine the lattice "
           << toString(first.getDims());
  return success();
}

LogicalResult PaintOp::verify() {
  if (getMeshes().empty())
    return emitOpError("has no mesh, expected at least one");
  auto mesh = cast<FieldType>(getMeshes().front().getType());
  for (Type type : getMeshes().getTypes())
    if (type != Type(mesh))
      return emitOpError("has meshes ")
             << Type(mesh) << " and " << type << ", expected one type";
  if (failed(verifyParticles(*this, getFree(), getDisplacements(),
                             mesh.getDims())))
    return failure();
  for (Type type : getWeights().getTypes())
    if (type != getDisplacements().front().getType())
      return emitOpError("has a weight ")
             << type << ", expected " << getDisplacements().front().getType();
  size_t weights = std::max<size_t>(getWeights().size(), 1);
  if (weights % getMeshes().size() != 0)
    return emitOpError("has ")
           << getWeights().size() << " weights, expected a multiple of "
           << getMeshes().size() << " meshes";
  return verifyOrders(*this, getOrders(), weights * mesh.getDims().size());
}

LogicalResult ReadoutOp::verify() {
  if (getMeshes().empty() || getMeshes().size() != getValues().size())
    return emitOpError("has ") << getMeshes().size() << " meshes but "
                               << getValues().size() << " results";
  auto first = cast<FieldType>(getMeshes().front().getType());
  for (Value mesh : getMeshes())
    if (cast<FieldType>(mesh.getType()).getDims() != first.getDims())
      return emitOpError("has meshes over ")
             << toString(first.getDims()) << " and "
             << toString(cast<FieldType>(mesh.getType()).getDims());
  if (failed(verifyParticles(*this, getFree(), getDisplacements(),
                             first.getDims())))
    return failure();
  auto lattice = cast<FieldType>(getDisplacements().front().getType());
  for (Value value : getValues())
    if (cast<FieldType>(value.getType()).getDims() != lattice.getDims())
      return emitOpError("has a result over ")
             << toString(cast<FieldType>(value.getType()).getDims())
             << ", expected " << toString(lattice.getDims());
  return verifyOrders(*this, getOrders(),
                      getMeshes().size() * first.getDims().size());
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

FieldType FFTOp::inferType(FieldType input, ArrayRef<StringRef> over,
                           std::string &error) {
  bool isReal = !isa<ComplexType>(input.getElementType());
  SmallVector<DimAttr> dims(input.getDims());
  int last = -1;
  unsigned found = 0;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!dim.isSpace() || !llvm::is_contained(over, StringRef(dim.getLabel())))
      continue;
    dim = dim.withKind(DimKind::Dual);
    last = i;
    ++found;
  }
  if (last < 0 || found != over.size()) {
    error = "the input " + toString(input.getDims()) +
            " does not have all the dims to transform";
    return {};
  }
  if (isReal)
    dims[last] = dims[last].withKind(DimKind::Half);
  Type element = input.getElementType();
  if (isReal)
    element = ComplexType::get(element);
  return FieldType::get(input.getContext(), dims, element);
}

FieldType IFFTOp::inferType(FieldType input, ArrayRef<StringRef> over,
                            std::string &error) {
  auto complex = dyn_cast<ComplexType>(input.getElementType());
  if (!complex) {
    error = "the input is not complex";
    return {};
  }
  bool halved = false;
  unsigned found = 0;
  SmallVector<DimAttr> dims(input.getDims());
  for (DimAttr &dim : dims) {
    DimAttr space = dim.withKind(DimKind::Space);
    if (dim.isSpace() || !llvm::is_contained(over, StringRef(space.getLabel())))
      continue;
    halved |= dim.isHalf();
    dim = space;
    ++found;
  }
  if (found == 0 || found != over.size()) {
    error = "the input " + toString(input.getDims()) +
            " does not have the duals of all the dims to transform";
    return {};
  }
  return FieldType::get(input.getContext(), dims,
                        halved ? complex.getElementType() : Type(complex));
}

template <class Op> static LogicalResult verifyFourier(Op op) {
  SmallVector<StringRef> over;
  for (Attribute label : op.getOver())
    over.push_back(cast<StringAttr>(label).getValue());
  auto input = cast<GridType>(op.getInput().getType());
  std::string error;
  FieldType inferred = Op::inferType(
      FieldType::get(op.getContext(), input.getDims(), input.getElementType()),
      over, error);
  if (!inferred)
    return op.emitOpError() << error;
  FailureOr<GridType> target =
      verifyOneTarget(op, op.getResult(), op.getOuts());
  if (failed(target))
    return failure();
  if (withoutAxes(target->getDims()) != withoutAxes(inferred.getDims()) ||
      target->getElementType() != inferred.getElementType())
    return op.emitOpError("has the result ")
           << Type(*target) << ", expected " << Type(inferred);
  return success();
}

LogicalResult FFTOp::verify() { return verifyFourier(*this); }
LogicalResult IFFTOp::verify() { return verifyFourier(*this); }

LogicalResult WhiteNoiseOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  if (!isReal(target->getElementType()))
    return emitOpError("has the element ")
           << target->getElementType() << ", expected f32 or f64";
  return success();
}

LogicalResult CopyOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto input = cast<GridType>(getInput().getType());
  if (target->getDims() != input.getDims() ||
      target->getElementType() != input.getElementType())
    return emitOpError("copies ") << Type(input) << " to " << Type(*target);
  return success();
}

//===----------------------------------------------------------------------===//
// Program and tables
//===----------------------------------------------------------------------===//

LogicalResult ParamOp::verify() {
  Type type = getType();
  if (!type.isF64() && !type.isInteger(64) && !type.isInteger(1))
    return emitOpError("has the type ") << type << ", expected f64, i64 or i1";
  auto value = dyn_cast_or_null<TypedAttr>(getDefaultValueAttr());
  if (value && value.getType() != type)
    return emitOpError("has a default of type ")
           << value.getType() << ", expected " << type;
  return success();
}

/// The op of the same kind before this one in the module for which `same`
/// holds.
template <class Op>
static Op findEarlier(Op op, llvm::function_ref<bool(Op)> same) {
  for (Op other :
       op->template getParentOfType<ModuleOp>().template getOps<Op>())
    if (other == op)
      return {};
    else if (same(other))
      return other;
  return {};
}

LogicalResult MeshOp::verify() {
  if (getAxes().size() != getExtents().size())
    return emitOpError("has ") << getAxes().size() << " axes but "
                               << getExtents().size() << " extents";
  for (int64_t extent : getExtents())
    if (extent < 1)
      return emitOpError("has an extent ") << extent << ", expected >= 1";
  for (auto [i, axis] : llvm::enumerate(getAxes()))
    if (llvm::is_contained(getAxes().getValue().take_front(i), axis))
      return emitOpError("declares axis ") << axis << " twice";
  if (MeshOp first = findEarlier<MeshOp>(*this, [](MeshOp) { return true; })) {
    InFlightDiagnostic error = emitOpError("is the second mesh of its module");
    error.attachNote(first.getLoc()) << "the first one is here";
    return error;
  }
  return success();
}

LogicalResult LayoutOp::verify() {
  MeshOp mesh;
  for (MeshOp op : (*this)->getParentOfType<ModuleOp>().getOps<MeshOp>())
    mesh = op;
  if (getAxes().empty())
    return emitOpError("expects at least one axis");
  for (auto [i, axis] : llvm::enumerate(getAxes())) {
    if (llvm::is_contained(getAxes().getValue().take_front(i), axis))
      return emitOpError("names axis ") << axis << " twice";
    if (!mesh || !llvm::is_contained(mesh.getAxes(), axis))
      return emitOpError("names axis ") << axis << ", which no mesh declares";
  }
  if (LayoutOp first = findEarlier<LayoutOp>(
          *this, [&](LayoutOp op) { return op.getDim() == getDim(); })) {
    InFlightDiagnostic error = emitOpError("is the second layout of dim '")
                               << getDim() << "'";
    error.attachNote(first.getLoc()) << "the first one is here";
    return error;
  }
  return success();
}

/// The body maps `arguments` f64 values to `results` of them.
static LogicalResult verifyScalarBody(Operation *op, Block &body,
                                      unsigned arguments, unsigned results) {
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  auto isF64 = [](Type type) { return type.isF64(); };
  if (!yield || body.getNumArguments() != arguments ||
      yield.getNumOperands() != results ||
      !llvm::all_of(body.getArgumentTypes(), isF64) ||
      !llvm::all_of(yield.getOperandTypes(), isF64))
    return op->emitOpError("expects a body from ")
           << arguments << " to " << results << " f64";
  return success();
}

LogicalResult DimOp::verify() {
  return verifyScalarBody(*this, getLength().front(), 0, 1);
}
LogicalResult TabulateOp::verify() {
  return verifyScalarBody(*this, getBody().front(), 1, 1);
}
LogicalResult TransformOp::verify() {
  return verifyScalarBody(*this, getBody().front(), 2, 2);
}

LogicalResult OutputOp::verify() {
  if (getValues().empty())
    return emitOpError("expects a value");
  for (Value value : getValues())
    if (value.getType() != getValues().front().getType())
      return emitOpError("has values of types ")
             << getValues().front().getType() << " and " << value.getType();
  if (getColumns() && getColumns()->size() != getValues().size())
    return emitOpError("names ") << getColumns()->size() << " columns for "
                                 << getValues().size() << " values";
  return success();
}

LogicalResult PlotOp::verify() {
  if (getValues().empty())
    return emitOpError("expects a field");
  auto first = cast<GridType>(getValues().front().getType());
  size_t rank = first.getDims().size();
  if (rank > 2 || (rank == 2 && getValues().size() != 1))
    return emitOpError("draws one 2-D field or several 1-D ones, not ")
           << getValues().size() << " of rank " << rank;
  for (Value value : getValues())
    if (value.getType() != Type(first) || !isReal(first.getElementType()))
      return emitOpError("expects real fields of one type, has ")
             << Type(first) << " and " << value.getType();
  return success();
}

LogicalResult PlanOp::verify() {
  if (getStarts().size() != getTypes().size() ||
      getEnds().size() != getTypes().size())
    return emitOpError("has ")
           << getTypes().size() << " types, " << getStarts().size()
           << " starts and " << getEnds().size() << " ends, expected as many";
  for (auto [i, type] : llvm::enumerate(getTypes())) {
    Type buffer = cast<TypeAttr>(type).getValue();
    if (!isa<BufferType>(buffer))
      return emitOpError("has a ") << buffer << ", expected a pm.buffer";
    if (getEnds()[i] < getStarts()[i])
      return emitOpError("ends buffer ")
             << i << " at " << getEnds()[i] << ", before its start at "
             << getStarts()[i];
  }
  return success();
}
