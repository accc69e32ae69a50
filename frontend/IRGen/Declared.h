//===- Declared.h - What is known of declarations ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_DECLARED_H
#define PMC_FRONTEND_IRGEN_DECLARED_H

#include "dialect/IR/PM.h"
#include "dialect/Mesh/Layout.h"
#include "frontend/Sema/Rules/Program/Declarations.h"

#include "llvm/ADT/StringMap.h"

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

/// The declarations of the spec, by name.
struct DeclaredNames {
  /// Whether the dim was declared `over` a length.
  bool hasLength(llvm::StringRef dim) const {
    auto it = dims.find(dim);
    return it != dims.end() && !it->second.lengthIsCells;
  }

  /// The name of an undeclared dim of `cells` cells. `known` contains the names
  /// and lengths of the existing dims, and gets a new name.
  std::string nameOwnDim(llvm::StringRef base, int64_t cells,
                         llvm::StringMap<int64_t> &known) const {
    for (const auto &entry : known)
      if (entry.second == cells)
        return entry.getKey().str();
    std::string name = base.str();
    if (known.count(name) || dims.count(name))
      name += std::to_string(cells);
    while (dims.count(name) || known.count(name))
      name += "_";
    known[name] = cells;
    return name;
  }

  llvm::StringMap<DimInfo> dims;
  llvm::StringMap<ParamInfo> params;
  llvm::StringMap<mlir::Type> inputs;        ///< of a stream, that of a sample
  llvm::StringMap<std::string> recordInputs; ///< the first field in the file
  llvm::StringMap<LayoutEntry> layout;
  std::optional<pm::Layout> splits; ///< if there is a layout
  llvm::StringMap<llvm::SMLoc> meshAxes;
  llvm::StringMap<int64_t> binDims, iterationDims;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_DECLARED_H
