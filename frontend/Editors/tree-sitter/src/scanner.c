// Decides where a newline ends a statement: not before a line that begins with `else`, `then`, `=>`, `.` or a clause of
// `optimize`. Where an operand is expected, and in brackets, the grammar does not ask for one.

#include <tree_sitter/parser.h>

#include <string.h>
#include <wctype.h>

void *tree_sitter_pm_external_scanner_create(void) { return 0; }
void tree_sitter_pm_external_scanner_destroy(void *payload) {}
unsigned tree_sitter_pm_external_scanner_serialize(void *payload, char *buffer) { return 0; }
void tree_sitter_pm_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {}

// Whether the line that begins here goes on the one before.
static bool goes_on(TSLexer *lexer) {
  char word[16];
  unsigned length = 0;
  if (lexer->lookahead == '=') {
    lexer->advance(lexer, true);
    return lexer->lookahead == '>';
  }
  if (lexer->lookahead == '.') {
    lexer->advance(lexer, true);
    return lexer->lookahead != '.';
  }
  while ((iswalnum(lexer->lookahead) || lexer->lookahead == '_') && length + 1 < sizeof(word)) {
    word[length++] = (char)lexer->lookahead;
    lexer->advance(lexer, true);
  }
  word[length] = 0;
  if (!strcmp(word, "else") || !strcmp(word, "then"))
    return true;
  if (strcmp(word, "checkpoint") && strcmp(word, "history") && strcmp(word, "every"))
    return false;
  while (lexer->lookahead == ' ')
    lexer->advance(lexer, true);
  return iswalnum(lexer->lookahead);
}

bool tree_sitter_pm_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  if (!valid[0])
    return false;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r')
    lexer->advance(lexer, true);
  if (lexer->lookahead != '\n')
    return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  lexer->result_symbol = 0;
  // Over empty lines and comments.
  while (!lexer->eof(lexer)) {
    if (iswspace(lexer->lookahead)) {
      lexer->advance(lexer, true);
    } else if (lexer->lookahead == '/') {
      lexer->advance(lexer, true);
      if (lexer->lookahead != '/')
        return true;
      while (!lexer->eof(lexer) && lexer->lookahead != '\n')
        lexer->advance(lexer, true);
    } else {
      return !goes_on(lexer);
    }
  }
  return true;
}
