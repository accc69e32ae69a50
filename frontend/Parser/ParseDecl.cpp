//===- ParseDecl.cpp - Declarations -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;

/// `a, b, c` to the end of the statement, each read by `parseItem`.
static bool parseEntries(llvm::function_ref<bool()> parseItem,
                         llvm::function_ref<bool()> acceptComma) {
  do
    if (!parseItem())
      return false;
  while (acceptComma());
  return true;
}

StmtPtr Parser::parseUse() {
  auto stmt = std::make_unique<UseStmt>(tok.loc());
  advance();
  bool good = parseEntries(
      [&] {
        Name name;
        if (!expectName(name, "the name of a module"))
          return false;
        stmt->modules.push_back(std::move(name));
        return true;
      },
      [&] { return accept(Kind::Comma); });
  if (!good)
    return nullptr;
  return finish(std::move(stmt), 0);
}

//===----------------------------------------------------------------------===//
// const, param, input
//===----------------------------------------------------------------------===//

void Parser::parseDoc(std::string &doc) {
  if (!tok.is(Kind::String) || atNewline())
    return;
  doc = Lexer::stringValue(tok, diags);
  advance();
}

/// `param name: type in range`
template <class Setting>
bool Parser::parseSetting(Setting &setting, const char *what) {
  advance();
  return expectName(setting.name, what) && parseOptionalType(setting.type) &&
         (!tok.is(Kind::KwIn) || parseRange(setting.range.emplace()));
}

StmtPtr Parser::parseConst() {
  auto stmt = std::make_unique<ConstStmt>(tok.loc());
  if (!parseSetting(*stmt, "the name of the constant") || !expect(Kind::Assign))
    return nullptr;
  stmt->value = parseExpr();
  if (!stmt->value || !checkOneSetting("const", stmt->name, stmt->value.get()))
    return nullptr;
  parseDoc(stmt->doc);
  unsigned height = heightOf(stmt->value);
  return finish(std::move(stmt), height);
}

/// Reports two common mistakes. One is several names in a statement, as in
/// `const a = 1, b = 2`, because `dim` allows them. The other is a range after
/// the value, as in `param a = 3 in (1, 5)`. Returns false after an error.
bool Parser::checkOneSetting(llvm::StringRef keyword, const Name &name,
                             const Expr *value) {
  if (tok.is(Kind::KwIn) && !atNewline() && value &&
      peek().isAny(Kind::LParen, Kind::LBracket)) {
    const char *begin = value->range.Start.getPointer();
    std::string number(begin, value->range.End.getPointer() - begin);
    // The range, if its closing bracket is on the same line.
    const char *open = peek().text.begin();
    llvm::StringRef rest =
        llvm::StringRef(open, textEnd - open).split('\n').first;
    std::string range = rest.take_front(rest.find_first_of(")]") + 1).str();
    if (range.empty())
      range = "(low, high)";
    error("[PM0114] the range of a '" + keyword +
          "' is before its value: write '" + keyword + " " + name.text +
          " in " + range + " = " + number + "'");
    return false;
  }
  if (!tok.is(Kind::Comma) || atNewline())
    return true;
  InFlight diag =
      error("[PM0114] a '" + keyword + "' declares one name, found ','");
  if (isName(peek()))
    diag.note("write '" + keyword + " " + peek().text +
              " = …' as a statement " + "of its own");
  return false;
}

StmtPtr Parser::parseParam() {
  auto stmt = std::make_unique<ParamStmt>(tok.loc());
  if (!parseSetting(*stmt, "the name of the parameter"))
    return nullptr;
  if (tok.is(Kind::Assign) && !atNewline()) {
    advance();
    stmt->value = parseExpr();
    if (!stmt->value)
      return nullptr;
  }
  if (!checkOneSetting("param", stmt->name, stmt->value.get()))
    return nullptr;
  parseDoc(stmt->doc);
  unsigned height = heightOf(stmt->value);
  return finish(std::move(stmt), height);
}

StmtPtr Parser::parseInput() {
  auto stmt = std::make_unique<InputStmt>(tok.loc());
  advance();
  if (!expectName(stmt->name, "the name of the input") || !expect(Kind::Colon))
    return nullptr;
  {
    Stops stops(*this, StopOptional);
    // `like` is a name elsewhere, and no type.
    if (acceptWord("like")) {
      stmt->like = parseExpr();
      if (!stmt->like)
        return nullptr;
    } else {
      auto type = parseType();
      if (!type)
        return nullptr;
      stmt->type = std::move(*type);
    }
  }
  if (tok.is(Kind::Assign) && !atNewline()) {
    error("[PM0901] an input has no value in the spec; its file is given when "
          "the "
          "program starts: --" +
          stmt->name.text + "=FILE");
    return nullptr;
  }
  stmt->streamed = !stmt->like && acceptWord("streamed");
  stmt->optional = acceptWord("optional");
  parseDoc(stmt->doc);
  unsigned height = heightOf(stmt->like);
  return finish(std::move(stmt), height);
}

