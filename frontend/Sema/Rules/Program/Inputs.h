//===- Inputs.h - Inputs and streams ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_PROGRAM_INPUTS_H
#define PMC_FRONTEND_SEMA_RULES_PROGRAM_INPUTS_H

#include "frontend/Sema/Rules/Program/Options.h"

namespace pmc {

//===--- Inputs ---------------------------------------------------------===//

/// The declared type: a table, or a field that may be one of a stream.
bool requireInputType(const RuleContext &context, const ast::InputStmt &input);
/// An input that may be absent is read outside of maps.
bool requireInputOutside(const RuleContext &context, llvm::StringRef name,
                         llvm::SMLoc loc);
/// `input a like b`: the value b, a member of it, and whether it has some.
bool requireRecordLike(const RuleContext &context, const Value &like,
                       llvm::SMLoc loc);
bool requireInputMember(const RuleContext &context, const Value &member,
                        llvm::StringRef path, llvm::SMLoc loc);
bool requireInputMembers(const RuleContext &context, size_t count,
                         llvm::SMLoc loc);

//===--- Streams --------------------------------------------------------===//

/// Samples are counted along the first dim.
bool requireCounted(const RuleContext &context, const ast::InputStmt &stream,
                    bool isCounted);
bool requireSample(const RuleContext &context, const ast::InputStmt &stream,
                   bool hasDims);
/// The number of samples, which only the program knows.
bool requireSampleCount(const RuleContext &context, bool isKnown,
                        llvm::SMLoc loc);
/// stream[t = i]: the form of the index.
bool checkSampleForm(const RuleContext &context, const Value &stream,
                     const ast::IndexExpr &expr);
/// The number of a sample, or a field of them.
bool requireSampleInt(const RuleContext &context, const Argument &index);
/// The dims of the numbers of samples.
bool requireOneSampleDim(const RuleContext &context, const Argument &index,
                         DimList dims);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_PROGRAM_INPUTS_H
