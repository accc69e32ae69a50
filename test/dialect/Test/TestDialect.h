//===- TestDialect.h - An op with every interface ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_DIALECT_TESTDIALECT_H
#define PMC_TEST_DIALECT_TESTDIALECT_H

#include "passes/Cost/Cost.h"

#include "test/dialect/Test/TestDialect.h.inc"

namespace pmc::test {
using pm::parseDomain;
using pm::printDomain;
} // namespace pmc::test

#define GET_OP_CLASSES
#include "test/dialect/Test/TestOps.h.inc"

namespace pmc::test {

/// Attaches the lowering of pmtest.linear, as codegen does for the ops of pm.
void registerLowering(mlir::DialectRegistry &registry);

/// --test-pm-tangent, --test-pm-adjoint, --test-pm-buffers,
/// --test-pm-lower, --test-pm-cost and --test-pm-domain: each asks one
/// interface of every op that has it, whatever the op.
void registerPasses();

} // namespace pmc::test

#endif // PMC_TEST_DIALECT_TESTDIALECT_H
