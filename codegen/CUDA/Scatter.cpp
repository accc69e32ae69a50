//===- Scatter.cpp - Paints as kernels for GPUs ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Scatter.h"
#include "codegen/CUDA/Register.h"
#include "codegen/CUDA/Tables.h"
#include "codegen/CUDA/Threads.h"

#include "pmrt/pmrt_cuda.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

/// A thread a particle, which adds to its cells by atomic additions.
class Paint {
public:
  Paint(ScatterOp scatter, LoweringContext &context)
      : scatter(scatter),
        domain(cast<DomainOpInterface>(scatter.getOperation())),
        context(context), loc(scatter.getLoc()), host(scatter),
        extents(context, host, loc), kernel(context, host, loc, "paint"),
        mesh(scatter.getOuts().front()), placement(getPlacement(scatter)) {}

  void lower() {
    bringTables(domain, context);
    halo = openMesh(scatter, context, host);
    Body::capture(domain, kernel, extents);
    if (halo)
      extents.getViews().capture(kernel, halo, placement.getMesh());
    Value faults = context.call(host, loc, "pmrt_fault_word",
                                LLVM::LLVMPointerType::get(host.getContext()),
                                context.getContext(host));
    kernel.capture(faults);
    kernel.create();

    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, context, kernel, extents, yields,
              Body::Reading::ByElement);
    // Cells must be those that pm.reach has found.
    body.forbidContraction();
    Threads threads(domain.getDomainDims());
    threads.forElements(
        kernel, body, {}, [&](OpBuilder &builder, Value i, ValueRange) {
          paint(builder, body, body.evaluate(builder, i, yields), faults);
          return SmallVector<Value>();
        });
    kernel.launch(threads.getItems(host, loc, extents),
                  getTraffic(host, extents, domain));
  }

private:
  void paint(OpBuilder &builder, Body &body, ArrayRef<Value> values,
             Value faults) {
    Emit emit(builder, loc);
    Value valid = isValid(emit, values.drop_back());
    auto good = [&](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      depositWherever(at, body,
                      getStencil(at, placement, body.getExtents(), halo,
                                 body.getCoordinates(), values, getElement()));
      scf::YieldOp::create(inner, loc);
    };
    auto bad = [&](OpBuilder &inner, Location) {
      int64_t line = context.getTables().location(loc);
      Emit at(inner, loc);
      at.store(at.index((int64_t(PMRT_FAULT_POSITION) << 32) |
                        int64_t(uint32_t(line))),
               kernel.get(faults), at.index(0));
      scf::YieldOp::create(inner, loc);
    };
    scf::IfOp::create(builder, loc, valid, good, bad);
  }

  void depositWherever(Emit &emit, Body &body, const Stencil &stencil) {
    MeshRows whole(kernel.get(mesh));
    if (!halo)
      return deposit(emit, stencil, whole);
    // One rank need not pay for looking rows up.
    HaloView view = body.getExtents().view(halo);
    MeshRows rows(view);
    auto branch = [&](const MeshRows &where) {
      return [&](OpBuilder &inner, Location) {
        Emit at(inner, loc);
        deposit(at, stencil, where);
        scf::YieldOp::create(inner, loc);
      };
    };
    scf::IfOp::create(emit.getBuilder(), loc, view.whole, branch(whole),
                      branch(rows));
  }

  void deposit(Emit &emit, const Stencil &stencil, const MeshRows &rows) {
    stencil.forEachRow(emit, [&](Value place, Value rowWeight) {
      MeshRow row = rows.find(emit, place);
      stencil.forEachCell(emit, rowWeight, [&](Value cell, Value weight) {
        Value address =
            emit.address(row.base, getElement(), row.getIndex(emit, cell));
        LLVM::AtomicRMWOp::create(
            emit.getBuilder(), loc, LLVM::AtomicBinOp::fadd, address, weight,
            LLVM::AtomicOrdering::monotonic, /*syncscope=*/"device");
      });
    });
  }

  Type getElement() { return cast<GridType>(mesh.getType()).getElementType(); }

  ScatterOp scatter;
  DomainOpInterface domain;
  LoweringContext &context;
  Location loc;
  OpBuilder host;
  Extents extents;
  DeviceKernel kernel;
  Value mesh;
  Value halo; // the address of a pmrt_halo, if the mesh is split
  Placement placement;
};

struct DeviceScatterLowering
    : LowerableOpInterface::ExternalModel<DeviceScatterLowering, ScatterOp> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    Paint(cast<ScatterOp>(op), context).lower();
    return success();
  }
};

} // namespace

void pmc::codegen::registerDeviceScatterLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ScatterOp::attachInterface<DeviceScatterLowering>(*context);
  });
}
