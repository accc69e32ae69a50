//===- ParserImpl.h - The recursive descent parser --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parse function that fails has reported why and returns null. Whoever can go
// on behind the damage does: lists skip to the next comma or to their closing
// bracket, statements to the next statement. At one token at most one error is
// reported, so that callers need not know whether a callee has complained.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_PARSER_PARSERIMPL_H
#define PMC_FRONTEND_PARSER_PARSERIMPL_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Lexer/Lexer.h"
#include "frontend/Parser/AST.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

#include <deque>

namespace pmc::detail {

/// Where a statement stands decides what it may be.
enum class Scope {
  Top,      // everything
  TopIf,    // inside a top-level `if`: no declarations
  Loop,     // inside a block of a loop or a `for` there: no declarations
  Function, // inside any other block: no outputs either
};

/// Words that end an expression where they are expected to follow it.
enum StopWord : unsigned {
  StopNone = 0,
  StopOver = 1,
  StopBy = 2,
  StopInto = 4,
  StopPlot = 8, // options of a plot
  StopOptional = 16,
  StopOptimize = 32,   // minimizing, with, iterations, checkpoint, …
  StopCheckpoint = 64, // checkpoint every
  StopAt = 128,        // at most
  StopWhere = 256,
};

class Parser {
public:
  Parser(llvm::StringRef text, DiagnosticEngine &diags,
         const WorkingUnits &units);

  void parseModule(ast::Module &module);

private:
  /// What a block in an expression may hold.
  Scope blockScope = Scope::Function;
  bool inFunction = false;
  using Kind = TokenKind;

  //===--------------------------------------------------------------------===//
  // Tokens (Parser.cpp)
  //===--------------------------------------------------------------------===//

  const Token &peek(unsigned ahead = 1);
  Token advance();
  bool accept(Kind kind);
  /// The current token begins a line, where lines count, and the line before
  /// does not go on.
  bool atNewline() const;
  bool atStatementEnd() const;
  /// `let`, `output x`: begins a line, and no expression begins like it.
  bool atStatementStart();
  bool isName(const Token &token) const;
  bool isWord(llvm::StringRef word) const;
  bool acceptWord(llvm::StringRef word);
  bool atStopWord();
  bool atPlotOption();

  //===--------------------------------------------------------------------===//
  // Errors (Parser.cpp)
  //===--------------------------------------------------------------------===//

  /// An error at the current token, silent if there was one already.
  InFlight error(llvm::SMLoc loc, const llvm::Twine &message);
  InFlight error(const llvm::Twine &message);
  /// "expected `what`, found `...`".
  InFlight expected(const llvm::Twine &what);
  InFlight expectedBracket(const llvm::Twine &what, const Token &open);
  std::string found();
  /// The end of the line or file before the current token is what is wrong.
  bool foundEnd() const;
  void explainAfterExpr(InFlight &diag);

  bool expect(Kind kind, const llvm::Twine &where = "");
  bool expectWord(llvm::StringRef word);
  bool expectName(ast::Name &name, const llvm::Twine &what);
  /// Reports that, and ends the parse.
  void tooDeep(llvm::SMLoc loc);

  /// Skips over balanced brackets to a token that `stop` requires, to a closing
  /// bracket that was open before, or to a new statement.
  void skip(llvm::function_ref<bool()> stop);
  void skipToListEnd(Kind closer);
  void skipStatement();

  /// `item, item, ... closer` behind the bracket `open`. A trailing comma is
  /// fine. False if the closing bracket is missing.
  bool parseList(Kind closer, const Token &open,
                 llvm::function_ref<bool()> parseItem);

  /// Counts a level of nesting while it lives.
  struct Level {
    explicit Level(Parser &parser) : parser(parser) { ++parser.depth; }
    ~Level() { --parser.depth; }
    bool tooDeep() const { return parser.depth > ast::maxDepth; }
    Parser &parser;
  };
  friend struct Level;

  /// Whether newlines count, and which words stop an expression, inside a
  /// bracket.
  struct Inside {
    Inside(Parser &parser, bool newlinesCount)
        : newlines(parser.newlinesCount, newlinesCount),
          words(parser.stopWords, StopNone) {}
    llvm::SaveAndRestore<bool> newlines;
    llvm::SaveAndRestore<unsigned> words;
  };
  /// Adds stop words.
  struct Stops {
    Stops(Parser &parser, unsigned words)
        : words(parser.stopWords, parser.stopWords | words) {}
    llvm::SaveAndRestore<unsigned> words;
  };

