//===- PMPlaces.h - Lines of a spec and of the library ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_PMPLACES_H
#define PMC_DIALECT_IR_MARKERS_PMPLACES_H

#include "mlir/IR/Location.h"

#include <string>

namespace pmc::pm {

/// The position a user looks for: of inlined calls the innermost in the spec. A
/// line of the library alone helps little. Null if there is none.
mlir::FileLineColLoc findLine(mlir::Location loc);

/// The spec's line, and the library's that it leads to, if it is one of the
/// library; null without a line.
mlir::LocationAttr findPlace(mlir::Location loc);

/// "nbody.pm:14:9", or "nbody.pm:14:9 (fields.pm:60)".
std::string toText(mlir::LocationAttr place);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_PMPLACES_H
