//===- ReducedPrecision.h - Conversion from bf16 and f16 --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For GPUs, too: no library header. GCC 12 has no type of these formats in C++.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_REDUCEDPRECISION_H
#define PMRT_BASE_REDUCEDPRECISION_H

#include <stdint.h>

namespace pmrt {

inline float floatOf(uint32_t bits) {
  float number;
  __builtin_memcpy(&number, &bits, sizeof number);
  return number;
}

/// Its bits are the upper half of a float's.
struct Brain {
  uint16_t bits;
  operator float() const { return floatOf(uint32_t(bits) << 16); }
};

/// IEEE 754 binary16: an exponent of 5 bits for a float's 8.
struct Half {
  uint16_t bits;
  operator float() const {
    // The product moves the exponent, of subnormal numbers as well.
    const float size = floatOf(uint32_t(bits & 0x7FFF) << 13) * 0x1p112F;
    uint32_t made;
    __builtin_memcpy(&made, &size, sizeof made);
    if (size >= 0x1p16F) // infinite, or not a number
      made |= 0x7F800000;
    return floatOf(made | uint32_t(bits & 0x8000) << 16);
  }
};

} // namespace pmrt

#endif // PMRT_BASE_REDUCEDPRECISION_H
