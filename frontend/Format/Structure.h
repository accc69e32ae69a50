//===- Structure.h - What the syntax tree says about tokens -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps the syntax tree to the tokens of a spec: which of them are operators,
// which belong to a literal, where statements begin, and which sequences of
// tokens are scopes of a document.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_STRUCTURE_H
#define PMC_FRONTEND_FORMAT_STRUCTURE_H

#include "frontend/Format/Document.h"
#include "frontend/Format/Words.h"
#include "frontend/Parser/AST.h"

#include <vector>

namespace pmc::format {

/// What a token is, apart from its kind.
struct Role {
  /// Of a literal with a unit: the word behind its last one, else 0.
  size_t literalEnd = 0;
  bool isTightBefore = false;   ///< `f(`
  bool isTightAfter = false;    ///< a sign
  bool isOperator = false;      ///< of two operands: a line may end with it
  bool isRecord = false;        ///< a brace of a record
  bool isBody = false;          ///< a brace of a statement's body
  bool beginsStatement = false; ///< in a block, or at the top level
  bool beginsField = false;     ///< of a record
  bool beginsClause = false;    ///< a line may begin with it
  bool isJoined = false;        ///< it stays on the line of the word before
  int group = -1;               ///< breaks before these are taken together
  bool mayBreakBehind = false;  ///< if the rest then fits in one line
  bool isUnbroken = false;      ///< no break is added before it
  bool isDoc = false;           ///< a documentation string
  bool isDeclaration = false;   ///< begins one
};

/// A sequence of words, `first` to `last`. The gap before `first` belongs to it
/// or not.
struct Scope {
  size_t first, last;
  Indent indent;
  bool hasGap;
};

struct Structure {
  Structure(const Words &words, const ast::Module &module);

  std::vector<Role> roles;   ///< of each word
  std::vector<Scope> scopes; ///< properly nested, outer ones first
};

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_STRUCTURE_H
