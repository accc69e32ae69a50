//===- LoweringContext.h - What lowerings share -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_LOWERINGCONTEXT_H
#define PMC_CODEGEN_LOWERING_LOWERINGCONTEXT_H

#include "codegen/Program/ProgramTables.h"
#include "codegen/Program/RuntimeFunction.h"
#include "codegen/Program/TargetInfo.h"

#include "llvm/ADT/StringMap.h"

#include <string>

namespace pmc::codegen {

/// The symbols of the nested module of kernels, and of what becomes of it.
constexpr llvm::StringLiteral deviceModuleName = "pmc.device";
constexpr llvm::StringLiteral deviceCodeName = "pmc.device_code";

/// Emits runtime calls and kernels for one module. Host code is in
/// functions whose first argument is the context pointer.
class LoweringContext {
public:
  LoweringContext(mlir::ModuleOp module, ProgramTables &tables,
                  TargetInfo target = {});

  mlir::ModuleOp getModule() { return module; }
  /// The module of the kernels, of a target that has memory of its own.
  mlir::ModuleOp getDeviceModule();
  ProgramTables &getTables() { return tables; }
  const TargetInfo &getTarget() const { return target; }

  /// The pmrt_context pointer of the function around the builder.
  mlir::Value getContext(mlir::OpBuilder &builder);
  mlir::Value constant(mlir::OpBuilder &builder, int64_t value, unsigned bits);
  mlir::Value constant(mlir::OpBuilder &builder, double value);
  mlir::Value null(mlir::OpBuilder &builder);
  mlir::Value location(mlir::OpBuilder &builder, mlir::Location loc);
  /// Address of a NUL-terminated string.
  mlir::Value string(mlir::OpBuilder &builder, llvm::StringRef text);
  /// A call of the runtime, with the addresses of handles; null if the function
  /// gives nothing.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   RuntimeFunction function, mlir::ValueRange operands);
  /// Numbers in the frame of the function around the builder, for at least
  /// `count` f64. All users of a function share them: what they hold must be
  /// read before the next one writes.
  mlir::Value scratch(mlir::OpBuilder &builder, int64_t count);
  /// Memory in the frame of the function around the builder.
  mlir::Value frame(mlir::OpBuilder &builder, mlir::Type type,
                    int64_t count = 1);
  /// This rank's extent along a split dim, and its offset in the whole. They
  /// do not change while a program runs: a function asks the runtime once.
  std::pair<mlir::Value, mlir::Value> getLocalPart(mlir::OpBuilder &builder,
                                                   pm::DimAttr dim);
  /// Address of a pmrt_array that describes the buffer.
  mlir::Value array(mlir::OpBuilder &builder, mlir::Value buffer);
  /// The same of no buffer: dims and an element alone.
  mlir::Value shape(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::ArrayRef<pm::DimAttr> dims, mlir::Type element);
  /// A copy from one buffer to another of its type, unless both are the same
  /// memory.
  void copy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
            mlir::Value to);
  /// The data pointer of a buffer.
  mlir::Value data(mlir::OpBuilder &builder, mlir::Value buffer);
  /// Address of values stored in the frame, one after the other.
  mlir::Value pack(mlir::OpBuilder &builder, mlir::ValueRange values,
                   mlir::Type element);

  /// Notes that the program will do this transform. Buffers are pm.alloc
  /// results.
  void planTransform(mlir::Location loc, bool forward, uint32_t dims,
                     mlir::Value in, mlir::Value out);
  /// Emits the calls that plan the transforms noted. They overwrite buffers.
  void emitPlans(mlir::OpBuilder &builder);

  std::string uniqueName(llvm::StringRef base);

private:
  /// The pmrt_space of fields.
  int32_t getSpace() const;
  mlir::Value describe(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value data, llvm::ArrayRef<pm::DimAttr> dims,
                       mlir::Type element, int32_t space);

  mlir::Value arrayTail(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::ArrayRef<int32_t> numbers);

  struct Transform {
    mlir::Location loc;
    bool forward;
    uint32_t dims;
    pm::AllocOp in, out;
  };
  llvm::SmallVector<Transform> transforms;
  mlir::ModuleOp module, deviceModule;
  ProgramTables &tables;
  TargetInfo target;
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  llvm::StringMap<int> names;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers, arrays;
  llvm::DenseMap<std::pair<mlir::Value, pm::DimAttr>,
                 std::pair<mlir::Value, mlir::Value>>
      localParts;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> arrayTails;
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::AllocaOp> scratchMemory;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_LOWERINGCONTEXT_H
