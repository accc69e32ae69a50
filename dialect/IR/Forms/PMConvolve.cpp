//===- PMConvolve.cpp - Contractions of a field read at indices -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMConvolve.h"

#include "dialect/IR/Forms/PMViews.h"
#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

GridType ConvolveOp::getTargetType() {
  return cast<GridType>(
      getUnderlying((getResult() ? getResult() : getOuts().front()).getType()));
}

SmallVector<DimAttr> pmc::pm::getConvolutionDomain(ArrayRef<DimAttr> weights,
                                                   ArrayRef<DimAttr> result) {
  SmallVector<DimAttr> dims(weights);
  for (DimAttr dim : result)
    if (findDim(weights, dim.getLabel()) < 0)
      dims.push_back(dim);
  return dims;
}

SmallVector<DimAttr> ConvolveOp::getDomain() {
  return getConvolutionDomain(cast<GridType>(getWeights().getType()).getDims(),
                              getTargetType().getDims());
}

SmallVector<DimAttr> ConvolveOp::getContractedDims() {
  SmallVector<DimAttr> dims = getDomain();
  llvm::erase_if(dims, [&](DimAttr dim) {
    return findDim(getTargetType().getDims(), dim.getLabel()) >= 0;
  });
  return dims;
}

SmallVector<ConvolvedIndex> pmc::pm::getConvolvedIndexes(ConvolveOp op) {
  SmallVector<ConvolvedIndex> indexes;
  SmallVector<DimAttr> domain = op.getDomain();
  for (auto [d, dim] :
       llvm::enumerate(cast<GridType>(op.getField().getType()).getDims())) {
    ConvolvedIndex index;
    index.offset = index.low = index.high = op.getOffsets()[d];
    index.divisor = op.getDivisors()[d];
    index.edge = op.getEdge(d);
    index.cells = dim.getExtent();
    ArrayRef<int64_t> terms = cast<DenseI64ArrayAttr>(op.getTerms()[d]);
    for (; !terms.empty(); terms = terms.drop_front(2)) {
      index.terms.push_back({size_t(terms[0]), terms[1]});
      int64_t reach = terms[1] * (domain[size_t(terms[0])].getExtent() - 1);
      (reach < 0 ? index.low : index.high) += reach;
    }
    indexes.push_back(index);
  }
  return indexes;
}

LabeledIndex LabeledIndex::plain(DimAttr dim) {
  LabeledIndex index;
  index.terms.push_back({dim.getLabel(), 1});
  return index;
}

bool LabeledIndex::isPlain(DimAttr dim) const {
  return terms.size() == 1 && terms[0].label == dim.getLabel() &&
         terms[0].number == 1 && offset == 0 && divisor == 1;
}

LabeledIndex pmc::pm::simplified(LabeledIndex index, int64_t low, int64_t high,
                                 int64_t cells) {
  if (low >= 0 && high < cells) {
    index.edge = Edge::Zero;
  } else if (index.edge == Edge::Periodic) {
    index.offset %= cells;
    index.offset += index.offset > cells / 2      ? -cells
                    : index.offset < -(cells / 2) ? cells
                                                  : 0;
  }
  return index;
}

SmallVector<LabeledIndex> pmc::pm::getLabeledIndexes(ConvolveOp op) {
  SmallVector<LabeledIndex> labeled;
  SmallVector<DimAttr> domain = op.getDomain();
  for (const ConvolvedIndex &index : getConvolvedIndexes(op)) {
    LabeledIndex made{{}, index.offset, index.divisor, index.edge};
    for (const ConvolvedIndex::Term &term : index.terms)
      made.terms.push_back({domain[term.dim].getLabel(), term.number});
    labeled.push_back(std::move(made));
  }
  return labeled;
}

