//===- Fibers.h - The threads of a block on one thread ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_FIBERS_H
#define PMC_TEST_GPU_FAKE_FIBERS_H

#include <functional>

namespace fakecuda {

/// Runs body(0) ... body(threads - 1), in rising or falling order; each runs
/// until it ends or waits at a barrier, where it stays until all are there.
/// Returns false, and gives them up, if some have ended and others wait.
bool runBlock(int threads, bool falling, const std::function<void(int)> &body);

/// Called by a body.
void barrier();

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_FIBERS_H
