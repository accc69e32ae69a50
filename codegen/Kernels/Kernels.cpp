//===- Kernels.cpp - The pmk dialect: kernels -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Kernels/Kernels.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pmc::pmk;

#include "codegen/Kernels/KernelDialect.cpp.inc"
#include "codegen/Kernels/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "codegen/Kernels/KernelAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "codegen/Kernels/KernelTypes.cpp.inc"

#define GET_OP_CLASSES
#include "codegen/Kernels/KernelOps.cpp.inc"

void PMKDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "codegen/Kernels/KernelAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "codegen/Kernels/KernelTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/Kernels/KernelOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool isNumber(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<FloatType>(complex.getElementType());
  return isa<FloatType, IntegerType>(type);
}

LogicalResult SpanType::verify(function_ref<InFlightDiagnostic()> emitError,
                               Type element, Space) {
  if (isNumber(element) || isa<SpanType>(element))
    return success();
  return emitError() << "a span has numbers or spans, not " << element;
}

/// Whether spans of this space begin at such addresses.
static LogicalResult verifyAddress(Operation *op, Type address, SpanType span) {
  unsigned wanted = span.getSpace() == Space::Shared
                        ? unsigned(NVVM::NVVMMemorySpace::Shared)
                        : 0;
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(address);
  if (pointer && pointer.getAddressSpace() == wanted)
    return success();
  return op->emitOpError("has an address of type ")
         << address << ", expected "
         << LLVM::LLVMPointerType::get(op->getContext(), wanted) << " of "
         << span;
}

LogicalResult SpanOp::verify() {
  return verifyAddress(*this, getAddress().getType(), getSpan().getType());
}

LogicalResult AddressOp::verify() {
  return verifyAddress(*this, getAddress().getType(), getSpan().getType());
}

OpFoldResult AddressOp::fold(FoldAdaptor) {
  if (auto span = getSpan().getDefiningOp<SpanOp>())
    if (span.getAddress().getType() == getAddress().getType())
      return span.getAddress();
  return {};
}

static LogicalResult verifyElement(Operation *op, Type value, SpanType span) {
  if (value == span.getElement())
    return success();
  return op->emitOpError("has a value of type ")
         << value << ", expected " << span.getElement() << " of " << span;
}

LogicalResult LoadOp::verify() {
  auto vector = dyn_cast<VectorType>(getValue().getType());
  return verifyElement(*this,
                       vector ? vector.getElementType() : getValue().getType(),
                       getSpan().getType());
}

LogicalResult StoreOp::verify() {
  auto vector = dyn_cast<VectorType>(getValue().getType());
  return verifyElement(*this,
                       vector ? vector.getElementType() : getValue().getType(),
                       getSpan().getType());
}

LogicalResult AtomicAddOp::verify() {
  Type element = getValue().getType();
  if (!isa<FloatType>(element) && !element.isInteger(64))
    return emitOpError("adds ") << element << ", expected floats or i64";
  return verifyElement(*this, element, getSpan().getType());
}

LogicalResult ChunkOp::verify() {
  Type element = getSpan().getType().getElement();
  if (!isa<FloatType, IntegerType>(element))
    return emitOpError("has elements of type ")
           << element << ", expected numbers";
  int64_t lanes = vectorBits / int64_t(element.getIntOrFloatBitWidth());
  if (getSize() == 0 || int64_t(getSize()) % lanes != 0)
    return emitOpError("has ")
           << getSize() << " elements, expected a multiple of " << lanes;
  auto function = dyn_cast<FunctionOpInterface>((*this)->getParentOp());
  if (!function || (*this)->getBlock() != &function.getFunctionBody().front())
    return emitOpError("must be in its function's first block");
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Whether the kernel exists and takes what is handed to it, and `extra`
/// arguments behind.
static LogicalResult verifyKernel(Operation *op, SymbolRefAttr name,
                                  ValueRange captures, unsigned extra,
                                  SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, name);
  if (!kernel)
    return op->emitOpError("starts ") << name << ", which is not a function";
  TypeRange types = kernel.getArgumentTypes();
  if (types.size() == captures.size() + extra &&
      types.take_front(captures.size()) == captures.getTypes())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("hands over ");
  diagnostic << captures.getTypes() << " and " << extra << " more";
  diagnostic.attachNote(kernel.getLoc()) << "the kernel takes " << types;
  return diagnostic;
}

LogicalResult ParallelForOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernel(*this, getKernelAttr(), getCaptures(), 2, symbols);
}

LogicalResult ParallelListOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(
      succeeded(verifyKernel(*this, getCellBlocksAttr(), getCaptures(), 3,
                             symbols)) &&
      succeeded(verifyKernel(*this, getListAttr(), getCaptures(), 2, symbols)));
}

LogicalResult
ParallelBlocksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getSites().size() != getExtents().size())
    return emitOpError("has blocks of ")
           << getSites().size() << " dims, expected " << getExtents().size()
           << ", as the domain has";
  if (bool(getRowsAttr()) == bool(getFillAttr()))
    return emitOpError("expects a kernel for rows or one that fills, has ")
           << (getRowsAttr() ? "both" : "none");
  if (getFillAttr() && !(getFields() && getBelow() && getAbove()))
    return emitOpError("expects fields, below and above with a kernel that "
                       "fills");
  const std::pair<FlatSymbolRefAttr, unsigned> kernels[] = {{getBoxAttr(), 2},
                                                            {getBlockAttr(), 4},
                                                            {getRowsAttr(), 2},
                                                            {getFillAttr(), 4}};
  for (auto [name, extra] : kernels)
    if (name &&
        failed(verifyKernel(*this, name, getCaptures(), extra, symbols)))
      return failure();
  return success();
}

LogicalResult
SpectralFilterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernel(*this, getKernelAttr(), getCaptures(), 7, symbols);
}

LogicalResult
ParallelReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernel(*this, getKernelAttr(), getCaptures(), 3, symbols);
}

LogicalResult
ParallelScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  const std::pair<FlatSymbolRefAttr, unsigned> kernels[] = {
      {getBoundsAttr(), 3},
      {getBlockAttr(), 4},
      {getPlanesAttr(), 3},
      {getListAttr(), 2},
      {getCopyAttr(), 4}};
  for (auto [name, extra] : kernels) {
    if (bool(name) == bool(getStencilAttr()))
      return emitOpError("expects a stencil or kernels without one");
    if (name &&
        failed(verifyKernel(*this, name, getCaptures(), extra, symbols)))
      return failure();
  }
  if (FlatSymbolRefAttr stencil = getStencilAttr()) {
    if (!getBoxAttr())
      return emitOpError("has a stencil and no box, expected both");
    if (failed(verifyKernel(*this, stencil, getCaptures(), 5, symbols)))
      return failure();
  }
  if (FlatSymbolRefAttr cellBlocks = getCellBlocksAttr())
    if (failed(verifyKernel(*this, cellBlocks, getCaptures(), 3, symbols)))
      return failure();
  if (!getBoxAttr())
    return success();
  if (!getSites() || getSites()->size() != getExtents().size())
    return emitOpError("has blocks of ")
           << (getSites() ? getSites()->size() : 0) << " dims, expected "
           << getExtents().size() << ", as the lattice has";
  return success(
      succeeded(verifyKernel(*this, getBoxAttr(), getCaptures(), 2, symbols)) &&
      succeeded(
          verifyKernel(*this, getDepositAttr(), getCaptures(), 4, symbols)));
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernel(*this, getKernelAttr(), getCaptures(), 0, symbols);
}
