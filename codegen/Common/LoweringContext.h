//===- LoweringContext.h - What lowerings share -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_LOWERINGCONTEXT_H
#define PMC_CODEGEN_COMMON_LOWERINGCONTEXT_H

#include "dialect/IR/PM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace pmc::codegen {

/// What a program tells the runtime about itself, collected while lowering;
/// becomes the JSON descriptor (runtime/README.md).
struct ProgramTables {
  /// Dims of all arrays, by label; the index is the ABI's dim.
  llvm::MapVector<mlir::Attribute, int32_t> dims;
  /// "nbody.pm:14:9"; the index is pmrt_loc.
  llvm::MapVector<mlir::Attribute, int32_t> locations;

  int32_t dim(pm::DimAttr dim) {
    return dims.insert({dim, int32_t(dims.size())}).first->second;
  }
  int32_t location(mlir::Location loc);
};

/// Emits runtime calls and kernels for one module. Host code stands in
/// functions whose first argument is the context pointer.
class LoweringContext {
public:
  LoweringContext(mlir::ModuleOp module, ProgramTables &tables)
      : module(module), tables(tables) {}

  mlir::ModuleOp getModule() { return module; }
  ProgramTables &getTables() { return tables; }

  /// The pmrt_context pointer of the function around the builder.
  mlir::Value getContext(mlir::OpBuilder &builder);
  mlir::Value constant(mlir::OpBuilder &builder, int64_t value, unsigned bits);
  mlir::Value constant(mlir::OpBuilder &builder, double value);
  mlir::Value null(mlir::OpBuilder &builder);
  mlir::Value location(mlir::OpBuilder &builder, mlir::Location loc);
  /// Address of a NUL-terminated string.
  mlir::Value string(mlir::OpBuilder &builder, llvm::StringRef text);
  /// A call of `name`, declared on first use; the result type null: none.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands);
  /// Memory in the frame of the function around the builder.
  mlir::Value frame(mlir::OpBuilder &builder, mlir::Type type,
                    int64_t count = 1);
  /// Address of a pmrt_array that describes the buffer.
  mlir::Value array(mlir::OpBuilder &builder, mlir::Value buffer);
  /// The data pointer of a buffer.
  mlir::Value data(mlir::OpBuilder &builder, mlir::Value buffer);
  /// Address of values stored in the frame, one after the other.
  mlir::Value pack(mlir::OpBuilder &builder, mlir::ValueRange values,
                   mlir::Type element);

  std::string uniqueName(llvm::StringRef base);

private:
  mlir::ModuleOp module;
  ProgramTables &tables;
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  llvm::StringMap<int> names;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_LOWERINGCONTEXT_H
