//===- Sort.cpp - Derivatives of sorting ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no two elements are equal, sorting is a permutation, which does not
// change nearby: r(i) = f(o(i)). Its adjoint is the inverse permutation, which
// reads the cotangent at the ranks. The order of equal elements is that of
// their indices. Orders, ranks and groups are ints, which have no derivative.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// The field, read along the dim of the sort at its order or ranks.
static Value buildPermuted(OpBuilder &builder, SortOp op, SortKind kind,
                           Value field) {
  Location loc = op.getLoc();
  auto type = cast<FieldType>(field.getType());
  ArrayRef<DimAttr> dims = type.getDims();
  Type i64 = builder.getI64Type();
  Value places =
      SortOp::create(builder, loc, FieldType::get(op.getContext(), dims, i64),
                     kind, op.getInput(), op.getDim(), op.getDescending(),
                     Value(), ValueRange())
          .getResult();
  return buildMap(
      builder, loc, type, places,
      [&](OpBuilder &inner, ValueRange elements) -> Value {
        SmallVector<Value> indices;
        SmallVector<bool> near;
        for (DimAttr dim : dims) {
          near.push_back(dim.getLabel() != op.getDim());
          if (!near.back()) {
            indices.push_back(elements[0]);
            continue;
          }
          Value own = CoordinateOp::create(inner, loc, dim.getLabel());
          indices.push_back(arith::FPToSIOp::create(inner, loc, i64, own));
        }
        SmallVector<int64_t> zeros(dims.size(), 0);
        return CellOp::create(inner, loc, type.getElementType(), field, indices,
                              zeros, zeros, near, Value());
      });
}

namespace {

struct SortDerivative
    : DifferentiableOpInterface::ExternalModel<SortDerivative, SortOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto sort = cast<SortOp>(op);
    Value tangent = tangents.get(sort.getInput());
    if (tangent && sort.getKind() == SortKind::Values)
      tangents.set(sort.getResult(),
                   buildPermuted(builder, sort, SortKind::Order, tangent));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto sort = cast<SortOp>(op);
    if (sort.getKind() != SortKind::Values ||
        !cotangents.needs(sort.getInput()))
      return success();
    if (Value cotangent = cotangents.get(sort.getResult()))
      cotangents.add(builder, sort.getInput(),
                     buildPermuted(builder, sort, SortKind::Ranks, cotangent));
    return success();
  }
};

struct FriendsDerivative
    : DifferentiableOpInterface::ExternalModel<FriendsDerivative, FriendsOp> {
  LogicalResult buildTangent(Operation *, OpBuilder &, Tangents &) const {
    return success();
  }
  LogicalResult buildAdjoint(Operation *, OpBuilder &, Cotangents &) const {
    return success();
  }
};

} // namespace

void pmc::passes::registerSortDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    SortOp::attachInterface<SortDerivative>(*context);
    FriendsOp::attachInterface<FriendsDerivative>(*context);
  });
}
