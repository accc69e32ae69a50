//===- Fourier.h - Which dims a transform goes along ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_FOURIER_H
#define PMC_CODEGEN_LOWERING_FOURIER_H

#include "dialect/IR/PM.h"

namespace pmc::codegen {

/// Bit i: dim i of `input` is transformed. `over` has the space dims' labels.
inline uint32_t getTransformedDims(pm::BufferType input, mlir::ArrayAttr over) {
  uint32_t mask = 0;
  for (auto [i, dim] : llvm::enumerate(input.getDims()))
    for (llvm::StringRef label : over.getAsValueRange<mlir::StringAttr>())
      if (dim.withKind(pm::DimKind::Space).getLabel() == label)
        mask |= 1U << i;
  return mask;
}

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_FOURIER_H
