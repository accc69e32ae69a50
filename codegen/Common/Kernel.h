//===- Kernel.h - A function that a parallel loop calls ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_KERNEL_H
#define PMC_CODEGEN_COMMON_KERNEL_H

#include "codegen/Common/LoweringContext.h"

namespace pmc::codegen {

/// A body that the runtime calls for parts of an iteration space. Host values
/// it uses are captured: stored into a frame by the host, loaded by a wrapper
/// and handed to the body as arguments, of which the pointers do not alias
/// (each buffer is captured once), so that the body vectorises.
class Kernel {
public:
  Kernel(LoweringContext &context, mlir::OpBuilder &host, mlir::Location loc,
         llvm::StringRef name)
      : context(context), host(host), loc(loc), name(name) {}

  /// Makes the host value available. Buffers come as their data pointer.
  void capture(mlir::Value value);

  /// Asks for short code rather than fast code, which takes longer to compile.
  void preferSize() { attributes.append({"minsize", "optsize"}); }

  /// Creates the function; `extra` are the types of the runtime's own
  /// arguments. The builder then stands in its body.
  void create(llvm::ArrayRef<mlir::Type> extra);

  /// The body's value for a captured host value.
  mlir::Value get(mlir::Value value);
  mlir::Value extra(unsigned i) { return extras[i]; }
  mlir::OpBuilder &body() { return *builder; }
  mlir::Location getLoc() const { return loc; }

  /// Address of the wrapper, as a host value.
  mlir::Value address();
  /// Address of the stored captures. Kernels with equal captures may share.
  mlir::Value arguments();

protected:
  /// Creates the function alone, of the captured values and `extra`; captured
  /// ones as they are stored, if `packed`.
  void createFunction(mlir::OpBuilder &top, llvm::ArrayRef<mlir::Type> extra,
                      bool packed);
  /// Stores the captures; their addresses one by one.
  llvm::SmallVector<mlir::Value> addresses();

  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  std::string name;
  llvm::SmallVector<llvm::StringRef> attributes{"noinline"};
  llvm::SmallVector<mlir::Value> captured; // host values as passed
  llvm::DenseMap<mlir::Value, unsigned> positions;
  llvm::DenseMap<uint64_t, unsigned> buffers; // by the plan's number
  llvm::SmallVector<unsigned> data;           // captures that are buffers' data
  llvm::SmallVector<mlir::Value> arguments_, extras;
  llvm::DenseMap<mlir::Value, mlir::Value> constants;
  std::optional<mlir::OpBuilder> builder;
  mlir::func::FuncOp function;
  mlir::LLVM::LLVMStructType frameType;

private:
  mlir::LLVM::LLVMFuncOp wrapper;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_KERNEL_H