  //===--------------------------------------------------------------------===//
  // Declarations (ParseDecl.cpp)
  //===--------------------------------------------------------------------===//

  ast::StmtPtr parseUse();
  template <class Setting>
  bool parseSetting(Setting &setting, const char *what);
  ast::StmtPtr parseConst();
  ast::StmtPtr parseParam();
  bool checkOneSetting(llvm::StringRef keyword, const ast::Name &name,
                       const ast::Expr *value);
  ast::StmtPtr parseInput();
  ast::StmtPtr parseDim();
  ast::StmtPtr parseMesh();
  ast::StmtPtr parseLayout();
  ast::StmtPtr parseAnnotated(Scope scope);
  bool atOptimize();
  bool acceptClause(llvm::StringRef word);
  ast::StmtPtr parseOptimize(Scope scope);
  bool parseSpan(ast::OptimizeStmt &stmt);
  bool parseHistory(ast::OptimizeStmt &stmt);
  bool parseCheck(ast::OptimizeStmt &stmt);
  ast::StmtPtr parseFunction();
  bool parseFnParam(ast::FunctionStmt &function);
  void parseDoc(std::string &doc);
  bool parseRange(ast::RangeSyntax &range);
  bool parseBound(ast::ExprPtr &bound);
  bool checkFieldType(const ast::TypeExpr &type, const Token &base);
  void unknownType();

  //===--------------------------------------------------------------------===//
  // Statements (ParseStmt.cpp)
  //===--------------------------------------------------------------------===//

  void parseStatements(Scope scope, std::vector<ast::StmtPtr> &statements);
  ast::StmtPtr parseStatement(Scope scope);
  ast::StmtPtr parseKeywordStatement(Scope scope);
  ast::StmtPtr parseLet();
  ast::StmtPtr parseOutput();
  ast::StmtPtr parsePlot();
  bool parsePlotOptions(ast::PlotStmt &stmt);
  bool parsePlotParts(ast::PlotStmt &stmt, bool &found);
  ast::StmtPtr parsePrint();
  bool atWarn();
  ast::StmtPtr parseAssert();
  ast::StmtPtr parseIfStatement(Scope scope);
  ast::StmtPtr parseExprStatement();
  bool parseFormat(std::string &format, std::vector<ast::ExprPtr> &values,
                   std::vector<ast::WrittenUnit> &asked);
  bool parsePattern(ast::Pattern &pattern);
  bool parseBraces(Scope scope, std::vector<ast::StmtPtr> &statements);
  bool isDeclaration(Kind kind) const;
  bool isKeywordStatement(Scope scope);
  bool foreignKeyword();
  bool checkContinuation(const Token &statement);
  ast::StmtPtr finish(std::unique_ptr<ast::Stmt> stmt, unsigned height);
  bool blockMissesBrace(Scope scope);

  //===--------------------------------------------------------------------===//
  // Expressions (ParseExpr.cpp)
  //===--------------------------------------------------------------------===//

  ast::ExprPtr parseExpr();
  /// An expression, or `a .. b`.
  ast::ExprPtr parseExprOrRange();
  /// No lambda: `=>` belongs to someone else.
  ast::ExprPtr parseOperand() { return parseBinary(1); }
  ast::ExprPtr parseBinary(unsigned minPrecedence);
  void warnProduct(const ast::BinaryExpr &division, const Token &first);
  ast::ExprPtr parseNot();
  ast::ExprPtr parseUnary(bool inExponent);
  /// `2 x`, `x ^ 2`.
  ast::ExprPtr parseProduct(bool inExponent);
  ast::ExprPtr parsePower();
  ast::ExprPtr parsePowerOf(ast::ExprPtr base);
  ast::ExprPtr parsePostfix();
  ast::ExprPtr parsePrimary();
  ast::ExprPtr parseNumber(bool mayHaveUnit);
  ast::ExprPtr parseName();
  ast::ExprPtr parseParens();
  ast::ExprPtr parseCall(ast::ExprPtr callee);
  ast::ExprPtr parseIndex(ast::ExprPtr base);
  bool parseIndexOption(ast::IndexExpr &index);
  ast::ExprPtr parseMember(ast::ExprPtr base);
  bool atFactor();
  bool lambdaAhead();
  bool parseExprList(Kind closer, const Token &open,
                     std::vector<ast::ExprPtr> &list);
  /// Sets the range and the height; null if the tree grew too high.
  ast::ExprPtr finish(std::unique_ptr<ast::Expr> expr, llvm::SMLoc start,
                      unsigned childHeight);

