//===- LoweringContext.cpp - What lowerings share -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Lowering/LoweringContext.h"

#include "codegen/Lowering/Handles.h"

#include "mlir/IR/Matchers.h"
#include "pmrt/pmrt.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

static constexpr StringLiteral textName = "pmc.text";

LoweringContext::LoweringContext(ModuleOp module, ProgramTables &tables,
                                 TargetInfo target)
    : module(module), tables(tables), target(target) {
  // Texts that a pass before needed.
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getSymName().starts_with(textName)) {
      auto text = cast<StringAttr>(global.getValueOrNull());
      strings[text.getValue().drop_back()] = global;
      ++names[textName];
    }
}

ModuleOp LoweringContext::getDeviceModule() {
  if (!deviceModule) {
    OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
    deviceModule = ModuleOp::create(top, module.getLoc(), deviceModuleName);
  }
  return deviceModule;
}

Value LoweringContext::getContext(OpBuilder &builder) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  auto function = isa<func::FuncOp>(op) ? cast<func::FuncOp>(op)
                                        : op->getParentOfType<func::FuncOp>();
  return function.getArgument(0);
}

Value LoweringContext::constant(OpBuilder &builder, int64_t value,
                                unsigned bits) {
  return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), value,
                                      bits);
}

Value LoweringContext::constant(OpBuilder &builder, double value) {
  return arith::ConstantFloatOp::create(builder, builder.getUnknownLoc(),
                                        builder.getF64Type(),
                                        llvm::APFloat(value));
}

Value LoweringContext::null(OpBuilder &builder) {
  return LLVM::ZeroOp::create(builder, builder.getUnknownLoc(),
                              LLVM::LLVMPointerType::get(builder.getContext()));
}

Value LoweringContext::location(OpBuilder &builder, Location loc) {
  return constant(builder, tables.location(loc), 32);
}

Value LoweringContext::string(OpBuilder &builder, StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    std::string value = text.str();
    value.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), value.size());
    global =
        LLVM::GlobalOp::create(top, module.getLoc(), type, /*isConstant=*/true,
                               LLVM::Linkage::Internal, uniqueName(textName),
                               builder.getStringAttr(value));
  }
  return LLVM::AddressOfOp::create(builder, module.getLoc(), global);
}

Value LoweringContext::call(OpBuilder &builder, Location loc,
                            RuntimeFunction function, ValueRange operands) {
  SmallVector<Value> passed = llvm::map_to_vector(operands, getAddress);
  auto made =
      LLVM::CallOp::create(builder, loc, function.declareIn(module), passed);
  return made.getNumResults() ? made.getResult() : Value();
}

static func::FuncOp getFunction(OpBuilder &builder) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  return isa<func::FuncOp>(op) ? cast<func::FuncOp>(op)
                               : op->getParentOfType<func::FuncOp>();
}

Value LoweringContext::frame(OpBuilder &builder, Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  func::FuncOp function = getFunction(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(
      builder, function.getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext()), type,
      constant(builder, count, 64));
}

Value LoweringContext::scratch(OpBuilder &builder, int64_t count) {
  LLVM::AllocaOp &memory = scratchMemory[getFunction(builder)];
  if (!memory) {
    memory = frame(builder, builder.getF64Type(), count)
                 .getDefiningOp<LLVM::AllocaOp>();
    return memory;
  }
  llvm::APInt size;
  if (matchPattern(memory.getArraySize(), m_ConstantInt(&size)) &&
      size.getSExtValue() < count) {
    OpBuilder before(memory);
    memory.getArraySizeMutable().assign(constant(before, count, 64));
  }
  return memory;
}

std::pair<Value, Value> LoweringContext::getLocalPart(OpBuilder &builder,
                                                      DimAttr dim) {
  Value program = getContext(builder);
  auto &[extent, offset] = localParts[{program, dim}];
  if (!extent) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(program.getParentBlock());
    Value index = constant(builder, tables.dim(dim), 32);
    extent = call(builder, program.getLoc(), PMRT_FUNCTION(pmrt_local_extent),
                  {program, index});
    offset = call(builder, program.getLoc(), PMRT_FUNCTION(pmrt_local_offset),
                  {program, index});
  }
  return {extent, offset};
}

