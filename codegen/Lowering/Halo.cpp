//===- Halo.cpp - Cells of meshes that are split over ranks ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Halo.h"

#include "codegen/Lowering/Handles.h"

#include "pmrt/pmrt.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// pmrt_halo.
static LLVM::LLVMStructType getRecord(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);
  Type list = LLVM::LLVMArrayType::get(i64, PMRT_MAX_RANK);
  return LLVM::LLVMStructType::getLiteral(
      context, {pointer, i32, i32, list, list, list, list, i64, i64});
}

namespace {
enum Member : int32_t {
  Rows = 0,
  Whole = 2,
  Origin = 3,
  Extent = 4,
  Stride = 6,
  OwnBegin = 7,
  OwnEnd = 8
};
} // namespace

const HaloView &HaloViews::find(Value halo, GridType mesh) {
  HaloView &view = known[halo];
  if (view.rows)
    return view;
  auto record = getRecord(host.getContext());
  Value at = getAddress(halo);
  auto load = [&](Type type, ArrayRef<LLVM::GEPArg> where) -> Value {
    Value address =
        LLVM::GEPOp::create(host, loc, at.getType(), record, at, where);
    return LLVM::LoadOp::create(host, loc, type, address);
  };
  Emit emit(host, loc);
  view.rows = emit.span(load(at.getType(), {0, Rows}),
                        pmk::SpanType::get(mesh.getElementType()));
  ArrayRef<DimAttr> dims = mesh.getDims();
  view.whole = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::ne,
                                     load(host.getI32Type(), {0, Whole}),
                                     emit.constant(host.getI32Type(), 0));
  view.ownBegin = load(host.getI64Type(), {0, OwnBegin});
  view.ownEnd = load(host.getI64Type(), {0, OwnEnd});
  for (size_t d = 0; d < dims.size(); ++d)
    view.origins.push_back(load(host.getI64Type(), {0, Origin, int32_t(d)}));
  Value length = emit.index(dims.back().getStoredExtent());
  for (size_t d = 0; d + 1 < dims.size(); ++d) {
    Value stride = load(host.getI64Type(), {0, Stride, int32_t(d)});
    view.strides.push_back(
        emit.select(view.whole, emit.mul(stride, length), stride));
  }
  return view;
}

Value HaloViews::loadExtent(Value halo, size_t d) {
  Value at = getAddress(halo);
  Value address =
      LLVM::GEPOp::create(host, loc, at.getType(), getRecord(host.getContext()),
                          at, ArrayRef<LLVM::GEPArg>{0, Extent, int32_t(d)});
  return LLVM::LoadOp::create(host, loc, host.getI64Type(), address);
}

void HaloViews::capture(Kernel &kernel, Value halo, GridType mesh) {
  const HaloView &view = find(halo, mesh);
  kernel.capture(view.rows);
  kernel.capture(view.whole);
  kernel.capture(view.ownBegin);
  kernel.capture(view.ownEnd);
  for (Value value : view.origins)
    kernel.capture(value);
  for (Value value : view.strides)
    kernel.capture(value);
}

HaloView HaloViews::get(Kernel &kernel, Value halo) {
  const HaloView &outside = known.find(halo)->second;
  HaloView inside{kernel.get(outside.rows),
                  kernel.get(outside.whole),
                  kernel.get(outside.ownBegin),
                  kernel.get(outside.ownEnd),
                  {},
                  {}};
  for (Value value : outside.origins)
    inside.origins.push_back(kernel.get(value));
  for (Value value : outside.strides)
    inside.strides.push_back(kernel.get(value));
  return inside;
}

Value MeshRow::getIndex(Emit &emit, Value cell) const {
  return emit.widen(offset ? emit.add(offset, cell) : cell,
                    emit.getBuilder().getI64Type());
}

MeshRow MeshRows::find(Emit &emit, Value place) const {
  if (!rows)
    return {mesh, place};
  Value number =
      place ? emit.widen(place, emit.getBuilder().getI64Type()) : emit.index(0);
  return {emit.load(rows, number), {}};
}
