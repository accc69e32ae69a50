//===- Lexer.cpp - From text to tokens ------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Lexer/Lexer.h"

#include "frontend/Basic/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <charconv>

using namespace pmc;
using llvm::isAlpha;
using llvm::isDigit;
using llvm::SMLoc;
using llvm::StringRef;
using llvm::Twine;

StringRef pmc::describe(TokenKind kind) {
  switch (kind) {
#define TOKEN(NAME, TEXT)                                                      \
  case TokenKind::NAME:                                                        \
    return TEXT;
#define KEYWORD(NAME, TEXT)                                                    \
  case TokenKind::NAME:                                                        \
    return "'" TEXT "'";
#include "frontend/Lexer/Tokens.def"
  }
  return "a token";
}

static bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }
static bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

Lexer::Lexer(StringRef text, DiagnosticEngine &diags)
    : diags(diags), cur(text.begin()), end(text.end()) {
  if (startsWith("\xEF\xBB\xBF")) // a byte order mark
    cur += 3;
}

Token Lexer::make(TokenKind kind, const char *begin) const {
  return {kind, startsLine, spaceBefore, StringRef(begin, cur - begin)};
}

InFlight Lexer::error(const char *at, const Twine &message) {
  return diags.error(SMLoc::getFromPointer(at), message);
}

//===----------------------------------------------------------------------===//
// Blanks and comments
//===----------------------------------------------------------------------===//

void Lexer::skipLine() { cur = std::find(cur, end, '\n'); }

void Lexer::skipBlank() {
  while (cur != end) {
    switch (*cur) {
    case '\n':
      startsLine = true;
      [[fallthrough]];
    case ' ':
    case '\t':
    case '\r':
    case '\f':
    case '\v':
      spaceBefore = true;
      ++cur;
      continue;
    case '/':
      if (startsWith("//")) {
        skipLine();
        continue;
      }
      if (startsWith("/*")) {
        skipBlockComment();
        continue;
      }
      return;
    case '#':
      if (!saidHash)
        error(cur, "[PM0101] comments start with '//'");
      saidHash = true;
      skipLine();
      continue;
    case '\\':
      if (skipContinuation())
        continue;
      return;
    default:
      return;
    }
  }
}

void Lexer::skipBlockComment() {
  error(cur, "[PM0101] comments run from '//' to the end of the line");
  size_t close = StringRef(cur, end - cur).find("*/", 2);
  const char *stop = close == StringRef::npos ? end : cur + close + 2;
  startsLine |= std::find(cur, stop, '\n') != stop;
  spaceBefore = true;
  cur = stop;
}

bool Lexer::skipContinuation() {
  const char *next = cur + 1;
  while (next != end && (*next == ' ' || *next == '\t' || *next == '\r'))
    ++next;
  if (next == end || *next != '\n')
    return false;
  error(cur, "[PM0107] '\\' does not continue a line")
      .note("a line goes on in the next inside '( )' and '[ ]', and if it ends "
            "with an operator or a comma");
  cur = next + 1;
  spaceBefore = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Token Lexer::next() {
  skipBlank();
  Token token;
  if (cur == end)
    token = make(TokenKind::Eof, cur);
  else if (isWordStart(*cur))
    token = lexWord();
  else if (isDigit(*cur))
    token = lexNumber();
  else if (*cur == '"')
    token = lexString();
  else if (isAscii(*cur))
    token = lexOperator();
  else
    token = lexUnicode();
  startsLine = token.is(TokenKind::Eof);
  spaceBefore = false;
  return token;
}

Token Lexer::lexWord() {
  const char *begin = cur;
  while (cur != end && isWord(*cur))
    ++cur;
  // A letter outside ASCII spoils the whole name.
  if (cur != end && !isAscii(*cur) && isLetterAhead())
    return lexUnicode(begin);
  TokenKind kind = llvm::StringSwitch<TokenKind>(StringRef(begin, cur - begin))
#define TOKEN(NAME, TEXT)
#define KEYWORD(NAME, TEXT) .Case(TEXT, TokenKind::NAME)
#include "frontend/Lexer/Tokens.def"
                       .Default(TokenKind::Identifier);
  return make(kind, begin);
}

Token Lexer::lexNumber() {
  const char *begin = cur;
  auto digits = [&] {
    while (isDigit(at(0)))
      ++cur;
  };
  if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X') &&
      llvm::isHexDigit(at(2))) {
    cur += 2;
    while (llvm::isHexDigit(at(0)))
      ++cur;
    error(begin, "[PM0102] numbers are decimal");
    return make(TokenKind::Error, begin);
  }
  digits();
  if (at(0) == '.' && isDigit(at(1))) {
    ++cur;
    digits();
  } else if (at(0) == '.' && at(1) != '.') {
    error(cur, "[PM0102] expected a digit behind the decimal point")
        .note("write '" + StringRef(begin, cur - begin).take_front(32) + ".0'");
    ++cur;
  }
  size_t sign = at(1) == '+' || at(1) == '-';
  if ((at(0) == 'e' || at(0) == 'E') && isDigit(at(1 + sign))) {
    cur += 1 + sign;
    digits();
  }
  if (at(0) == '_' && isDigit(at(1))) {
    error(cur, "[PM0102] digits are not grouped with '_'");
    while (isWord(at(0)))
      ++cur;
    return make(TokenKind::Error, begin);
  }
  if (at(0) == 'i' && !isWord(at(1)))
    ++cur;
  return make(TokenKind::Number, begin);
}

