//===- Lexer.h - From text to tokens ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes any bytes. What is not a token is reported here and becomes the token
// it was meant to be (`**` is `^`) or an Error token, about which the parser
// keeps silent. Newlines are no tokens but a property of the token behind them,
// since only the parser knows where they count.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LEXER_LEXER_H
#define PMC_FRONTEND_LEXER_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <string>

namespace pmc {

class DiagnosticEngine;
class InFlight;

enum class TokenKind : uint8_t {
#define TOKEN(NAME, TEXT) NAME,
#define KEYWORD(NAME, TEXT) NAME,
#include "frontend/Lexer/Tokens.def"
};

/// How a message names a token of that kind: `'=>'`, `a number`.
llvm::StringRef describe(TokenKind kind);

struct Token {
  TokenKind kind;
  bool startsLine;  // the first token of its line
  bool spaceBefore; // not directly behind the token before
  llvm::StringRef text;

  bool is(TokenKind k) const { return kind == k; }
  template <typename... Ks> bool isAny(Ks... ks) const {
    return ((kind == ks) || ...);
  }
  llvm::SMLoc loc() const { return llvm::SMLoc::getFromPointer(text.begin()); }
  llvm::SMLoc endLoc() const { return llvm::SMLoc::getFromPointer(text.end()); }
  llvm::SMRange range() const { return {loc(), endLoc()}; }
};

/// The value of a Number token.
struct NumberValue {
  double value = 0;
  uint64_t integer = 0; // exact if isInteger
  bool isInteger = false;
  bool isImaginary = false;
};

class Lexer {
public:
  Lexer(llvm::StringRef text, DiagnosticEngine &diags);

  /// The next token; Eof for ever at the end.
  Token next();

  /// The value of a Number token. Reports numbers that do not fit.
  static NumberValue numberValue(const Token &token, DiagnosticEngine &diags);
  /// The text of a String token without quotes and escapes. Reports escapes
  /// that do not exist.
  static std::string stringValue(const Token &token, DiagnosticEngine &diags);

private:
  InFlight error(const char *at, const llvm::Twine &message);
  Token make(TokenKind kind, const char *begin) const;
  void skipBlank();
  void skipLine();
  void skipBlockComment();
  bool skipContinuation();
  Token lexWord();
  Token lexNumber();
  Token lexString();
  Token lexOperator();
  /// A token with a character outside ASCII at `cur`, begun at `begin`.
  Token lexUnicode(const char *begin = nullptr);
  bool isLetterAhead() const;
  char at(size_t offset) const {
    return offset < size_t(end - cur) ? cur[offset] : '\0';
  }
  bool startsWith(llvm::StringRef text) const {
    return llvm::StringRef(cur, end - cur).starts_with(text);
  }

  DiagnosticEngine &diags;
  const char *cur, *end;
  bool startsLine = true;
  bool spaceBefore = true;
  bool saidHash = false; // one error for all the '#' comments
};

} // namespace pmc

#endif // PMC_FRONTEND_LEXER_LEXER_H