/// `in [a, b)`, `in ("a", "b")`.
bool Parser::parseRange(RangeSyntax &range) {
  advance(); // in
  range.loc = tok.loc();
  if (!tok.isAny(Kind::LParen, Kind::LBracket)) {
    expected("'[' or '('")
        .note("a range is written '[a, b]' with its ends, '(a, b)' without, or "
              "'(\"a\", \"b\")' with choices");
    return false;
  }
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  if (tok.is(Kind::String)) {
    return parseList(open.is(Kind::LParen) ? Kind::RParen : Kind::RBracket,
                     open, [&] {
                       if (!tok.is(Kind::String)) {
                         expected("a string");
                         return false;
                       }
                       range.choices.push_back(Lexer::stringValue(tok, diags));
                       advance();
                       return true;
                     });
  }
  range.minOpen = open.is(Kind::LParen);
  bool good = parseBound(range.min);
  good = good && expect(Kind::Comma) && parseBound(range.max);
  if (good && tok.isAny(Kind::RParen, Kind::RBracket)) {
    range.maxOpen = tok.is(Kind::RParen);
    advance();
    return true;
  }
  if (good) {
    InFlight diag = expected("']' or ')'");
    if (tok.is(Kind::Comma))
      diag.note(
          "a range has two bounds; choices are strings, '(\"a\", \"b\")'");
    explainAfterExpr(diag);
    diag.note(open.loc(), "to match this " + describe(open.kind));
  }
  skip([&] { return tok.is(Kind::Assign); });
  if (tok.isAny(Kind::RParen, Kind::RBracket))
    advance();
  return false;
}

/// A number, or `inf` and `-inf`: null.
bool Parser::parseBound(ExprPtr &bound) {
  bound = parseExpr();
  if (!bound)
    return false;
  const Expr *inner = bound.get();
  if (const auto *unary = llvm::dyn_cast<UnaryExpr>(inner))
    if (unary->op == UnaryOp::Neg)
      inner = unary->operand.get();
  if (const auto *ref = llvm::dyn_cast<RefExpr>(inner))
    if (ref->name == "inf")
      bound = nullptr;
  return true;
}

//===----------------------------------------------------------------------===//
// dim, mesh, layout
//===----------------------------------------------------------------------===//

StmtPtr Parser::parseDim() {
  auto stmt = std::make_unique<DimStmt>(tok.loc());
  advance();
  unsigned height = 0;
  bool good = parseEntries(
      [&] {
        DimStmt::Entry entry;
        if (!expectName(entry.name, "the name of a dim") ||
            !expect(Kind::Assign))
          return false;
        Stops stops(*this, StopOver);
        entry.cells = parseExpr();
        if (!entry.cells)
          return false;
        height = std::max(height, heightOf(entry.cells));
        stmt->entries.push_back(std::move(entry));
        return true;
      },
      [&] { return accept(Kind::Comma); });
  if (!good)
    return nullptr;
  if (acceptWord("over")) {
    stmt->length = parseExpr();
    if (!stmt->length)
      return nullptr;
    height = std::max(height, heightOf(stmt->length));
  }
  return finish(std::move(stmt), height);
}

StmtPtr Parser::parseMesh() {
  auto stmt = std::make_unique<MeshStmt>(tok.loc());
  advance();
  if (!expectName(stmt->name, "the name of the mesh"))
    return nullptr;
  if (!tok.is(Kind::LParen) || atNewline()) {
    expected("'('").note("as in 'mesh gpus(row = 1, col = 1)'");
    return nullptr;
  }
  Inside inside(*this, /*newlinesCount=*/false);
  Token open = advance();
  unsigned height = 0;
  bool good = parseList(Kind::RParen, open, [&] {
    MeshStmt::Axis axis;
    if (!expectName(axis.name, "the name of a mesh axis") ||
        !expect(Kind::Assign))
      return false;
    axis.extent = parseExpr();
    if (!axis.extent)
      return false;
    height = std::max(height, heightOf(axis.extent));
    stmt->axes.push_back(std::move(axis));
    return true;
  });
  if (!good)
    return nullptr;
  return finish(std::move(stmt), height);
}

StmtPtr Parser::parseLayout() {
  auto stmt = std::make_unique<LayoutStmt>(tok.loc());
  advance();
  bool good = parseEntries(
      [&] {
        LayoutStmt::Entry entry;
        Name axis;
        if (!expectName(entry.dim, "the name of a dim") || !expect(Kind::Arrow))
          return false;
        if (!tok.is(Kind::LParen)) {
          if (!expectName(axis, "the name of a mesh axis"))
            return false;
          entry.axes.push_back(std::move(axis));
        } else {
          Inside inside(*this, /*newlinesCount=*/false);
          Token open = advance();
          if (tok.is(Kind::RParen)) {
            expected("the name of a mesh axis");
            return false;
          }
          if (!parseList(Kind::RParen, open, [&] {
                if (!expectName(axis, "the name of a mesh axis"))
                  return false;
                entry.axes.push_back(axis);
                return true;
              }))
            return false;
        }
        stmt->entries.push_back(std::move(entry));
        return true;
      },
      [&] { return accept(Kind::Comma); });
  if (!good)
    return nullptr;
  return finish(std::move(stmt), 0);
}

