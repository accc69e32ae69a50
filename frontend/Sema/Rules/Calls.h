//===- Calls.h - Functions and their arguments ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_CALLS_H
#define PMC_FRONTEND_SEMA_RULES_CALLS_H

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Names/Scope.h"
#include "frontend/Sema/Rules/Context.h"

namespace pmc {

//===--- What is called -------------------------------------------------===//

/// A call of a value that is not a function.
void reportNoFunction(const RuleContext &context, const Value &callee,
                      llvm::SMLoc loc);
/// f[x] of a function f, whose arguments are missing.
void reportMissingCall(const RuleContext &context, const Value &function,
                       llvm::SMLoc loc);
/// What a function of the library is needed for.
enum class LibraryUse : uint8_t { Alternative, Collect, Edges };
/// A function that the compiler calls; null after an error. `module` is null if
/// the library is not loaded.
const Symbol *requireSymbol(const RuleContext &context,
                            const ModuleInfo *module, llvm::StringRef name,
                            LibraryUse use, llvm::SMLoc loc);
/// A function with a derivative of its own is not called in a map.
bool requireNoHandDerivative(const RuleContext &context,
                             const ast::FunctionStmt &function,
                             llvm::SMLoc loc);

//===--- Arguments ------------------------------------------------------===//

/// The argument of each parameter, or null.
using Matched = std::vector<const Argument *>;

/// `tooMany` follows the name of the function if there are too many arguments.
/// `defined` is its place, or invalid.
std::optional<Matched> matchArguments(const RuleContext &context,
                                      llvm::ArrayRef<llvm::StringRef> params,
                                      llvm::ArrayRef<Argument> args,
                                      llvm::StringRef name,
                                      llvm::StringRef tooMany,
                                      llvm::SMLoc defined = {});
std::optional<Matched> matchArguments(const RuleContext &context,
                                      const ast::FunctionStmt &function,
                                      llvm::ArrayRef<Argument> args,
                                      llvm::SMLoc loc);
/// A call of `x => …`.
bool checkLambdaCall(const RuleContext &context, const ast::LambdaExpr &lambda,
                     llvm::ArrayRef<Argument> args, bool hasDims,
                     llvm::SMLoc loc);
/// Binds the dims of f[x, y](…) to the dim parameters of f.
bool bindDims(const RuleContext &context, const ast::FunctionStmt &function,
              DimList dims, llvm::SMLoc loc, Scope &scope);
/// A dim parameter that the arguments do not define.
bool refuseOpenDim(const RuleContext &context,
                   const ast::FunctionStmt &function, const ast::Name &dim,
                   llvm::SMLoc loc);
/// The arguments of a builtin by parameter.
std::optional<std::vector<std::optional<Argument>>>
bindBuiltin(const RuleContext &context, const BuiltinInfo &info,
            llvm::ArrayRef<Argument> args, bool hasDims, llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_CALLS_H
