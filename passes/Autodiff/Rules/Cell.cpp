//===- Cell.cpp - Derivatives of reading cells that elements say ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading is linear in the field; its adjoint adds what each element gives to
// the cell that it reads (`Domains.cpp`). The indices are ints.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Reverse.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct CellModel : DifferentiableOpInterface::ExternalModel<CellModel, CellOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto cell = cast<CellOp>(op);
    if (Value tangent = tangents.get(cell.getField()))
      tangents.set(cell.getElement(),
                   CellOp::create(builder, op->getLoc(),
                                  cell.getElement().getType(), tangent,
                                  cell.getIndices(), cell.getLow(),
                                  cell.getHigh(), cell.getNear(), Value()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &,
                             Cotangents &cotangents) const {
    auto cell = cast<CellOp>(op);
    if (!cotangents.needs(cell.getField()))
      return success();
    auto type = cast<FieldType>(cell.getField().getType());
    for (DimAttr dim : type.getDims())
      if (dim.getExtent() >= int64_t(1) << 31)
        return op->emitError("[PM0809] reads a field of ")
               << dim.getExtent() << " cells along '" << dim.getLabel()
               << "', expected less than 2^31 for a derivative";
    asReverse(cotangents)
        .note(CellReading{cell.getField(),
                          SmallVector<Value>(cell.getIndices()),
                          cotangents.get(cell.getElement())});
    return success();
  }
};

} // namespace

void pmc::passes::registerCellDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    CellOp::attachInterface<CellModel>(*context);
  });
}
