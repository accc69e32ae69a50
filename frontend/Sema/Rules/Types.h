//===- Types.h - Declared types ---------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for values that are given where a type is declared: parameters and
// values of functions, constants, params. `what` is the name of the value.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_TYPES_H
#define PMC_FRONTEND_SEMA_RULES_TYPES_H

#include "frontend/Sema/Names/Scope.h"
#include "frontend/Sema/Rules/Program/Options.h"

#include "llvm/ADT/StringSet.h"

namespace pmc {

/// The type as messages write it.
std::string describe(const ast::TypeExpr &type);

/// The value has the type, if `fits`. `more` follows the message.
bool requireType(const RuleContext &context, const ast::TypeExpr &type,
                 const Argument &arg, llvm::StringRef what, bool fits,
                 const llvm::Twine &more = "");
/// A number, bool, string or table of the type. IR generation converts it.
bool checkScalar(const RuleContext &context, const ast::TypeExpr &type,
                 const Argument &arg, llvm::StringRef what);
/// The kind of the elements of a field, and its unit.
bool checkElements(const RuleContext &context, const ast::TypeExpr &type,
                   const Value &field, const Argument &arg,
                   llvm::StringRef what);
/// Binds the dim variables of a field type that are not bound yet. `isWhole`:
/// the type has one name for all dims of the field.
bool bindDims(const RuleContext &context, const ast::TypeExpr &type,
              DimList dims, const Argument &arg, llvm::StringRef what,
              Scope &scope, const llvm::StringSet<> &variables, bool &isWhole);
/// The dims of the field are those of the type.
bool requireDims(const RuleContext &context, const ast::TypeExpr &type,
                 DimList expected, DimList dims, const Argument &arg,
                 llvm::StringRef what);
/// A free value. The result is what is known of it as a value of the type.
Value checkFree(const RuleContext &context, const ast::TypeExpr &type,
                const Argument &arg, llvm::StringRef what, bool isInMap);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_TYPES_H