//===----------------------------------------------------------------------===//
// fn
//===----------------------------------------------------------------------===//

bool Parser::parseFnParam(FunctionStmt &function) {
  FnParam param;
  if (!expectName(param.name, "the name of a parameter") ||
      !parseOptionalType(param.type))
    return false;
  if (accept(Kind::Assign)) {
    param.defaultValue = parseExpr();
    if (!param.defaultValue)
      return false;
  }
  function.params.push_back(std::move(param));
  return true;
}

/// Parses a function with derivatives by hand. The lines before `fn f(…)` are
/// `@adjoint(g)`, and `@tangent(h)` or `@tangent(h, f2)`, or one of both.
StmtPtr Parser::parseAnnotated(Scope scope) {
  Name adjoint, tangent, again;
  do {
    llvm::SMLoc start = advance().loc();
    if (scope != Scope::Top)
      error(start, "[PM0113] '@adjoint' must be in front of a function at the "
                   "top level");
    const bool isTangent = isWord("tangent");
    if (!isTangent && !isWord("adjoint")) {
      expected("'adjoint' or 'tangent'")
          .note("as in '@adjoint(g)', before 'fn f(x)'");
      return nullptr;
    }
    Name &hand = isTangent ? tangent : adjoint;
    if (!hand.text.empty())
      error(start, isTangent ? "[PM0117] a function has one '@tangent'"
                             : "[PM0117] a function has one '@adjoint'");
    advance();
    if (!expect(Kind::LParen) ||
        !expectName(hand, isTangent
                              ? "the name of the function that is the tangent"
                              : "the name of the function that is the "
                                "adjoint") ||
        (isTangent && accept(Kind::Comma) &&
         !expectName(again, "the name of the function that second derivatives "
                            "differentiate")) ||
        !expect(Kind::RParen))
      return nullptr;
  } while (tok.is(Kind::At));
  if (!tok.is(Kind::KwFn)) {
    expected("'fn'").note("'@adjoint(g)' belongs to the function behind it");
    return nullptr;
  }
  StmtPtr stmt = parseFunction();
  if (stmt) {
    auto &function = *llvm::cast<FunctionStmt>(stmt.get());
    function.adjoint = std::move(adjoint);
    function.tangent = std::move(tangent);
    function.again = std::move(again);
  }
  return stmt;
}

StmtPtr Parser::parseFunction() {
  auto stmt = std::make_unique<FunctionStmt>(tok.loc());
  advance();
  if (!expectName(stmt->name, "the name of the function"))
    return nullptr;
  bool good = true;
  if (tok.is(Kind::LBracket) && !atNewline()) {
    Inside inside(*this, /*newlinesCount=*/false);
    Token open = advance();
    if (tok.is(Kind::RBracket)) {
      expected("the name of a dim");
      good = false;
    }
    good &= parseList(Kind::RBracket, open, [&] {
      Name dim;
      if (!expectName(dim, "the name of a dim"))
        return false;
      stmt->dimParams.push_back(std::move(dim));
      return true;
    });
  }
  if (!tok.is(Kind::LParen) || atNewline()) {
    expected("'('").note("as in 'fn square(x) = x^2'");
    return nullptr;
  }
  {
    Inside inside(*this, /*newlinesCount=*/false);
    Token open = advance();
    good &= parseList(Kind::RParen, open, [&] { return parseFnParam(*stmt); });
  }
  if (accept(Kind::Arrow)) {
    stmt->resultType = parseType();
    good &= stmt->resultType.has_value();
  }
  llvm::SaveAndRestore<bool> function(inFunction, true);
  llvm::SaveAndRestore<Scope> own(blockScope, Scope::Function);
  // Errors in the head do not hide those in the body.
  if (!good)
    skip([&] {
      return tok.isAny(Kind::Assign, Kind::LBrace) || atStatementEnd();
    });
  if (tok.is(Kind::LBrace) && !atNewline()) {
    stmt->body = parseBraceExpr();
  } else if (good || tok.is(Kind::Assign)) {
    if (!tok.is(Kind::Assign)) {
      InFlight diag = expected("'=' or '{'");
      explainAfterExpr(diag);
      return nullptr;
    }
    advance();
    stmt->body = parseExpr();
  }
  if (!good || !stmt->body)
    return nullptr;
  unsigned height = heightOf(stmt->body);
  for (const FnParam &param : stmt->params)
    height = std::max(height, heightOf(param.defaultValue));
  return finish(std::move(stmt), height);
}
