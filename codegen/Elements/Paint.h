//===- Paint.h - What a paint does with a particle --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_PAINT_H
#define PMC_CODEGEN_ELEMENTS_PAINT_H

#include "codegen/Elements/Body.h"
#include "codegen/Particles/Scatter.h"

namespace pmc::codegen {

/// A paint: the weights of each particle that is chosen go to the cells around
/// it. Schedules say which particles a thread takes, and how it adds.
class Paint {
public:
  /// On the host: opens the meshes.
  Paint(pm::ScatterOp scatter, LoweringContext &context, mlir::OpBuilder &host);

  pm::ScatterOp getOp() const { return scatter; }
  pm::DomainOpInterface getDomain() const;
  LoweringContext &getContext() const { return context; }
  mlir::OpBuilder &getHost() const { return host; }
  mlir::Location getLoc() const { return loc; }
  Extents &getExtents() { return extents; }
  const ParticleWindow &getParticleWindow() const { return particleWindow; }
  const Deposit &getDeposit() const { return deposit; }
  /// Of what is added to cells, and of these.
  mlir::Type getElement() const { return element; }
  mlir::Type getCell() const;
  /// The addresses of the meshes' pmrt_halos, if they are split.
  llvm::ArrayRef<mlir::Value> getHalos() const { return halos; }
  /// The first one, as all have the same shape; null where meshes are whole.
  mlir::Value getHalo() const {
    return halos.empty() ? mlir::Value() : halos.front();
  }

  /// What the body yields: offsets, then weights.
  llvm::ArrayRef<mlir::Value> getPainted() const { return painted; }
  llvm::ArrayRef<mlir::Value> getOffsets() const {
    return getPainted().take_front(particleWindow.getMesh().size());
  }
  /// Whether a particle is painted; null: all are.
  mlir::Value getSelection() { return scatter.getSelection(); }
  /// The values, and the selection, if there is one.
  llvm::SmallVector<mlir::Value>
  withSelection(llvm::ArrayRef<mlir::Value> values);

  /// Makes all of that available in a kernel.
  void capture(Kernel &kernel);
  /// In there. Kernels agree on a particle's cells, and with
  /// pm.displacement_bound.
  std::unique_ptr<Body> makeBody(Kernel &kernel,
                                 llvm::ArrayRef<mlir::Value> wanted,
                                 Body::Reading mode);

  struct Particle {
    Stencil stencil;
    llvm::SmallVector<mlir::Value> weights; ///< none: one is in the stencil
  };
  /// The particle that the body has evaluated last, from what is painted.
  Particle getParticle(Emit &emit, Body &body,
                       llvm::ArrayRef<mlir::Value> values) const;
  /// Calls `add` for every cell of every mesh with what it gets.
  void forEachCell(Emit &emit, Kernel &kernel, const Particle &particle,
                   llvm::ArrayRef<MeshRows> meshes, Deposit::Add add);

  /// Emits `use` with the rows of the meshes: twice, where these are split, so
  /// that rows are looked up only if `direct` does not hold.
  using Use =
      llvm::function_ref<void(Emit &, llvm::ArrayRef<MeshRows>, bool isWhole)>;
  void inMeshes(Emit &emit, Kernel &kernel, Body &body, mlir::Value direct,
                Use use);

private:
  pm::ScatterOp scatter;
  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  Extents extents;
  ParticleWindow particleWindow;
  Deposit deposit;
  mlir::Type element;
  llvm::SmallVector<mlir::Value> halos, painted;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_PAINT_H
