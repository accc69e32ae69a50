//===- Threads.h - How a domain is dealt to GPU threads ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_THREADS_THREADS_H
#define PMC_CODEGEN_CUDA_THREADS_THREADS_H

#include "codegen/CUDA/DeviceKernel.h"
#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// Deals the elements of a domain to threads: a thread group, neighbors of a
/// block, takes a row, everything along the last dim, one after the other, so
/// that they touch memory side by side: `width` elements, which divides the
/// row, or one. Of a domain of one dim, all threads are a group.
class Threads {
public:
  /// `part`: what threads look at; null: all.
  Threads(const ScheduleSizes &sizes, llvm::ArrayRef<pm::DimAttr> dims,
          int64_t width = 1, const DomainPart *part = nullptr);

  /// On the host: threads that find work.
  mlir::Value getItems(mlir::OpBuilder &host, mlir::Location loc,
                       Extents &extents) const;
  /// The most there can be on any rank.
  int64_t getMostItems() const;

  using PartBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, const RowPart &, mlir::ValueRange)>;
  /// In a kernel: calls `body` for the parts of every row that are this
  /// thread's, `width` elements at each. Takes and returns carried values.
  llvm::SmallVector<mlir::Value> forParts(DeviceKernel &kernel,
                                          KernelExtents &extents,
                                          mlir::ValueRange carried,
                                          PartBody body) const;

  using ElementBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::Value, mlir::ValueRange)>;
  /// The same element by element; `body` has entered the row.
  llvm::SmallVector<mlir::Value> forElements(DeviceKernel &kernel, Body &body,
                                             mlir::ValueRange carried,
                                             ElementBody element) const;

private:
  llvm::ArrayRef<pm::DimAttr> dims;
  const DomainPart *part;
  int64_t width, group;
};

/// Elements that a thread should have at a time: of a short body, so many that
/// it touches 16 bytes at once. Rows of buffers begin at multiples of that, but
/// parts of rows do not.
int64_t getWidth(pm::DomainOpInterface op);

/// The memory traffic of an op, on the host.
mlir::Value getTraffic(mlir::OpBuilder &host, Extents &extents,
                       pm::DomainOpInterface op);
mlir::Value getTraffic(mlir::OpBuilder &host, pm::DomainOpInterface op,
                       const DomainPart &part);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_THREADS_THREADS_H
