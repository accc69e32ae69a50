//===- Ptxas.h - PTX to machine code ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_ASSEMBLY_PTXAS_H
#define PMC_CODEGEN_CUDA_ASSEMBLY_PTXAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace pmc::codegen {

/// Machine code for each of the architectures. None where the toolkit's ptxas
/// is not there: then the driver translates PTX when the program starts.
llvm::Expected<std::vector<std::string>>
assemble(llvm::StringRef ptx, llvm::ArrayRef<unsigned> archs);

/// What the toolkit's ptxas makes machine code for.
struct PtxasArchs {
  std::string path;
  std::vector<unsigned> archs; ///< sm_80 as 80
};
/// None where there is no ptxas, or it does not tell.
std::optional<PtxasArchs> getPtxasArchs();

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_ASSEMBLY_PTXAS_H
