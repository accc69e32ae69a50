//===- LoopTypes.h - The types that loops carry -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_FIELDS_LOOPTYPES_H
#define PMC_FRONTEND_IRGEN_FIELDS_LOOPTYPES_H

#include "frontend/Sema/Types/Typing.h"

namespace pmc {

class Generator;

/// Asks Sema for the types of loops before their bodies become IR, with the
/// declarations and names that the Generator knows.
class LoopTypes {
public:
  explicit LoopTypes(Generator &generator) : g(generator) {}

  /// The type of the value that the loop carries; poison if it is the type of
  /// `init`.
  Value carried(const ast::LoopExpr &expr, const Value &init);
  /// The type of the body's value for this carried value.
  Value body(const ast::LoopExpr &expr, const Value &carried) {
    return evaluate(expr, carried, /*settles=*/false);
  }

  /// The type that the loop of an `optimize` statement carries. `stage`: the
  /// unit of the values of its stages.
  Value optimized(const ast::OptimizeStmt &stmt, const Value &method,
                  const Unit &stage, const Value &initial);

private:
  Value evaluate(const ast::LoopExpr &expr, const Value &carried, bool settles);
  Value ask(llvm::function_ref<Value(Typing &, Typing::Place &)> question);
  Value typeOf(const Lookup &found, llvm::StringRef name);
  Value lengthOfPiece(const Dim &dim) const;

  Generator &g;
  KnownResults known;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_FIELDS_LOOPTYPES_H
