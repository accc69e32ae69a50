//===- Positions.h - Positions that cannot be read ---------------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a loop knows neither the context of the program nor the location
// of the loop in the spec. Errors that it throws receive both here.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_POSITIONS_H
#define PMRT_CORE_POSITIONS_H

#include "runtime/Core/Context.h"

#include <stdexcept>

namespace pmrt {

class BadPosition : public std::runtime_error {
public:
  BadPosition() : std::runtime_error(text) {}
  static constexpr const char *text = "position is not finite, or too large";
};

/// Runs a loop over generated code.
template <typename Loop>
void runLoop(Context &context, pmrt_loc loc, const Loop &loop) {
  try {
    loop();
  } catch (const BadPosition &bad) {
    throw context.failure(loc, bad.what());
  }
}

} // namespace pmrt

#endif // PMRT_CORE_POSITIONS_H
