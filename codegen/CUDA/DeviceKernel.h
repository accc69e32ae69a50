//===- DeviceKernel.h - A function that GPU threads run ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_DEVICEKERNEL_H
#define PMC_CODEGEN_CUDA_DEVICEKERNEL_H

#include "codegen/Lowering/Kernel.h"

namespace pmc::codegen {

/// Threads a block.
/// A kernel of the device module. Captured host values are its arguments. All
/// its loops run over any number of blocks.
class DeviceKernel : public Kernel {
public:
  /// `title`: what the profiler shows.
  DeviceKernel(LoweringContext &context, mlir::OpBuilder &host,
               mlir::Location loc, llvm::StringRef title)
      : Kernel(context, host, loc, title), title(title) {}

  /// Blocks of it have so many bytes of shared memory.
  void useShared(int64_t bytes) { shared = bytes; }

  /// Its threads have at most 64 registers.
  void useFewRegisters() { hasFewRegisters = true; }

  /// Creates the function; the builder is then in its body.
  void create();

  /// In the body, i64: the thread's number, and how many there are.
  mlir::Value getThread() const { return thread; }
  mlir::Value getThreads() const { return threads; }
  /// The number of its block, how many there are, and the thread's number in
  /// it.
  mlir::Value getBlock() const { return block; }
  mlir::Value getBlocks() const { return blocks; }
  mlir::Value getThreadOfBlock() const { return own; }

  /// On the host, the body being complete: starts it on enough threads for so
  /// many items; `bytes` is the traffic. The host does not wait.
  void launch(mlir::Value items, mlir::Value bytes);
  /// The same on exactly so many blocks.
  void launchBlocks(mlir::Value blocks, mlir::Value bytes);

private:
  void launch(mlir::Value amount, pmk::Grid grid, mlir::Value bytes);

  llvm::StringRef title;
  int64_t shared = 0;
  bool hasFewRegisters = false;
  mlir::Value block, blocks, own, thread, threads;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_DEVICEKERNEL_H
