//===- Values.h - Names, records, vectors and their parts -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_VALUES_H
#define PMC_FRONTEND_SEMA_RULES_VALUES_H

#include "frontend/Sema/Names/Modules.h"
#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Values ---------------------------------------------------------===//

/// The value of an expression that must have one; poison after an error.
Value requireValue(const RuleContext &context, const Value &value,
                   llvm::SMLoc loc);
Value requireValue(const RuleContext &context, const Argument &arg);
/// A value that the compiler must know depends on nothing of the program.
/// `more` follows the message.
bool requireKnown(const RuleContext &context, bool isKnown, llvm::SMLoc loc,
                  const llvm::Twine &more = "");
/// A literal without a unit is an int.
bool requireIntLiteral(const RuleContext &context,
                       const ast::NumberExpr &literal);
/// A call of `error(text)`.
void reportSpecError(const RuleContext &context, llvm::StringRef text,
                     llvm::SMLoc loc);
void reportUndefined(const RuleContext &context, llvm::StringRef name,
                     llvm::SMLoc loc);

//===--- Records --------------------------------------------------------===//

/// The member of a record.
std::optional<Value> readMember(const RuleContext &context,
                                const ast::MemberExpr &expr, const Value &base,
                                const Program &program,
                                const ModuleInfo &module);
/// The names of members before this one are other names.
bool requireNewName(const RuleContext &context,
                    llvm::ArrayRef<ast::RecordField> before,
                    const ast::RecordField &field);
bool requireMemberValue(const RuleContext &context,
                        const ast::RecordField &field, const Value &value);
/// `base with {…}`: the values of all members.
std::optional<std::vector<Value>> changeMembers(const RuleContext &context,
                                                const ast::WithExpr &expr,
                                                const Value &base,
                                                const Value &changes);
/// given(record.name).
std::optional<bool> hasMember(const RuleContext &context,
                              const ast::MemberExpr &expr, const Value &base);

//===--- Vectors --------------------------------------------------------===//

/// A value with components.
bool requireComponents(const RuleContext &context, const Value &base,
                       const Argument &index, llvm::SMLoc loc);
/// The component that belongs to a dim. Absent, without a message, if a check
/// does not know the components.
std::optional<Value> componentOf(const RuleContext &context, const Value &base,
                                 const Dim &dim, const Argument &index,
                                 llvm::SMLoc loc);
/// An index that the program computes chooses one of the parts.
bool requireChoice(const RuleContext &context, llvm::ArrayRef<Value> parts,
                   const Argument &index);
bool requireComponentInt(const RuleContext &context, const Argument &index,
                         bool isInt);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_VALUES_H