Token Lexer::lexString() {
  const char *begin = cur;
  char quote = *cur++;
  bool control = false;
  while (cur != end && *cur != quote && *cur != '\n') {
    if (*cur == '\\' && cur + 1 != end && cur[1] != '\n')
      ++cur;
    else if (static_cast<unsigned char>(*cur) < 0x20 && *cur != '\t' &&
             *cur != '\r' && !std::exchange(control, true))
      error(cur, "[PM0103] a control character in a string");
    ++cur;
  }
  if (cur == end || *cur != quote) {
    if (cur[-1] == '\r' && cur - 1 != begin)
      --cur;
    error(begin, "[PM0103] the string has no closing quote on its line");
    return make(TokenKind::String, begin);
  }
  ++cur;
  const auto *from = reinterpret_cast<const llvm::UTF8 *>(begin);
  if (!llvm::isLegalUTF8String(&from,
                               reinterpret_cast<const llvm::UTF8 *>(cur)))
    error(reinterpret_cast<const char *>(from),
          "[PM0103] invalid UTF-8 in a string");
  return make(TokenKind::String, begin);
}

/// Whether a name, a number or a closing bracket ends before this character,
/// apart from blanks. Requires that the character does not begin its line.
static bool isAfterOperand(const char *at) {
  while (at[-1] == ' ')
    --at;
  return isWord(at[-1]) || at[-1] == ')' || at[-1] == ']';
}

