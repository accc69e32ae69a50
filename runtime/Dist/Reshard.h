//===- Reshard.h - From one layout to another -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank gets every cell that it lacks from the nearest copy: the one whose
// place agrees with its own along all axes that do not split the source. So
// only ranks along the axes that change talk to each other.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_DIST_RESHARD_H
#define PMRT_DIST_RESHARD_H

#include "runtime/Dist/Layout.h"

#include <functional>

namespace pmrt {

/// One of `count` pieces, along the first dim, of the cells that each rank has
/// in the source or in the target.
struct ReshardPiece {
  int64_t index = 0, count = 1;
  bool ofSource = true;

  Box of(Box box) const;
};

/// The messages that bring the array `in`, cut as `from`, to `out`, cut as
/// `to`; both have the same cells. `piece`: only a piece of it.
Messages reshardMessages(const Mesh &mesh, int64_t size, const Layout &from,
                         const void *in, const Layout &to, void *out,
                         const ReshardPiece &piece = {});

} // namespace pmrt

/// The ABI's collective under way.
struct pmrt_pending {
  std::unique_ptr<pmrt::Exchange> exchange;
  const char *name = "";
  /// What may be done before it is waited for, by all ranks in the same call.
  std::function<void()> goOn = [] {};
};

#endif // PMRT_DIST_RESHARD_H
