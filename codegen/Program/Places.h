//===- Places.h - Lines of a spec and of the library ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_PLACES_H
#define PMC_CODEGEN_PROGRAM_PLACES_H

#include "mlir/IR/Location.h"

#include <string>

namespace pmc::codegen {

/// The spec's line, and the library's that it leads to, if it is one of the
/// library; null without a line.
mlir::LocationAttr findPlace(mlir::Location loc);

/// "nbody.pm:14:9", or "nbody.pm:14:9 (fields.pm:60)".
std::string toText(mlir::LocationAttr place);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_PLACES_H