Token Lexer::lexOperator() {
  const char *begin = cur;
  auto take = [&](size_t length, TokenKind kind) {
    cur += length;
    return make(kind, begin);
  };
  // Other languages' spelling of one of our operators.
  auto foreign = [&](StringRef theirs, TokenKind kind, const Twine &ours) {
    error(begin, "[PM0104] there is no operator '" + theirs + "'; " + ours);
    return take(theirs.size(), kind);
  };
  using Kind = TokenKind;

  static constexpr struct {
    StringRef theirs;
    Kind kind;
    StringRef ours;
  } foreigners[] = {
      {"**", Kind::Caret, "a power is written '^'"},
      {":=", Kind::Assign, "write 'let name = value'"},
      {"&&", Kind::KwAnd, "write 'and'"},
      {"||", Kind::KwOr, "write 'or'"},
      {"-=", Kind::Error, "a name keeps its value"},
      {"*=", Kind::Error, "a name keeps its value"},
      {"/=", Kind::Error, "a name keeps its value"},
  };
  for (const auto &foreigner : foreigners)
    if (startsWith(foreigner.theirs))
      return foreign(foreigner.theirs, foreigner.kind, foreigner.ours);

  static constexpr struct {
    StringRef text;
    Kind kind;
  } pairs[] = {{"=>", Kind::FatArrow},   {"->", Kind::Arrow},
               {"==", Kind::EqualEqual}, {"!=", Kind::NotEqual},
               {"<=", Kind::LessEqual},  {">=", Kind::GreaterEqual},
               {"..", Kind::DotDot},     {"+=", Kind::AddAssign}};
  for (const auto &pair : pairs)
    if (startsWith(pair.text))
      return take(2, pair.kind);

  switch (*cur) {
  case '(':
    return take(1, Kind::LParen);
  case ')':
    return take(1, Kind::RParen);
  case '[':
    return take(1, Kind::LBracket);
  case ']':
    return take(1, Kind::RBracket);
  case '{':
    return take(1, Kind::LBrace);
  case '}':
    return take(1, Kind::RBrace);
  case ',':
    return take(1, Kind::Comma);
  case ';':
    return take(1, Kind::Semicolon);
  case ':':
    return take(1, Kind::Colon);
  case '=':
    return take(1, Kind::Assign);
  case '+':
    return take(1, Kind::Plus);
  case '-':
    return take(1, Kind::Minus);
  case '*':
    return take(1, Kind::Star);
  case '/':
    return take(1, Kind::Slash);
  case '^':
    return take(1, Kind::Caret);
  case '<':
    return take(1, Kind::Less);
  case '>':
    return take(1, Kind::Greater);
  case '.':
    if (!isDigit(at(1)))
      return take(1, Kind::Dot);
    error(begin, "[PM0102] a number has a digit before its decimal point");
    ++cur;
    while (isDigit(at(0)))
      ++cur;
    return make(Kind::Number, begin);
  case '@':
    if (startsLine && isWordStart(at(1)))
      return take(1, Kind::At);
    if (!startsLine && isAfterOperand(begin))
      return foreign("@", Kind::Error,
                     "a product of matrices is a sum over the dim that they "
                     "share: sum(a * b, over = k)");
    break;
  case '!':
    return foreign("!", Kind::KwNot, "write 'not'");
  case '%':
    return foreign("%", Kind::Error,
                   "write mod(a, b) of ints, or a - b * floor(a / b)");
  case '?':
    return foreign("?", Kind::Error, "write 'if a then b else c'");
  case '\'': {
    const char *lineEnd = std::find(cur, end, '\n');
    if (std::find(cur + 1, lineEnd, '\'') == lineEnd)
      break;
    error(begin, "[PM0103] strings have double quotes");
    return lexString();
  }
  default:
    break;
  }

  unsigned char c = *cur;
  if (llvm::isPrint(c))
    error(begin, "[PM0105] unexpected character '" + Twine(*cur) + "'");
  else
    error(begin, "[PM0105] unexpected control character " +
                     Twine("0x" + llvm::utohexstr(c, /*LowerCase=*/false, 2)));
  // One error for a run of them.
  while (cur != end && *cur == char(c))
    ++cur;
  return make(Kind::Error, begin);
}

//===----------------------------------------------------------------------===//
// Beyond ASCII
//===----------------------------------------------------------------------===//

namespace {

/// Mathematical signs and what comes with copied text, and how we write it.
struct Sign {
  uint32_t codePoint;
  TokenKind kind;
  StringRef ours;
};

constexpr Sign signs[] = {
    {0x00A0, TokenKind::Error, "a space"},
    {0x00B2, TokenKind::Error, "'^2'"},
    {0x00B3, TokenKind::Error, "'^3'"},
    {0x00B7, TokenKind::Star, "'*'"},
    {0x00D7, TokenKind::Star, "'*'"},
    {0x00F7, TokenKind::Slash, "'/'"},
    {0x03C0, TokenKind::Error, "'pi'"},
    {0x2013, TokenKind::Minus, "'-'"},
    {0x2018, TokenKind::Error, "'\"'"},
    {0x2019, TokenKind::Error, "'\"'"},
    {0x201C, TokenKind::Error, "'\"'"},
    {0x201D, TokenKind::Error, "'\"'"},
    {0x2192, TokenKind::Arrow, "'->'"},
    {0x21D2, TokenKind::FatArrow, "'=>'"},
    {0x2212, TokenKind::Minus, "'-'"},
    {0x221A, TokenKind::Error, "'sqrt'"},
    {0x2260, TokenKind::NotEqual, "'!='"},
    {0x2264, TokenKind::LessEqual, "'<='"},
    {0x2265, TokenKind::GreaterEqual, "'>='"},
};

/// Decodes the character at `at`; 0 if it is not valid UTF-8.
uint32_t decode(const char *at, const char *end) {
  const auto *from = reinterpret_cast<const llvm::UTF8 *>(at);
  llvm::UTF32 codePoint = 0;
  if (llvm::convertUTF8Sequence(
          &from, reinterpret_cast<const llvm::UTF8 *>(end), &codePoint,
          llvm::strictConversion) != llvm::conversionOK)
    return 0;
  return codePoint;
}

const Sign *findSign(uint32_t codePoint) {
  for (const Sign &sign : signs)
    if (sign.codePoint == codePoint)
      return &sign;
  return nullptr;
}

} // namespace

