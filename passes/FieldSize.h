//===- FieldSize.h - Bytes of a field ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_FIELDSIZE_H
#define PMC_PASSES_FIELDSIZE_H

#include "dialect/IR/PM.h"

namespace pmc::passes {

/// Bytes of a whole field or buffer.
inline int64_t getBytes(pm::GridType type) {
  int64_t bytes = pm::getElementBytes(type.getElementType());
  for (pm::DimAttr dim : type.getDims())
    bytes *= dim.getStoredExtent();
  return bytes;
}

} // namespace pmc::passes

#endif // PMC_PASSES_FIELDSIZE_H
