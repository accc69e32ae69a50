//===- Blocks.h - Cutting a periodic dim into coloured blocks ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Particles that start in a block of mesh planes touch that block and some
// planes beyond its end. If every block is wide enough, blocks that are not
// neighbors touch different planes: all even blocks can be worked on at the
// same time, then all odd ones. On a periodic dim this needs an even number of
// blocks.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_BLOCKS_H
#define PMRT_PARTICLES_BLOCKS_H

#include <cstdint>

namespace pmrt {

/// A cut of [0, rows) into `count` blocks, as equal as possible: an even number
/// of blocks of at least the asked width, or one block.
struct Blocks {
  int64_t rows = 0;
  int64_t count = 1;

  int64_t begin(int64_t block) const { return block * rows / count; }
  int64_t end(int64_t block) const { return (block + 1) * rows / count; }
  int64_t colours() const { return count > 1 ? 2 : 1; }
  /// Blocks that can be worked on at the same time.
  int64_t parallel() const { return count > 1 ? count / 2 : 1; }
};

/// Blocks of [0, rows) that are at least `width` rows wide, at most `most`.
Blocks cut(int64_t rows, int64_t width, int64_t most);

} // namespace pmrt

#endif // PMRT_PARTICLES_BLOCKS_H
