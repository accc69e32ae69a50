//===- Grid.h - The threads of a launch -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_GRID_H
#define PMC_TEST_GPU_FAKE_GRID_H

#include <cstddef>
#include <functional>
#include <string>

namespace fakecuda {

struct GridShape {
  int blocks, threads; ///< threads a block
  size_t shared;       ///< bytes a block
};

/// Runs all threads of a launch, one grid at a time, in the order that
/// FAKECUDA_ORDER says. What is wrong, or empty.
std::string runGrid(const GridShape &shape,
                    const std::function<void()> &thread);

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_GRID_H
