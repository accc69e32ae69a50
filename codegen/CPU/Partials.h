//===- Partials.h - Accumulators of a reduction's results -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_PARTIALS_H
#define PMC_CODEGEN_CPU_PARTIALS_H

#include "codegen/CPU/Launch.h"
#include "codegen/Particles/Chunk.h"

namespace pmc::codegen {

/// The accumulators of a parallel reduction whose results are fields over
/// `dims`: all cells of the first field, then those of the next, in f64.
class Partials {
public:
  Partials(llvm::ArrayRef<pm::DimAttr> dims, mlir::Value memory)
      : cells(count(dims)), memory(memory) {}

  /// Whether accumulators for so many fields are few enough for a frame.
  static bool fit(llvm::ArrayRef<pm::DimAttr> dims, size_t fields);

  /// In a kernel: combines the values with the accumulators of a cell.
  void add(Emit &emit, const Lanes &lanes, mlir::Value cell,
           llvm::ArrayRef<mlir::Value> values) const;

  /// On the host: calls the kernel and stores the results.
  void reduce(LoweringContext &context, mlir::OpBuilder &host,
              mlir::Location loc, llvm::StringRef title, Kernel &kernel,
              const Parts &parts, pm::Reduction kind,
              llvm::ArrayRef<mlir::Value> outs) const;

private:
  static int64_t count(llvm::ArrayRef<pm::DimAttr> dims);

  int64_t cells;
  mlir::Value memory;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_PARTIALS_H
