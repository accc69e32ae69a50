//===- Variables.h - Names that a text uses as variables --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_PARSER_VARIABLES_H
#define PMC_FRONTEND_PARSER_VARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace pmc::detail {

/// Names that are declared, or used where a unit cannot be: `let g = …`,
/// `fn f(a, g)`, `(x, g) => …`. Decided by the words of the text, before it is
/// parsed.
llvm::StringSet<> findVariables(llvm::StringRef text);

} // namespace pmc::detail

#endif // PMC_FRONTEND_PARSER_VARIABLES_H
