//===- Text.h - Texts with values in them -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for the texts of print and assert: `{}`, `{:.3f}`, `{} in km`.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_TEXT_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_TEXT_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

/// A part of a text: the text itself, or a value.
struct TextPart {
  std::string text;                ///< as it is, with {{ and }}
  const Argument *value = nullptr; ///< a number or a bool
  llvm::StringRef spec = {};       ///< its format, without the colon
  llvm::StringRef rest = {};       ///< the text behind it
  size_t position = 0;             ///< of the value among all values

  /// Whether the format shows an int as an f64.
  bool isLikeFloat() const;
};

/// The parts of a text. Absent after an error. `isComplete` is false if a value
/// cannot be shown, which has been reported, too.
std::optional<std::vector<TextPart>>
readText(const RuleContext &context, llvm::StringRef format,
         llvm::ArrayRef<Argument> values, llvm::SMLoc loc, bool &isComplete);
/// A text shows at most `most` values.
bool requireFewValues(const RuleContext &context, size_t count, size_t most,
                      llvm::SMLoc loc);
/// The units of a number, or of the components of a vector, are those in which
/// it is asked for.
bool requireAsked(const RuleContext &context, const Argument &arg,
                  const ast::WrittenUnit &asked, llvm::StringRef word = "in");

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_TEXT_H
