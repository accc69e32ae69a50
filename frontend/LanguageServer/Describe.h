//===- Describe.h - Declarations in words --------------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_LANGUAGESERVER_DESCRIBE_H
#define PMC_FRONTEND_LANGUAGESERVER_DESCRIBE_H

#include "frontend/LanguageServer/Names.h"

namespace pmc::lsp {

/// "fn f(a: f64, b = 1): f64", as it is written, in one line.
std::string getSignature(const Names &names, const ast::FunctionStmt &function);
/// The declaration as it is written, without the body of a function.
std::string getDeclarationText(const Names &names,
                               const Declaration &declaration);
/// The lines of the comment above a declaration, without slashes.
std::string getComment(const Names &names, const Declaration &declaration);
/// The documentation of a declaration in Markdown: its text, or the comment
/// above it.
std::string getDocumentation(const Names &names,
                             const Declaration &declaration);
/// The parameters of a function, each as it is written.
std::vector<std::string> getParameters(const ast::FunctionStmt &function);
/// "shift(f, x, edge?)" of a builtin; empty if there is none of that name.
std::string getBuiltinSignature(llvm::StringRef name);

} // namespace pmc::lsp

#endif // PMC_FRONTEND_LANGUAGESERVER_DESCRIBE_H
