//===- Coalesce.h - Which fields share a buffer -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_MEMORY_COALESCE_H
#define PMC_PASSES_MEMORY_COALESCE_H

#include "passes/Memory/Liveness.h"

#include "llvm/ADT/DenseSet.h"

namespace pmc::passes {

/// Classes of fields that are one buffer, because a loop or a branch hands the
/// one on as the other, or because an elementwise op overwrites the one with
/// the other.
class Coalescing {
public:
  explicit Coalescing(const Liveness &liveness);

  /// Joins what ops may overwrite in place, where the operand ends there.
  /// No op overwrites the fields in `kept`.
  void joinInPlace(mlir::func::FuncOp function,
                   const llvm::DenseSet<mlir::Value> &kept);
  /// Whether the field shares its class with no other one.
  bool isAlone(mlir::Value field) const;

  /// Joins the two classes if the types agree and no two members are live at
  /// the same time.
  bool join(mlir::Value a, mlir::Value b);
  mlir::Value leader(mlir::Value field) const;
  /// From the first definition to the last use of any member; an op's reads
  /// last until it has written.
  Interval hull(mlir::Value field) const;

private:
  llvm::DenseMap<mlir::Value, mlir::Value> parent;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Interval>> members;
};

} // namespace pmc::passes

#endif // PMC_PASSES_MEMORY_COALESCE_H
