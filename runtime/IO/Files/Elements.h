//===- Elements.h - Numbers of any element ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_ELEMENTS_H
#define PMRT_IO_FILES_ELEMENTS_H

#include "runtime/Core/Descriptor.h"

#include "pmrt/pmrt.h"

#include <cmath>
#include <cstdint>

namespace pmrt {

/// Calls `visit` with a function from an index to its value as a double, of
/// complex numbers the modulus. They are in the host's memory.
template <typename Visit>
void visitAs(pmrt_element element, const void *at, const Visit &visit) {
  auto real = [&](auto zero) {
    const auto *data = static_cast<const decltype(zero) *>(at);
    visit([data](int64_t i) { return double(data[i]); });
  };
  auto modulus = [&](auto zero) {
    const auto *data = static_cast<const decltype(zero) *>(at);
    visit([data](int64_t i) {
      return std::hypot(double(data[2 * i]), double(data[2 * i + 1]));
    });
  };
  switch (element) {
  case PMRT_F32:
    return real(float());
  case PMRT_F64:
    return real(double());
  case PMRT_C64:
    return modulus(float());
  case PMRT_C128:
    return modulus(double());
  case PMRT_I8:
    return real(int8_t());
  case PMRT_I64:
    return real(int64_t());
  case PMRT_U64:
    return real(uint64_t());
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
}

} // namespace pmrt

#endif // PMRT_IO_FILES_ELEMENTS_H
