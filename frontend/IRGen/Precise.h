//===- Precise.h - precise { … } --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_PRECISE_H
#define PMC_FRONTEND_IRGEN_PRECISE_H

#include "frontend/IRGen/Environment.h"

namespace pmc {

class Generator;

/// A block that is computed in f64 in a program of f32.
class Precise {
public:
  explicit Precise(Generator &generator) : g(generator) {}

  Value block(const ast::BlockExpr &expr);
  /// With f64 in the place of f32, in the fields of a value.
  Value widened(const Value &value, llvm::SMLoc loc);

private:
  Value narrowed(const Value &value, llvm::SMLoc loc);
  void checkNarrowed(const Value &field, llvm::SMLoc loc);

  Generator &g;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_PRECISE_H
