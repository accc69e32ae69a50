//===- Launch.h - Parallel loops on the host --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_LAUNCH_H
#define PMC_CODEGEN_CPU_LAUNCH_H

#include "codegen/Lowering/Extents.h"

namespace pmc::codegen {

/// The parts in which the runtime hands out a domain: its rows, or its elements
/// if it has one dim.
struct Parts {
  mlir::Value count;
  /// Memory traffic of one part; 0 if the time of the part is unrelated to it.
  mlir::Value bytes;
};
Parts getParts(mlir::OpBuilder &host, Extents &extents,
               pm::DomainOpInterface op);
Parts getParts(mlir::OpBuilder &host, Extents &extents,
               pm::DomainOpInterface op, const DomainPart &part);

/// Calls the runtime's parallel loops with kernels.
class Launch {
public:
  Launch(LoweringContext &context, mlir::OpBuilder &host, mlir::Location loc,
         llvm::StringRef title)
      : context(context), host(host), loc(loc), title(title) {}

  void loop(Kernel &kernel, const Parts &parts);
  /// Reduces `width` accumulators into out.
  void reduce(Kernel &kernel, const Parts &parts, int64_t width,
              pm::Reduction kind, mlir::Value out);

private:
  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  llvm::StringRef title;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_LAUNCH_H
