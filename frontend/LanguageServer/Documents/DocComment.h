//===- DocComment.h - The comment above a function --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_DOCCOMMENT_H
#define PMC_FRONTEND_LANGUAGESERVER_DOCCOMMENT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace pmc::lsp {

/// The parts of a comment of this form, in which all but the summary can be
/// missing:
///
///     // The summary, one paragraph. It can contain the formula.
///     //
///     // Further paragraphs.
///     // - f: a field; what the argument is, its unit, its allowed values
///     // Value: a field like f
///     // Cost: two transforms
///     // Source: Hockney & Eastwood (1988)
///     // Example: smooth(f, 2 Mpc/h)
///
/// An item ends at the next item or at an empty line. The parts are Markdown.
struct DocComment {
  struct Item {
    std::string name, text;
  };
  std::string summary;
  std::vector<std::string> notes;
  std::vector<Item> arguments;
  std::vector<Item> parts; ///< "Value", "Cost" and so on, as they are written

  /// The text of a part, or an empty text.
  llvm::StringRef getPart(llvm::StringRef name) const;
  llvm::StringRef getArgument(llvm::StringRef name) const;
};

/// `text`: the lines of a comment, without slashes.
DocComment parseDocComment(llvm::StringRef text);
/// The text with blank lines where Markdown needs them.
std::string toMarkdown(llvm::StringRef text);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_DOCCOMMENT_H
