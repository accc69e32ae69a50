//===- PMNeighborOps.cpp - Verifiers of reading neighbors ----------------===//
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

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

void pmc::pm::printOffsets(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr offsets, ArrayAttr edges) {
  printer << '[';
  llvm::interleaveComma(llvm::zip(offsets.asArrayRef(), edges), printer,
                        [&](auto pair) {
                          auto [offset, attribute] = pair;
                          printer << offset;
                          Edge edge = cast<EdgeAttr>(attribute).getValue();
                          if (edge != Edge::Periodic)
                            printer << ' ' << stringifyEdge(edge);
                        });
  printer << ']';
}

ParseResult pmc::pm::parseOffsets(OpAsmParser &parser,
                                  DenseI64ArrayAttr &offsets,
                                  ArrayAttr &edges) {
  SmallVector<int64_t> numbers;
  SmallVector<Edge> kinds;
  auto parseOne = [&]() -> ParseResult {
    StringRef name = "periodic";
    if (parser.parseInteger(numbers.emplace_back()))
      return failure();
    SMLoc where = parser.getCurrentLocation();
    (void)parser.parseOptionalKeyword(&name);
    std::optional<Edge> edge = symbolizeEdge(name);
    if (!edge)
      return parser.emitError(where, "expected an edge, has '") << name << "'";
    kinds.push_back(*edge);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  offsets = DenseI64ArrayAttr::get(parser.getContext(), numbers);
  edges = getEdges(parser.getContext(), kinds);
  return success();
}

void pmc::pm::printInputAndResult(OpAsmPrinter &printer, Operation *,
                                  Type input, Type result) {
  printer << input;
  if (input != result)
    printer << " -> " << result;
}

ParseResult pmc::pm::parseInputAndResult(OpAsmParser &parser, Type &input,
                                         Type &result) {
  if (parser.parseType(input))
    return failure();
  result = input;
  return succeeded(parser.parseOptionalArrow()) ? parser.parseType(result)
                                                : success();
}

ArrayAttr pmc::pm::getEdges(MLIRContext *context, ArrayRef<Edge> edges) {
  return ArrayAttr::get(context, llvm::map_to_vector(edges, [&](Edge edge) {
                          return Attribute(EdgeAttr::get(context, edge));
                        }));
}

/// `readers`: the dims of the elements that read.
static LogicalResult verifyOffsets(Operation *op, ArrayRef<DimAttr> dims,
                                   ArrayRef<DimAttr> readers,
                                   ArrayRef<int64_t> offsets, ArrayAttr edges) {
  if (offsets.size() != dims.size() || edges.size() != dims.size())
    return op->emitOpError("has ")
           << offsets.size() << " offsets and " << edges.size()
           << " edges, expected one a dim of " << toString(dims);
  for (auto [dim, offset, attribute] : llvm::zip(dims, offsets, edges)) {
    if (offset != 0 && dim.isHalf())
      return op->emitOpError("has offset ")
             << offset << " along '" << dim.getLabel()
             << "', expected 0, as it has half of its modes";
    int64_t cells = View::get(readers, dim).getCells();
    if (cast<EdgeAttr>(attribute).getValue() == Edge::Reflect &&
        std::abs(offset) >= cells)
      return op->emitOpError("has offset ")
             << offset << " along '" << dim.getLabel()
             << "' with 'reflect', expected less than its " << cells
             << " cells";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult ShiftOp::verify() {
  auto type = cast<FieldType>(getInput().getType());
  if (getTransposed() && !hasTangent(type))
    return emitOpError("transposes ")
           << Type(type) << ", expected real or complex elements";
  if (failed(verifyOffsets(*this, type.getDims(), type.getDims(), getOffsets(),
                           getEdges())))
    return failure();
  auto result = cast<FieldType>(getResult().getType());
  bool isView = result.getElementType() == type.getElementType() &&
                result.getRank() == type.getRank();
  for (size_t d = 0; isView && d < type.getRank(); ++d) {
    DimAttr from = type.getDims()[d], to = result.getDims()[d];
    // Which goes with which is told by the name.
    auto hasName = [&](DimAttr dim) { return dim.getName() == to.getName(); };
    isView =
        from.withoutAxes() == to.withoutAxes() ||
        ((from.getFactor(to) > 0 || to.getFactor(from) > 0) &&
         getOffsets()[d] == 0 && llvm::count_if(type.getDims(), hasName) == 1);
  }
  if (isView)
    return success();
  return emitOpError("makes ") << Type(result) << " of " << Type(type)
                               << ", expected the same elements, and dims that "
                                  "are the same, finer or coarser, these "
                                  "without an offset and once of their name";
}

bool ShiftOp::getLabeledIndexes(SmallVectorImpl<LabeledIndex> &indexes) {
  auto type = cast<FieldType>(getInput().getType());
  if (getTransposed() || getResult().getType() != Type(type))
    return false;
  for (auto [d, dim] : llvm::enumerate(type.getDims())) {
    int64_t offset = getOffsets()[d], cells = dim.getExtent();
    LabeledIndex made = LabeledIndex::plain(dim);
    made.offset = offset;
    made.edge = cast<EdgeAttr>(getEdges()[d]).getValue();
    indexes.push_back(
        simplified(std::move(made), offset, offset + cells - 1, cells));
  }
  return true;
}

LogicalResult MarginOp::verify() {
  size_t rank = getMesh().getDims().size();
  SmallVector<ArrayRef<int64_t>> all{getBelow(), getAbove()};
  if (bool(getBlocks()) != bool(getMeetingBelow()) ||
      bool(getBlocks()) != bool(getMeetingAbove()))
    return emitOpError("has some of the numbers of parts that meet, expected "
                       "all or none");
  if (getBlocks())
    all.append({*getBlocks(), *getMeetingBelow(), *getMeetingAbove()});
  for (ArrayRef<int64_t> widths : all) {
    if (widths.size() != rank)
      return emitOpError("has ")
             << widths.size() << " widths, expected one a dim of "
             << toString(getMesh().getDims());
    for (int64_t width : widths)
      if (width < 0)
        return emitOpError("has the width ") << width << ", expected 0 or more";
  }
  for (size_t d = 0; getBlocks() && d < rank; ++d)
    if ((*getMeetingBelow())[d] > getBelow()[d] ||
        (*getMeetingAbove())[d] > getAbove()[d])
      return emitOpError("has larger widths where parts meet, expected smaller "
                         "ones");
  return success();
}

/// Constraint 5.
static LogicalResult verifyHalo(NeighborOp op, GridType field) {
  bool isSplit = op.readsOthers();
  if (isSplit != bool(op.getHalo()))
    return op.emitOpError("has ")
           << (isSplit ? "no halo, expected one, as axes split "
                       : "a halo, expected none, as no axis splits ")
           << "a dim that is read beyond a part in "
           << toString(field.getDims());
  if (!isSplit)
    return success();
  return verifyHaloOf(op, op.getHalo().getType(),
                      cast<GridType>(op.getField().getType()));
}

View NeighborOp::getView(size_t dim) {
  auto domain = cast<DomainOpInterface>((*this)->getParentOp());
  DimAttr field = cast<GridType>(getOperand(0).getType()).getDims()[dim];
  return View::get(domain.getDomainDims(), field);
}

bool NeighborOp::readsOthers() {
  ArrayRef<DimAttr> dims = cast<GridType>(getOperand(0).getType()).getDims();
  for (auto [d, offset] : llvm::enumerate(getOffsets())) {
    View::Widths margin = getView(d).getMargin(offset, getEdge(d));
    if (!dims[d].getAxes().empty() && (margin.below > 0 || margin.above > 0))
      return true;
  }
  return false;
}

LogicalResult NeighborOp::verify() {
  auto parent = dyn_cast<DomainOpInterface>((*this)->getParentOp());
  if (!parent)
    return emitOpError("expects to be in the body of a domain op");
  auto field = cast<GridType>(getField().getType());
  ArrayRef<DimAttr> domain = parent.getDomainDims();
  int last = -1;
  for (DimAttr dim : field.getDims()) {
    int place = View::find(domain, dim);
    if (place <= last || domain[place].getAxes() != dim.getAxes())
      return emitOpError("reads a field over ")
             << toString(field.getDims())
             << ", expected some of the dims, or refinements or coarsenings, "
                "of "
             << toString(domain);
    last = place;
  }
  if (getElement().getType() != field.getElementType())
    return emitOpError("gives ") << getElement().getType() << " of "
                                 << Type(field) << ", expected its element";
  if (failed(verifyOffsets(*this, field.getDims(), domain, getOffsets(),
                           getEdges())))
    return failure();
  for (auto [dim, offset] : llvm::zip(field.getDims(), getOffsets())) {
    int64_t cells = View::get(domain, dim).getCells();
    if (std::abs(offset) > cells)
      return emitOpError("has offset ")
             << offset << " along '" << dim.getLabel() << "', which has "
             << cells << " cells";
  }
  return verifyHalo(*this, field);
}

bool pmc::pm::readsFields(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return llvm::any_of(inner->getOperandTypes(),
                            [](Type type) { return isa<GridType>(type); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
