//===- PMIndexes.cpp - Indices that are sums of those of other dims -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMIndexes.h"

#include "dialect/IR/Forms/PMConvolve.h"
#include "dialect/IR/Forms/PMViews.h"
#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

//===----------------------------------------------------------------------===//
// pm.view
//===----------------------------------------------------------------------===//

ArrayRef<DimAttr> ViewOp::getReadDims() {
  Value field = getTransposed() ? getResult() : getInput();
  return cast<FieldType>(field.getType()).getDims();
}

ArrayRef<DimAttr> ViewOp::getReadingDims() {
  Value field = getTransposed() ? getInput() : getResult();
  return cast<FieldType>(field.getType()).getDims();
}

SmallVector<ReadIndex> pmc::pm::getReadIndexes(ViewOp op) {
  SmallVector<ReadIndex> indexes;
  ArrayRef<DimAttr> readers = op.getReadingDims();
  for (auto [d, dim] : llvm::enumerate(op.getReadDims())) {
    int64_t offset = op.getOffsets()[d];
    ReadIndex index{{}, offset, op.getEdge(d), dim.getExtent(), offset, offset};
    ArrayRef<int64_t> terms = cast<DenseI64ArrayAttr>(op.getTerms()[d]);
    for (; !terms.empty(); terms = terms.drop_front(2)) {
      index.terms.push_back({size_t(terms[0]), terms[1]});
      index.high += terms[1] * (readers[terms[0]].getExtent() - 1);
    }
    indexes.push_back(index);
  }
  return indexes;
}

/// Constraint 2 of one dim that is read; marks the dims that its terms name.
static LogicalResult verifyTerms(ViewOp op, DimAttr read, Attribute attribute,
                                 SmallVector<bool> &isNamed) {
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  ArrayRef<DimAttr> readers = op.getReadingDims();
  if (!list || (list.size() != 2 && list.size() != 4))
    return op.emitOpError("has the terms ")
           << attribute << " of '" << read.getLabel()
           << "', expected one or two dims with their numbers";
  ArrayRef<int64_t> terms = list;
  bool hasOne = false;
  for (size_t t = 0; t < terms.size(); t += 2) {
    int64_t dim = terms[t];
    if (dim < 0 || dim >= int64_t(readers.size()) || isNamed[dim])
      return op.emitOpError("has the terms ")
             << attribute << " of '" << read.getLabel()
             << "', expected each position in " << toString(readers) << " once";
    isNamed[dim] = true;
    hasOne |= terms[t + 1] == 1;
    if (terms[t + 1] < 1)
      return op.emitOpError("has the number ")
             << terms[t + 1] << " in the index of '" << read.getLabel()
             << "', expected 1 or more";
    bool isCarried = terms.size() == 2 && terms[1] == 1 &&
                     read.withoutAxes() == readers[dim].withoutAxes();
    if ((read.isHalf() || !readers[dim].isSpace()) && !isCarried)
      return op.emitOpError("reads '")
             << read.getLabel() << "' along '" << readers[dim].getLabel()
             << "', expected a dim of all modes along space dims, or the same "
                "dim";
  }
  if (terms.size() == 4 && !hasOne)
    return op.emitOpError("has the terms ")
           << attribute << " of '" << read.getLabel()
           << "', expected a 1 among its numbers";
  return success();
}

