//===- Parts.h - A module in parts that compile side by side ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root is a function that other parts know: kernels, whose addresses the
// runtime gets, and functions that the program calls. Each root belongs to one
// part, together with copies of the functions that it calls, so that these can
// be inlined. The first part is the program itself: it calls the runtime and
// functions, and starts kernels. Its loops that only compute become functions.
//
// Parts depend on the module alone, not on the machine that compiles it. A part
// of kernels depends only on these kernels: their names are made from their
// code, not from their number in the program. Therefore a part that occurs in
// two programs, or before and after an edit, is the same part (ObjectCache.h).
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_PARTS_H
#define PMC_CODEGEN_LLVM_PARTS_H

#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace pmc::codegen {

struct Part {
  llvm::DenseSet<const llvm::Function *> roots, copies;
  uint64_t weight = 0; ///< instructions
};

/// Divides the module into parts of about `size` instructions. A small module
/// is the program's part only. Makes roots and variables visible to the other
/// parts.
std::vector<Part> divide(llvm::Module &module, uint64_t size);

/// A module with the functions of one part and the constants and declarations
/// that these use. `isProgram`: also with the module's variables.
std::unique_ptr<llvm::Module> extract(const llvm::Module &module,
                                      const Part &part, bool isProgram);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_PARTS_H
