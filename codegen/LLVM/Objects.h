//===- Objects.h - LLVM IR, assembly, objects -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_OBJECTS_H
#define PMC_CODEGEN_LLVM_OBJECTS_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace pmc::codegen {

enum class Sanitizer { None, Address, Thread };
enum class MachineCode { LLVMIR, Assembly, Object };

struct EmitOptions {
  /// A processor's name, or "native".
  std::string cpu = "native";
  unsigned optimization = 2; // 0 to 3
  Sanitizer sanitizer = Sanitizer::None;
  /// Of objects that earlier compilations made; empty: none.
  std::string cacheFolder;
};

/// A function's attribute that keeps its name visible in programs.
constexpr llvm::StringLiteral exportedAttribute = "pmc.exported";

/// What holds for the process: this machine's code generator, and LLVM's
/// options. To be called before LLVM is used, on any thread.
void initializeLLVM();

/// Why `cpu` cannot be compiled for, or empty.
std::string checkProcessor(llvm::StringRef cpu);

/// Optimizes the module, which is in the LLVM dialect, and writes it. On
/// failure the reason has been reported at the module.
mlir::LogicalResult emitMachineCode(mlir::ModuleOp module,
                                    const EmitOptions &options,
                                    MachineCode kind,
                                    llvm::raw_pwrite_stream &out);

using ObjectCode = llvm::SmallVector<char, 0>;

/// Optimizes the module and compiles it to objects that are linked together, on
/// as many threads as there are processors. The same module gives the same
/// objects everywhere. On failure the reason has been reported at the module.
mlir::FailureOr<std::vector<ObjectCode>>
emitObjects(mlir::ModuleOp module, const EmitOptions &options);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_OBJECTS_H
