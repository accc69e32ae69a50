//===- Exact.h - Conversions without a loss ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_EXACT_H
#define PMRT_IO_FILES_EXACT_H

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace pmrt {

/// A number of a file as an element of a field. Real numbers are rounded.
/// Throws std::runtime_error for an integer that is not exact in `To`; the text
/// goes after the file's name.
template <typename To, typename From> To exactly(From value) {
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): int8 is a number
  const auto converted = To(value);
  if constexpr (std::is_integral_v<From> && std::is_floating_point_v<To>)
    if constexpr (std::numeric_limits<From>::digits >
                  std::numeric_limits<To>::digits)
      if (static_cast<__int128>(converted) != static_cast<__int128>(value))
        throw std::runtime_error(fmt::format(
            "holds {}, which {} does not represent exactly{}", value,
            sizeof(To) == 4 ? "f32" : "f64",
            sizeof(To) == 4 ? "; compile with --precision=f64, or round it "
                              "first (in NumPy: array.astype(\"f4\"))"
                            : "; round it first (in NumPy: "
                              "array.astype(\"f8\"))"));
  // The only integers of 8 bits are the values of masks.
  if constexpr (std::is_integral_v<From> && sizeof(To) == 1 && sizeof(From) > 1)
    if (From(converted) != value)
      throw std::runtime_error(
          fmt::format("is not a mask: it holds {}, expected 0 or 1", value));
  return converted;
}

} // namespace pmrt

#endif // PMRT_IO_FILES_EXACT_H
