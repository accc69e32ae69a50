//===- Streams.h - Inputs of which samples are read -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_DECLARATIONS_STREAMS_H
#define PMC_FRONTEND_IRGEN_DECLARATIONS_STREAMS_H

#include "frontend/IRGen/Generator.h"

namespace pmc {

/// `input samples: field[s, x, y] streamed`.
class Streams {
public:
  explicit Streams(Generator &generator) : g(generator) {}

  /// The type of a sample; null after an error.
  mlir::Type declare(const ast::InputStmt &stmt, mlir::Type element);
  /// The dim that counts samples, or null if the file says how many there are.
  pm::DimAttr getCounted(const ast::InputStmt &stmt);
  Value get(llvm::StringRef name, const ast::InputStmt &stmt);
  /// cells(samples): known to the compiler if the dim is declared.
  Value count(const Value &stream, llvm::SMLoc loc);
  /// `samples[s = i]`.
  Value read(const Value &stream, const ast::IndexExpr &expr);

private:
  bool isOpen(const ast::InputStmt &stmt) const;
  mlir::Value indexOf(const Value &stream, const SumIndex &sum);

  Generator &g;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_DECLARATIONS_STREAMS_H
