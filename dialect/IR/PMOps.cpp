//===- PMOps.cpp - Verifiers of the pm dialect ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Verify.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pmc::pm;

#define GET_OP_CLASSES
#include "dialect/IR/PMOps.cpp.inc"

bool pmc::pm::isReducedPrecision(Type type) {
  return type.isBF16() || type.isF16();
}

bool pmc::pm::isReal(Type type) { return type.isF32() || type.isF64(); }

FailureOr<GridType> pmc::pm::verifyOneTarget(Operation *op, Value result,
                                             OperandRange outs) {
  size_t count = (result ? 1 : 0) + outs.size();
  if (count != 1)
    return op->emitOpError("expects one result or one out, has ") << count;
  return cast<GridType>(
      getUnderlying(result ? result.getType() : outs.front().getType()));
}

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

static LogicalResult verifyParticles(Operation *op, bool isFree,
                                     OperandRange displacements, Value where,
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
  auto chosen = where ? cast<FieldType>(where.getType()) : FieldType();
  if (chosen && (chosen.getDims() != first.getDims() ||
                 !chosen.getElementType().isInteger(1)))
    return op->emitOpError("paints or reads where ")
           << Type(chosen) << " holds, expected bools over "
           << toString(first.getDims());
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
  if (failed(verifyParticles(*this, getFree(), getDisplacements(), getWhere(),
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
  if (failed(verifyParticles(*this, getFree(), getDisplacements(), getWhere(),
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

/// The type of what a transform gives. A field may have a dim and its dual: of
/// these it would have one twice.
static FieldType getTransformed(ArrayRef<DimAttr> dims, Type element,
                                std::string &error) {
  llvm::StringSet<> labels;
  for (DimAttr dim : dims)
    if (!labels.insert(dim.getLabel()).second) {
      error = "the result would have the dim '" + dim.getLabel() + "' twice";
      return {};
    }
  return FieldType::get(element.getContext(), dims, element);
}

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
  return getTransformed(dims, element, error);
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
    if (halved) {
      error = "the halved dim must be the last one of the transform, but '" +
              space.getLabel() + "' is behind it";
      return {};
    }
    halved = dim.isHalf();
    dim = space;
    ++found;
  }
  if (found == 0 || found != over.size()) {
    error = "the input " + toString(input.getDims()) +
            " does not have the duals of all the dims to transform";
    return {};
  }
  return getTransformed(dims, halved ? complex.getElementType() : Type(complex),
                        error);
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

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

int64_t SortOp::getDimNumber() {
  return findDim(cast<GridType>(getInput().getType()).getDims(), getDim());
}

static bool isSortable(Type type) { return isReal(type) || type.isInteger(64); }

LogicalResult SortOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto input = cast<GridType>(getInput().getType());
  ArrayRef<DimAttr> dims = input.getDims();
  if (!isSortable(input.getElementType()))
    return emitOpError("sorts ")
           << input.getElementType() << ", expected f32, f64 or i64";
  for (DimAttr dim : dims)
    if (!dim.isSpace())
      return emitOpError("has the dim '")
             << dim.getLabel() << "', expected space dims";
  int64_t number = getDimNumber();
  if (number < 0)
    return emitOpError("sorts along '")
           << getDim() << "', which " << toString(dims) << " does not have";
  if (!dims[size_t(number)].getAxes().empty())
    return emitOpError("sorts along '")
           << getDim() << "', which mesh axes split";
  const bool isOfValues = getKind() == SortKind::Values;
  Type element =
      isOfValues ? input.getElementType() : IntegerType::get(getContext(), 64);
  if (target->getDims() != dims || target->getElementType() != element)
    return emitOpError("has the result ")
           << Type(*target) << ", expected " << toString(dims) << " of "
           << element;
  if (!getWithin())
    return success();
  auto within = cast<GridType>(getWithin().getType());
  if (isOfValues)
    return emitOpError("sorts values within others, expected order or ranks");
  if (within.getDims() != dims || !isSortable(within.getElementType()))
    return emitOpError("sorts within ")
           << Type(within) << ", expected f32, f64 or i64 over "
           << toString(dims);
  return success();
}

LogicalResult FriendsOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  const size_t count = getPositions().size();
  if (count < 1 || count > 3)
    return emitOpError("has ") << count << " positions, expected one to three";
  if (getBox().size() != count)
    return emitOpError("has a box with ")
           << getBox().size() << " sides, expected " << count;
  auto first = cast<GridType>(getPositions()[0].getType());
  for (Value position : getPositions())
    if (position.getType() != first)
      return emitOpError("has positions ")
             << position.getType() << " and " << Type(first)
             << ", expected one type";
  if (!isReal(first.getElementType()))
    return emitOpError("has positions of ")
           << first.getElementType() << ", expected f32 or f64";
  for (DimAttr dim : first.getDims())
    if (!dim.isSpace())
      return emitOpError("has the dim '")
             << dim.getLabel() << "', expected space dims";
  if (target->getDims() != first.getDims() ||
      !target->getElementType().isInteger(64))
    return emitOpError("has the result ")
           << Type(*target) << ", expected " << toString(first.getDims())
           << " of i64";
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

GridType ContractOp::getTargetType() {
  return cast<GridType>(
      getUnderlying((getResult() ? getResult() : getOuts().front()).getType()));
}

SmallVector<DimAttr> ContractOp::getContractedDims() {
  SmallVector<DimAttr> dims(cast<GridType>(getLhs().getType()).getDims());
  llvm::erase_if(dims, [&](DimAttr dim) {
    return llvm::is_contained(getTargetType().getDims(), dim);
  });
  return dims;
}

LogicalResult pmc::pm::verifyFactors(Operation *op, GridType one,
                                     GridType other, GridType sum) {
  Type element = sum.getElementType();
  for (Type factor : {one.getElementType(), other.getElementType()})
    if (!isReal(element) || (factor != element && !isReducedPrecision(factor)))
      return op->emitOpError("has the elements ")
             << one.getElementType() << ", " << other.getElementType()
             << " and " << element
             << ", expected one real type, or bf16 or f16 to read";
  return success();
}

LogicalResult ContractOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto lhs = cast<GridType>(getLhs().getType()),
       rhs = cast<GridType>(getRhs().getType());
  if (failed(verifyFactors(*this, lhs, rhs, *target)))
    return failure();
  for (GridType type : {lhs, rhs, *target})
    for (DimAttr dim : type.getDims())
      if (!dim.isSpace())
        return emitOpError("has the dim '")
               << dim.getLabel() << "', expected space dims";
  for (DimAttr dim : target->getDims())
    if (!llvm::is_contained(lhs.getDims(), dim) &&
        !llvm::is_contained(rhs.getDims(), dim))
      return emitOpError("has a result over ")
             << toString(target->getDims()) << ", expected dims of "
             << toString(lhs.getDims()) << " or " << toString(rhs.getDims());
  for (auto [one, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)})
    for (DimAttr dim : one.getDims())
      if (!llvm::is_contained(target->getDims(), dim) &&
          !llvm::is_contained(other.getDims(), dim))
        return emitOpError("sums over '")
               << dim.getLabel() << "', which " << toString(other.getDims())
               << " does not have";
  return getResult()
             ? verifyPartial(*this, getResult().getType(),
                             getAxes(getContractedDims()), Reduction::Sum)
             : success();
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

LogicalResult InputOp::verify() {
  if (getStreamed() && !isa<FieldType>(getType()))
    return emitOpError("streams ") << getType() << ", expected fields";
  if (!getStreamed() && (getSamples() || getAhead()))
    return emitOpError("has samples, but is not a stream");
  return success();
}

LogicalResult SamplesOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto index = dyn_cast<GridType>(getIndex().getType());
  if (!index)
    return success();
  if (index.getDims().size() != 1 || !index.getElementType().isInteger(64))
    return emitOpError("has the index ")
           << Type(index) << ", expected i64 over one dim";
  if (target->getDims().empty() || target->getDims()[0] != index.getDims()[0])
    return emitOpError("has the result ")
           << Type(*target) << ", expected one whose first dim is "
           << toString(index.getDims());
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
  // The members of a record, each with its path.
  bool isRecord =
      getColumns() && !getColumns()->empty() &&
      cast<StringAttr>((*getColumns())[0]).getValue().starts_with("/");
  for (Value value : getValues())
    if (!isRecord && value.getType() != getValues().front().getType())
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
  auto says = [&](StringRef key) {
    auto figure = (*this)->getAttrOfType<DictionaryAttr>("figure");
    return figure && figure.contains(key);
  };
  if (!says("histogram") &&
      (rank > 2 || (rank == 2 && getValues().size() != 1 && !says("styles"))))
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

//===----------------------------------------------------------------------===//
// StoredOp
//===----------------------------------------------------------------------===//

LogicalResult StoredOp::verify() {
  if (!isReal(cast<FieldType>(getInput().getType()).getElementType()))
    return emitOpError("stores ")
           << getInput().getType() << ", expected real elements";
  if (!isReducedPrecision(getFormat()))
    return emitOpError("stores as ") << getFormat() << ", expected bf16 or f16";
  return success();
}