Value pmc::pm::buildConvolution(OpBuilder &builder, Location loc,
                                FieldType result, Value field, Value weights,
                                ArrayRef<LabeledIndex> indexes) {
  SmallVector<DimAttr> domain = getConvolutionDomain(
      cast<FieldType>(weights.getType()).getDims(), result.getDims());
  SmallVector<int64_t> offsets, divisors;
  SmallVector<Edge> edges;
  SmallVector<Attribute> terms;
  for (const LabeledIndex &index : indexes) {
    SmallVector<int64_t> list;
    for (const LabeledIndex::Term &term : index.terms)
      list.append({findDim(domain, term.label), term.number});
    terms.push_back(builder.getDenseI64ArrayAttr(list));
    offsets.push_back(index.offset);
    divisors.push_back(index.divisor);
    edges.push_back(index.edge);
  }
  return ConvolveOp::create(builder, loc, result, field, weights, Value(),
                            builder.getDenseI64ArrayAttr(offsets),
                            getEdges(builder.getContext(), edges),
                            builder.getDenseI64ArrayAttr(divisors),
                            builder.getArrayAttr(terms), ValueRange())
      .getResult();
}

/// The term that goes with the field's dim as the domain's does: the index
/// advances by as many cells as the dim has for one of the domain's.
static const ConvolvedIndex::Term *findNearTerm(const ConvolvedIndex &index,
                                                DimAttr read,
                                                ArrayRef<DimAttr> domain) {
  if (index.edge == Edge::Reflect && !index.isInside())
    return nullptr;
  int place = View::find(domain, read);
  for (const ConvolvedIndex::Term &term : index.terms) {
    if (int(term.dim) != place)
      continue;
    View view(read, domain[size_t(place)]);
    if (view.getStep() == term.number && view.getShare() == index.divisor)
      return &term;
  }
  return nullptr;
}

int ConvolveOp::findNear(size_t dim) {
  DimAttr read = cast<GridType>(getField().getType()).getDims()[dim];
  ConvolvedIndex index = getConvolvedIndexes(*this)[dim];
  const ConvolvedIndex::Term *term = findNearTerm(index, read, getDomain());
  return term ? int(term->dim) : -1;
}

std::pair<int64_t, int64_t> ConvolveOp::getMargin(size_t dim, bool meet) {
  DimAttr read = cast<GridType>(getField().getType()).getDims()[dim];
  SmallVector<DimAttr> domain = getDomain();
  ConvolvedIndex index = getConvolvedIndexes(*this)[dim];
  const ConvolvedIndex::Term *near = findNearTerm(index, read, domain);
  if (!near)
    return {0, 0};
  DimAttr along = domain[near->dim];
  View view(read, along);
  int64_t others = index.high - near->number * (along.getExtent() - 1);
  return {view.getMargin(index.low, Edge::Periodic, meet).below,
          view.getMargin(others, Edge::Periodic, meet).above};
}

bool ConvolveOp::readsOthers() {
  ArrayRef<DimAttr> dims = cast<GridType>(getField().getType()).getDims();
  for (auto [d, dim] : llvm::enumerate(dims))
    if (auto [below, above] = getMargin(d);
        !dim.getAxes().empty() && (below > 0 || above > 0))
      return true;
  return false;
}

/// Constraint 2 of one dim; marks the dims of the domain that its terms name.
static LogicalResult verifyIndex(ConvolveOp op, size_t d,
                                 SmallVector<bool> &isNamed) {
  DimAttr read = cast<GridType>(op.getField().getType()).getDims()[d];
  auto list = dyn_cast<DenseI64ArrayAttr>(op.getTerms()[d]);
  if (!list || (list.size() != 2 && list.size() != 4))
    return op.emitOpError("has the terms ")
           << op.getTerms()[d] << " of '" << read.getLabel()
           << "', expected one or two dims with their numbers";
  ArrayRef<int64_t> terms = list;
  for (size_t t = 0; t < terms.size(); t += 2) {
    int64_t dim = terms[t];
    if (dim < 0 || dim >= int64_t(isNamed.size()) || isNamed[size_t(dim)] ||
        terms[t + 1] == 0)
      return op.emitOpError("has the terms ")
             << op.getTerms()[d] << " of '" << read.getLabel()
             << "', expected positions in " << toString(op.getDomain())
             << ", each once, and no number 0";
    isNamed[size_t(dim)] = true;
  }
  int64_t divisor = op.getDivisors()[d];
  if (divisor < 1)
    return op.emitOpError("has the divisor ")
           << divisor << " of '" << read.getLabel() << "', expected 1 or more";
  if (divisor > 1 && op.getEdge(d) != Edge::Zero &&
      op.getEdge(d) != Edge::Periodic)
    return op.emitOpError("has the divisor ")
           << divisor << " of '" << read.getLabel() << "' with '"
           << stringifyEdge(op.getEdge(d)) << "', expected 1";
  return success();
}

