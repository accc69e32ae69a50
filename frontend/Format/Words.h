//===- Words.h - Tokens and what is between them ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a spec without loss: its tokens, and comments, newlines and empty
// lines in front of each. Semicolons that separate statements are part of a
// gap.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_WORDS_H
#define PMC_FRONTEND_FORMAT_WORDS_H

#include "frontend/Lexer/Lexer.h"

#include "llvm/Support/SMLoc.h"

#include <vector>

namespace pmc::format {

struct Comment {
  llvm::StringRef text;    ///< from `//` on, without blanks at its end
  bool hasBlank = false;   ///< an empty line is before it
  bool isTrailing = false; ///< behind the token before, in its line
};

/// A token and the gap before it.
struct Word {
  Token token;
  std::vector<Comment> comments;
  bool startsLine = false;  ///< a newline is before it
  bool hasBlank = false;    ///< an empty line is right before it
  bool isSeparated = false; ///< a semicolon is before it
  size_t match = 0;         ///< of a bracket: its partner
  bool is(TokenKind kind) const { return token.is(kind); }
};

class Words {
public:
  /// The text has no syntax errors.
  explicit Words(llvm::StringRef text);

  size_t size() const { return words.size(); }
  const Word &operator[](size_t at) const { return words[at]; }

  /// The word that begins at a place.
  size_t beginningAt(llvm::SMLoc loc) const;
  /// The word that ends at a place.
  size_t endingAt(llvm::SMLoc loc) const;

private:
  void addGap(Word &word, llvm::StringRef gap) const;
  void matchBrackets();

  std::vector<Word> words; ///< the last one is the end of the file
};

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_WORDS_H
