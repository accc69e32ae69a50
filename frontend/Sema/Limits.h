//===- Limits.h - Counts beyond which a spec is refused ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_LIMITS_H
#define PMC_FRONTEND_SEMA_LIMITS_H

#include <cstdint>

namespace pmc {

/// Counts of work beyond which a spec is refused.
struct Limits {
  static constexpr uint64_t maxWork = 2'000'000;
  static constexpr unsigned maxUnrolled = 100'000;
  static constexpr uint64_t maxExpansion = 300'000;
  static constexpr uint64_t maxExecuted = 200'000'000; // without repetitions
  static constexpr unsigned maxPrinted = 1000;
  static constexpr unsigned maxCallDepth = 200;
  static constexpr unsigned maxValueDepth = 32;
  static constexpr uint64_t maxValueSize = 4096;
};

/// How many ops a function makes.
struct Expansion {
  uint64_t written = 0;  ///< with all calls written out; 0 of numbers only
  uint64_t executed = 0; ///< by one call, each loop counted once
  uint64_t code = 0;     ///< with each function that it calls once
  /// It has assertions, or calls such a function, that stay in a function of
  /// numbers, so that inlining does not add the place of the call.
  bool needsPlace = false;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_LIMITS_H
