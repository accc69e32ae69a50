//===- Passes.td - The passes of pmc -----------------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each folder describes its passes in a file of this name.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_PASSES_TD
#define PMC_PASSES_PASSES_TD

include "passes/Autodiff/Passes.td"
include "passes/Expand/Passes.td"
include "passes/Memory/Passes.td"
include "passes/Optimize/Passes.td"
include "passes/Sharding/Passes.td"
include "passes/Spectra/Passes.td"
include "passes/Stencils/Passes.td"
include "passes/Verify/Passes.td"

#endif // PMC_PASSES_PASSES_TD