  //===--------------------------------------------------------------------===//
  // Expressions with a keyword or braces (ParseControl.cpp)
  //===--------------------------------------------------------------------===//

  ast::ExprPtr parseKeywordExpr();
  ast::ExprPtr parseLambda();
  ast::ExprPtr parseIf();
  ast::ExprPtr parseIfRest(llvm::SMLoc start, ast::ExprPtr condition);
  ast::ExprPtr parseFor();
  ast::ExprPtr parseMap();
  ast::ExprPtr parseBins();
  ast::ExprPtr parseLoop();
  bool parseIterations(ast::LoopExpr &expr);
  bool atUnit();
  ast::StmtPtr parseUnit(Scope scope);
  bool atUnits();
  ast::StmtPtr parseUnits(Scope scope);
  bool atEach();
  ast::ExprPtr parseEach();
  bool atCollect();
  ast::ExprPtr parseBody();
  ast::ExprPtr parseRepeated();
  ast::ExprPtr parseBraceExpr();
  ast::ExprPtr parseBlock();
  bool atPrecise();
  ast::ExprPtr parsePrecise();
  ast::ExprPtr parseStacking(ast::ExprPtr next);
  ast::ExprPtr parseWith(ast::ExprPtr base);
  bool parseUpdates(const Token &open, std::vector<ast::CellUpdate> &updates);
  bool parseRecordFields(const Token &open,
                         std::vector<ast::RecordField> &fields);
  bool parseDomain(ast::Name &variable, ast::ExprPtr &domain,
                   std::vector<ast::ExprPtr> &dims);
  bool recordAhead();

  //===--------------------------------------------------------------------===//
  // Types and units (ParseType.cpp)
  //===--------------------------------------------------------------------===//

  std::optional<ast::TypeExpr> parseType();
  bool parseOptionalType(std::optional<ast::TypeExpr> &type);
  bool parseColumns(ast::TypeExpr &type);
  /// A unit at the current token, if there is one.
  std::optional<Unit> acceptUnit(std::string &text, bool isAsked = false);
  bool startsUnit(const Token &token);

  bool isVariable(llvm::StringRef name);
  bool parseWrittenUnit(ast::WrittenUnit &written);
  bool acceptAsked(ast::WrittenUnit &asked);

  DiagnosticEngine &diags;
  WorkingUnits units;
  Lexer lexer;
  std::deque<Token> ahead;
  Token tok;
  Token previous;
  llvm::SMLoc panelsAt; // a '(' whose elements may stand in rows
  const char *textBegin, *textEnd;
  llvm::StringMap<Unit> ownUnits; // that the file has declared so far
  /// The kinds of units that `units` has chosen.
  llvm::SmallVector<Unit::Base> workingBases;
  /// Names of the file that are not used as units; absent: not collected.
  std::optional<llvm::StringSet<>> variables;
  unsigned depth = 0;
  size_t statementAt = 0;      // position of the first token of the statement
  size_t position = 0;         // of `tok`, counted in tokens
  size_t errorAt = ~size_t(0); // the position of the last error
  bool gaveUp = false;
  bool newlinesCount = true;
  bool trailingComma = false; // in the list that was parsed last
  bool collects = false;      // `collect` has been seen
  unsigned stopWords = StopNone;
};

/// One more than the highest of the trees; null counts as none.
template <typename... Ptrs> unsigned heightOf(const Ptrs &...trees) {
  unsigned height = 0;
  ((height = std::max(height, trees ? trees->height : 0)), ...);
  return height;
}
template <typename Range> unsigned heightOfAll(const Range &trees) {
  unsigned height = 0;
  for (const auto &tree : trees)
    height = std::max(height, heightOf(tree));
  return height;
}

} // namespace pmc::detail

#endif // PMC_FRONTEND_PARSER_PARSERIMPL_H
