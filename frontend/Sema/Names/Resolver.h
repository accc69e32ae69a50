//===- Resolver.h - Finds what every name stands for ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over all modules, called functions or not, that reports undefined
// names and recursion, and learns what each function takes from around it.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_RESOLVER_H
#define PMC_FRONTEND_SEMA_NAMES_RESOLVER_H

#include "frontend/Sema/Names/Modules.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace pmc {

/// What a function or lambda takes from around it.
struct Captures {
  llvm::SetVector<llvm::StringRef> locals; // of enclosing functions and blocks
  llvm::SetVector<llvm::StringRef> lets;   // and inputs, of the top level
};

/// A function or a lambda in the text.
struct FunctionBody {
  const ast::FunctionStmt *function = nullptr;
  const ast::LambdaExpr *lambda = nullptr; ///< if it is not a function
  const ModuleInfo *module = nullptr;
  bool isLocal = false; ///< a lambda, or a function of a block

  const void *node() const {
    return function ? static_cast<const void *>(function) : lambda;
  }
};

class Resolution {
public:
  /// Of all modules, each before those within it.
  llvm::ArrayRef<FunctionBody> getBodies() const { return bodies; }

  bool isUsed(const ast::ParamStmt &param) const {
    return usedParams.contains(&param);
  }

  /// `node` is a FunctionStmt or a LambdaExpr. Lets include those of the
  /// functions it refers to.
  const Captures &getCaptures(const void *node) const;

private:
  friend class Resolver;
  friend class FunctionGraph;
  llvm::DenseMap<const void *, Captures> captures;
  llvm::DenseSet<const ast::Stmt *> usedParams;
  std::vector<FunctionBody> bodies;
};

class NameIndex;

/// Names that begin like a dim list variable: `D` in `field[D]`.
bool isDimListName(llvm::StringRef name);
/// "dual" or "half" if a dim is written `dual(x)`, `half(x)`; else empty.
llvm::StringRef getDimKind(const ast::Expr &dim);
/// The name of a dim written as a plain name, or as one of these; or empty.
llvm::StringRef getDimName(const ast::Expr &dim);

/// `names`, if given, receives every name in the text with its declaration.
Resolution resolveNames(const Program &program, DiagnosticEngine &diags,
                        NameIndex *names = nullptr);

/// Warns about params of the spec that it does not use, because a name was
/// often forgotten elsewhere.
void warnOfUnusedParams(const Program &program, const Resolution &resolution,
                        DiagnosticEngine &diags);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_RESOLVER_H
