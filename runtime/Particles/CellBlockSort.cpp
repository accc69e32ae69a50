//===- CellBlockSort.cpp - Elements in the order of the cells they touch --===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of 7 cells a side touches 49 rows of a mesh: where elements come in
// any order, each of them is a wait for memory. Those of one cell block of the
// mesh after the other find most of them in a cache (as in Barnett, Magland &
// af Klinteberg 2019, section 4).
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/Core/Positions.h"
#include "runtime/Particles/KeySort.h"

#include "pmrt/particles.h"

#include <atomic>
#include <numeric>

using namespace pmrt;

bool pmrt::sortByCellBlock(Threads &threads, int64_t size,
                           const int32_t *cellBlocks, int64_t *counts,
                           int32_t *order, int32_t *spare) {
  constexpr int64_t digit = SortWorkspace::cellBlockKeys;
  std::atomic<bool> outside = false, has = false;
  threads.forRange(size, [&](int64_t from, int64_t to) {
    if (from == to)
      return;
    const auto [least, most] =
        std::minmax_element(cellBlocks + from, cellBlocks + to);
    if (*least < 0 || *most >= digit * digit)
      outside.store(true, std::memory_order_relaxed);
    if (*most >= digit)
      has.store(true, std::memory_order_relaxed);
  });
  if (outside)
    return false;
  // The lower digit first, then the upper one, each stable.
  int32_t *first = has ? spare : order;
  sortByKey(
      threads, size, digit, counts,
      [&](int64_t i) { return cellBlocks[i] % digit; },
      [&](int64_t slot, int64_t i) { first[slot] = int32_t(i); });
  if (has)
    sortByKey(
        threads, size, digit, counts,
        [&](int64_t i) { return cellBlocks[spare[i]] / digit; },
        [&](int64_t slot, int64_t i) { order[slot] = spare[i]; });
  return true;
}

namespace {

/// The memory of a sort of elements.
struct Sorting {
  int64_t *counts, *list;
  int32_t *cellBlocks, *order;

  Sorting(const SortWorkspace &workspace, Pages &memory)
      : counts(reinterpret_cast<int64_t *>(memory.data())),
        list(counts + workspace.counters()),
        cellBlocks(reinterpret_cast<int32_t *>(list + workspace.particles)),
        order(cellBlocks + workspace.particles) {}
};

} // namespace

void pmrt_parallel_list(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                        const char *name, const pmrt_list_bodies *bodies,
                        void *args, int64_t count, int64_t bytes) {
  Op op(*ctx, loc, name, count * bytes);
  if (count <= 0)
    return;
  const SortWorkspace workspace = SortWorkspace::ofReading(count);
  // Of the plan; who says nothing of his readings takes it here.
  if (ctx->sortWorkspace.size() < workspace.bytes())
    ctx->sortWorkspace = Pages(workspace.bytes());
  const Sorting memory(workspace, ctx->sortWorkspace);
  if (areFew(count)) {
    std::iota(memory.list, memory.list + count, 0);
    return runLoop(*ctx, loc, [&] { bodies->list(args, memory.list, count); });
  }
  for (int64_t begin = 0; begin < count; begin += workspace.batch) {
    checkInterrupt();
    const int64_t size = std::min(workspace.batch, count - begin);
    // The body indexes by the element; the array begins at the batch.
    auto *origin = reinterpret_cast<int32_t *>(
        reinterpret_cast<uintptr_t>(memory.cellBlocks) -
        uintptr_t(begin) * sizeof(int32_t));
    ctx->threads.forRange(size, [&](int64_t from, int64_t to) {
      bodies->cell_blocks(args, begin + from, begin + to, origin);
    });
    if (!sortByCellBlock(ctx->threads, size, memory.cellBlocks, memory.counts,
                         memory.order,
                         reinterpret_cast<int32_t *>(memory.list)))
      throw ctx->failure(
          loc, "internal error: a reading's cell block is out of range");
    ctx->threads.forRange(size, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i)
        memory.list[i] = begin + memory.order[i];
    });
    runLoop(*ctx, loc, [&] {
      ctx->threads.forRange(size, [&](int64_t from, int64_t to) {
        bodies->list(args, memory.list + from, to - from);
      });
    });
  }
}
