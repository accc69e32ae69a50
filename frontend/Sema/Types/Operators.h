//===- Operators.h - Types of what operators give ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types, units and constants of results of operators and functions on
// numbers, as IR generation makes them. Operands are numbers and bools, not
// fields or vectors. Where a rule finds a mistake or does not know the result,
// that is absent.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_OPERATORS_H
#define PMC_FRONTEND_SEMA_TYPES_OPERATORS_H

#include "frontend/Parser/AST.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Value.h"

namespace pmc {

/// `real`: how elements of fields are stored.
std::optional<Value> shapeOfUnary(ast::UnaryOp op, const Value &operand);
std::optional<Value> shapeOfBinary(ast::BinaryOp op, const Value &a,
                                   const Value &b, Storage real);
/// `+ - * /` of real numbers. Units are not checked.
std::optional<Value> shapeOfReal(ast::BinaryOp op, const Value &a,
                                 const Value &b, const Unit &unit,
                                 Storage real);
/// A function of a real number, whose unit has been checked.
std::optional<Value> shapeOfRealMath(BuiltinId id, const Value &x,
                                     const Unit &unit, Storage real);
/// A function of one number.
std::optional<Value> shapeOfMath(BuiltinId id, const Value &x, Storage real);
std::optional<Value> shapeOfMinMax(bool isMax, const Value &a, const Value &b,
                                   Storage real);
/// number(x, unit).
std::optional<Value> shapeOfNumber(const Value &x, const Value &unit,
                                   Storage real);
/// atan2(y, x).
std::optional<Value> shapeOfAngle(const Value &y, const Value &x, Storage real);

/// Whether fields that meet in it may have dims of their own: the result has
/// those of both.
bool unitesDims(ast::BinaryOp op);

/// What is wrong with operands that `what` works on part by part: components of
/// vectors, members of records, elements of fields. Empty if nothing is. The
/// parts are not checked. `isUnion`: see broadcast. `isElement`: in a map,
/// where fields stand for their elements.
std::string checkOperands(llvm::StringRef what, llvm::ArrayRef<Value> operands,
                          bool isUnion, bool isElement);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_OPERATORS_H
