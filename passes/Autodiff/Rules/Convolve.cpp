//===- Convolve.cpp - Derivatives of convolutions -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is linear in both of its fields. Its adjoint in the weights is
// the same field read at the same indices, times the cotangent. Its adjoint in
// the field reads one of the two others at an index: of q u = n v + m t + o
// with the cell u of the field, v of the cotangent and t of the weights, that
// is n v = q u − m t − o, or m t = q u − n v − o. Cells beyond an end that are
// 0 are beyond an end there, too, and cells that come again do so if the dims
// fit.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"

#include "dialect/IR/Forms/PMConvolve.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

static FieldType typeOf(Value field) {
  return cast<FieldType>(field.getType());
}

static bool has(Value field, StringRef label) {
  return findDim(typeOf(field).getDims(), label) >= 0;
}

/// The indices at which `read` is read, so that with `weights` it makes the
/// adjoint in the field; none if they do not exist.
static std::optional<SmallVector<LabeledIndex>>
findAdjoint(ConvolveOp op, Value read, Value weights) {
  ArrayRef<DimAttr> dims = typeOf(op.getField()).getDims(),
                    readDims = typeOf(read).getDims();
  SmallVector<LabeledIndex> indexes;
  for (DimAttr dim : readDims)
    indexes.push_back(LabeledIndex::plain(dim));
  SmallVector<ConvolvedIndex> own = getConvolvedIndexes(op);
  for (auto [d, index] : llvm::enumerate(getLabeledIndexes(op))) {
    DimAttr dim = dims[d];
    if (index.isPlain(dim))
      continue;
    if (has(weights, dim.getLabel()))
      return std::nullopt;
    const LabeledIndex::Term *outer = nullptr, *inner = nullptr;
    for (const LabeledIndex::Term &term : index.terms) {
      const LabeledIndex::Term *&place =
          has(weights, term.label) ? inner : outer;
      if (place)
        return std::nullopt;
      place = &term;
    }
    int position = outer ? findDim(readDims, outer->label) : -1;
    if (position < 0)
      return std::nullopt;
    int64_t sign = outer->number < 0 ? -1 : 1;
    LabeledIndex &made = indexes[size_t(position)];
    made = {{{dim.getLabel(), sign * index.divisor}},
            -sign * index.offset,
            sign * outer->number,
            Edge::Zero};
    if (inner)
      made.terms.push_back({inner->label, -sign * inner->number});
    if (index.edge == Edge::Zero || own[d].isInside())
      continue;
    if (index.edge != Edge::Periodic ||
        index.divisor * dim.getExtent() !=
            made.divisor * readDims[size_t(position)].getExtent())
      return std::nullopt;
    made.edge = Edge::Periodic;
  }
  return indexes;
}

/// Where neither of the two can be read so, as at edges that are not 0: the
/// sum over the other dims first, and then that over the cells that read one.
static Value buildInTwo(OpBuilder &builder, ConvolveOp op, Value cotangent) {
  SmallVector<DimAttr> dims;
  SmallVector<Attribute> terms;
  SmallVector<DimAttr> domain = op.getDomain();
  for (const ConvolvedIndex &index : getConvolvedIndexes(op)) {
    SmallVector<int64_t> list;
    for (const ConvolvedIndex::Term &term : index.terms) {
      list.append({int64_t(dims.size()), term.number});
      dims.push_back(domain[term.dim]);
    }
    terms.push_back(builder.getDenseI64ArrayAttr(list));
  }
  FieldType field = typeOf(op.getField());
  auto type =
      FieldType::get(builder.getContext(), dims, field.getElementType());
  Value sums = ContractOp::create(builder, op.getLoc(), type, cotangent,
                                  op.getWeights(), ValueRange())
                   .getResult();
  return ViewOp::create(builder, op.getLoc(), field, sums, ValueRange(),
                        op.getOffsetsAttr(), op.getEdgesAttr(),
                        builder.getArrayAttr(terms), builder.getUnitAttr());
}

namespace {

struct ConvolveDerivative
    : DifferentiableOpInterface::ExternalModel<ConvolveDerivative, ConvolveOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto convolve = cast<ConvolveOp>(op);
    Value field = convolve.getField(), weights = convolve.getWeights(), sum;
    FieldType type = typeOf(convolve.getResult());
    SmallVector<LabeledIndex> indexes = getLabeledIndexes(convolve);
    if (Value tangent = tangents.get(field))
      sum = buildConvolution(builder, op->getLoc(), type, tangent, weights,
                             indexes);
    if (Value tangent = tangents.get(weights))
      sum = buildSum(builder, op->getLoc(), sum,
                     buildConvolution(builder, op->getLoc(), type, field,
                                      tangent, indexes));
    if (sum)
      tangents.set(convolve.getResult(), sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto convolve = cast<ConvolveOp>(op);
    Value cotangent = cotangents.get(convolve.getResult());
    if (!cotangent)
      return success();
    Value field = convolve.getField(), weights = convolve.getWeights();
    if (cotangents.needs(weights))
      cotangents.add(builder, weights,
                     buildConvolution(builder, op->getLoc(), typeOf(weights),
                                      field, cotangent,
                                      getLabeledIndexes(convolve)));
    if (!cotangents.needs(field))
      return success();
    for (auto [read, other] :
         {std::pair(cotangent, weights), std::pair(weights, cotangent)})
      if (auto indexes = findAdjoint(convolve, read, other)) {
        cotangents.add(builder, field,
                       buildConvolution(builder, op->getLoc(), typeOf(field),
                                        read, other, *indexes));
        return success();
      }
    cotangents.add(builder, field, buildInTwo(builder, convolve, cotangent));
    return success();
  }
};

} // namespace

void pmc::passes::registerConvolveDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ConvolveOp::attachInterface<ConvolveDerivative>(*context);
  });
}
