//===- Declared.h - What is known of declarations ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_DECLARED_H
#define PMC_FRONTEND_IRGEN_DECLARED_H

#include "dialect/IR/PM.h"
#include "frontend/Basic/Unit.h"

#include "llvm/Support/SMLoc.h"

namespace pmc {

struct DimInfo {
  enum State : char { New, Open, Done };
  State state = New;          // of the number of cells
  pm::DimAttr dim;            // null: not known, after an error
  Unit unit;                  // of its length
  bool lengthIsCells = false; // no length was given
  std::string angle;          // how the length is written: "deg", or empty
  llvm::SMLoc loc;
};

struct ParamInfo {
  mlir::Type type;
  bool isUnsigned = false;
  Unit unit;
  std::string unitText; // of such a unit, as it is written
  double scale = 1;     // what the user gives is in units of so many base units
  int64_t count = 0; // of the numbers of a list, which are params of their own
  llvm::SMLoc loc;
};

/// A dim of a layout, and the mesh axes that split it.
struct LayoutEntry {
  std::string dim;
  std::vector<std::string> axes;
  llvm::SMLoc dimLoc; // invalid: the command line
  std::vector<llvm::SMLoc> axisLocs;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_DECLARED_H
