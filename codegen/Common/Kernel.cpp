//===- Kernel.cpp - A function that a parallel loop calls -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Common/Kernel.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

void Kernel::capture(Value value) {
  if (positions.contains(value) || matchPattern(value, m_Constant()))
    return;
  // Two allocs of one number are the same memory, which two pointers that do
  // not alias must not stand for.
  if (auto alloc = value.getDefiningOp<AllocOp>()) {
    auto [known, isNew] = buffers.insert({alloc.getId(), captured.size()});
    if (!isNew) {
      positions[value] = known->second;
      return;
    }
  }
  positions[value] = captured.size();
  bool isBuffer = isa<BufferType>(value.getType());
  if (isBuffer)
    data.push_back(captured.size());
  captured.push_back(isBuffer ? context.data(host, value) : value);
}

/// How a captured value is stored in the frame: i1 as i8, index as i64.
static Type storedType(Type type) {
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 64);
  if (auto complex = dyn_cast<ComplexType>(type))
    return LLVM::LLVMStructType::getLiteral(
        type.getContext(),
        {complex.getElementType(), complex.getElementType()});
  return type;
}

static Value toStored(OpBuilder &builder, Value value) {
  Type type = value.getType();
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, value.getLoc(), storedType(type),
                                  value);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, value.getLoc(), storedType(type),
                                      value);
  if (isa<ComplexType>(type))
    return UnrealizedConversionCastOp::create(builder, value.getLoc(),
                                              storedType(type), value)
        .getResult(0);
  return value;
}

static Value fromStored(OpBuilder &builder, Value value, Type type) {
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, value.getLoc(), type, value);
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, value.getLoc(), type, value);
  if (isa<ComplexType>(type))
    return UnrealizedConversionCastOp::create(builder, value.getLoc(), type,
                                              value)
        .getResult(0);
  return value;
}

void Kernel::createFunction(OpBuilder &top, ArrayRef<Type> extra, bool packed) {
  MLIRContext *mlir = top.getContext();
  SmallVector<Type> types, stored;
  for (Value value : captured) {
    stored.push_back(storedType(value.getType()));
    types.push_back(packed ? stored.back() : value.getType());
  }
  llvm::append_range(types, extra);
  frameType = LLVM::LLVMStructType::getLiteral(mlir, stored);

  // No name of the user's has a dot.
  function =
      func::FuncOp::create(top, loc, context.uniqueName("kernel." + name),
                           FunctionType::get(mlir, types, {}));
  function->setAttr("passthrough", top.getStrArrayAttr(attributes));
  for (unsigned i = 0; i < types.size(); ++i)
    if (isa<LLVM::LLVMPointerType>(types[i]))
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          top.getUnitAttr());
  Block *block = function.addEntryBlock();
  builder.emplace(OpBuilder::atBlockEnd(block));
  func::ReturnOp::create(*builder, loc);
  builder->setInsertionPointToStart(block);
  for (auto [argument, value] : llvm::zip(block->getArguments(), captured))
    arguments_.push_back(
        packed ? fromStored(*builder, argument, value.getType()) : argument);
  llvm::append_range(extras, block->getArguments().drop_front(captured.size()));
}

void Kernel::create(ArrayRef<Type> extra) {
  MLIRContext *mlir = context.getModule().getContext();
  Type pointer = LLVM::LLVMPointerType::get(mlir);
  OpBuilder top = OpBuilder::atBlockEnd(context.getModule().getBody());
  createFunction(top, extra, /*packed=*/false);
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(mlir, LLVM::Linkage::Internal));

  SmallVector<Type> outer{pointer};
  llvm::append_range(outer, extra);
  wrapper = LLVM::LLVMFuncOp::create(
      top, loc, function.getName().str() + ".call",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(mlir), outer),
      LLVM::Linkage::Internal);
  Block *entry = wrapper.addEntryBlock(top);
  OpBuilder inner = OpBuilder::atBlockEnd(entry);
  SmallVector<Value> operands;
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value address = LLVM::GEPOp::create(inner, loc, pointer, frameType,
                                        entry->getArgument(0),
                                        ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    Value loaded =
        LLVM::LoadOp::create(inner, loc, frameType.getBody()[i], address);
    operands.push_back(fromStored(inner, loaded, value.getType()));
  }
  llvm::append_range(operands, entry->getArguments().drop_front());
  func::CallOp::create(inner, loc, function, operands);
  LLVM::ReturnOp::create(inner, loc, ValueRange());
}

Value Kernel::get(Value value) {
  auto position = positions.find(value);
  if (position != positions.end())
    return arguments_[position->second];
  Value &copy = constants[value];
  if (!copy) {
    OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
    copy = start.clone(*value.getDefiningOp())->getResult(0);
  }
  return copy;
}

Value Kernel::address() {
  return LLVM::AddressOfOp::create(host, loc, wrapper);
}

Value Kernel::arguments() {
  SmallVector<Value> stored = addresses();
  // The first member lies where the frame does.
  return stored.empty() ? context.null(host) : stored.front();
}

SmallVector<Value> Kernel::addresses() {
  if (captured.empty())
    return {};
  Value memory = context.frame(host, frameType);
  SmallVector<Value> stored;
  for (auto [i, value] : llvm::enumerate(captured)) {
    stored.push_back(
        LLVM::GEPOp::create(host, loc, memory.getType(), frameType, memory,
                            ArrayRef<LLVM::GEPArg>{0, int32_t(i)}));
    LLVM::StoreOp::create(host, loc, toStored(host, value), stored.back());
  }
  return stored;
}
