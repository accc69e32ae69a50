//===- Images.cpp - What a GPU loads --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Assembly/Images.h"
#include "codegen/Lowering/DeviceSymbols.h"
#include "codegen/Lowering/LoweringContext.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace pmc::codegen;

namespace {

/// Fills a global record by record.
class Initializer {
public:
  explicit Initializer(LLVM::GlobalOp global)
      : loc(global.getLoc()),
        body(OpBuilder::atBlockEnd(&global.getInitializer().emplaceBlock())),
        value(LLVM::UndefOp::create(body, loc, global.getType())) {}
  Initializer(const Initializer &) = delete;
  Initializer &operator=(const Initializer &) = delete;
  ~Initializer() { LLVM::ReturnOp::create(body, loc, value); }

  void set(ArrayRef<int64_t> where, Type type, int64_t number) {
    set(where, LLVM::ConstantOp::create(body, loc, type,
                                        body.getIntegerAttr(type, number)));
  }
  void set(ArrayRef<int64_t> where, LLVM::GlobalOp address) {
    set(where, LLVM::AddressOfOp::create(body, loc, address));
  }

private:
  void set(ArrayRef<int64_t> where, Value member) {
    value = LLVM::InsertValueOp::create(body, loc, value, member, where);
  }

  Location loc;
  OpBuilder body;
  Value value;
};

} // namespace

/// The symbol, as the program declared it or new.
static LLVM::GlobalOp getDeviceCode(ModuleOp module) {
  if (auto declared = module.lookupSymbol<LLVM::GlobalOp>(deviceCodeName))
    return declared;
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  return declareDeviceCode(top, module.getLoc());
}

void pmc::codegen::embedImages(ModuleOp module, ArrayRef<Image> images) {
  module.getContext()->getOrLoadDialect<LLVM::LLVMDialect>();
  LLVM::GlobalOp code = getDeviceCode(module);
  Location loc = module.getLoc();
  OpBuilder top(code);
  Type i8 = top.getI8Type(), i32 = top.getI32Type(), i64 = top.getI64Type();
  auto record = LLVM::LLVMStructType::getLiteral(
      top.getContext(),
      {i32, i32, i64, LLVM::LLVMPointerType::get(top.getContext())});
  auto all = LLVM::GlobalOp::create(
      top, loc, LLVM::LLVMArrayType::get(record, images.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, "pmc.device.images",
      Attribute());
  Initializer list(all);
  for (auto [i, image] : llvm::enumerate(images)) {
    std::string data = image.data;
    // The runtime requires text to end with a NUL.
    if (image.kind == PMRT_IMAGE_PTX)
      data.push_back('\0');
    auto bytes = LLVM::GlobalOp::create(
        top, loc, LLVM::LLVMArrayType::get(i8, data.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        "pmc.device.image." + std::to_string(i), top.getStringAttr(data),
        /*alignment=*/16);
    auto at = int64_t(i);
    list.set({at, 0}, i32, image.kind);
    list.set({at, 1}, i32, image.arch);
    list.set({at, 2}, i64, int64_t(data.size()));
    list.set({at, 3}, bytes);
  }
  Initializer whole(code);
  whole.set({0}, i64, int64_t(images.size()));
  whole.set({1}, all);
}
