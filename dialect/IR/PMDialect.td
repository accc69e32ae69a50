//===- PMDialect.td - All of the pm dialect ----------------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "dialect/IR/PMOps.td"
include "dialect/IR/Ops/PMDomainOps.td"
include "dialect/IR/Ops/PMAutodiffOps.td"
include "dialect/IR/Ops/PMCommOps.td"
