//===- Parts.h - A module in parts that compile side by side ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that others know by its address, as the runtime knows kernels, is
// a root. Each root belongs to one part, with copies of the functions that it
// calls: what could be inlined is there. Parts depend on the module alone, not
// on the machine that compiles it.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LLVM_PARTS_H
#define PMC_CODEGEN_LLVM_PARTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace llvm {
class Module;
} // namespace llvm

namespace pmc::codegen {

/// The part of each root, by name.
struct Parts {
  llvm::StringMap<unsigned> ofRoot;
  unsigned count = 1;
};

/// Divides the module into parts, about one for each `size` instructions and at
/// most `most`, as equal as the largest root allows. Roots become visible to
/// the other parts.
Parts divide(llvm::Module &module, unsigned size, unsigned most);

/// Leaves what belongs to one part: other roots, and variables of parts but the
/// first, are declared only.
void keepPart(llvm::Module &module, const Parts &parts, unsigned part);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LLVM_PARTS_H
