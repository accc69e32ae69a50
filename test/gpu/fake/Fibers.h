//===- Fibers.h - The threads of a block on one thread ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_FIBERS_H
#define PMC_TEST_GPU_FAKE_FIBERS_H

#include <functional>
#include <vector>

namespace fakecuda {

/// An order of the numbers 0 ... count - 1.
using Order = std::function<std::vector<int>(int count)>;

/// Runs body(0) ... body(threads - 1), one after the other; each runs until it
/// ends or waits at a barrier, where it stays until all are there. `order` is
/// asked at the beginning and at every barrier.
/// Returns false, and gives them up, if some have ended and others wait.
bool runBlock(int threads, const Order &order,
              const std::function<void(int)> &body);

/// Called by a body.
void barrier();
/// Whether the address is on the stack of the body that calls it.
bool isOnStack(const void *address);

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_FIBERS_H