bool Lexer::isLetterAhead() const {
  uint32_t codePoint = decode(cur, end);
  // Signs have blocks of their own; the rest above Latin-1 signs are letters
  // for our purpose, which is one message a name.
  return codePoint >= 0xC0 && !findSign(codePoint) &&
         !(codePoint >= 0x2000 && codePoint < 0x3000);
}

Token Lexer::lexUnicode(const char *begin) {
  if (!begin)
    begin = cur;
  uint32_t codePoint = decode(cur, end);
  if (codePoint == 0) {
    error(cur, "[PM0105] invalid UTF-8");
    do
      ++cur;
    while (cur != end && !isAscii(*cur) && decode(cur, end) == 0);
    return make(TokenKind::Error, begin);
  }
  size_t length = llvm::getNumBytesForUTF8(*cur);
  std::string shown = ("'" + StringRef(cur, length) + "' (U+" +
                       llvm::utohexstr(codePoint, /*LowerCase=*/false, 4) + ")")
                          .str();
  if (const Sign *sign = findSign(codePoint)) {
    error(cur,
          "[PM0105] unexpected character " + shown + "; write " + sign->ours);
    cur += length;
    // The text up to its own quote.
    if (codePoint == 0x2018 || codePoint == 0x201C) {
      StringRef line = StringRef(cur, end - cur).split('\n').first;
      size_t close = line.find(codePoint == 0x2018 ? "\u2019" : "\u201D");
      if (close != StringRef::npos)
        cur += close + length;
    }
    return make(sign->kind, begin);
  }
  if (isLetterAhead())
    error(cur, "[PM0105] unexpected character " + shown)
        .note("names are made of ASCII letters, digits and '_'");
  else
    error(cur, "[PM0105] unexpected character " + shown);
  cur += length;
  while (cur != end && (isWord(*cur) || (!isAscii(*cur) && isLetterAhead())))
    cur += isAscii(*cur) ? 1 : llvm::getNumBytesForUTF8(*cur);
  return make(TokenKind::Error, begin);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

NumberValue Lexer::numberValue(const Token &token, DiagnosticEngine &diags) {
  NumberValue result;
  StringRef text = token.text;
  result.isImaginary = text.consume_back("i");
  result.isInteger = llvm::all_of(text, isDigit);
  if (result.isInteger && text.getAsInteger(10, result.integer)) {
    result.isInteger = result.isImaginary;
    if (!result.isImaginary)
      diags.error(token.loc(), "[PM0106] the integer does not fit in 64 bits")
          .range(token.range())
          .note("write it with a decimal point or an exponent if it is meant "
                "as f64");
  }
  auto [ptr, code] = std::from_chars(text.begin(), text.end(), result.value);
  if (code == std::errc::result_out_of_range)
    diags.error(token.loc(), "[PM0106] the number is out of the range of f64")
        .range(token.range());
  return result;
}

std::string Lexer::stringValue(const Token &token, DiagnosticEngine &diags) {
  StringRef text = token.text;
  char quote = text.front();
  text = text.drop_front();
  std::string value;
  while (!text.empty() && text.front() != quote) {
    char c = text.front();
    if (c != '\\' || text.size() == 1) {
      value += c;
      text = text.drop_front();
      continue;
    }
    switch (text[1]) {
    case 'n':
      value += '\n';
      break;
    case 't':
      value += '\t';
      break;
    case '"':
    case '\'':
    case '\\':
      value += text[1];
      break;
    default:
      diags
          // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): a place
          .error(SMLoc::getFromPointer(text.data()),
                 "[PM0103] no such escape in a string")
          .note("there are '\\n', '\\t', '\\\"' and '\\\\'");
      break;
    }
    text = text.drop_front(2);
  }
  return value;
}
