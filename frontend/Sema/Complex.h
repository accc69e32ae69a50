//===- Complex.h - Types of complex numbers ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex number consists of two real parts. Each part may be a constant, and
// has a type of its own. The rules here follow the arithmetic of parts in
// `IRGen/Numbers/Complex.cpp`. For example, a part that is the constant 0 stays
// 0 in a product with a real number.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_COMPLEX_H
#define PMC_FRONTEND_SEMA_COMPLEX_H

#include "frontend/Parser/AST.h"
#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Value.h"

namespace pmc {

/// `+ - * /` of numbers of which at least one is complex. `unit`: the unit
/// of the result, also in the functions below.
std::optional<Value> shapeOfComplex(ast::BinaryOp op, const Value &a,
                                    const Value &b, const Unit &unit,
                                    Storage real);
/// `==` and `!=`.
Value shapeOfComplexComparison(ast::BinaryOp op, const Value &a,
                               const Value &b);
std::optional<Value> shapeOfComplexPower(const Value &base,
                                         const Value &exponent,
                                         const Unit &unit, Storage real);
/// A function of a complex number, or of the parts of a real one.
std::optional<Value> shapeOfComplexMath(BuiltinId id, const Value &z,
                                        Storage real);
/// |z|^2.
std::optional<Value> shapeOfNorm2(const Value &z, Storage real);
/// Re(a* b) of complex numbers.
std::optional<Value> shapeOfInner(const Value &a, const Value &b, Storage real);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_COMPLEX_H
