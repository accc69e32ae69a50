//===- DeviceCode.cpp - Kernels to what a GPU loads -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Assembly/DeviceCode.h"
#include "codegen/CUDA/Assembly/PTX.h"
#include "codegen/CUDA/Assembly/Ptxas.h"
#include "codegen/CUDA/Emulate.h"
#include "codegen/LLVM/ToLLVM.h"
#include "codegen/Lowering/LoweringContext.h"
#include "codegen/Passes.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace pmc::codegen {
#define GEN_PASS_DEF_DEVICECODE
#include "codegen/Passes.h.inc"
} // namespace pmc::codegen

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
                                     ArrayRef<unsigned> archs, bool assembles) {
  llvm::Expected<std::string> ptx = emitPTX(std::move(kernels));
  if (!ptx)
    return ptx.takeError();
  std::vector<Image> images;
  if (assembles) {
    llvm::Expected<std::vector<std::string>> cubins = assemble(*ptx, archs);
    if (!cubins)
      return cubins.takeError();
    for (auto [arch, cubin] : llvm::zip(archs, *cubins))
      images.push_back({PMRT_IMAGE_CUBIN, arch, std::move(cubin)});
  }
  images.push_back({PMRT_IMAGE_PTX, *llvm::min_element(archs), *ptx});
  return images;
}

namespace {

class DeviceCodePass
    : public pmc::codegen::impl::DeviceCodeBase<DeviceCodePass> {
public:
  using DeviceCodeBase::DeviceCodeBase;
  explicit DeviceCodePass(const DeviceOptions &options)
      : archs(options.archs), assembles(options.assemble), code(options.code) {
    optimization = options.optimization;
    emulate = options.emulate;
    debugInfo = options.debugInfo;
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    DeviceCodeBase::getDependentDialects(registry);
    OpPassManager all(ModuleOp::getOperationName());
    addToLLVMPasses(all, debugInfo);
    all.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto device = module.lookupSymbol<ModuleOp>(deviceModuleName);
    if (!device)
      return;
    pipeline.clear();
    addToLLVMPasses(pipeline, debugInfo);
    if (failed(runPipeline(pipeline, device)))
      return signalPassFailure();
    unsigned least = code ? *llvm::min_element(archs) : unsigned(arch);
    FailureOr<KernelModule> kernels =
        translateKernels(device, {least, optimization});
    if (failed(kernels) || failed(make(module, std::move(*kernels))))
      return signalPassFailure();
    if (emulate)
      emulateKernels(device, module);
    device.erase();
  }

private:
  LogicalResult make(ModuleOp module, KernelModule kernels) {
    if (code) {
      code->start([kernels = std::move(kernels), archs = archs,
                   assembles = assembles]() mutable {
        return makeImages(std::move(kernels), archs, assembles);
      });
      return success();
    }
    llvm::Expected<std::string> ptx = emitPTX(std::move(kernels));
    if (!ptx)
      return module.emitError(llvm::toString(ptx.takeError()));
    module->setAttr(ptxAttribute, StringAttr::get(module.getContext(), *ptx));
    return success();
  }

  std::vector<unsigned> archs;
  bool assembles = false;
  DeviceCode *code = nullptr;
  OpPassManager pipeline{ModuleOp::getOperationName()};
};

} // namespace

std::unique_ptr<Pass>
pmc::codegen::createDeviceCodePass(DeviceOptions options) {
  return std::make_unique<DeviceCodePass>(options);
}
