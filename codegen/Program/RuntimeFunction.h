//===- RuntimeFunction.h - Functions of the C ABI as MLIR ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's headers declare the C ABI once. What the compiler knows of a
// function, it takes from there: a name that is not declared, and a call whose
// operands are not the function's, are errors.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_RUNTIMEFUNCTION_H
#define PMC_CODEGEN_PROGRAM_RUNTIMEFUNCTION_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "pmrt/checkpoint.h"
#include "pmrt/matrices.h"
#include "pmrt/particles.h"
#include "pmrt/pmrt.h"
#include "pmrt/pmrt_cuda.h"
#include "pmrt/rows.h"
#include "pmrt/samples.h"
#include "pmrt/signals.h"

#include <type_traits>

namespace pmc::codegen {

/// A function that the runtime's headers declare: see PMRT_FUNCTION.
class RuntimeFunction {
public:
  /// `Function`: its type in C.
  template <typename Function>
  static RuntimeFunction declaredAs(llvm::StringRef name) {
    return {name, &Signature<Function>::get};
  }

  llvm::StringRef getName() const { return name; }
  mlir::LLVM::LLVMFunctionType getType(mlir::MLIRContext *context) const {
    return type(context);
  }

  /// Whether it is what this op calls.
  bool isCalledBy(mlir::Operation *op) const {
    auto call = mlir::dyn_cast<mlir::LLVM::CallOp>(op);
    return call && call.getCallee() == name;
  }

  /// Its declaration in the module, which is made if there is none.
  mlir::LLVM::LLVMFuncOp declareIn(mlir::ModuleOp module) const;

private:
  using Type = mlir::LLVM::LLVMFunctionType (*)(mlir::MLIRContext *);
  RuntimeFunction(llvm::StringRef name, Type type) : name(name), type(type) {}

  template <typename T> static mlir::Type typeOf(mlir::MLIRContext *context) {
    if constexpr (std::is_void_v<T>)
      return mlir::LLVM::LLVMVoidType::get(context);
    else if constexpr (std::is_pointer_v<T>)
      return mlir::LLVM::LLVMPointerType::get(context);
    else if constexpr (std::is_floating_point_v<T>)
      return mlir::Float64Type::get(context);
    else
      return mlir::IntegerType::get(context, 8 * sizeof(T));
  }

  template <typename Function> struct Signature;
  template <typename Result, typename... Operands>
  struct Signature<Result(Operands...)> {
    static mlir::LLVM::LLVMFunctionType get(mlir::MLIRContext *context) {
      static_assert(
          ((!std::is_class_v<Operands> && !std::is_same_v<Operands, float>) &&
           ...),
          "the C ABI has integers, doubles and addresses");
      return mlir::LLVM::LLVMFunctionType::get(typeOf<Result>(context),
                                               {typeOf<Operands>(context)...});
    }
  };

  llvm::StringRef name;
  Type type;
};

} // namespace pmc::codegen

/// The RuntimeFunction of a function that runtime/include/pmrt declares.
#define PMRT_FUNCTION(name)                                                    \
  ::pmc::codegen::RuntimeFunction::declaredAs<decltype(name)>(#name)

#endif // PMC_CODEGEN_PROGRAM_RUNTIMEFUNCTION_H
