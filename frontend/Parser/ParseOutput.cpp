//===- ParseOutput.cpp - Outputs, plots, messages -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using namespace pmc::ast;
using namespace pmc::detail;
using llvm::StringRef;

StmtPtr Parser::parseOutput() {
  auto stmt = std::make_unique<OutputStmt>(tok.loc());
  advance();
  if (tok.is(Kind::String) && !atNewline()) {
    const std::string file = Lexer::stringValue(tok, diags);
    const StringRef stem = StringRef(file).rsplit('/').second.empty()
                               ? StringRef(file)
                               : StringRef(file).rsplit('/').second;
    const StringRef name = stem.split('.').first;
    const bool isUsable =
        !name.empty() && !llvm::isDigit(name.front()) &&
        llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    expected("the name of the output")
        .note("the name is that of the file, without quotes: 'output " +
              (isUsable ? name : StringRef("g")) +
              " = …'; --out=DIR is the folder of the files, and "
              "--format=npy their format");
    return nullptr;
  }
  if (!expectName(stmt->name, "the name of the output"))
    return nullptr;
  if (tok.is(Kind::LParen) && !atNewline()) {
    Inside inside(*this, /*newlinesCount=*/false);
    Token open = advance();
    if (tok.is(Kind::RParen)) {
      expected("the name of a column");
      return nullptr;
    }
    bool good = parseList(Kind::RParen, open, [&] {
      Name column;
      if (!expectName(column, "the name of a column"))
        return false;
      stmt->columns.push_back(std::move(column));
      return acceptAsked(stmt->columnUnits.emplace_back());
    });
    if (!good)
      return nullptr;
  }
  stmt->flatten = acceptWord("flatten");
  if (!acceptAsked(stmt->asked))
    return nullptr;
  if (tok.is(Kind::Assign) && !atNewline()) {
    advance();
    stmt->value = parseExpr();
    if (!stmt->value)
      return nullptr;
  }
  unsigned height = heightOf(stmt->value);
  return finish(std::move(stmt), height);
}

StmtPtr Parser::parsePlot() {
  auto stmt = std::make_unique<PlotStmt>(tok.loc());
  advance();
  if (atStatementEnd()) {
    expected("what to plot");
    return nullptr;
  }
  if (isName(tok) && peek().is(Kind::Assign)) {
    stmt->name = {tok.text.str(), tok.loc()};
    advance();
    advance();
  }
  Stops stops(*this, StopPlot);
  panelsAt = tok.loc();
  stmt->value = parseExpr();
  panelsAt = {};
  if (!stmt->value || !acceptAsked(stmt->asked) || !parsePlotOptions(*stmt))
    return nullptr;
  if (tok.is(Kind::Comma) && !atNewline()) {
    expected("the end of the line")
        .note("write a curve in parentheses, the x axis first: plot (x, y)");
    return nullptr;
  }
  unsigned height = std::max(
      {heightOf(stmt->value), stmt->points ? heightOf(stmt->points) : 0,
       stmt->contours ? heightOf(stmt->contours) : 0,
       stmt->xrange ? heightOf(stmt->xrange) : 0,
       stmt->yrange ? heightOf(stmt->yrange) : 0,
       stmt->crange ? heightOf(stmt->crange) : 0, heightOfAll(stmt->bands)});
  return finish(std::move(stmt), height);
}

/// `points e band (e, e) contours e labels ("a", "b") histogram shared`. False
/// after an error; `found`: whether there was one.
bool Parser::parsePlotParts(PlotStmt &stmt, bool &found) {
  found = true;
  if (isWord("points") || isWord("contours") || isWord("band")) {
    Token word = advance();
    ExprPtr part = parseExpr();
    if (!part)
      return false;
    if (word.text == "band") {
      stmt.bands.push_back(std::move(part));
      return true;
    }
    ExprPtr &place = word.text == "points" ? stmt.points : stmt.contours;
    if (place)
      return error(word.loc(),
                   "[PM0117] '" + word.text +
                       "' is given twice; write several values as (a, b)"),
             false;
    place = std::move(part);
    if (word.text == "contours")
      return acceptAsked(stmt.contoursAsked);
  } else if (isWord("labels")) {
    advance();
    if (!tok.is(Kind::LParen) || atNewline())
      return expected("'(' and texts in quotes"), false;
    Inside inside(*this, /*newlinesCount=*/false);
    Token open = advance();
    if (tok.is(Kind::RParen))
      return expected("a text in quotes"), false;
    return parseList(Kind::RParen, open, [&] {
      if (!tok.is(Kind::String))
        return expected("a text in quotes"), false;
      stmt.labels.push_back({Lexer::stringValue(tok, diags), tok.loc()});
      advance();
      return true;
    });
  } else if (isWord("histogram") || isWord("shared")) {
    (isWord("shared") ? stmt.shared : stmt.histogram) = {tok.text.str(),
                                                         tok.loc()};
    advance();
  } else {
    found = false;
  }
  return true;
}

