//===- Kernel.h - A function that a parallel loop calls ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_KERNEL_H
#define PMC_CODEGEN_LOWERING_KERNEL_H

#include "codegen/Kernels/Kernels.h"
#include "codegen/Lowering/LoweringContext.h"

namespace pmc::codegen {

/// A function that threads call for parts of an iteration space. Host values it
/// uses are captured: a launch hands them over as the first arguments, of which
/// the views do not alias (each buffer is captured once), so that the body
/// vectorizes.
class Kernel {
public:
  Kernel(LoweringContext &context, mlir::OpBuilder &host, mlir::Location loc,
         llvm::StringRef name)
      : context(context), host(host), loc(loc), name(name) {}

  /// Makes the host value available. Buffers come as views of their data.
  void capture(mlir::Value value);

  /// Asks for short code rather than fast code, which takes longer to compile.
  void preferSize() { attributes.append({"minsize", "optsize"}); }

  /// Creates the function; `extra` are the types of the runtime's own
  /// arguments. The builder is then in its body.
  void create(llvm::ArrayRef<mlir::Type> extra);

  /// Takes the created function away, which no launch calls.
  void erase() { function.erase(); }

  /// The body's value for a captured host value.
  mlir::Value get(mlir::Value value);
  mlir::Value extra(unsigned i) { return extras[i]; }
  mlir::OpBuilder &body() { return *builder; }
  mlir::Location getLoc() const { return loc; }
  const ScheduleSizes &getSizes() const { return context.getTarget().sizes; }

  /// Says how the loops of the created function are made.
  void setSchedule(mlir::Attribute schedule) {
    function->setAttr(pmk::scheduleName, schedule);
  }
  /// Ends the launch with an error: a mesh is read at no cell.
  void refusePosition(mlir::OpBuilder &at);
  /// What a launch needs.
  llvm::StringRef getSymbol() { return function.getName(); }
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captured; }

protected:
  /// Creates the function among `top`, of the captured values and `extra`.
  void createFunction(mlir::OpBuilder &top, llvm::ArrayRef<mlir::Type> extra);

  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  std::string name;
  llvm::SmallVector<llvm::StringRef> attributes{"noinline"};
  llvm::SmallVector<mlir::Value> captured; // host values as passed
  llvm::DenseMap<mlir::Value, unsigned> positions;
  llvm::DenseMap<uint64_t, unsigned> buffers; // by the plan's number
  llvm::SmallVector<unsigned> data;           // captures that are buffers' data
  llvm::SmallVector<mlir::Value> arguments, extras;
  llvm::DenseMap<mlir::Value, mlir::Value> constants;
  std::optional<mlir::OpBuilder> builder;
  mlir::func::FuncOp function;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_KERNEL_H