LogicalResult ViewOp::verify() {
  ArrayRef<DimAttr> dims = getReadDims();
  auto input = cast<FieldType>(getInput().getType());
  auto result = cast<FieldType>(getResult().getType());
  if (getTransposed() && !hasTangent(input))
    return emitOpError("transposes ")
           << Type(input) << ", expected real or complex elements";
  if (input.getElementType() != result.getElementType())
    return emitOpError("makes ") << Type(result) << " of " << Type(input)
                                 << ", expected the same elements";
  if (getOffsets().size() != dims.size() || getEdges().size() != dims.size() ||
      getTerms().size() != dims.size())
    return emitOpError("has ")
           << getOffsets().size() << " offsets, " << getEdges().size()
           << " edges and " << getTerms().size()
           << " lists of terms, expected one each a dim of " << toString(dims);
  if (!getStarts().empty() && getStarts().size() != dims.size())
    return emitOpError("has ")
           << getStarts().size() << " starts, expected none, or one a dim of "
           << toString(dims);
  SmallVector<bool> isNamed(getReadingDims().size(), false);
  for (auto [dim, terms] : llvm::zip(dims, getTerms()))
    if (failed(verifyTerms(*this, dim, terms, isNamed)))
      return failure();
  if (!llvm::all_of(isNamed, [](bool named) { return named; }))
    return emitOpError("names not all dims of ")
           << toString(getReadingDims()) << " in its terms, expected each once";
  for (auto [dim, index] : llvm::zip(dims, getReadIndexes(*this))) {
    if (!getStarts().empty() && index.edge != Edge::Periodic)
      return emitOpError("has starts and the edge '")
             << stringifyEdge(index.edge) << "' along '" << dim.getLabel()
             << "', expected no edges";
    if (index.edge == Edge::Reflect &&
        (index.low <= -index.cells || index.high > 2 * (index.cells - 1)))
      return emitOpError("reads '")
             << dim.getLabel() << "' from " << index.low << " to " << index.high
             << " with 'reflect', expected less beyond the ends than its "
             << index.cells << " cells";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// pm.cell
//===----------------------------------------------------------------------===//

View CellOp::getView(size_t dim) {
  auto domain = cast<DomainOpInterface>((*this)->getParentOp());
  return View::get(domain.getDomainDims(),
                   cast<GridType>(getOperand(0).getType()).getDims()[dim]);
}

std::pair<int64_t, int64_t> CellOp::getMargin(size_t dim, bool meet) {
  if (!getNear()[dim])
    return {0, 0};
  View view = getView(dim);
  return {view.getMargin(getLow()[dim], Edge::Periodic, meet).below,
          view.getMargin(getHigh()[dim], Edge::Periodic, meet).above};
}

bool CellOp::readsOthers() {
  ArrayRef<DimAttr> dims = cast<GridType>(getOperand(0).getType()).getDims();
  for (auto [d, dim] : llvm::enumerate(dims))
    if (auto [below, above] = getMargin(d);
        !dim.getAxes().empty() && (below > 0 || above > 0))
      return true;
  return false;
}

LogicalResult CellOp::verify() {
  auto parent = dyn_cast<DomainOpInterface>((*this)->getParentOp());
  if (!parent)
    return emitOpError("expects to be in the body of a domain op");
  auto field = cast<GridType>(getField().getType());
  ArrayRef<DimAttr> dims = field.getDims(), domain = parent.getDomainDims();
  size_t rank = dims.size();
  if (getIndices().size() != rank || getLow().size() != rank ||
      getHigh().size() != rank || getNear().size() != rank)
    return emitOpError("has ")
           << getIndices().size() << " indices, " << getLow().size()
           << " lows, " << getHigh().size() << " highs and " << getNear().size()
           << " nears, expected one each a dim of " << toString(dims);
  for (auto [dim, near] : llvm::zip(dims, getNear())) {
    int place = near ? View::find(domain, dim) : -1;
    if (near ? place < 0 || domain[place].getAxes() != dim.getAxes()
             : !dim.getAxes().empty())
      return emitOpError("reads a field over ")
             << toString(dims) << ", expected "
             << (near ? "'" + dim.getLabel() + "' to go with a dim of " +
                            toString(domain) + " and to be split as it is"
                      : "no axis to split '" + dim.getLabel() + "'");
  }
  if (getElement().getType() != field.getElementType())
    return emitOpError("gives ") << getElement().getType() << " of "
                                 << Type(field) << ", expected its element";
  bool isSplit = readsOthers();
  if (isSplit != bool(getHalo()))
    return emitOpError("has ")
           << (isSplit ? "no halo, expected one, as axes split "
                       : "a halo, expected none, as no axis splits ")
           << "a dim that is read beyond a part in " << toString(dims);
  return isSplit ? verifyHaloOf(*this, getHalo().getType(),
                                cast<GridType>(getField().getType()))
                 : success();
}

bool ViewOp::getLabeledIndexes(SmallVectorImpl<LabeledIndex> &indexes) {
  if (getTransposed() || !getStarts().empty())
    return false;
  for (const ReadIndex &index : getReadIndexes(*this)) {
    LabeledIndex made{{}, index.offset, 1, index.edge};
    for (const ReadIndex::Term &term : index.terms)
      made.terms.push_back(
          {getReadingDims()[term.dim].getLabel(), term.number});
    indexes.push_back(
        simplified(std::move(made), index.low, index.high, index.cells));
  }
  return true;
}
