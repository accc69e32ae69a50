//===- DeviceCode.h - Kernels to what a GPU loads ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_ASSEMBLY_DEVICECODE_H
#define PMC_CODEGEN_CUDA_ASSEMBLY_DEVICECODE_H

#include "codegen/CUDA/Assembly/Images.h"

#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <future>
#include <memory>
#include <vector>

namespace mlir {
class Pass;
} // namespace mlir

namespace pmc::codegen {

/// A function's attribute that makes it a kernel of the device module.
constexpr llvm::StringLiteral kernelAttribute = "pmc.kernel";
/// A kernel's attribute that limits the registers of a thread to 64, so that
/// 1024 threads run on a multiprocessor at one time.
constexpr llvm::StringLiteral fewRegistersAttribute = "pmc.few_registers";

/// The module's, of the kernels' PTX.
constexpr llvm::StringLiteral ptxAttribute = "pmc.ptx";

/// The symbol of a block's shared memory there.
constexpr llvm::StringLiteral sharedMemoryName = "pmc_shared";

/// The images of a program's kernels. They take as long as the rest of the
/// compiler and are made beside it, on a thread of their own.
class DeviceCode {
public:
  using Images = llvm::Expected<std::vector<Image>>;

  DeviceCode() = default;
  DeviceCode(const DeviceCode &) = delete;
  DeviceCode &operator=(const DeviceCode &) = delete;
  ~DeviceCode();

  void start(llvm::unique_function<Images()> make);
  /// Waits for them, once. None if nothing was started: a program without
  /// kernels.
  Images take();

private:
  std::future<Images> images;
};

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
  /// Receives the images; outlives the pass. Null: the module keeps the PTX.
  DeviceCode *code = nullptr;
};

/// `pm-device-code`: takes the nested module of kernels away and starts to make
/// images of it.
std::unique_ptr<mlir::Pass> createDeviceCodePass(DeviceOptions options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_ASSEMBLY_DEVICECODE_H
