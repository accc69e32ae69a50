//===- Layout.h - Which mesh axes split which dims --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_MESH_LAYOUT_H
#define PMC_DIALECT_MESH_LAYOUT_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// A program's layout. How a field is split is a function of its dims alone.
class Layout {
public:
  explicit Layout(mlir::ModuleOp module);

  /// Whether anything is split.
  bool isSharded() const { return !declared.empty(); }

  /// The dims with the axes that split them in a field of just these dims.
  ///
  /// Space dims have the axes that `pm.layout` gives to the dim they refine.
  /// Duals have those of a `pm.layout` of their own, or else the ones that take
  /// the fewest transposes to get there from the space dims (see Duals.cpp).
  llvm::SmallVector<DimAttr> get(llvm::ArrayRef<DimAttr> dims) const;
  FieldType get(FieldType type) const;

  /// One mesh axis splits two dims of one field.
  struct Conflict {
    mlir::StringAttr axis;
    DimAttr dims[2];
    LayoutOp claims[2];
  };
  std::optional<Conflict> findConflict(llvm::ArrayRef<DimAttr> dims) const;

private:
  /// Empty if there is none.
  llvm::SmallVector<mlir::StringAttr> getDeclared(llvm::StringRef label) const;

  llvm::StringMap<LayoutOp> declared;
};

/// The dims of `dims` with the labels of `some`, in the order of `some`; those
/// that are not there as they are.
llvm::SmallVector<DimAttr> select(llvm::ArrayRef<DimAttr> dims,
                                  llvm::ArrayRef<DimAttr> some);

/// How an op runs on one rank's parts.
struct LocalForm {
  /// The defaults.
  LocalForm(mlir::Operation *op, const Layout &layout);

  /// Splits the domain that way, and with it the inputs and those results that
  /// are over dims of it.
  void setDomain(mlir::Operation *op, llvm::ArrayRef<DimAttr> dims);

  /// The dims of the iteration space.
  llvm::SmallVector<DimAttr> domain;
  /// How each operand is taken, and what local work makes of each result. Empty
  /// if it is not a field.
  llvm::SmallVector<llvm::SmallVector<DimAttr>> operands, results;
  /// The axes over which each result is partial, and how parts are combined.
  llvm::SmallVector<llvm::SmallVector<mlir::StringAttr>> partial;
  Reduction kind = Reduction::Sum;
};

} // namespace pmc::pm

#endif // PMC_DIALECT_MESH_LAYOUT_H
