//===- Document.h - Text with places to break it ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A document is a stream of texts, breaks and nested scopes, as in Oppen's
// "Prettyprinting" (1980). A scope decides how far a line behind one of its
// breaks is indented. A break becomes a newline if it is forced, or if the text
// up to the next break of this scope or of an outer one does not fit in the
// line. Outer breaks therefore come first.
//
// A line that is broken once is broken in the same places when its text is read
// and printed again: forced breaks only shorten what has to fit.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_DOCUMENT_H
#define PMC_FRONTEND_FORMAT_DOCUMENT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace pmc::format {

/// Columns of a text.
unsigned displayWidth(llvm::StringRef text);

/// Where the lines begin that a scope continues.
enum class Indent {
  Line,   ///< as the line in which the scope begins
  Nested, ///< two columns further than that line
  Align,  ///< at the column where the scope begins
  Add,    ///< two columns further than the enclosing scope
  Back,   ///< two columns less far than the enclosing scope
  /// Of operands: under the first one in an aligned bracket, two columns
  /// further if the first one begins its line, else as the enclosing scope.
  Operands,
  /// Of clauses: two columns further than the first one, if that begins its
  /// line or is in an aligned bracket, else as the enclosing scope.
  Clauses
};

struct Break {
  llvm::StringRef flat = " "; ///< printed if the line is not broken
  bool isForced = false;
  bool hasBlank = false; ///< an empty line follows
  /// Break only if the text behind it then fits in one line.
  bool onlyIfFits = false;
  /// Breaks of a group become newlines together; -1: none.
  int group = -1;
};

/// One printed line. Columns that are aligned with other lines are separate.
struct Line {
  std::string code;
  std::string doc;     ///< a documentation string behind it
  std::string comment; ///< a comment behind it
  bool isDeclaration = false;
  bool isComment = false; ///< nothing but a comment
};

class Document {
public:
  void text(llvm::StringRef text);
  void addBreak(Break place);
  void open(Indent indent);
  void close();
  /// A comment in a line of its own, between two forced breaks.
  void comment(llvm::StringRef text);
  /// Text behind the current line, which has no influence on breaks.
  void trail(llvm::StringRef text, bool isDoc);
  /// The lines from here on are declarations, or not.
  void declare(bool isDeclaration);

  /// Lines of at most `width` columns, where there are enough breaks.
  std::vector<Line> print(unsigned width) const;

private:
  enum class Kind { Text, Comment, Break, Open, Close, Doc, Tail, Declare };
  struct Item {
    Kind kind = Kind::Text;
    std::string text;
    Break place;
    Indent indent = Indent::Line;
    unsigned depth = 0; ///< of a break: the scopes around it
    unsigned width = 0;
    bool flag = false;
  };
  class Printer;

  Item &add(Kind kind, llvm::StringRef text = "");

  std::vector<Item> items;
  unsigned depth = 0;
};

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_DOCUMENT_H
