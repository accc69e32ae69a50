//===- Finite.h - Finding NaN and infinity ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_FINITE_H
#define PMRT_IO_FILES_FINITE_H

#include "pmrt/pmrt.h"
#include "runtime/Base/Threads.h"

#include <cstdint>
#include <string>

namespace pmrt {

/// Index of the first of `count` elements that is not finite (either part, for
/// complex ones), or -1.
int64_t firstNonFinite(Threads &threads, pmrt_element element, const void *data,
                       int64_t count);

/// "nan", "inf", "1+nan i": element `index`, for a message.
std::string elementText(pmrt_element element, const void *data, int64_t index);

} // namespace pmrt

#endif // PMRT_IO_FILES_FINITE_H
