//===- Tails.cpp - What is behind the code of lines -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Format/Tails.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

using namespace pmc::format;

/// Longer lines do not move what is behind their neighbors.
static constexpr unsigned longestAligned = 70;

/// Moves the tails of each run of lines to one column. `goesOn`: a line without
/// a tail is part of a run.
static void alignTails(std::vector<Line> &lines, std::string Line::*tail,
                       llvm::function_ref<bool(const Line &)> goesOn) {
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = begin;
    unsigned column = 0;
    for (; end < lines.size() && goesOn(lines[end]); ++end) {
      const unsigned width = displayWidth(lines[end].code);
      if (!(lines[end].*tail).empty() && width <= longestAligned)
        column = std::max(column, width);
    }
    end = std::max(end, begin + 1); // or a line in no run
    for (size_t i = begin; i < end; ++i) {
      Line &line = lines[i];
      if ((line.*tail).empty())
        continue;
      const unsigned width = displayWidth(line.code);
      const unsigned blanks = width < column ? column - width : 0;
      line.code.append(blanks + (line.code.empty() ? 0 : 2), ' ');
      line.code += line.*tail;
    }
    begin = end;
  }
}

std::string pmc::format::joinLines(std::vector<Line> lines) {
  auto isDeclaration = [](const Line &line) {
    return line.isDeclaration && !line.isComment && !line.code.empty();
  };
  alignTails(lines, &Line::doc, isDeclaration);
  alignTails(lines, &Line::comment, [&](const Line &line) {
    return !line.comment.empty() || isDeclaration(line);
  });
  while (!lines.empty() && lines.back().code.empty())
    lines.pop_back();
  std::string text;
  for (const Line &line : lines)
    text += line.code + "\n";
  return text;
}
