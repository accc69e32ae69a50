//===- FormatTool.h - pmc fmt -----------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_TOOLS_LANGUAGE_FORMATTOOL_H
#define PMC_FRONTEND_TOOLS_LANGUAGE_FORMATTOOL_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace pmc {

/// `pmc fmt ...` with these arguments; the exit code.
int runFormatTool(llvm::ArrayRef<std::string> arguments);

} // namespace pmc

#endif // PMC_FRONTEND_TOOLS_LANGUAGE_FORMATTOOL_H
