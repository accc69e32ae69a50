//===- Variables.cpp - Names that a text uses as variables ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Parser/Variables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pmc;
using llvm::StringRef;

static bool isLetter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether the next thing, of the same line, ends a name of a declaration.
static bool endsName(StringRef rest) {
  rest = rest.ltrim(" \t");
  if (rest.empty())
    return false;
  return StringRef("=:,)").contains(rest.front()) ||
         (rest.starts_with("in") && (rest.size() == 2 || !isLetter(rest[2])));
}

llvm::StringSet<> pmc::detail::findVariables(StringRef text) {
  static constexpr StringRef declarers[] = {
      "let", "const", "param", "input", "dim", "fn", "for", "loop", "map"};
  llvm::StringSet<> variables;
  StringRef before;       // the word before, or a character
  bool isAsked = false;   // behind `in (`, which begins a unit
  bool isInUnits = false; // `units um, s` has no variables
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      before = "";
      isInUnits = false;
      ++i;
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
      ++i;
      before = "\"";
    } else if (isLetter(c)) {
      const size_t end = std::min(text.find_if_not(isLetter, i), text.size());
      StringRef word = text.slice(i, end);
      isInUnits |= before.empty() && word == "units";
      const bool isAlone =
          before.empty() || (before == "(" && !isAsked) || before == ",";
      if (!isInUnits && (llvm::is_contained(declarers, before) ||
                         (isAlone && endsName(text.drop_front(end)))))
        variables.insert(word);
      before = word;
      i = end;
    } else {
      if (c == '(')
        isAsked = before == "in";
      if (c != ' ' && c != '\t' && c != '\r')
        before = text.substr(i, 1);
      ++i;
    }
  }
  return variables;
}
