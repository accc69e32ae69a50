//===- Parser.h - From tokens to the syntax tree ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_PARSER_PARSER_H
#define PMC_FRONTEND_PARSER_PARSER_H

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Parser/AST.h"

#include <memory>

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace pmc {

/// Parses one buffer of `sources`. Never null: what has errors is reported and
/// left out, so check `diags.hasErrors()`. No expression of the tree is more
/// than `ast::maxDepth` levels high, whatever the text. Factors of units count
/// `units`.
std::unique_ptr<ast::Module> parseModule(llvm::SourceMgr &sources,
                                         unsigned bufferId,
                                         llvm::StringRef moduleName,
                                         DiagnosticEngine &diags,
                                         const WorkingUnits &units = {});

namespace ast {
/// Prints the tree, one node a line.
void dump(const Module &module, llvm::raw_ostream &os);
void dump(const Expr &expr, llvm::raw_ostream &os, unsigned indent = 0);
} // namespace ast

} // namespace pmc

#endif // PMC_FRONTEND_PARSER_PARSER_H
