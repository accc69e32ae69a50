//===- ReadFile.h - Text files that users name ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_READFILE_H
#define PMC_CODEGEN_MACHINE_READFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace pmc {

/// The text of a file, a pipe or a device. The error, without the path, says
/// why it cannot be read, or that it has more than `most` bytes.
llvm::Expected<std::string> readFile(llvm::StringRef path,
                                     uint64_t most = uint64_t(1) << 30);

} // namespace pmc

#endif // PMC_CODEGEN_MACHINE_READFILE_H
