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

#include "passes/Expand/Convolutions.h"

#include "dialect/IR/Forms/PMConvolve.h"
#include "dialect/IR/Forms/PMIndexes.h"

using namespace mlir;
using namespace pmc::pm;

namespace {

/// A field, and the indices at which another one reads it, one a dim.
struct ShiftedField {
  Value field;
  SmallVector<LabeledIndex> indexes;
};

std::optional<ShiftedField> readOnce(Value field) {
  auto moved = field.getDefiningOp<MovedFieldOpInterface>();
  if (!moved)
    return std::nullopt;
  ShiftedField reading{moved->getOperand(0), {}};
  if (!moved.getLabeledIndexes(reading.indexes))
    return std::nullopt;
  return reading;
}

/// What both readings together read; none where two indices that are not plain
/// would become one.
std::optional<ShiftedField> joined(const ShiftedField &outer,
                                   const ShiftedField &inner) {
  ArrayRef<DimAttr> between = cast<FieldType>(outer.field.getType()).getDims();
  ShiftedField both{inner.field, {}};
  for (const LabeledIndex &index : inner.indexes) {
    LabeledIndex made = index;
    for (LabeledIndex::Term &term : made.terms) {
      int place = findDim(between, term.label);
      const LabeledIndex &by = outer.indexes[size_t(place)];
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

std::optional<ShiftedField> read(Value field) {
  std::optional<ShiftedField> reading = readOnce(field);
  if (!reading)
    return std::nullopt;
  while (std::optional<ShiftedField> inner = readOnce(reading->field)) {
    std::optional<ShiftedField> both = joined(*reading, *inner);
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
    if (std::optional<ShiftedField> reading = read(field))
      return buildConvolution(builder, op.getLoc(), type, reading->field,
                              weights, reading->indexes);
  return {};
}
