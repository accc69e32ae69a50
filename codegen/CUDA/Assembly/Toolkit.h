//===- Toolkit.h - Where the CUDA toolkit is --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CUDA_ASSEMBLY_TOOLKIT_H
#define PMC_CODEGEN_CUDA_ASSEMBLY_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pmc::codegen {

/// The path of a file of the CUDA toolkit: below $CUDA_HOME or $CUDA_PATH, else
/// /usr/local/cuda.
llvm::Expected<std::string> findToolkitFile(llvm::StringRef file);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CUDA_ASSEMBLY_TOOLKIT_H
