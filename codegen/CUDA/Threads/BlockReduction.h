//===- BlockReduction.h - Numbers that a block agrees on --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_BLOCKREDUCTION_H
#define PMC_CODEGEN_CUDA_THREADS_BLOCKREDUCTION_H

#include "codegen/CUDA/Threads/Threads.h"
#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// Reduces values of the elements of a domain to numbers on the host: every
/// thread its own elements, every block its threads in a tree, the runtime the
/// blocks, all in an order that depends on the domain alone.
class BlockReduction : public NumberReduction {
public:
  BlockReduction(pm::DomainOpInterface op, LoweringContext &context,
                 mlir::OpBuilder &host, llvm::StringRef title,
                 pm::Reduction kind, int64_t width);

  Kernel &getKernel() override { return kernel; }
  Body::Reading getReading() const override { return Body::Reading::ByElement; }
  mlir::Value emit(Body &body, mlir::TypeRange types, Values values) override;

private:
  void storeBlock(mlir::ValueRange sums);

  llvm::StringRef title;
  pm::Reduction kind;
  int64_t width;
  DeviceKernel kernel;
  Threads threads;
  mlir::Value blocks, partials;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_BLOCKREDUCTION_H
