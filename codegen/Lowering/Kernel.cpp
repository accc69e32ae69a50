//===- Kernel.cpp - A function that a parallel loop calls -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/Kernel.h"
#include "codegen/Lowering/Emit.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pmc;
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
  if (isa<BufferType>(value.getType()))
    data.push_back(captured.size());
  if (auto type = dyn_cast<BufferType>(value.getType()))
    value =
        Emit(host, loc).span(context.data(host, value), type.getElementType());
  captured.push_back(value);
}

void Kernel::createFunction(OpBuilder &top, ArrayRef<Type> extra) {
  SmallVector<Type> types(TypeRange{ValueRange(captured)});
  llvm::append_range(types, extra);
  // No name of the user's has a dot.
  function =
      func::FuncOp::create(top, loc, context.uniqueName("kernel." + name),
                           top.getFunctionType(types, {}));
  function->setAttr("passthrough", top.getStrArrayAttr(attributes));
  for (unsigned i = 0; i < types.size(); ++i)
    if (isa<LLVM::LLVMPointerType, pmk::SpanType>(types[i]))
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          top.getUnitAttr());
  Block *block = function.addEntryBlock();
  builder.emplace(OpBuilder::atBlockEnd(block));
  func::ReturnOp::create(*builder, loc);
  builder->setInsertionPointToStart(block);
  llvm::append_range(arguments,
                     block->getArguments().take_front(captured.size()));
  llvm::append_range(extras, block->getArguments().drop_front(captured.size()));
}

void Kernel::create(ArrayRef<Type> extra) {
  OpBuilder top = OpBuilder::atBlockEnd(context.getModule().getBody());
  createFunction(top, extra);
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(top.getContext(), LLVM::Linkage::Internal));
}

void Kernel::refusePosition(OpBuilder &at) {
  context.call(at, loc, PMRT_FUNCTION(pmrt_refuse_position), {});
}

Value Kernel::get(Value value) {
  auto position = positions.find(value);
  if (position != positions.end())
    return arguments[position->second];
  Value &copy = constants[value];
  if (!copy) {
    OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
    copy = start.clone(*value.getDefiningOp())->getResult(0);
  }
  return copy;
}
