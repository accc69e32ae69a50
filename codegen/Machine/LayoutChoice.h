//===- LayoutChoice.h - Another layout of a program -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_LAYOUTCHOICE_H
#define PMC_CODEGEN_MACHINE_LAYOUTCHOICE_H

#include "dialect/IR/PM.h"
#include "passes/Cost/Cost.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pmc::machine {

/// Whether a layout may split the dim. What no spec can name, as pieces of
/// dims, has a dot in its name.
inline bool isForLayouts(pm::DimOp dim) { return !dim.getName().contains('.'); }

/// Which dims each axis of a mesh splits.
struct LayoutChoice {
  std::vector<std::string> axes;
  std::vector<std::vector<std::string>> dims; ///< one list an axis
  /// How gradients reverse loops where the spec leaves it open, as --schedule
  /// says it; "": as the program says.
  std::string schedule = "";

  /// "x -> row, p -> row, y -> col".
  std::string toText() const;
  /// Gives the program this schedule.
  void setSchedule(mlir::ModuleOp program) const;
  /// Gives the program this layout in the place of its own, on one rank.
  void setLayout(mlir::ModuleOp program) const;
  /// The program with both.
  mlir::OwningOpRef<mlir::ModuleOp> apply(mlir::ModuleOp program) const;
};

/// A layout on a mesh.
struct MeshChoice {
  LayoutChoice layout;
  std::vector<int64_t> extents; ///< one an axis

  /// "row=4,col=2".
  std::string meshText() const;
  cost::Ranks ranks() const;
  /// "x -> row, y -> col @ row=4,col=2", of dims that the program has.
  static llvm::Expected<MeshChoice> parse(llvm::StringRef text,
                                          mlir::ModuleOp program);
};

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_LAYOUTCHOICE_H
