//===- Convolutions.cpp - Contractions of a field read at indices ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The field may be a view, one of a view, or a moved field.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Convolutions.h"

#include "dialect/IR/PMConvolve.h"
#include "dialect/IR/PMIndexes.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

/// A field, and the indices at which another one reads it, one a dim.
struct Reading {
  Value field;
  SmallVector<LabelledIndex> indexes;
};

/// What is inside has no edge, and the offset of a periodic index is the one of
/// the least size that reads the same cells.
LabelledIndex simplified(LabelledIndex index, int64_t low, int64_t high,
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

std::optional<Reading> readView(ViewOp view) {
  if (view.getTransposed() || !view.getStarts().empty())
    return std::nullopt;
  Reading reading{view.getInput(), {}};
  ArrayRef<DimAttr> readers = view.getReadingDims();
  for (const ReadIndex &index : getReadIndexes(view)) {
    LabelledIndex made{{}, index.offset, 1, index.edge};
    for (const ReadIndex::Term &term : index.terms)
      made.terms.push_back({readers[term.dim].getLabel(), term.number});
    reading.indexes.push_back(
        simplified(std::move(made), index.low, index.high, index.cells));
  }
  return reading;
}

std::optional<Reading> readShift(ShiftOp shift) {
  auto type = cast<FieldType>(shift.getInput().getType());
  if (shift.getTransposed() || shift.getResult().getType() != Type(type))
    return std::nullopt;
  Reading reading{shift.getInput(), {}};
  for (auto [d, dim] : llvm::enumerate(type.getDims())) {
    int64_t offset = shift.getOffsets()[d], cells = dim.getExtent();
    LabelledIndex made = LabelledIndex::plain(dim);
    made.offset = offset;
    made.edge = cast<EdgeAttr>(shift.getEdges()[d]).getValue();
    reading.indexes.push_back(
        simplified(std::move(made), offset, offset + cells - 1, cells));
  }
  return reading;
}

std::optional<Reading> readOnce(Value field) {
  if (auto view = field.getDefiningOp<ViewOp>())
    return readView(view);
  if (auto shift = field.getDefiningOp<ShiftOp>())
    return readShift(shift);
  return std::nullopt;
}

/// What both readings together read; none where two indices that are not plain
/// would become one.
std::optional<Reading> joined(const Reading &outer, const Reading &inner) {
  ArrayRef<DimAttr> between = cast<FieldType>(outer.field.getType()).getDims();
  Reading both{inner.field, {}};
  for (const LabelledIndex &index : inner.indexes) {
    LabelledIndex made = index;
    for (LabelledIndex::Term &term : made.terms) {
      int place = findDim(between, term.label);
      const LabelledIndex &by = outer.indexes[size_t(place)];
      bool isRenamed = by.terms.size() == 1 && by.terms[0].number == 1 &&
                       by.offset == 0 && by.edge == Edge::Zero;
      if (by.isPlain(between[size_t(place)]) || isRenamed) {
        term.label = by.terms[0].label;
      } else if (index.terms.size() == 1 && index.terms[0].number == 1 &&
                 index.offset == 0 && index.edge == Edge::Zero) {
        made = by;
        break;
      } else {
        return std::nullopt;
      }
    }
    both.indexes.push_back(std::move(made));
  }
  return both;
}

std::optional<Reading> read(Value field) {
  std::optional<Reading> reading = readOnce(field);
  if (!reading)
    return std::nullopt;
  while (std::optional<Reading> inner = readOnce(reading->field)) {
    std::optional<Reading> both = joined(*reading, *inner);
    if (!both)
      break;
    reading = std::move(both);
  }
  ArrayRef<DimAttr> dims = cast<FieldType>(reading->field.getType()).getDims();
  bool isPlain = llvm::all_of(llvm::zip(reading->indexes, dims), [](auto pair) {
    auto [index, dim] = pair;
    return index.isPlain(dim);
  });
  return isPlain ? std::nullopt : reading;
}

} // namespace

bool pmc::passes::isReadAtIndexes(Value field) {
  return read(field).has_value();
}

Value pmc::passes::buildConvolutionOf(OpBuilder &builder, ContractOp op) {
  auto type = cast<FieldType>(op.getResult().getType());
  for (auto [field, weights] : {std::pair(op.getLhs(), op.getRhs()),
                                std::pair(op.getRhs(), op.getLhs())})
    if (std::optional<Reading> reading = read(field))
      return buildConvolution(builder, op.getLoc(), type, reading->field,
                              weights, reading->indexes);
  return {};
}
