//===- PMSpectralOps.h - Filters of spectra ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_PMSPECTRALOPS_H
#define PMC_DIALECT_IR_PMSPECTRALOPS_H

#include "dialect/IR/PM.h"

#define GET_OP_CLASSES
#include "dialect/IR/PMSpectralOps.h.inc"

#endif // PMC_DIALECT_IR_PMSPECTRALOPS_H
