//===- Limits.h - How large fields may be -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_MARKERS_LIMITS_H
#define PMC_DIALECT_IR_MARKERS_LIMITS_H

namespace pmc::pm {

/// Dims that a field has at most. The runtime's arrays hold as many
/// (PMRT_MAX_RANK).
constexpr unsigned mostFieldDims = 12;
/// Dims of a product that is summed over some of them, and so never stored.
constexpr unsigned mostProductDims = 16;

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_MARKERS_LIMITS_H