/// `title "text" scale log xscale linear xunit mm colors diverging` and parts,
/// in any order.
bool Parser::parsePlotOptions(PlotStmt &stmt) {
  auto accept = [&](Name &choice, llvm::StringRef what,
                    std::initializer_list<llvm::StringRef> names) {
    if (!llvm::any_of(names,
                      [&](llvm::StringRef name) { return isWord(name); }))
      return expected(what), false;
    choice = {tok.text.str(), tok.loc()};
    advance();
    return true;
  };
  while (true) {
    bool found = false;
    if (!atNewline() && !parsePlotParts(stmt, found))
      return false;
    if (found)
      continue;
    Name *text = isWord("title")    ? &stmt.title
                 : isWord("xlabel") ? &stmt.xlabel
                 : isWord("ylabel") ? &stmt.ylabel
                 : isWord("clabel") ? &stmt.clabel
                                    : nullptr;
    if (text && !atNewline()) {
      advance();
      if (!tok.is(Kind::String) || atNewline())
        return expected("a text in quotes"), false;
      *text = {Lexer::stringValue(tok, diags), tok.loc()};
      advance();
      continue;
    }
    ExprPtr *range = isWord("xrange")   ? &stmt.xrange
                     : isWord("yrange") ? &stmt.yrange
                     : isWord("crange") ? &stmt.crange
                                        : nullptr;
    if (range && !atNewline()) {
      advance();
      ExprPtr ends = parseExprOrRange();
      if (!ends)
        return false;
      if (!llvm::isa<RangeExpr>(*ends))
        return error(ends->loc,
                     "[PM0108] expected both ends of the axis: 0.1 .. 10"),
               false;
      *range = std::move(ends);
      continue;
    }
    WrittenUnit *unit = isWord("xunit")   ? &stmt.xunit
                        : isWord("yunit") ? &stmt.yunit
                        : isWord("cunit") ? &stmt.cunit
                                          : nullptr;
    if (unit && !atNewline()) {
      advance();
      if (!parseWrittenUnit(*unit))
        return false;
      continue;
    }
    Name *scale = isWord("scale")    ? &stmt.scale
                  : isWord("xscale") ? &stmt.xscale
                  : isWord("yscale") ? &stmt.yscale
                                     : nullptr;
    if (scale && !atNewline()) {
      advance();
      if (!accept(*scale, "'log' or 'linear'", {"log", "linear"}))
        return false;
    } else if (acceptWord("projection")) {
      if (!accept(stmt.projection, "'mollweide' or 'polar'",
                  {"mollweide", "polar"}))
        return false;
    } else if (acceptWord("colors")) {
      if (!accept(
              stmt.colors,
              "'sequential', 'diverging', 'cyclic', 'inferno', 'gray' or "
              "'mask'",
              {"sequential", "diverging", "cyclic", "inferno", "gray", "mask"}))
        return false;
    } else if (isName(tok) && !atNewline()) {
      static constexpr llvm::StringRef options[] = {
          "title",      "xlabel", "ylabel",   "clabel", "scale",    "xscale",
          "yscale",     "xrange", "yrange",   "crange", "xunit",    "yunit",
          "cunit",      "colors", "points",   "band",   "contours", "labels",
          "projection", "shared", "histogram"};
      InFlight diag = error("[PM0908] a plot has no option '" + tok.text + "'");
      if (auto near = closestName(tok.text, options))
        diag.note("did you mean '" + *near + "'?");
      diag.note("options are " + llvm::join(llvm::ArrayRef(options), ", "));
      return false;
    } else {
      return true;
    }
  }
}

/// `"text {}", value, value in mm, ...`.
bool Parser::parseFormat(std::string &format, std::vector<ExprPtr> &values,
                         std::vector<WrittenUnit> &asked) {
  if (!tok.is(Kind::String) || atNewline()) {
    InFlight diag = expected("a text in quotes");
    if (!foundEnd())
      diag.note("values are printed where it has '{}': \"a = {}\", a");
    return false;
  }
  format = Lexer::stringValue(tok, diags);
  advance();
  while (tok.is(Kind::Comma)) {
    advance();
    ExprPtr value = parseExpr();
    if (!value)
      return false;
    values.push_back(std::move(value));
    if (!acceptAsked(asked.emplace_back()))
      return false;
  }
  return true;
}

StmtPtr Parser::parsePrint() {
  auto stmt = std::make_unique<PrintStmt>(tok.loc());
  advance();
  // print("text") is a habit.
  if (tok.is(Kind::LParen) && !atNewline()) {
    expected("a text in quotes").note("'print' has no parentheses");
    return nullptr;
  }
  if (!parseFormat(stmt->format, stmt->values, stmt->asked))
    return nullptr;
  if (!atStatementEnd() && previous.is(Kind::String)) {
    expected("','").note(
        "values follow the text after commas: print \"a = {}\", a");
    return nullptr;
  }
  unsigned height = heightOfAll(stmt->values);
  return finish(std::move(stmt), height);
}

/// `warn` is a keyword only before `if`, because `warn if` cannot begin an
/// expression.
bool Parser::atWarn() {
  return isWord("warn") && peek().is(Kind::KwIf) && !peek().startsLine;
}

StmtPtr Parser::parseAssert() {
  auto stmt = std::make_unique<AssertStmt>(tok.loc());
  stmt->isWarning = isWord("warn");
  advance();
  if (stmt->isWarning)
    advance();
  if (atStatementEnd()) {
    expected("a condition");
    return nullptr;
  }
  stmt->condition = parseExpr();
  if (!stmt->condition)
    return nullptr;
  if (stmt->isWarning && !tok.is(Kind::Comma)) {
    expected("',' and a text in quotes")
        .note("as in 'warn if x > 1, \"x is {}, above 1\", x'");
    return nullptr;
  }
  if (accept(Kind::Comma) &&
      !parseFormat(stmt->format, stmt->values, stmt->asked))
    return nullptr;
  unsigned height =
      std::max(heightOf(stmt->condition), heightOfAll(stmt->values));
  return finish(std::move(stmt), height);
}
