//===- Constants.h - Arithmetic that the compiler does itself ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions return nullopt and set `error` where the result is not a number: a
// division by zero, an overflow, the root of -1. Units are the caller's.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_CONSTANTS_H
#define PMC_FRONTEND_SEMA_TYPES_CONSTANTS_H

#include "frontend/Parser/AST.h"
#include "frontend/Sema/Value.h"

namespace pmc {

/// `+ - * /` of two constant numbers, with the result's unit.
std::optional<Value> foldArithmetic(ast::BinaryOp op, const Value &a,
                                    const Value &b, Unit unit,
                                    std::string &error);
/// Comparison of two constant numbers.
bool foldComparison(ast::BinaryOp op, const Value &a, const Value &b);
std::optional<Value> foldPower(const Value &base, const Value &exponent,
                               Unit unit, std::string &error);
/// A builtin of one real argument.
std::optional<Value> foldMath(BuiltinId id, const Value &x, Unit unit,
                              std::string &error);

/// "128", "0.5", "exact", "true" as a constant of the same type as `like`.
std::optional<Value> parseConstant(llvm::StringRef text, const Value &like,
                                   std::string &error);

/// "0.3075", "128", "1e-20": the shortest text that reads back, as programs
/// print numbers.
std::string formatNumber(double value);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_CONSTANTS_H
