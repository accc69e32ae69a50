//===- Halo.cpp - Cells of meshes that are split over ranks ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/Halo.h"

#include "pmrt/pmrt.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

/// pmrt_halo.
static LLVM::LLVMStructType getRecord(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32);
  Type list =
      LLVM::LLVMArrayType::get(IntegerType::get(context, 64), PMRT_MAX_RANK);
  return LLVM::LLVMStructType::getLiteral(
      context, {pointer, i32, i32, list, list, list, list});
}

namespace {
enum Member : int32_t { Rows = 0, Whole = 2, Origin = 3, Stride = 6 };
} // namespace

const HaloView &HaloViews::find(Value halo, size_t rank) {
  HaloView &view = known[halo];
  if (view.rows)
    return view;
  auto record = getRecord(host.getContext());
  auto load = [&](Type type, ArrayRef<LLVM::GEPArg> where) -> Value {
    Value address =
        LLVM::GEPOp::create(host, loc, halo.getType(), record, halo, where);
    return LLVM::LoadOp::create(host, loc, type, address);
  };
  view.rows = load(halo.getType(), {0, Rows});
  Emit emit(host, loc);
  view.whole = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::ne,
                                     load(host.getI32Type(), {0, Whole}),
                                     emit.constant(host.getI32Type(), 0));
  for (size_t d = 0; d < rank; ++d)
    view.origins.push_back(load(host.getI64Type(), {0, Origin, int32_t(d)}));
  for (size_t d = 0; d + 1 < rank; ++d)
    view.strides.push_back(load(host.getI64Type(), {0, Stride, int32_t(d)}));
  return view;
}

void HaloViews::capture(Kernel &kernel, Value halo, size_t rank) {
  const HaloView &view = find(halo, rank);
  kernel.capture(view.rows);
  kernel.capture(view.whole);
  for (Value value : view.origins)
    kernel.capture(value);
  for (Value value : view.strides)
    kernel.capture(value);
}

HaloView HaloViews::get(Kernel &kernel, Value halo) {
  const HaloView &outside = known.find(halo)->second;
  HaloView inside{kernel.get(outside.rows), kernel.get(outside.whole), {}, {}};
  for (Value value : outside.origins)
    inside.origins.push_back(kernel.get(value));
  for (Value value : outside.strides)
    inside.strides.push_back(kernel.get(value));
  return inside;
}

Value MeshRows::find(Emit &emit, Value place) const {
  OpBuilder &builder = emit.getBuilder();
  if (place)
    place = emit.widen(place, builder.getI64Type());
  if (rows)
    return emit.load(rows.getType(), rows, place ? place : emit.index(0));
  if (!place)
    return mesh;
  return emit.address(mesh, element, emit.mul(place, emit.index(length)));
}
