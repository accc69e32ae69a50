//===- Halo.h - Memory and messages of halos --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DIST_HALO_H
#define PMRT_DIST_HALO_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// The needs of a halo, computed without opening it: the bytes of cells of
/// other ranks (`side`) and of addresses of rows, and the messages. The
/// messages refer to memory that does not exist.
struct HaloNeeds {
  int64_t side = 0, rows = 0;
  Messages exchange, reduce;
};

/// The needs of a halo with these widths around a mesh over `dims`.
HaloNeeds haloNeeds(const Context &context, pmrt_element element,
                    const std::vector<int32_t> &dims, const int64_t *lo,
                    const int64_t *hi);

} // namespace pmrt

#endif // PMRT_DIST_HALO_H
