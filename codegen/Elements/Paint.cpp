//===- Paint.cpp - What a paint does with a particle ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Elements/Paint.h"

#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

Paint::Paint(ScatterOp scatter, LoweringContext &context, OpBuilder &host)
    : scatter(scatter), context(context), host(host), loc(scatter.getLoc()),
      extents(context, host, loc),
      particleWindow(pmc::codegen::getParticleWindow(scatter)),
      deposit(scatter),
      element(scatter.getWords() ? scatter.getYieldedWeights().front().getType()
                                 : getCell()),
      halos(openMeshes(scatter, context, host)),
      painted(scatter.getYieldedOffsets()) {
  llvm::append_range(painted, scatter.getYieldedWeights());
}

Type Paint::getCell() const {
  ScatterOp op = scatter;
  return op.getMeshType().getElementType();
}

void Paint::forEachCell(Emit &emit, Kernel &kernel, const Particle &particle,
                        ArrayRef<MeshRows> meshes, Deposit::Add add) {
  SmallVector<Value> steps;
  for (Value step : scatter.getSteps())
    steps.push_back(kernel.get(step));
  deposit.forEachCell(emit, particle.stencil, meshes, particle.weights, steps,
                      add);
}

DomainOpInterface Paint::getDomain() const {
  ScatterOp op = scatter;
  return cast<DomainOpInterface>(op.getOperation());
}

SmallVector<Value> Paint::withSelection(ArrayRef<Value> values) {
  SmallVector<Value> all(values);
  if (Value selection = getSelection())
    all.push_back(selection);
  return all;
}

void Paint::capture(Kernel &kernel) {
  Body::capture(getDomain(), kernel, extents);
  for (Value halo : halos)
    extents.getViews().capture(kernel, halo, scatter.getMeshType());
  for (Value step : scatter.getSteps())
    kernel.capture(step);
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(scatter.getCell(), above);
  for (Value value : above)
    kernel.capture(value);
}

std::unique_ptr<Body> Paint::makeBody(Kernel &kernel, ArrayRef<Value> wanted,
                                      Body::Reading mode) {
  auto body =
      std::make_unique<Body>(getDomain(), kernel, extents, wanted, mode);
  body->forbidContraction();
  return body;
}

Paint::Particle Paint::getParticle(Emit &emit, Body &body,
                                   ArrayRef<Value> values) const {
  Particle particle{deposit.getStencil(emit, particleWindow, body.getExtents(),
                                       getHalo(), body.getCoordinates(), values,
                                       element),
                    {}};
  if (!deposit.hasOneWeight())
    for (Value weight : values.take_back(deposit.getOrders().size()))
      particle.weights.push_back(emit.cast(weight, element));
  return particle;
}

void Paint::inMeshes(Emit &emit, Kernel &kernel, Body &body, Value direct,
                     Use use) {
  SmallVector<MeshRows> whole, split;
  for (Value mesh : scatter.getOuts())
    whole.emplace_back(kernel.get(mesh));
  if (halos.empty())
    return use(emit, whole, /*isWhole=*/true);
  for (Value halo : halos)
    split.emplace_back(body.getExtents().haloView(halo));
  auto branch = [&](ArrayRef<MeshRows> meshes, bool isWhole) {
    return [&, meshes, isWhole](OpBuilder &inner, Location) {
      Emit at(inner, loc);
      use(at, meshes, isWhole);
      scf::YieldOp::create(inner, loc);
    };
  };
  scf::IfOp::create(emit.getBuilder(), loc, direct, branch(whole, true),
                    branch(split, false));
}
