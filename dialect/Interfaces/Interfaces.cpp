//===- Interfaces.cpp - What passes ask of an op --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

pmc::pm::Tangents::~Tangents() = default;
pmc::pm::Cotangents::~Cotangents() = default;

#include "dialect/Interfaces/Interfaces.cpp.inc"
