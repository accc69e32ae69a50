//===- DeviceCode.cpp - Kernels to what a GPU loads -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/DeviceCode.h"
#include "codegen/CUDA/Emulate.h"
#include "codegen/CUDA/PTX.h"
#include "codegen/CUDA/Ptxas.h"
#include "codegen/Common/LoweringContext.h"
#include "codegen/LLVM/ToLLVM.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace pmc::codegen;

DeviceCode::~DeviceCode() {
  if (images.valid())
    llvm::consumeError(images.get().takeError());
}

void DeviceCode::start(llvm::unique_function<Images()> make) {
  // Where there can be no thread, when they are waited for.
  images =
      std::async(std::launch::async | std::launch::deferred, std::move(make));
}

DeviceCode::Images DeviceCode::take() {
  return images.valid() ? images.get() : std::vector<Image>();
}

/// PTX and, behind each other in the order of the options, machine codes. The
/// context of MLIR is not this thread's.
static DeviceCode::Images makeImages(KernelModule kernels,
                                     const DeviceOptions &options) {
  llvm::Expected<std::string> ptx = emitPTX(std::move(kernels));
  if (!ptx)
    return ptx.takeError();
  std::vector<Image> images;
  if (options.assemble) {
    llvm::Expected<std::vector<std::string>> cubins =
        assemble(*ptx, options.archs);
    if (!cubins)
      return cubins.takeError();
    for (auto [arch, cubin] : llvm::zip(options.archs, *cubins))
      images.push_back({PMRT_IMAGE_CUBIN, arch, std::move(cubin)});
  }
  images.push_back({PMRT_IMAGE_PTX, *llvm::min_element(options.archs), *ptx});
  return images;
}

namespace {

class DeviceCodePass
    : public PassWrapper<DeviceCodePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceCodePass)
  explicit DeviceCodePass(DeviceOptions options)
      : options(std::move(options)), pipeline(ModuleOp::getOperationName()) {
    addToLLVMPasses(pipeline, this->options.debugInfo);
  }
  StringRef getArgument() const override { return "pm-device-code"; }
  StringRef getDescription() const override {
    return "compile the module of kernels for GPUs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto device = module.lookupSymbol<ModuleOp>(deviceModuleName);
    if (!device)
      return;
    if (failed(runPipeline(pipeline, device)))
      return signalPassFailure();
    FailureOr<KernelModule> kernels = translateKernels(
        device, {*llvm::min_element(options.archs), options.optimization});
    if (failed(kernels))
      return signalPassFailure();
    options.code->start(
        [kernels = std::move(*kernels), options = options]() mutable {
          return makeImages(std::move(kernels), options);
        });
    if (options.emulate)
      emulateKernels(device, module);
    device.erase();
  }

private:
  DeviceOptions options;
  OpPassManager pipeline;
};

} // namespace

std::unique_ptr<Pass>
pmc::codegen::createDeviceCodePass(DeviceOptions options) {
  return std::make_unique<DeviceCodePass>(std::move(options));
}
