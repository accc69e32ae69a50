//===- DimMessages.h - How two lists of dims differ -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_TYPES_DIMMESSAGES_H
#define PMC_FRONTEND_SEMA_TYPES_DIMMESSAGES_H

#include "frontend/Sema/Value.h"

#include <string>

namespace pmc {

/// "; …": how the dims of two fields differ where their names do not tell it;
/// empty if these do, and for what is not a field.
std::string explainDims(const Value &a, const Value &b);

/// How cells of a field are written, for a spec that names no dim.
std::string explainCells(const Value &field);

/// Explains that a field is not a vector with a component for a dim.
std::string explainNoComponent(const Value &field, const Dim &dim);

/// How to write a field whose last dim counts components, as arrays of NumPy
/// do, as a vector; "" if it has no dim of `count` cells (0: of 2 to 4 cells).
std::string explainVector(const Value &field, size_t count);

/// Descriptions of two values that differ; of fields that are alike otherwise,
/// with the precision of their elements.
std::pair<std::string, std::string> describeApart(const Value &a,
                                                  const Value &b);

/// See Sema/Types/Dims.h.
std::string explainOrder(const Value &a, const Value &b);
std::string explainOrder(const Value &vector, DimList dims,
                         llvm::StringRef whose);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_TYPES_DIMMESSAGES_H
