//===- BlockReduction.h - Numbers that a block agrees on --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_BLOCKREDUCTION_H
#define PMC_CODEGEN_CUDA_BLOCKREDUCTION_H

#include "codegen/CUDA/Threads.h"

namespace pmc::codegen {

/// Reduces values of the elements of a domain to numbers on the host: every
/// thread its own elements, every block its threads in a tree, the runtime the
/// blocks, all in an order that depends on the domain alone.
class ScalarReduction {
public:
  ScalarReduction(pm::DomainOpInterface op, LoweringContext &context,
                  mlir::OpBuilder &host, llvm::StringRef title,
                  pm::Reduction kind, int64_t width);

  DeviceKernel &getKernel() { return kernel; }
  Extents &getExtents() { return extents; }

  using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::Value i)>;
  /// Emits the kernel, `values` giving those of element i of the body's row,
  /// and the calls. Returns the address of the results, f64, on the host.
  mlir::Value emit(Body &body, Values values);

private:
  void storeBlock(mlir::ValueRange sums);

  pm::DomainOpInterface op;
  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  llvm::StringRef title;
  pm::Reduction kind;
  int64_t width;
  Extents extents;
  DeviceKernel kernel;
  Threads threads;
  mlir::Value blocks, partials;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_BLOCKREDUCTION_H
