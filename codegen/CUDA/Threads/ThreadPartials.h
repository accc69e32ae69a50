//===- ThreadPartials.h - Accumulators of every thread ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_THREADPARTIALS_H
#define PMC_CODEGEN_CUDA_THREADS_THREADPARTIALS_H

#include "codegen/CUDA/Threads/Threads.h"
#include "codegen/Particles/Chunk.h"

namespace pmc::codegen {

/// The accumulators of a reduction whose results are fields: every thread has
/// all of them, in f64, in memory of its own. So the order of additions depends
/// on the domain alone. The runtime combines the threads'.
class ThreadPartials {
public:
  /// Whether so many results are few enough for that.
  static bool fit(const ScheduleSizes &sizes, llvm::ArrayRef<pm::DimAttr> dims,
                  size_t fields);

  /// On the host; the kernel has not been created.
  ThreadPartials(LoweringContext &context, mlir::OpBuilder &host,
                 DeviceKernel &kernel, const Threads &threads,
                 pm::Reduction kind, llvm::ArrayRef<mlir::Value> outs);

  /// In the kernel: combines the values with the thread's accumulators of a
  /// cell.
  void add(Emit &emit, mlir::Value cell, llvm::ArrayRef<mlir::Value> values);

  /// On the host: starts the kernel and makes the fields of it.
  void reduce(llvm::StringRef title, mlir::Value bytes);

private:
  LoweringContext &context;
  mlir::OpBuilder &host;
  DeviceKernel &kernel;
  pm::Reduction kind;
  llvm::SmallVector<mlir::Value> outs;
  int64_t cells, threadCount;
  mlir::Value memory;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_THREADPARTIALS_H
