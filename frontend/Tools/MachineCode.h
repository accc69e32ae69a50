//===- MachineCode.h - Machine code in files --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_MACHINECODE_H
#define PMC_FRONTEND_TOOLS_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace pmc {

struct Options;

/// Writes a module in the LLVM dialect as what `options.emit` says: LLVM IR,
/// assembly or an object. The exit code; for an internal error, `before` is
/// what the passes began with.
int writeCode(mlir::ModuleOp module, mlir::ModuleOp before,
              const Options &options, const std::string &output);

/// The same, as objects STEM0.o, STEM1.o, ... for one program, whose names are
/// added to `objects`.
int writeObjects(mlir::ModuleOp module, mlir::ModuleOp before,
                 const Options &options, const std::string &stem,
                 std::vector<std::string> &objects);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_MACHINECODE_H
