//===- PMNeighborOps.cpp - Verifiers of reading neighbours ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

ArrayAttr pmc::pm::getEdges(MLIRContext *context, ArrayRef<Edge> edges) {
  return ArrayAttr::get(context, llvm::map_to_vector(edges, [&](Edge edge) {
                          return Attribute(EdgeAttr::get(context, edge));
                        }));
}

static LogicalResult verifyOffsets(Operation *op, ArrayRef<DimAttr> dims,
                                   ArrayRef<int64_t> offsets, ArrayAttr edges) {
  if (offsets.size() != dims.size() || edges.size() != dims.size())
    return op->emitOpError("has ")
           << offsets.size() << " offsets and " << edges.size()
           << " edges, expected one a dim of " << toString(dims);
  for (auto [dim, offset, attribute] : llvm::zip(dims, offsets, edges)) {
    if (offset != 0 && !dim.isSpace())
      return op->emitOpError("has offset ")
             << offset << " along '" << dim.getLabel()
             << "', expected 0, as this is no space dim";
    if (cast<EdgeAttr>(attribute).getValue() == Edge::Reflect &&
        std::abs(offset) >= dim.getExtent())
      return op->emitOpError("has offset ")
             << offset << " along '" << dim.getLabel()
             << "' with 'reflect', expected less than its " << dim.getExtent()
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
  return verifyOffsets(*this, type.getDims(), getOffsets(), getEdges());
}

LogicalResult MarginOp::verify() {
  size_t rank = getMesh().getDims().size();
  for (ArrayRef<int64_t> widths : {getBelow(), getAbove()}) {
    if (widths.size() != rank)
      return emitOpError("has ")
             << widths.size() << " widths, expected one a dim of "
             << toString(getMesh().getDims());
    for (int64_t width : widths)
      if (width < 0)
        return emitOpError("has the width ") << width << ", expected 0 or more";
  }
  return success();
}

/// Constraint 5.
static LogicalResult verifyHalo(NeighborOp op, GridType field) {
  bool isSplit = false;
  for (auto [dim, offset] : llvm::zip(field.getDims(), op.getOffsets()))
    isSplit |= offset != 0 && !dim.getAxes().empty();
  if (isSplit != bool(op.getHalo()))
    return op.emitOpError("has ")
           << (isSplit ? "no halo, expected one, as axes split "
                       : "a halo, expected none, as no axis splits ")
           << "a dim with an offset in " << toString(field.getDims());
  if (!isSplit)
    return success();
  return verifyHaloRead(op, op.getHalo(), op.getField());
}

LogicalResult NeighborOp::verify() {
  auto parent = dyn_cast<DomainOpInterface>((*this)->getParentOp());
  if (!parent)
    return emitOpError("expects to stand in the body of a domain op");
  auto field = cast<GridType>(getField().getType());
  if (!isSubset(field.getDims(), parent.getDomainDims()))
    return emitOpError("reads a field over ")
           << toString(field.getDims()) << ", expected a subset of "
           << toString(parent.getDomainDims());
  if (getElement().getType() != field.getElementType())
    return emitOpError("gives ") << getElement().getType() << " of "
                                 << Type(field) << ", expected its element";
  if (failed(verifyOffsets(*this, field.getDims(), getOffsets(), getEdges())))
    return failure();
  for (auto [dim, offset] : llvm::zip(field.getDims(), getOffsets()))
    if (std::abs(offset) > dim.getExtent())
      return emitOpError("has offset ")
             << offset << " along '" << dim.getLabel() << "', which has "
             << dim.getExtent() << " cells";
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
