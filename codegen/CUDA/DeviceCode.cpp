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

#include "pmrt/pmrt_cuda.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace pmc::codegen;

namespace {

struct Image {
  pmrt_image_kind kind;
  unsigned arch;
  std::string data;
};

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
    SmallVector<Image> images;
    if (device) {
      if (failed(runPipeline(pipeline, device)) ||
          failed(compile(device, images)))
        return signalPassFailure();
      if (options.emulate)
        emulateKernels(device, module);
      device.erase();
    }
    embed(module, images);
  }

private:
  LogicalResult compile(ModuleOp device, SmallVectorImpl<Image> &images) {
    unsigned lowest = *llvm::min_element(options.archs);
    FailureOr<std::string> ptx =
        emitPTX(device, {lowest, options.optimization});
    if (failed(ptx))
      return failure();
    if (options.ptx)
      *options.ptx = *ptx;
    if (options.assemble) {
      llvm::Expected<std::vector<std::string>> cubins =
          assemble(*ptx, options.archs);
      if (!cubins)
        return device.emitError(llvm::toString(cubins.takeError()));
      for (auto [arch, cubin] : llvm::zip(options.archs, *cubins))
        images.push_back({PMRT_IMAGE_CUBIN, arch, std::move(cubin)});
    }
    // The runtime wants it to end with a NUL.
    ptx->push_back('\0');
    images.push_back({PMRT_IMAGE_PTX, lowest, std::move(*ptx)});
    return success();
  }

  /// Gives the program's pmrt_device_code its contents.
  static void embed(ModuleOp module, ArrayRef<Image> images) {
    auto code = module.lookupSymbol<LLVM::GlobalOp>(deviceCodeName);
    Location loc = module.getLoc();
    OpBuilder top(code);
    MLIRContext *context = top.getContext();
    Type i32 = top.getI32Type(), i64 = top.getI64Type();
    Type pointer = LLVM::LLVMPointerType::get(context);
    auto record =
        LLVM::LLVMStructType::getLiteral(context, {i32, i32, i64, pointer});
    auto list = LLVM::LLVMArrayType::get(record, images.size());
    SmallVector<LLVM::GlobalOp> data;
    for (auto [i, image] : llvm::enumerate(images)) {
      auto bytes = LLVM::LLVMArrayType::get(top.getI8Type(), image.data.size());
      data.push_back(LLVM::GlobalOp::create(
          top, loc, bytes, /*isConstant=*/true, LLVM::Linkage::Internal,
          "pmc.device.image." + std::to_string(i),
          top.getStringAttr(image.data), /*alignment=*/16));
    }
    auto all = LLVM::GlobalOp::create(top, loc, list, /*isConstant=*/true,
                                      LLVM::Linkage::Internal,
                                      "pmc.device.images", Attribute());
    auto initialize = [&](LLVM::GlobalOp global, auto fill) {
      OpBuilder body =
          OpBuilder::atBlockEnd(&global.getInitializer().emplaceBlock());
      Value value = LLVM::UndefOp::create(body, loc, global.getType());
      auto set = [&](Value member, ArrayRef<int64_t> where) {
        value = LLVM::InsertValueOp::create(body, loc, value, member, where);
      };
      auto number = [&](Type type, int64_t amount) -> Value {
        return LLVM::ConstantOp::create(body, loc, type,
                                        body.getIntegerAttr(type, amount));
      };
      fill(body, set, number);
      LLVM::ReturnOp::create(body, loc, value);
    };
    initialize(all, [&](OpBuilder &body, auto set, auto number) {
      for (auto [i, image] : llvm::enumerate(images)) {
        auto at = int64_t(i);
        set(number(i32, image.kind), {at, 0});
        set(number(i32, image.arch), {at, 1});
        set(number(i64, int64_t(image.data.size())), {at, 2});
        set(LLVM::AddressOfOp::create(body, loc, data[i]), {at, 3});
      }
    });
    code.setLinkage(LLVM::Linkage::Internal);
    initialize(code, [&](OpBuilder &body, auto set, auto number) {
      set(number(i64, int64_t(images.size())), {0});
      set(LLVM::AddressOfOp::create(body, loc, all), {1});
    });
  }

  DeviceOptions options;
  OpPassManager pipeline;
};

} // namespace

std::unique_ptr<Pass>
pmc::codegen::createDeviceCodePass(DeviceOptions options) {
  return std::make_unique<DeviceCodePass>(std::move(options));
}
