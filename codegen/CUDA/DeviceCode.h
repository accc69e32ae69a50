//===- DeviceCode.h - Kernels to what a GPU loads ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_DEVICECODE_H
#define PMC_CODEGEN_CUDA_DEVICECODE_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class Pass;
} // namespace mlir

namespace pmc::codegen {

/// A function's attribute that makes it a kernel of the device module.
constexpr llvm::StringLiteral kernelAttribute = "pmc.kernel";

/// The symbol of a block's shared memory there.
constexpr llvm::StringLiteral sharedMemoryName = "pmc_shared";

struct DeviceOptions {
  /// Compute capabilities, 90 for sm_90; PTX is for the lowest of them.
  std::vector<unsigned> archs{80, 90};
  unsigned optimization = 2;
  /// Whether ptxas makes machine code for each of them, if it is there.
  bool assemble = true;
  /// Whether the host's module gets the kernels, too, as functions for a
  /// simulated GPU.
  bool emulate = false;
  bool debugInfo = false;
  /// Receives the PTX; may be null.
  std::string *ptx = nullptr;
};

/// The nested module of kernels becomes images in the program's
/// pmrt_device_code.
std::unique_ptr<mlir::Pass> createDeviceCodePass(DeviceOptions options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_DEVICECODE_H
