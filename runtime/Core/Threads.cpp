//===- Threads.cpp - A context's worker threads ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Threads.h"

#include <oneapi/tbb/info.h>

using namespace pmrt;

int Threads::hardware() { return tbb::info::default_concurrency(); }

Threads::Threads(int count)
    : number(count > 0 ? count : hardware()), arena(number) {
  if (number > hardware())
    control = std::make_unique<tbb::global_control>(
        tbb::global_control::max_allowed_parallelism, size_t(number));
  arena.initialize();
}
