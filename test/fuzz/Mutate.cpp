//===- Mutate.cpp - Specs with mistakes -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace pmc::fuzz;
using llvm::StringRef;

namespace {

const std::vector<std::string> words = {
    "x",           "y",       "z",        "n",          "box",
    "pi",          "sqrt",    "exp",      "log",        "sin",
    "cos",         "atan2",   "floor",    "round",      "min",
    "max",         "abs",     "sign",     "real",       "imag",
    "conj",        "arg",     "norm2",    "norm",       "dot",
    "total",       "spacing", "length",   "cells",      "dims",
    "refine",      "fft",     "ifft",     "zeros",      "constant",
    "white_noise", "paint",   "paint_at", "readout",    "sum",
    "mean",        "slice",   "index",    "tabulate",   "transform",
    "given",       "number",  "error",    "readout_at", "interpolate",
    "derivative",  "inf",     "nothing",  "s",          "K",
    "km",          "Mpc",     "h"};

const std::vector<std::string> numberTexts = {
    "0",          "1",          "2",
    "3",          "7",          "64",
    "1000",       "4294967296", "1.5",
    "0.1",        "1e30",       "1e-30",
    "1i",         "2.5i",       "18446744073709551615",
    "1e308",      "0.0",        "9223372036854775808",
    "2147483648", "100000"};

const std::vector<std::string> unitTexts = {
    " Mpc/h", " h/Mpc", " Mpc",        " km/s",      " km/s/Mpc/h", " K",
    " s",     " deg",   " Msun/Mpc^3", " (Mpc/h)^3", " kpc/h",      " s^-99",
    " in mm", " in K",  " in h/Mpc",   " in 1",      " in percent", " in ("};

const std::vector<std::string> strings = {
    "\"\"",        "\"cic\"",   "\"tsc\"", "\"pcs\"",      "\"ngp\"",
    "\"fd4\"",     "\"exact\"", "\"{}\"",  "\"{} {} {}\"", "\"{\"",
    "\"\\\\\\n\"", "\"%s %n\"", "\"../x\""};

const std::vector<std::string> operators = {
    "+", "-", "*", "/", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or"};

const std::vector<std::string> types = {"f64",
                                        "int",
                                        "u64",
                                        "bool",
                                        "string",
                                        "complex",
                                        "length",
                                        "table",
                                        "f64 km/s",
                                        "field[x, y]",
                                        "field[x, y, z]",
                                        "vector f64",
                                        "vector field[x, y, z]",
                                        "complex field[x, y, z]",
                                        "field[x, x]",
                                        "field[refine(x, 2)]",
                                        "field[D] K"};

/// `#` stands for an expression, `@` for a name.
const std::vector<std::string> templates = {
    "(#, #)",
    "(#)",
    "-#",
    "not #",
    "# + #",
    "# / #",
    "#^#",
    "#^2",
    "if # then # else #",
    "if # < # then # else #",
    "sqrt(#)",
    "log(#)",
    "min(#, #)",
    "#.@",
    "#[@]",
    "#[0]",
    "#(#)",
    "@(#, #)",
    "@(@ = #)",
    "@[@, @](#)",
    "@ => #",
    "(@, @) => #",
    "{@ = #, @ = #}",
    "# with {@ = #}",
    "{ let @ = #; # }",
    "{ let (@, @) = #; # }",
    "{ fn @(@) = #; @(#) }",
    "{ print \"{}\", #; # }",
    "{ assert #, \"{}\", #; # }",
    "map @ in # => #",
    "map @ in [x, y, z] => #",
    "bins @ in # into # by # => #",
    "bins @ in # into 8 by # => (1, #)",
    "for @ in (x, y, z) => #",
    "for @ in 0 .. 3 => #",
    "for @ in # => #",
    "for @ in # .. # => #",
    "loop @ = # for @ in 0 .. # => #",
    "loop (@, @) = (#, #) for @ in # .. # => (#, #)",
    "loop @ = # while # < # => #",
    "sum(#)",
    "sum(#, over = @)",
    "mean(#)",
    "fft(#)",
    "ifft(#)",
    "ifft(map @ in fft(#) => #)",
    "fft(#, over = (@, @))",
    "dot(#, #)",
    "norm2(#)",
    "zeros[x, y, z]",
    "constant[@](#)",
    "white_noise[x, y, z](#)",
    "paint[x, y, z](#)",
    "paint[@, @, @](#, window = #, weight = #)",
    "readout(#, #)",
    "paint_at[x, y, z](#)",
    "readout_at(#, #)",
    "slice(#, z = 0 .. #)",
    "tabulate(# => #, #, #, #)",
    "interpolate(#, #)",
    "transform(#, (@, @) => (#, #))",
    "number(#, 1 h/Mpc)",
    "given(@)",
    "error(\"no\")",
    "refine(@, #)",
    "{}",
    "()",
    "@",
    "1 Mpc/h",
    "\"@\""};

const std::vector<std::string> statementTemplates = {
    "let @ = #",
    "let (@, @) = #",
    "fn @(@) = #",
    "fn @[@](@: field[@], @ = #) -> field[@] = #",
    "fn @(@: TYPE) -> TYPE = #",
    "const @ = #",
    "const @: TYPE in [#, #] = #",
    "param @: TYPE = #",
    "param @ in (#, inf) = #",
    "input @: TYPE",
    "input @: TYPE optional",
    "dim @ = #",
    "dim @ = #, @ = # over #",
    "mesh @(@ = #, @ = #)",
    "layout @ -> @, @ -> (@, @)",
    "output @ = #",
    "output @",
    "output (@, @) = #",
    "output @ (@, @) = (#, #)",
    "output @ flatten = #",
    "plot # scale log",
    "plot (#, #; #) shared",
    "plot # points # band (#, #) histogram contours #",
    "plot # projection mollweide",
    "plot # title \"@\" colors gray",
    "plot # xlabel \"@\" ylabel \"@\" clabel \"@\"",
    "plot (#, #) xscale log yscale linear",
    "plot @ = slice(#, @ = # .. #)",
    "print \"{}\", #",
    "assert #, \"{}\", #",
    "if # { output @ = # } else { print \"no\" }",
    "if # { let @ = # }",
    "use @",
    "#"};

} // namespace

static StringRef textOf(const Sample &sample, Span span) {
  return StringRef(sample.text).slice(span.begin, span.end);
}

std::string Corpus::otherName(Random &random, const Sample &sample) const {
  if (random.oneIn(4) || sample.names.empty())
    return random.pick(words);
  return textOf(sample, random.pick(sample.names)).str();
}

std::string Corpus::otherExpr(Random &random, const Sample &sample) const {
  const Sample &donor =
      random.oneIn(4) ? samples[good[random.below(good.size())]] : sample;
  if (donor.exprs.empty() || random.oneIn(16))
    return random.pick(numberTexts);
  // Small ones, mostly: they fit in more places.
  Span best = random.pick(donor.exprs);
  for (int i = 0; i < 2; ++i) {
    Span other = random.pick(donor.exprs);
    if (other.end - other.begin < best.end - best.begin)
      best = other;
  }
  return textOf(donor, best).str();
}

std::string Corpus::otherStatement(Random &random, const Sample &sample) const {
  const Sample &donor =
      random.oneIn(2) ? samples[good[random.below(good.size())]] : sample;
  if (!donor.statements.empty() && random.oneIn(2))
    return textOf(donor, random.pick(donor.statements)).str();
  std::string result;
  for (StringRef rest = random.pick(statementTemplates); !rest.empty();) {
    if (rest.consume_front("TYPE"))
      result += random.pick(types);
    else if (rest.consume_front("#"))
      result += "(" + otherExpr(random, sample) + ")";
    else if (rest.consume_front("@"))
      result += otherName(random, sample);
    else {
      result += rest.front();
      rest = rest.drop_front();
    }
  }
  return result;
}

/// Adds one mistake that leaves the syntax intact where it can.
void Corpus::edit(Random &random, const Sample &sample,
                  std::vector<Edit> &edits) const {
  auto quotedExpr = [&] { return "(" + otherExpr(random, sample) + ")"; };
  switch (random.below(16)) {
  case 0:
  case 1:
  case 2:
    if (!sample.names.empty())
      edits.push_back({random.pick(sample.names), otherName(random, sample)});
    return;
  case 3:
  case 4:
    if (!sample.numbers.empty()) {
      std::string number = random.pick(numberTexts);
      if (random.oneIn(4))
        number += random.pick(unitTexts);
      edits.push_back({random.pick(sample.numbers), number});
    }
    return;
  case 5:
    if (!sample.operators.empty())
      edits.push_back({random.pick(sample.operators), random.pick(operators)});
    return;
  case 6:
    if (!sample.strings.empty())
      edits.push_back({random.pick(sample.strings), random.pick(strings)});
    return;
  case 7:
  case 8:
  case 9:
    if (!sample.exprs.empty())
      edits.push_back({random.pick(sample.exprs), quotedExpr()});
    return;
  case 10:
  case 11: { // wrap an expression
    if (sample.exprs.empty())
      return;
    Span target = random.pick(sample.exprs);
    bool kept = false;
    std::string result = "(";
    for (char c : random.pick(templates)) {
      if (c == '#') {
        result +=
            kept ? quotedExpr() : "(" + textOf(sample, target).str() + ")";
        kept = true;
      } else if (c == '@') {
        result += otherName(random, sample);
      } else {
        result += c;
      }
    }
    edits.push_back({target, result + ")"});
    return;
  }
  case 12: // delete a statement
    if (!sample.statements.empty())
      edits.push_back({random.pick(sample.statements), ""});
    return;
  case 13: { // insert one, or replace
    if (sample.statements.empty())
      return;
    Span at = random.pick(sample.statements);
    std::string text = otherStatement(random, sample);
    if (random.oneIn(3))
      edits.push_back({at, text});
    else
      edits.push_back({{at.begin, at.begin}, text + "\n"});
    return;
  }
  case 14:
  case 15: { // a list: swap two, drop or repeat one
    if (sample.lists.empty())
      return;
    const auto &list = random.pick(sample.lists);
    size_t i = random.below(list.size() - 1);
    switch (random.below(3)) {
    case 0:
      edits.push_back({list[i], textOf(sample, list[i + 1]).str()});
      edits.push_back({list[i + 1], textOf(sample, list[i]).str()});
      return;
    case 1:
      edits.push_back({{list[i].begin, list[i + 1].begin}, ""});
      return;
    default:
      edits.push_back({{list[i].begin, list[i].begin},
                       textOf(sample, list[i]).str() + ", "});
      return;
    }
  }
  }
}

/// Changes bytes without regard to what they mean.
void Corpus::damage(Random &random, std::string &text) {
  for (size_t i = 0, n = 1 + random.below(4); i < n && !text.empty(); ++i) {
    size_t at = random.below(text.size());
    size_t length = std::min(text.size() - at, 1 + random.below(30));
    switch (random.below(7)) {
    case 0:
      text[at] = static_cast<char>(random.next());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(random.below(text.size()), length));
      break;
    case 3:
      text.resize(at);
      break;
    case 4: {
      static constexpr StringRef marks = "()[]{}=,;:.+-*/^<>!\"'\\#@\n";
      text.insert(at, 1, marks[random.below(marks.size())]);
      break;
    }
    case 5: { // much of the same
      std::string piece = text.substr(at, 1 + random.below(4));
      for (size_t j = 0, m = random.below(2000); j < m; ++j)
        text.insert(at, piece);
      break;
    }
    default:
      text.insert(at, 1, '\0');
      break;
    }
  }
}

std::string Corpus::input(uint64_t seed, uint64_t number) const {
  Random random(seed * 0x2545F4914F6CDD1Du + number);
  random.next();
  // A few specs that are wrong from the start.
  bool any = good.empty() || random.oneIn(40);
  const Sample &sample = any ? samples[random.below(samples.size())]
                             : samples[good[random.below(good.size())]];

  std::vector<Edit> edits;
  for (size_t i = 0, n = 1 + random.below(random.oneIn(4) ? 6 : 2); i < n; ++i)
    edit(random, sample, edits);
  llvm::sort(edits, [](const Edit &a, const Edit &b) {
    return std::tie(a.first.begin, a.first.end, a.second) <
           std::tie(b.first.begin, b.first.end, b.second);
  });
  std::string text;
  size_t done = 0;
  for (const auto &[span, replacement] : edits) {
    if (span.begin < done)
      continue; // overlaps the one before
    text.append(sample.text, done, span.begin - done);
    text += replacement;
    done = span.end;
  }
  text.append(sample.text, done, std::string::npos);
  if (random.oneIn(10))
    damage(random, text);
  return text;
}
