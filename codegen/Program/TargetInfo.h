//===- TargetInfo.h - What a module is compiled for -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_TARGETINFO_H
#define PMC_CODEGEN_PROGRAM_TARGETINFO_H

#include "codegen/Program/ScheduleSizes.h"

namespace pmc::codegen {

/// Where loops over domains run.
enum class Target { CPU, CUDA };

/// How paints on GPUs add to meshes: to their cells at once, to tiles of them
/// in shared memory first, or so if the particles are of a lattice.
enum class PaintMethod { Auto, Atomics, Tiled };

/// The module's attribute `pm.target`.
struct TargetInfo {
  Target kind = Target::CPU;
  PaintMethod paint = PaintMethod::Auto;
  /// Whether the object has a `main`; else `pmc_main` has its signature.
  bool executable = true;
  ScheduleSizes sizes;

  /// Of a module that has no such attribute, the above. An error at the module
  /// if the attribute is not that of a target.
  static mlir::FailureOr<TargetInfo> get(mlir::ModuleOp module);
  void attachTo(mlir::ModuleOp module) const;
};

/// The target of the outermost module around the op.
Target getTarget(mlir::Operation *op);

/// "cpu" or "cuda".
llvm::StringRef stringifyTarget(Target target);
std::optional<Target> symbolizeTarget(llvm::StringRef text);
/// "auto", "atomics" or "tiled".
llvm::StringRef stringifyPaintMethod(PaintMethod method);
std::optional<PaintMethod> symbolizePaintMethod(llvm::StringRef text);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_TARGETINFO_H
