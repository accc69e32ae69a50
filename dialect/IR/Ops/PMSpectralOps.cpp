//===- PMSpectralOps.cpp - Filters of spectra -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMSpectralOps.h"

#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

#define GET_OP_CLASSES
#include "dialect/IR/PMSpectralOps.cpp.inc"

ArrayRef<DimAttr> SpectralFilterOp::getDomainDims() {
  return getDomain().getDims();
}
void SpectralFilterOp::setDomainDims(ArrayRef<DimAttr> dims) {
  setDomainAttr(DimsAttr::get(getContext(), dims));
}
OperandRange SpectralFilterOp::getDomainInputs() { return getInputs(); }
MutableOperandRange SpectralFilterOp::getDomainInputsMutable() {
  return getInputsMutable();
}
Block *SpectralFilterOp::getDomainBody() { return &getBody().front(); }

GridType SpectralFilterOp::getSpectrumType() {
  return cast<GridType>(getResults().empty() ? getOuts()[1].getType()
                                             : getResults()[1].getType());
}

LogicalResult SpectralFilterOp::verify() {
  SmallVector<Type> yielded;
  if (failed(verifyDomain(*this, yielded, /*more=*/1)))
    return failure();
  auto input = cast<GridType>(getInput().getType());
  SmallVector<StringRef> over(getOver().getAsValueRange<StringAttr>());
  std::string error;
  FieldType spectrum = FFTOp::inferType(
      FieldType::get(getContext(), input.getDims(), input.getElementType()),
      over, error);
  if (!spectrum)
    return emitOpError() << error;
  if (withoutAxes(getDomainDims()) != withoutAxes(spectrum.getDims()))
    return emitOpError("has the domain ")
           << toString(getDomainDims()) << ", expected "
           << toString(spectrum.getDims());
  Type mode = spectrum.getElementType();
  if (getMode().getType() != mode)
    return emitOpError("has modes of ")
           << getMode().getType() << ", expected " << mode;
  if (yielded.size() != 1 || yielded.front() != mode)
    return emitOpError("expects to yield one value of ") << mode;
  SmallVector<GridType> targets = getTargets(getResults(), getOuts());
  if (targets.size() != 2)
    return emitOpError("expects two results or two outs, has ")
           << targets.size();
  if (withoutAxes(targets[0].getDims()) != withoutAxes(input.getDims()) ||
      targets[0].getElementType() != input.getElementType())
    return emitOpError("has the result ")
           << Type(targets[0]) << ", expected " << Type(input);
  if (targets[1].getDims() != getDomainDims() ||
      targets[1].getElementType() != mode)
    return emitOpError("has memory of ")
           << Type(targets[1]) << ", expected "
           << Type(FieldType::get(getContext(), getDomainDims(), mode));
  if (!getResults().empty() && !getResults()[1].use_empty())
    return emitOpError("expects no use of its memory");
  return success();
}