Value LoweringContext::pack(OpBuilder &builder, ValueRange values,
                            Type element) {
  if (values.empty())
    return null(builder);
  Value memory = frame(builder, element, values.size());
  for (auto [i, value] : llvm::enumerate(values)) {
    Value address =
        LLVM::GEPOp::create(builder, value.getLoc(), memory.getType(), element,
                            memory, ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(builder, value.getLoc(), value, address);
  }
  return memory;
}

Value LoweringContext::data(OpBuilder &builder, Value buffer) {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  Value &pointer = pointers[buffer];
  if (!pointer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(alloc);
    pointer = call(builder, alloc.getLoc(), PMRT_FUNCTION(pmrt_buffer),
                   {getContext(builder), constant(builder, alloc.getId(), 32)});
  }
  return pointer;
}

static int32_t elementCode(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? PMRT_C64 : PMRT_C128;
  if (type.isF32())
    return PMRT_F32;
  if (type.isF64())
    return PMRT_F64;
  if (type.isBF16())
    return PMRT_BF16;
  if (type.isF16())
    return PMRT_F16;
  return type.isInteger(1) ? PMRT_I8 : PMRT_I64;
}

int32_t LoweringContext::getSpace() const {
  return target.kind == Target::CPU ? PMRT_HOST : PMRT_DEVICE;
}

Value LoweringContext::array(OpBuilder &builder, Value buffer) {
  // A buffer's place and dims never change: its description is written once.
  Value &known = arrays[buffer];
  if (known)
    return known;
  Value address = data(builder, buffer);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(address);
  auto type = cast<BufferType>(buffer.getType());
  known = describe(builder, buffer.getLoc(), address, type.getDims(),
                   type.getElementType(), getSpace());
  return known;
}

Value LoweringContext::shape(OpBuilder &builder, Location loc,
                             ArrayRef<DimAttr> dims, Type element) {
  return describe(builder, loc, null(builder), dims, element, getSpace());
}

/// What pmrt_array has behind the address of the data.
Value LoweringContext::arrayTail(OpBuilder &builder, Location loc,
                                 ArrayRef<int32_t> numbers) {
  LLVM::GlobalOp &global = arrayTails[builder.getDenseI32ArrayAttr(numbers)];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto size = int64_t(numbers.size());
    global = LLVM::GlobalOp::create(
        top, module.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI32Type(), unsigned(size)),
        /*isConstant=*/true, LLVM::Linkage::Internal, uniqueName("pmc.array"),
        DenseElementsAttr::get(
            RankedTensorType::get({size}, builder.getI32Type()), numbers));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value LoweringContext::describe(OpBuilder &builder, Location loc, Value data,
                                ArrayRef<DimAttr> list, Type element,
                                int32_t space) {
  MLIRContext *context = builder.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type();
  auto dims = LLVM::LLVMArrayType::get(i32, PMRT_MAX_RANK);
  auto record =
      LLVM::LLVMStructType::getLiteral(context, {pointer, i32, i32, i32, dims});
  SmallVector<int32_t> numbers{elementCode(element), space,
                               int32_t(list.size())};
  for (DimAttr dim : list)
    numbers.push_back(tables.dim(dim));
  Value memory = frame(builder, record);
  LLVM::StoreOp::create(builder, loc, data, memory);
  // All other members are constants. One copy of them makes less code than
  // their stores do.
  Value tail = LLVM::GEPOp::create(builder, loc, pointer, record, memory,
                                   ArrayRef<LLVM::GEPArg>{0, 1});
  LLVM::MemcpyOp::create(
      builder, loc, tail, arrayTail(builder, loc, numbers),
      constant(builder, int64_t(numbers.size() * sizeof(int32_t)), 64),
      /*isVolatile=*/false);
  return memory;
}

void LoweringContext::copy(OpBuilder &builder, Location loc, Value from,
                           Value to) {
  if (from.getDefiningOp<AllocOp>().getId() ==
      to.getDefiningOp<AllocOp>().getId())
    return;
  call(builder, loc, PMRT_FUNCTION(pmrt_copy),
       {getContext(builder), null(builder), location(builder, loc),
        array(builder, from), array(builder, to)});
}

void LoweringContext::planTransform(Location loc, bool forward, uint32_t dims,
                                    Value in, Value out) {
  Transform made{loc, forward, dims, in.getDefiningOp<AllocOp>(),
                 out.getDefiningOp<AllocOp>()};
  tables.addTransform(cast<BufferType>(in.getType()),
                      cast<BufferType>(out.getType()), dims, in == out,
                      !forward);
  if (llvm::none_of(transforms, [&](const Transform &other) {
        return other.forward == forward && other.dims == dims &&
               other.in == made.in && other.out == made.out;
      }))
    transforms.push_back(made);
}

void LoweringContext::emitPlans(OpBuilder &builder) {
  for (Transform &transform : transforms)
    call(builder, transform.loc, PMRT_FUNCTION(pmrt_plan_fft),
         {getContext(builder), location(builder, transform.loc),
          constant(builder, int64_t(transform.forward), 32),
          constant(builder, int64_t(transform.dims), 32),
          array(builder, transform.in), array(builder, transform.out)});
}

std::string LoweringContext::uniqueName(StringRef base) {
  int &count = names[base];
  std::string name = base.str();
  if (count++)
    name += "." + std::to_string(count - 1);
  return name;
}
