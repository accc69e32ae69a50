//===- Outputs.h - output ---------------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for what `output` writes and `plot` draws. `what` is the statement in
// messages.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_OUTPUTS_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_OUTPUTS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Values ---------------------------------------------------------===//

/// The parts of a value: fields of the same dims, or numbers.
struct OutputParts {
  std::vector<Value> values;
  bool areInts = false;   ///< all are
  bool areFields = false; ///< all are
};
/// Absent, without a message, for poison.
std::optional<OutputParts> readParts(const RuleContext &context,
                                     const Argument &arg, llvm::StringRef what);
/// Ints that are written together are of one type.
bool requireOneIntType(const RuleContext &context, const Value &part,
                       bool isUnsigned, const Argument &arg,
                       llvm::StringRef what);
/// An int among numbers that are f64. The message if the program finds that it
/// is not exact; empty if the compiler knows that it is.
std::optional<std::string> checkExact(const RuleContext &context,
                                      const Value &part, const Argument &arg,
                                      llvm::StringRef what);
/// Ints up to which f64 holds all exactly.
constexpr int64_t mostExact = int64_t(1) << 53;
/// How the elements of fields that are written together are stored.
std::optional<Storage> storageOfAll(const RuleContext &context,
                                    llvm::ArrayRef<Value> fields,
                                    const Argument &arg, llvm::StringRef what,
                                    bool keepsInts);

//===--- Records --------------------------------------------------------===//

struct OutputMember {
  Value value;
  std::string path; ///< with a slash in front of each name
};
std::optional<std::vector<OutputMember>> readMembers(const RuleContext &context,
                                                     const Argument &record);
/// `flatten`: the members are columns.
std::optional<std::vector<OutputMember>> readColumns(const RuleContext &context,
                                                     const Argument &record);

//===--- Statements -----------------------------------------------------===//

/// Two statements of a kind, `what`, have different names.
bool requireNewOutput(const RuleContext &context, llvm::StringRef what,
                      llvm::StringRef name, llvm::SMLoc loc, llvm::SMLoc first);
/// `output f` of a function f.
bool requireNoFunction(const RuleContext &context, const ast::OutputStmt &stmt,
                       const Argument &arg);
/// The clauses of an output of a record, and of its values.
bool checkRecordClauses(const RuleContext &context,
                        const ast::OutputStmt &stmt);
bool requireMembers(const RuleContext &context, const Argument &record,
                    size_t count);
bool checkColumns(const RuleContext &context, const ast::OutputStmt &stmt,
                  size_t count, bool areFields);
/// Of a statement whose columns have units.
bool requireOneAsked(const RuleContext &context, const ast::OutputStmt &stmt);
/// Files of a loop are called by its iterations.
bool requireIterations(const RuleContext &context,
                       llvm::ArrayRef<Value> iterations, llvm::SMLoc loc);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_OUTPUTS_H
