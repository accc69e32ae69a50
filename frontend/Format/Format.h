//===- Format.h - Formats the text of a spec --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_FORMAT_H
#define PMC_FRONTEND_FORMAT_FORMAT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace pmc {

/// Lines are broken behind this column where they can be.
constexpr unsigned formatWidth = 120;

/// What became of a text.
struct Formatted {
  std::string text;       ///< empty after syntax errors
  bool hasErrors = false; ///< syntax errors, which have been reported
  /// An internal error: the line of `path` where the formatted text would be
  /// another program, or 0.
  unsigned changedLine = 0;
};

/// Formats the text of the file `path`, and compares the syntax trees of both
/// texts. Syntax errors are printed to `os`.
Formatted formatSpec(llvm::StringRef text, llvm::StringRef path,
                     llvm::raw_ostream &os);

} // namespace pmc

#endif // PMC_FRONTEND_FORMAT_FORMAT_H
