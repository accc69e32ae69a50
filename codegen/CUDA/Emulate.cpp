//===- Emulate.cpp - Kernels for a simulated GPU --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CUDA/Emulate.h"
#include "codegen/CUDA/Assembly/DeviceCode.h"
#include "codegen/LLVM/Objects.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::codegen;

/// As FakeCuda.h has them.
enum class FakeAccess { Read, Write, Atomic };

static LLVM::LLVMFuncOp declare(ModuleOp module, StringRef name, Type result,
                                TypeRange arguments = {}) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::LLVMFuncOp::create(
      top, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(result, llvm::to_vector(arguments)));
}

template <typename Register>
static void replaceRegister(ModuleOp device, StringRef name) {
  device.walk([&](Register op) {
    OpBuilder builder(op);
    auto call = LLVM::CallOp::create(
        builder, op.getLoc(), declare(device, name, builder.getI32Type()),
        ValueRange());
    op->replaceAllUsesWith(call);
    op->erase();
  });
}

/// What a GPU knows becomes calls.
static void replaceDeviceOps(ModuleOp device) {
  replaceRegister<NVVM::ThreadIdXOp>(device, "fakecuda_tid");
  replaceRegister<NVVM::BlockIdXOp>(device, "fakecuda_ctaid");
  replaceRegister<NVVM::GridDimXOp>(device, "fakecuda_nctaid");
  device.walk([&](NVVM::Barrier0Op op) {
    OpBuilder builder(op);
    LLVM::CallOp::create(builder, op.getLoc(),
                         declare(device, "fakecuda_barrier",
                                 LLVM::LLVMVoidType::get(builder.getContext())),
                         ValueRange());
    op->erase();
  });
  device.walk([&](LLVM::AddressOfOp op) {
    if (op.getGlobalName() != sharedMemoryName)
      return;
    OpBuilder builder(op);
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto call = LLVM::CallOp::create(
        builder, op.getLoc(), declare(device, "fakecuda_shared", pointer),
        ValueRange());
    op->replaceAllUsesWith(call);
    op->erase();
  });
  if (Operation *shared = device.lookupSymbol(sharedMemoryName))
    shared->erase();
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(device, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Calls fakecuda_access(address, bytes, kind) before the op.
static void tellAccess(ModuleOp device, Operation *op, Value address, Type type,
                       FakeAccess kind) {
  if (address.getDefiningOp<LLVM::AllocaOp>())
    return;
  OpBuilder builder(op);
  Type i32 = builder.getI32Type();
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto number = [&](int64_t amount) -> Value {
    return LLVM::ConstantOp::create(builder, op->getLoc(), i32, amount);
  };
  int64_t bytes = DataLayout(device).getTypeSize(type).getFixedValue();
  auto function =
      declare(device, "fakecuda_access", none, {address.getType(), i32, i32});
  LLVM::CallOp::create(
      builder, op->getLoc(), function,
      ValueRange{address, number(bytes), number(int64_t(kind))});
}

/// What kernels read and write is told, so that races can be found.
static void tellAccesses(ModuleOp device) {
  device.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](LLVM::LoadOp load) {
          tellAccess(device, op, load.getAddr(), load.getType(),
                     FakeAccess::Read);
        })
        .Case([&](LLVM::StoreOp store) {
          tellAccess(device, op, store.getAddr(), store.getValue().getType(),
                     store.getOrdering() == LLVM::AtomicOrdering::not_atomic
                         ? FakeAccess::Write
                         : FakeAccess::Atomic);
        })
        .Case([&](LLVM::AtomicRMWOp atomic) {
          tellAccess(device, op, atomic.getPtr(), atomic.getType(),
                     FakeAccess::Atomic);
        });
  });
}

/// const int32_t NAME.sizes[1 + N]: how many arguments, and their bytes.
static void createSizes(OpBuilder &top, LLVM::LLVMFuncOp kernel) {
  DataLayout layout(kernel->getParentOfType<ModuleOp>());
  SmallVector<int32_t> sizes{int32_t(kernel.getNumArguments())};
  for (Type type : kernel.getArgumentTypes())
    sizes.push_back(int32_t(layout.getTypeSize(type).getFixedValue()));
  LLVM::GlobalOp::create(
      top, kernel.getLoc(),
      LLVM::LLVMArrayType::get(top.getI32Type(), sizes.size()),
      /*isConstant=*/true, LLVM::Linkage::External,
      kernel.getName().str() + ".sizes", top.getI32TensorAttr(sizes));
}

/// void NAME.host(void **arguments)
static void createEntry(OpBuilder &top, LLVM::LLVMFuncOp kernel) {
  Location loc = kernel.getLoc();
  MLIRContext *context = top.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  auto entry = LLVM::LLVMFuncOp::create(
      top, loc, kernel.getName().str() + ".host",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer}));
  entry.setPassthroughAttr(top.getStrArrayAttr({exportedAttribute}));
  Block *block = entry.addEntryBlock(top);
  OpBuilder body = OpBuilder::atBlockEnd(block);
  SmallVector<Value> operands;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value slot =
        LLVM::GEPOp::create(body, loc, pointer, pointer, block->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value address = LLVM::LoadOp::create(body, loc, pointer, slot);
    operands.push_back(LLVM::LoadOp::create(body, loc, type, address));
  }
  LLVM::CallOp::create(body, loc, kernel, operands);
  LLVM::ReturnOp::create(body, loc, ValueRange());
}

/// Functions of libm get names of their own in the module, since the host may
/// declare them, too, now or later; a leading \1 keeps the assembler's name.
static void nameLibraryFunctions(ModuleOp device) {
  for (auto function : device.getOps<LLVM::LLVMFuncOp>()) {
    if (!function.isExternal())
      continue;
    auto name = StringAttr::get(device.getContext(), "\1" + function.getName());
    // What cannot be renamed is found when the program is verified.
    (void)SymbolTable::replaceAllSymbolUses(function, name, device);
    function.setSymNameAttr(name);
  }
}

void pmc::codegen::emulateKernels(ModuleOp device, ModuleOp host) {
  nameLibraryFunctions(device);
  replaceDeviceOps(device);
  tellAccesses(device);
  OpBuilder top = OpBuilder::atBlockEnd(host.getBody());
  for (Operation &op : *device.getBody()) {
    Operation *copy = top.clone(op);
    auto function = dyn_cast<LLVM::LLVMFuncOp>(copy);
    if (!function || function.isExternal())
      continue;
    ArrayAttr attributes = function.getPassthroughAttr();
    if (!attributes ||
        !llvm::is_contained(attributes.getAsValueRange<StringAttr>(),
                            kernelAttribute))
      continue;
    function.setPassthroughAttr(top.getStrArrayAttr({"noinline"}));
    function.setLinkage(LLVM::Linkage::Internal);
    createEntry(top, function);
    createSizes(top, function);
  }
}