/// Constraint 3.
static LogicalResult verifyCovered(ConvolveOp op, ArrayRef<bool> isNamed) {
  ArrayRef<DimAttr> weights =
      cast<GridType>(op.getWeights().getType()).getDims();
  ArrayRef<DimAttr> result = op.getTargetType().getDims();
  SmallVector<DimAttr> domain = op.getDomain();
  for (auto [dim, named] : llvm::zip(domain, isNamed)) {
    bool isKept = findDim(result, dim.getLabel()) >= 0;
    if (!named && (!isKept || findDim(weights, dim.getLabel()) < 0))
      return op.emitOpError("has '")
             << dim.getLabel() << "' in no index, expected it in one, or in "
             << toString(weights) << " and the result";
  }
  return success();
}

LogicalResult ConvolveOp::verify() {
  FailureOr<GridType> target = verifyOneTarget(*this, getResult(), getOuts());
  if (failed(target))
    return failure();
  auto field = cast<GridType>(getField().getType()),
       weights = cast<GridType>(getWeights().getType());
  if (failed(verifyFactors(*this, field, weights, *target)))
    return failure();
  for (GridType type : {field, weights, *target})
    for (DimAttr dim : type.getDims())
      if (!dim.isSpace())
        return emitOpError("has the dim '")
               << dim.getLabel() << "', expected space dims";
  size_t rank = field.getDims().size();
  if (getOffsets().size() != rank || getEdges().size() != rank ||
      getDivisors().size() != rank || getTerms().size() != rank)
    return emitOpError("has ")
           << getOffsets().size() << " offsets, " << getDivisors().size()
           << " divisors and " << getTerms().size()
           << " lists of terms, expected one each a dim of "
           << toString(field.getDims());
  SmallVector<bool> isNamed(getDomain().size(), false);
  for (size_t d = 0; d < rank; ++d)
    if (failed(verifyIndex(*this, d, isNamed)))
      return failure();
  if (failed(verifyCovered(*this, isNamed)))
    return failure();
  for (auto [d, index] : llvm::enumerate(getConvolvedIndexes(*this))) {
    DimAttr dim = field.getDims()[d];
    if (index.edge == Edge::Reflect &&
        (index.low <= -index.cells || index.high > 2 * (index.cells - 1)))
      return emitOpError("reads '")
             << dim.getLabel() << "' from " << index.low << " to " << index.high
             << " with 'reflect', expected less beyond the ends than its "
             << index.cells << " cells";
    int near = dim.getAxes().empty() ? -1 : findNear(d);
    if (!dim.getAxes().empty() &&
        (near < 0 || getDomain()[size_t(near)].getAxes() != dim.getAxes()))
      return emitOpError("reads '")
             << dim.getLabel() << "', which axes split, expected an index "
             << "along a dim that is split as it is";
  }
  if (readsOthers() != bool(getHalo()))
    return emitOpError("has ")
           << (readsOthers() ? "no halo, expected one, as axes split "
                             : "a halo, expected none, as no axis splits ")
           << "a dim that is read beyond a part in "
           << toString(field.getDims());
  if (getHalo() && failed(verifyHaloOf(*this, getHalo().getType(),
                                       cast<GridType>(getField().getType()))))
    return failure();
  return getResult()
             ? verifyPartial(*this, getResult().getType(),
                             getAxes(getContractedDims()), Reduction::Sum)
             : success();
}
